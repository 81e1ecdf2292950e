/** Sends the requests; in a process of its own, so that what it costs is nobody's who is measured. */
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
  /** Where answers are to be sent. */
  readonly answerAt: string;
  readonly perSecond: number;
  readonly seconds: number;
}

export interface Acknowledged {
  /** Of each request, in ms, from sending it to the end of its acknowledgement. */
  readonly took: readonly number[];
  /** Not acknowledged with 200. */
  readonly failed: number;
  /** How far the last was sent behind its time, in ms: a sender that can't keep up asks for less than it was told to. */
  readonly lateMs: number;
}

interface Due {
  /** In ms from the beginning of the stream. */
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

/** Made before the first is sent, so that signing costs nothing of the time in which they are. */
function makeRequests({ answerAt, perSecond, seconds }: Stream): readonly Due[] {
  const requests: Due[] = [];
  for (let at = 0; at < seconds * SECOND; at += (-Math.log(1 - random()) * SECOND) / perSecond)
    requests.push({ at, signed: makeRequest(++sent, answerAt, machineClock.now()) });
  return requests;
}

/** As people press: at random moments (a Poisson stream), whether or not the ones before were answered. */
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

/** So many at once, one after the other: what all took, in ms. */
async function flood({ url, stranger, count }: Flood): Promise<number> {
  const agent = new Agent({ connections: STRANGERS_AT_ONCE });
  const signed = makeStranger(stranger, machineClock.now());
  let left = count;
  const work = async () => {
    // A server that ends the connection before all is sent has refused, too.
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
