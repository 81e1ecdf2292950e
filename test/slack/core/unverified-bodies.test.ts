/** Memory that strangers can occupy before the signature check: real connections, manual clock. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MINUTE, SECOND } from '../../../src/clock.ts';
import { silentLog } from '../../../src/log.ts';
import { Secret } from '../../../src/secret.ts';
import { HttpReceiver } from '../../../src/slack/core/http-receiver.ts';
import { type RunningServer, SLACK_PATH, startHttpServer } from '../../../src/slack/core/http-server.ts';
import { ManualClock } from '../../../src/workbench/clocks.ts';

const MEBIBYTE = 2 ** 20;

let clock: ManualClock;
let server: RunningServer;
let refused: number[];
let sockets: Socket[];
/** Handlers answer then. */
let handled: Promise<void>;
let isHandling: boolean;

beforeEach(async () => {
  [clock, refused, sockets] = [new ManualClock(), [], []];
  const receiver = new HttpReceiver({
    signingSecret: new Secret('signing secret'),
    clock,
    log: silentLog,
    onRefused: (status) => refused.push(status),
  });
  handled = Promise.resolve();
  isHandling = false;
  receiver.init({
    processEvent: async ({ ack }) => {
      isHandling = true;
      await handled;
      await ack();
    },
  });
  server = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    clock,
    log: silentLog,
    routes: {},
    mostConnections: 60,
    slack: (request, response) => receiver.handleRequest(request, response),
  });
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server.stop(SECOND);
});

type Headers = Readonly<Record<string, string | number>>;

/** The signature headers of a body, `skewMs` from now. */
function signed(body: string, skewMs = 0): Headers {
  const at = String(Math.floor((clock.now() + skewMs) / SECOND));
  const signature = createHmac('sha256', 'signing secret').update(`v0:${at}:${body}`).digest('hex');
  return {
    'content-type': 'application/json',
    'x-slack-request-timestamp': at,
    'x-slack-signature': `v0=${signature}`,
  };
}

/** A request with a body sent by hand. */
interface Dripping {
  readonly socket: Socket;
  /** The answer, once the connection is closed. */
  readonly answer: Promise<string>;
  readonly closed: () => boolean;
  send(piece: string): Promise<void>;
}

