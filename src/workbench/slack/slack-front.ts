/**
 * One address for several simulated Slacks, each with a workspace of its own, as an app that many workspaces
 * install sees them. A request belongs to the workspace of its token.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { machineClock } from '../../clock.ts';

interface Behind {
  /** Ends with a slash. */
  readonly apiUrl: string;
  readonly botToken: string;
}

export interface SlackFront {
  /** For `SLACK_API_URL`. */
  readonly apiUrl: string;
  close(): Promise<void>;
}

async function pass({ apiUrl }: Behind, request: IncomingMessage, body: Buffer): Promise<Response> {
  const headers = new Headers();
  for (const name of ['authorization', 'content-type', 'user-agent']) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  const init = { method: request.method ?? 'GET', headers, redirect: 'manual' } as const;
  const path = new URL(request.url ?? '/', apiUrl);
  return globalThis.fetch(path, body.length === 0 ? init : { ...init, body: new Uint8Array(body) });
}

async function answerWith(answer: Response, text: Buffer, response: ServerResponse): Promise<void> {
  const headers = Object.fromEntries(
    [...answer.headers].filter(([name]) => !/^(?:content-length|transfer-encoding|connection)$/u.test(name)),
  );
  response.writeHead(answer.status, headers).end(text);
}

/** Looked at so often. */
const BEAT_MS = 50;
/** A longer stall of this process makes messages late: an app's fast clock has gone on. */
const MOST_STALL_MS = 700;
/** What arrived in a stall is handled within this time after it. */
const AFTER_STALL_MS = 300;

/**
 * Whether this process just stalled. As any server, a busy one gives up what waited for too long: handled
 * late, a message would arrive after the app has looked for it in vain and sent it again.
 */
function watchStalls() {
  const clock = machineClock;
  let beatAt = clock.monotonicNow();
  let lateUntil = beatAt;
  let callOff = () => {};
  const beat = () => {
    const now = clock.monotonicNow();
    if (now - beatAt > BEAT_MS + MOST_STALL_MS) lateUntil = now + AFTER_STALL_MS;
    beatAt = now;
    callOff = clock.runAfter(BEAT_MS, beat);
  };
  beat();
  return { isLate: () => clock.monotonicNow() < lateUntil, stop: () => callOff() };
}

/** Only the workspace where the code was given out takes it. */
async function redeemCode(
  slacks: readonly Behind[],
  request: IncomingMessage,
  body: Buffer,
): Promise<readonly [Response, Buffer]> {
  let last: readonly [Response, Buffer] | undefined;
  for (const slack of slacks) {
    const answer = await pass(slack, request, body);
    const text = Buffer.from(await answer.arrayBuffer());
    last = [answer, text];
    if (text.includes('"ok":true')) return last;
  }
  if (!last) throw new Error('There is no workspace');
  return last;
}

/** @param slacks with different tokens and teams, and the same app */
export async function startSlackFront(slacks: readonly Behind[]): Promise<SlackFront> {
  const stalls = watchStalls();
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    if (stalls.isLate() && request.url?.endsWith('/chat.postMessage')) return void response.destroy();
    const said = `${request.headers.authorization ?? ''} ${body.toString()}`;
    if (request.url?.endsWith('/oauth.v2.access'))
      return answerWith(...(await redeemCode(slacks, request, body)), response);
    const slack = slacks.find(({ botToken }) => said.includes(botToken)) ?? slacks[0];
    if (!slack) throw new Error('There is no workspace');
    const answer = await pass(slack, request, body);
    await answerWith(answer, Buffer.from(await answer.arrayBuffer()), response);
  };
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    apiUrl: `http://127.0.0.1:${port}/api/`,
    async close() {
      stalls.stop();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
