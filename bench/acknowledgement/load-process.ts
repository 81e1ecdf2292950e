/**
 * Sends the requests from its own process, so the load generator's CPU isn't counted for the measured app.
 */
import { performance } from 'node:perf_hooks';
import { Agent, request } from 'undici';
import { machineClock, SECOND } from '../../src/clock.ts';
import { seededRandom } from '../../test/seeded-random.ts';
import { answerQuestions } from '../contender.ts';
import { makeRequest, type SignedRequest } from './interactions.ts';
import { makeStranger, type Stranger } from './strangers.ts';

const CONNECTIONS = 64;
const STRANGERS_AT_ONCE = 20;

export interface Stream {
  readonly url: string;
  /** The response_url of the requests. */
  readonly answerAt: string;
  readonly perSecond: number;
  readonly seconds: number;
}

export interface Acknowledged {
  /** Latency of each request in ms, from sending it to the end of its acknowledgement. */
  readonly took: readonly number[];
  /** Requests not acknowledged with 200. */
  readonly failed: number;
  /** How late the last request went out, in ms: a slow sender produces a lower rate than requested. */
  readonly lateMs: number;
}

interface Due {
  /** Milliseconds since the stream began. */
  readonly at: number;
  readonly signed: SignedRequest;
}

export interface Flood {
  readonly url: string;
  readonly stranger: Stranger;
  readonly count: number;
}

const random = seededRandom(3);
let sent = 0;

async function acknowledge(url: string, { body, headers }: SignedRequest, agent: Agent): Promise<boolean> {
  try {
    const answer = await request(url, { method: 'POST', headers, body, dispatcher: agent });
    await answer.body.dump();
    return answer.statusCode === 200;
  } catch {
    return false;
  }
}

/** Signs the requests in advance, so signing doesn't slow down the stream. */
function makeRequests({ answerAt, perSecond, seconds }: Stream): readonly Due[] {
  const requests: Due[] = [];
  for (let at = 0; at < seconds * SECOND; at += (-Math.log(1 - random()) * SECOND) / perSecond)
    requests.push({ at, signed: makeRequest(++sent, answerAt, machineClock.now()) });
  return requests;
}

/** Sends at random times (a Poisson stream), whether or not earlier requests were answered. */
async function stream(asked: Stream): Promise<Acknowledged> {
  const requests = makeRequests(asked);
  const agent = new Agent({ connections: CONNECTIONS });
  const took: number[] = [];
  let failed = 0;
  const send = async (signed: SignedRequest) => {
    const began = performance.now();
    if (!(await acknowledge(asked.url, signed, agent))) failed += 1;
    took.push(performance.now() - began);
  };
  const inFlight: Promise<void>[] = [];
  const began = performance.now();
  let lateMs = 0;
  for (const { at, signed } of requests) {
    while (performance.now() - began < at) await machineClock.sleep(1);
    lateMs = performance.now() - began - at;
    inFlight.push(send(signed));
  }
  await Promise.all(inFlight);
  await agent.close();
  return { took, failed, lateMs };
}

/** Sends `count` requests, `STRANGERS_AT_ONCE` at a time. Returns the total time in ms. */
async function flood({ url, stranger, count }: Flood): Promise<number> {
  const agent = new Agent({ connections: STRANGERS_AT_ONCE });
  const signed = makeStranger(stranger, machineClock.now());
  let left = count;
  const work = async () => {
    // A server that closes the connection early has rejected the request, too.
    while (left-- > 0) await acknowledge(url, signed, agent);
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: STRANGERS_AT_ONCE }, work));
  const took = performance.now() - began;
  await agent.destroy();
  return took;
}

const answers = { stream, flood };
export type LoadProcess = typeof answers;

answerQuestions(answers);