async function begin(headers: Headers): Promise<Dripping> {
  const socket = connect(server.port, '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  const chunks: Buffer[] = [];
  let isClosed = false;
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // A client that is cut off while sending may see a reset.
  socket.on('error', () => undefined);
  const answer = new Promise<string>((resolve) =>
    socket.once('close', () => {
      isClosed = true;
      resolve(Buffer.concat(chunks).toString());
    }),
  );
  const send = (piece: string) => new Promise<void>((resolve) => socket.write(piece, () => resolve()));
  const lines = Object.entries({ host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}`);
  await send(`POST ${SLACK_PATH} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  return { socket, answer, closed: () => isClosed, send };
}

async function post(body: string, headers = signed(body)): Promise<number> {
  const url = `http://127.0.0.1:${server.port}${SLACK_PATH}`;
  const strings = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  const answer = await globalThis.fetch(url, { method: 'POST', body, headers: strings });
  await answer.arrayBuffer();
  return answer.status;
}

const statusOf = async ({ answer }: Dripping) => (await answer).split(' ')[1];

describe('a body is not waited for', () => {
  const tooLong = { 'content-length': 1_001 };
  const whole = { 'content-length': 1_000_000 };
  const cases: readonly (readonly [string, () => Headers])[] = [
    ['without signature and time', () => tooLong],
    ['without a signature', () => ({ ...tooLong, 'x-slack-request-timestamp': '1' })],
    ['without a time', () => ({ ...tooLong, 'x-slack-signature': `v0=${'0'.repeat(64)}` })],
    ['with a signature that is none', () => ({ ...whole, ...signed(''), 'x-slack-signature': 'v0=1' })],
    ['with a time that is none', () => ({ ...whole, ...signed(''), 'x-slack-request-timestamp': '1e3' })],
    ['that is too old', () => ({ ...whole, ...signed('', -6 * MINUTE) })],
    ['that is dated in the future', () => ({ ...whole, ...signed('', 6 * MINUTE) })],
  ];
  it.each(cases)('%s: refused and closed before any of it came', async (_, headers) => {
    expect(await statusOf(await begin(headers()))).toBe('401');
    expect(refused).toEqual([401]);
  });

  it('where it says itself that it is too long', async () => {
    const request = await begin({ ...signed(''), 'content-length': MEBIBYTE + 1 });
    expect(await statusOf(request)).toBe('413');
  });

  it('beyond 1 kB where nothing is signed and no length was said', async () => {
    const request = await begin({ 'transfer-encoding': 'chunked' });
    await request.send(`3e8\r\n${'x'.repeat(1_000)}\r\n`);
    expect(request.closed()).toBe(false);
    await request.send('1\r\nx\r\n');
    expect(await statusOf(request)).toBe('401');
  });

  it('beyond the 3 s after which Slack has given up itself', async () => {
    const request = await begin({ ...signed(''), 'content-length': 10 });
    await request.send('{');
    expect(await post('{}')).toBe(200);
    clock.moveBy(3 * SECOND);
    expect(await statusOf(request)).toBe('408');
    expect(refused).toEqual([408]);
  });
});

describe('all bodies that are not verified yet', () => {
  it('hold at most 16 MiB together: the oldest lose their place, and Slack still passes', async () => {
    const most = 16;
    const strangers: Dripping[] = [];
    for (let count = 0; count < most + 4; count++) {
      const stranger = await begin({ ...signed(''), 'content-length': MEBIBYTE });
      await stranger.send('x'.repeat(MEBIBYTE - 1));
      strangers.push(stranger);
      expect(await post('{}')).toBe(200);
    }
    for (const first of strangers.slice(0, 4)) expect(await statusOf(first)).toBe('503');
    expect(strangers.filter((stranger) => !stranger.closed()).length).toBeLessThanOrEqual(most);
    const large = JSON.stringify({ text: 'x'.repeat(MEBIBYTE - 100) });
    expect(await post(large)).toBe(200);
  });

  it('give back what they held, whether they are finished, refused or broken off', async () => {
    const almost = 'x'.repeat(MEBIBYTE - 100);
    for (let round = 0; round < 10; round++) {
      expect(await post(JSON.stringify({ text: almost }))).toBe(200);
      expect(await post(almost, signed('another text'))).toBe(401);
      const broken = await begin({ ...signed(''), 'content-length': MEBIBYTE });
      await broken.send(almost);
      broken.socket.destroy();
      await broken.answer;
    }
    const waiting = await begin({ ...signed('{}'), 'content-length': 2 });
    await Promise.all(Array.from({ length: 12 }, () => post(JSON.stringify({ text: almost }))));
    await waiting.send('{}');
    expect(
      await new Promise((resolve) => waiting.socket.once('data', (got) => resolve(String(got)))),
    ).toContain(' 200 ');
  });
});

describe('connections', () => {
  it('are bounded: those that were idle longest go, and Slack still passes', async () => {
    const kept = await begin({ ...signed('{}'), 'content-length': 2 });
    const strangers: Dripping[] = [];
    for (let count = 0; count < 59; count++) strangers.push(await begin({ 'content-length': 2 }));
    // It got an answer, so it counts as new.
    await kept.send('{}');
    await once(kept.socket, 'data');
    for (let count = 0; count < 10; count++) strangers.push(await begin({ 'content-length': 2 }));
    await Promise.all(strangers.slice(0, 10).map(({ answer }) => answer));
    expect(kept.closed()).toBe(false);
    expect(await post('{}')).toBe(200);
  });

  it('a request of Slack that is being handled keeps its connection', async () => {
    let finish = () => {};
    handled = new Promise((resolve) => {
      finish = resolve;
    });
    const body = '{"type":"event_callback"}';
    const slacks = await begin({ ...signed(body), 'content-length': body.length });
    await slacks.send(body);
    await vi.waitUntil(() => isHandling);
    const strangers: Dripping[] = [];
    for (let count = 0; count < 70; count++) strangers.push(await begin({ 'content-length': 2 }));
    await Promise.all(strangers.slice(0, 5).map(({ answer }) => answer));
    finish();
    const [answer] = (await once(slacks.socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 200 /u);
  });

  it('a burst of Slack’s requests passes whole', async () => {
    const body = JSON.stringify({ type: 'event_callback', text: 'x'.repeat(200_000) });
    const statuses = await Promise.all(Array.from({ length: 50 }, () => post(body)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(refused).toEqual([]);
  });
});
