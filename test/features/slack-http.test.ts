/** Requests over HTTP before they are known to be Slack's, and how each is answered. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, onTestFinished } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { appTestWith } from '../kit/app-test.ts';
import { type Desk, PATHS } from '../kit/start-desk.ts';
import { capture } from './press-forger.ts';

const httpTest = appTestWith({ mode: 'http', empty: true });
const PATH = '/slack/events';
const MEBIBYTE = 2 ** 20;
const EVENT = { type: 'event_callback' };

type Headers = Readonly<Record<string, string | number>>;

/** The signature headers of a body, `skewMs` from now. */
function signed({ app, slack }: Desk, body: string, skewMs = 0): Headers {
  const at = String(Math.floor((app.clock.now() + skewMs) / SECOND));
  const signature = createHmac('sha256', slack.signingSecret).update(`v0:${at}:${body}`).digest('hex');
  return {
    'content-type': 'application/json',
    'x-slack-request-timestamp': at,
    'x-slack-signature': `v0=${signature}`,
  };
}

/** Begins a request whose body is sent by hand. */
async function begin({ app }: Desk, headers: Headers) {
  const socket = connect(Number(new URL(app.address()).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // A client that is cut off while sending may see a reset.
  socket.on('error', () => undefined);
  const ended = once(socket, 'close');
  const send = (piece: string) => new Promise<void>((resolve) => socket.write(piece, () => resolve()));
  const lines = Object.entries({ host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}`);
  await send(`POST ${PATH} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  return {
    socket,
    send,
    /** Once the connection is closed. */
    status: async () => {
      await ended;
      return Buffer.concat(chunks).toString().split(' ')[1];
    },
  };
}

async function post(desk: Desk, body: string, headers = signed(desk, body)) {
  const strings = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  const url = `${desk.app.address()}${PATH}`;
  const answer = await globalThis.fetch(url, { method: 'POST', body, headers: strings });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

const large = (length: number) => JSON.stringify({ ...EVENT, text: 'x'.repeat(length) });

describe('a body is not waited for', () => {
  const tooLong = { 'content-length': 1_001 };
  const whole = { 'content-length': 1_000_000 };
  const cases: readonly (readonly [string, (desk: Desk) => Headers])[] = [
    ['without signature and time', () => tooLong],
    ['without a signature', () => ({ ...tooLong, 'x-slack-request-timestamp': '1' })],
    ['without a time', () => ({ ...tooLong, 'x-slack-signature': `v0=${'0'.repeat(64)}` })],
    ['with a signature that is none', (it) => ({ ...whole, ...signed(it, ''), 'x-slack-signature': 'v0=1' })],
    ['that is too old', (it) => ({ ...whole, ...signed(it, '', -6 * MINUTE) })],
    ['that is dated in the future', (it) => ({ ...whole, ...signed(it, '', 6 * MINUTE) })],
  ];

  httpTest.for(cases)('%s: refused and closed before any of it came', async ([, headers], { desk }) => {
    const request = await begin(desk, headers(desk));
    expect(await request.status()).toBe('401');
  });

  httpTest('where it says itself that it is too long', async ({ desk }) => {
    const request = await begin(desk, { ...signed(desk, ''), 'content-length': MEBIBYTE + 1 });
    expect(await request.status()).toBe('413');
  });

  httpTest('beyond 1 kB where nothing is signed and no length was said', async ({ desk }) => {
    const request = await begin(desk, { 'transfer-encoding': 'chunked' });
    await request.send(`3e8\r\n${'x'.repeat(1_000)}\r\n`);
    expect(request.socket.closed).toBe(false);
    await request.send('1\r\nx\r\n');
    expect(await request.status()).toBe('401');
  });

  httpTest('beyond the 3 s after which Slack has given up itself', async ({ desk }) => {
    const request = await begin(desk, { ...signed(desk, ''), 'content-length': 10 });
    await request.send('{');
    expect((await post(desk, large(1))).status).toBe(200);
    desk.app.clock.moveBy(3 * SECOND);
    expect(await request.status()).toBe('408');
  });
});

describe('all bodies that are not verified yet', () => {
  httpTest(
    'hold at most 16 MiB together: the oldest lose their place, and Slack passes',
    async ({ desk }) => {
      const most = 16;
      const strangers = [];
      for (let count = 0; count < most + 4; count++) {
        const stranger = await begin(desk, { ...signed(desk, ''), 'content-length': MEBIBYTE });
        await stranger.send('x'.repeat(MEBIBYTE - 1));
        strangers.push(stranger);
        expect((await post(desk, large(1))).status).toBe(200);
      }
      for (const first of strangers.slice(0, 4)) expect(await first.status()).toBe('503');
      expect(strangers.filter(({ socket }) => !socket.closed).length).toBeLessThanOrEqual(most);
      expect((await post(desk, large(MEBIBYTE - 100))).status).toBe(200);
    },
  );

  httpTest('give back what they held, whether they are finished, refused or broken off', async ({ desk }) => {
    for (let round = 0; round < 10; round++) {
      expect((await post(desk, large(MEBIBYTE - 100))).status).toBe(200);
      expect((await post(desk, large(MEBIBYTE - 100), signed(desk, 'other'))).status).toBe(401);
      const broken = await begin(desk, { ...signed(desk, ''), 'content-length': MEBIBYTE });
      await broken.send('x'.repeat(MEBIBYTE - 100));
      broken.socket.destroy();
      await broken.status();
    }
    const body = large(1);
    const waiting = await begin(desk, { ...signed(desk, body), 'content-length': body.length });
    await Promise.all(Array.from({ length: 12 }, () => post(desk, large(MEBIBYTE - 100))));
    await waiting.send(body);
    const [answer] = await once(waiting.socket, 'data');
    expect(String(answer)).toContain(' 200 ');
    // A body that breaks off is no fault of ours.
    expect(desk.app.logLines.filter((it) => it.includes('"level":50'))).toEqual([]);
  });
});

describe('a signed request', () => {
  const FORM = 'application/x-www-form-urlencoded';
  const JSON_TYPE = 'application/json';

  httpTest('that holds no object is refused', async ({ desk }) => {
    for (const [type, body] of [
      [JSON_TYPE, '{"type":'],
      [JSON_TYPE, ''],
      [JSON_TYPE, 'null'],
      [JSON_TYPE, '[]'],
      [FORM, 'payload=7'],
      [FORM, 'payload=nonsense'],
      [`${FORM}; charset=utf-8`, 'payload=%5B%5D'],
    ] as const) {
      const headers = { ...signed(desk, body), 'content-type': type };
      expect((await post(desk, body, headers)).status, body).toBe(400);
    }
  });

  httpTest('is answered with its challenge where Slack verifies the address', async ({ desk }) => {
    const body = '{"type":"url_verification","challenge":"abc"}';
    expect(await post(desk, body)).toMatchObject({ status: 200, text: '{"challenge":"abc"}' });
  });

  httpTest('keeps its connection open for longer than proxies do', async ({ desk }) => {
    expect((await post(desk, large(1))).headers.get('keep-alive')).toBe('timeout=75');
  });

  httpTest('with a charset is understood, and a text is whole', async ({ slack, ada }) => {
    slack.setForgery('charset');
    expect((await ada.type('/gig help ✓')).text).toContain('✓');
  });
});

describe('a request without a signature', () => {
  httpTest('is answered where Slack checks the certificate, and refused otherwise', async ({ desk }) => {
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await post(desk, 'ssl_check=1&token=abc', type)).status).toBe(200);
    for (const body of ['text=ssl_check%3D1', `ssl_check=1&text=${'x'.repeat(1_000)}`, 'ssl_check=0'])
      expect((await post(desk, body, type)).status).toBe(401);
  });
});

httpTest('nothing but Slack’s requests is served', async ({ desk }) => {
  const at = (path: string, method = 'GET') => globalThis.fetch(`${desk.app.address()}${path}`, { method });
  expect((await at('/healthz')).status).toBe(200);
  expect((await at('/nothing')).status).toBe(404);
  expect((await at('/healthz', 'POST')).status).toBe(405);
});

appTestWith({ mode: 'http', realDisk: true })(
  'a form is not sent for whoever has hung up meanwhile: Slack said that it failed',
  async ({ desk, app, market, slack, ben }) => {
    await ben.press(await market.publish().cardIn('web'), 'Bid');
    const view = slack.view('ben') ?? expect.fail('no form');
    const { payload } = await capture(desk, () => slack.submitView({ user: 'ben', view }));
    const body = `payload=${encodeURIComponent(JSON.stringify(payload))}`;
    const type = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': body.length };
    let goOn = () => {};
    app.room.until = new Promise((resolve) => {
      goOn = resolve;
    });
    const request = await begin(desk, { ...signed(desk, body), ...type });
    await request.send(body);
    await app.settle();
    request.socket.destroy();
    await request.status();
    goOn();
    await desk.pass(MINUTE);
    expect(market.requests(PATHS.bid)).toEqual([]);
  },
);
