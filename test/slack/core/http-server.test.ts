/** Connections to the HTTP server, and bodies in many pieces. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { machineClock, SECOND } from '../../../src/clock.ts';
import { silentLog } from '../../../src/log.ts';
import {
  keepUntilAnswered,
  type RunningServer,
  SLACK_PATH,
  startHttpServer,
} from '../../../src/slack/core/http-server.ts';
import { BodyMemoryLimit, MOST_BODY_BYTES, readBody } from '../../../src/slack/core/read-body.ts';

const MOST = 60;

let server: RunningServer;
let sockets: Socket[];
/** Requests are answered then. */
let handled: Promise<void>;
let isHandling: boolean;

beforeEach(async () => {
  [sockets, handled, isHandling] = [[], Promise.resolve(), false];
  const options = { host: '127.0.0.1', port: 0, clock: machineClock, log: silentLog, routes: {} };
  server = await startHttpServer({
    ...options,
    mostConnections: MOST,
    slack: async (request, response) => {
      await once(request.resume(), 'end');
      keepUntilAnswered(response);
      isHandling = true;
      await handled;
      response.end();
    },
  });
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server.stop(SECOND);
});

/** A connection whose request lacks its body. */
async function begin(): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const head = `POST ${SLACK_PATH} HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n`;
  await new Promise<void>((resolve) => socket.write(head, () => resolve()));
  return socket;
}

async function crowd(count: number): Promise<readonly Socket[]> {
  const strangers: Socket[] = [];
  while (strangers.length < count) strangers.push(await begin());
  return strangers;
}

async function untilGone(socket: Socket): Promise<void> {
  if (!socket.closed) await once(socket.resume(), 'close');
}

describe('connections', () => {
  it('are bounded: those that were idle longest go, and Slack still passes', async () => {
    const kept = await begin();
    const first = await crowd(MOST - 1);
    // It got an answer, so it counts as new.
    kept.write('{}');
    await once(kept, 'data');
    await crowd(10);
    await Promise.all(first.slice(0, 10).map(untilGone));
    expect(kept.closed).toBe(false);
    const at = `http://127.0.0.1:${server.port}${SLACK_PATH}`;
    expect((await globalThis.fetch(at, { method: 'POST', body: '{}' })).status).toBe(200);
  });

  it('with a request of Slack that is being handled are kept', async () => {
    let finish = () => {};
    handled = new Promise((resolve) => {
      finish = resolve;
    });
    const slacks = await begin();
    slacks.write('{}');
    await vi.waitUntil(() => isHandling);
    const strangers = await crowd(MOST + 10);
    await Promise.all(strangers.slice(0, 5).map(untilGone));
    finish();
    const [answer] = (await once(slacks, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 200 /u);
  });
});

it('a body is one text, however many pieces it comes in', async () => {
  const text = JSON.stringify({ text: '✓ and more '.repeat(5_000) });
  const request = Object.assign(new PassThrough(), { headers: {} });
  const bounds = { mostBytes: MOST_BODY_BYTES, clock: machineClock, room: new BodyMemoryLimit() };
  const body = readBody(request as unknown as IncomingMessage, bounds);
  for (const byte of Buffer.from(text)) {
    const piece = Buffer.from([byte]);
    request.emit('data', piece);
    // The body must not keep the read chunks: they take a hundred times the memory of the text.
    piece.fill(0);
  }
  request.emit('end');
  expect(String(await body)).toBe(text);
});
