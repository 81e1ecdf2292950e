import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { machineClock, SECOND } from '../../../src/clock.ts';
import { silentLog } from '../../../src/log.ts';
import { Secret } from '../../../src/secret.ts';
import { HttpReceiver } from '../../../src/slack/core/http-receiver.ts';
import { type RunningServer, SLACK_PATH, startHttpServer } from '../../../src/slack/core/http-server.ts';
import { BodyMemoryLimit, MOST_BODY_BYTES, readBody } from '../../../src/slack/core/read-body.ts';

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
type ProcessEvent = Parameters<HttpReceiver['init']>[0]['processEvent'];

let server: RunningServer;
let refused: number[];
/** Events that reached the SDK. */
let bodies: unknown[];
let answer: unknown;

function signed(type: string, body: string): Readonly<Record<string, string>> {
  const at = String(Math.floor(machineClock.now() / SECOND));
  const signature = createHmac('sha256', 'signing secret').update(`v0:${at}:${body}`).digest('hex');
  return {
    'content-type': type,
    'x-slack-request-timestamp': at,
    'x-slack-signature': `v0=${signature}`,
  };
}

async function start(processEvent: ProcessEvent): Promise<void> {
  const receiver = new HttpReceiver({
    signingSecret: new Secret('signing secret'),
    clock: machineClock,
    log: silentLog,
    onRefused: (status) => refused.push(status),
  });
  receiver.init({ processEvent });
  server = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    clock: machineClock,
    log: silentLog,
    routes: {},
    slack: (request, response) => receiver.handleRequest(request, response),
  });
}

async function post(type: string, body: string, headers = signed(type, body)) {
  const url = `http://127.0.0.1:${server.port}${SLACK_PATH}`;
  const got = await globalThis.fetch(url, { method: 'POST', body, headers });
  return { status: got.status, type: got.headers.get('content-type'), text: await got.text() };
}

beforeEach(async () => {
  [refused, bodies, answer] = [[], [], undefined];
  await start(async ({ body, ack }) => {
    bodies.push(body);
    await ack(answer);
  });
});
afterEach(() => server.stop(SECOND));

describe('a signed request', () => {
  it.each([
    ['JSON', JSON_TYPE, '{"type":"event_callback"}', { type: 'event_callback' }],
    ['JSON in a form', FORM, 'payload=%7B%22type%22%3A%22block_actions%22%7D', { type: 'block_actions' }],
    ['a form', FORM, 'command=%2Fgig&text=a+b', { command: '/gig', text: 'a b' }],
    ['a form with a charset', `${FORM}; Charset=utf-8`, 'text=%E2%9C%93', { text: '✓' }],
  ])('that holds %s reaches the SDK as an object', async (_, type, body, object) => {
    expect(await post(type, body)).toEqual({ status: 200, type: null, text: '' });
    expect(bodies).toEqual([object]);
  });

  it('is acknowledged as the listener says: with a text or with JSON', async () => {
    answer = 'a text';
    expect(await post(JSON_TYPE, '{}')).toMatchObject({ status: 200, text: 'a text' });
    answer = { response_action: 'clear' };
    expect(await post(JSON_TYPE, '{}')).toEqual({
      status: 200,
      type: JSON_TYPE,
      text: '{"response_action":"clear"}',
    });
  });

  it.each([
    [JSON_TYPE, '{"type":'],
    [JSON_TYPE, ''],
    [FORM, 'payload=nonsense'],
    [FORM, 'payload=7'],
  ])('that holds no object is refused and counted, %s: %s', async (type, body) => {
    expect(await post(type, body)).toMatchObject({ status: 400 });
    expect([refused, bodies]).toEqual([[400], []]);
  });

  it('with which Slack verifies the address is answered with its challenge', async () => {
    const challenge = await post(JSON_TYPE, '{"type":"url_verification","challenge":"abc"}');
    expect(challenge).toMatchObject({ status: 200, text: '{"challenge":"abc"}' });
    expect(bodies).toEqual([]);
  });

  it('is one text, however many pieces it comes in', async () => {
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

  it('is not acknowledged to whoever has hung up meanwhile, so that nothing is done behind it', async () => {
    await server.stop(SECOND);
    const hungUp = new AbortController();
    let end: (told: unknown) => void = () => undefined;
    const told = new Promise((resolve) => {
      end = resolve;
    });
    await start(async ({ ack }) => {
      hungUp.abort();
      // Until the connection is closed.
      await server.stop(SECOND);
      end(await ack().then(() => 'acknowledged', String));
    });
    const url = `http://127.0.0.1:${server.port}${SLACK_PATH}`;
    const init = { method: 'POST', body: '{}', headers: signed(JSON_TYPE, '{}'), signal: hungUp.signal };
    await expect(globalThis.fetch(url, init)).rejects.toThrow('aborted');
    expect(await told).toMatch(/^Error: /u);
    expect(refused).toEqual([]);
  });

  it('that was left unacknowledged is answered with 503, so that Slack sends it again', async () => {
    await server.stop(SECOND);
    await start(async () => undefined);
    expect(await post(JSON_TYPE, '{}')).toMatchObject({ status: 503 });
    expect(refused).toEqual([503]);
  });

  it('leaves its connection open for longer than proxies do', async () => {
    const url = `http://127.0.0.1:${server.port}${SLACK_PATH}`;
    const init = { method: 'POST', body: '{}', headers: signed(JSON_TYPE, '{}') };
    expect((await globalThis.fetch(url, init)).headers.get('keep-alive')).toBe('timeout=75');
  });

  it('that the SDK fails with is answered with 500 and counted, unless it was acknowledged', async () => {
    await server.stop(SECOND);
    let isAcknowledged = false;
    await start(async ({ ack }) => {
      if (isAcknowledged) await ack();
      throw new Error('broken');
    });
    expect(await post(JSON_TYPE, '{}')).toMatchObject({ status: 500 });
    isAcknowledged = true;
    expect(await post(JSON_TYPE, '{}')).toMatchObject({ status: 200 });
    expect(refused).toEqual([500]);
  });
});

describe('a request that is not signed', () => {
  it('is answered where Slack checks the certificate, and goes no further', async () => {
    const check = 'ssl_check=1&token=abc&payload=%7B%22type%22%3A%22block_actions%22%7D';
    expect(await post(FORM, check, {})).toMatchObject({ status: 200 });
    expect([refused, bodies]).toEqual([[], []]);
  });

  it.each([
    ['says so elsewhere', 'text=ssl_check%3D1'],
    ['is longer than such a check', `ssl_check=1&text=${'x'.repeat(1_000)}`],
    ['says something else', 'ssl_check=0'],
  ])('is refused where it %s', async (_, body) => {
    expect(await post(FORM, body, {})).toMatchObject({ status: 401 });
    expect([refused, bodies]).toEqual([[401], []]);
  });
});
