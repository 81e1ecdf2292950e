import { createServer as createTcpServer } from 'node:net';
import { inspect } from 'node:util';
import type { Dispatcher } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../../src/log.ts';
import type { Marketplace } from '../../src/marketplace/client.ts';
import { MarketplaceError } from '../../src/marketplace/errors.ts';
import { LARGEST_BODY_BYTES } from '../../src/marketplace/exchange.ts';
import type { Lane } from '../../src/marketplace/gate.ts';
import { createMarketplace } from '../../src/marketplace/http-client.ts';
import { Secret } from '../../src/secret.ts';
import type { ManualClock } from '../../src/workbench/clocks.ts';
import { settle } from './gate-world.ts';
import { type Answer, json, openClient, TOKEN, WireServer } from './wire-server.ts';

const server = new WireServer();
let baseUrl = '';
const opened: Marketplace[] = [];

beforeAll(async () => {
  baseUrl = await server.start();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((market) => market.close()));
});
afterAll(() => server.stop());

async function client(
  ...parameters: Parameters<typeof openClient> extends [string, ...infer Rest] ? Rest : never
) {
  const world = await openClient(baseUrl, ...parameters);
  opened.push(world.market);
  return world;
}

const proposal = { data: { id: 7, coverLetter: 'Hello' } };
const read = (market: Marketplace, lane: Lane = 'person') => market.proposal(7 as never, { lane });
const bid = (market: Marketplace, lane: Lane = 'bid') =>
  market.createJob({ setup: 3 as never, marketplaceJobId: '~021' }, { lane });

async function failure(promise: Promise<unknown>): Promise<MarketplaceError> {
  const thrown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(thrown instanceof MarketplaceError)) throw new Error(`no MarketplaceError: ${inspect(thrown)}`);
  return thrown;
}

const hang: Answer = () => undefined;
const reset: Answer = (_response, request) => request.socket.resetAndDestroy();
const brokenOff: Answer = (response) => {
  response.writeHead(200, { 'content-length': '1000' });
  response.write('{"data":', () => response.socket?.destroy());
};

describe('what goes out', () => {
  test('carries the token in its header, asks for plain JSON, and goes below the version prefix', async () => {
    server.answer(json(proposal));
    const { market } = await client();
    await read(market);
    expect(server.seen[0]?.url.pathname).toBe('/v1/proposals/7');
    expect(server.seen[0]?.headers).toMatchObject({
      'x-api-token': TOKEN,
      accept: 'application/json',
      'accept-encoding': 'identity',
    });
  });

  test.each([
    'http://api.example.com/v1',
    'ftp://127.0.0.1/v1',
    'https://user:pass@api.example.com/v1',
    'https://api.example.com/v1?x=1',
    'nonsense',
  ])('never goes to %s', async (unsafe) => {
    await expect(openClient(unsafe)).rejects.toThrow(TypeError);
  });

  test.each(['https://api.example.com/v1', 'http://localhost:1/v1', 'http://[::1]:1/v1/'])(
    'may go to %s',
    async (safe) => {
      const { market } = await openClient(safe);
      await market.close();
    },
  );

  test('is refused with a token that no header can carry, without showing it', async () => {
    const bad = openClient(baseUrl, { token: new Secret('line\nbreak') });
    await expect(bad).rejects.toThrow(/^((?!line).)*$/);
  });
});

describe('answers that are no success', () => {
  test.each([
    [400, { error: 'Bad' }, 'bad-request', 'none'],
    [401, { error: 'No' }, 'unauthorised', 'none'],
    [402, { error: 'Subscription is not active' }, 'subscription-inactive', 'none'],
    [402, { error: 'Insufficient credits', credits_needed: 20 }, 'credits-depleted', 'none'],
    [403, { error: 'No' }, 'forbidden', 'none'],
    [404, { error: 'No' }, 'not-found', 'none'],
    [422, '<html>', 'bad-request', 'none'],
    [500, { error: 'Oops' }, 'server', 'unknown'],
    [503, '<html>', 'server', 'unknown'],
  ] as const)('%i %o becomes %s with effect %s', async (status, body, code, effect) => {
    server.answer(json(body, status));
    const { market } = await client();
    expect(await failure(bid(market))).toMatchObject({ code, effect, details: { status } });
    expect(server.seen).toHaveLength(1);
  });

  test.each([
    [301, 'none'],
    [308, 'none'],
    [302, 'unknown'],
    [303, 'unknown'],
  ])('a redirect with %i is not followed', async (status, effect) => {
    const target = new WireServer();
    const elsewhere = await target.start();
    server.answer(json('', status, { location: elsewhere }));
    const { market } = await client();
    expect(await failure(read(market))).toMatchObject({ code: 'unreadable', effect, details: { status } });
    expect(target.seen).toHaveLength(0);
    await target.stop();
  });

  test.each<[string, Answer]>([
    ['HTML', json('<!doctype html><p>Hello', 200, { 'content-type': 'text/html' })],
    ['nothing', json('', 200)],
    ['half of a JSON', json('{"data": {"id": 7')],
    ['compressed data that nobody asked for', json(proposal, 200, { 'content-encoding': 'gzip' })],
    ['JSON without what was asked for', json({ data: null })],
    ['a JSON number', json('7')],
  ])('a 200 with %s is unreadable, and not asked for again', async (_what, answer) => {
    server.answer(answer);
    const { market } = await client();
    expect(await failure(read(market))).toMatchObject({ code: 'unreadable', effect: 'unknown' });
    expect(server.seen).toHaveLength(1);
  });

  test('JSON under a wrong content type is read all the same', async () => {
    server.answer(json(proposal, 200, { 'content-type': 'text/plain' }));
    const { market } = await client();
    expect(await read(market)).toMatchObject({ id: 7 });
  });

  test.each([
    ['announced', true],
    ['streamed without an announcement', false],
  ])('a body over 8 MiB, %s, is refused while it comes', async (_how, announced) => {
    let closedEarly = false;
    server.answer((response) => {
      response.writeHead(200, announced ? { 'content-length': String(LARGEST_BODY_BYTES + 1) } : {});
      const piece = Buffer.alloc(1024 * 1024, 32);
      const pump = (error?: Error | null) => {
        if (!error && !response.destroyed) response.write(piece, pump);
      };
      response.on('close', () => {
        closedEarly = true;
      });
      pump();
    });
    const { market } = await client();
    expect(await failure(read(market))).toMatchObject({ code: 'unreadable', effect: 'unknown' });
    await expect.poll(() => closedEarly).toBe(true);
  });

  test('a refusal stays a refusal when its body is huge or breaks off', async () => {
    server.answer(
      (response) => {
        response.writeHead(404, { 'content-length': '1000' });
        response.write('{"error":', () => response.socket?.destroy());
      },
      (response) => {
        response.writeHead(403);
        response.end(Buffer.alloc(300_000, 65));
      },
    );
    const { market } = await client();
    expect(await failure(bid(market))).toMatchObject({ code: 'not-found', effect: 'none' });
    expect(await failure(bid(market))).toMatchObject({ code: 'forbidden', effect: 'none' });
  });
});

describe('trying again', () => {
  test.each<[string, Answer]>([
    ['a 500', json({ error: 'Oops' }, 500)],
    ['a reset connection', reset],
    ['a body that breaks off', brokenOff],
  ])('a GET comes through after %s, and each try takes its place at the gate', async (_what, fault) => {
    server.answer(fault, fault, json(proposal));
    const { market, gate } = await client();
    expect(await read(market)).toMatchObject({ id: 7 });
    expect(server.seen).toHaveLength(3);
    expect(gate.status().used).toBe(3);
  });

  test('a GET is given up after the third failure', async () => {
    server.answer(json({ error: 'Oops' }, 500));
    const { market } = await client();
    expect(await failure(read(market))).toMatchObject({ code: 'server', effect: 'unknown' });
    expect(server.seen).toHaveLength(3);
  });

  test.each<[string, Answer, string]>([
    ['a 500', json({ error: 'Oops' }, 500), 'server'],
    ['a reset connection', reset, 'network'],
    ['a body that breaks off', brokenOff, 'network'],
  ])('a POST is never sent twice after %s: its effect is unknown', async (_what, fault, code) => {
    server.answer(fault);
    const { market } = await client();
    expect(await failure(bid(market))).toMatchObject({ code, effect: 'unknown' });
    expect(server.seen).toHaveLength(1);
  });

  test('a failure after one that may have had an effect does not hide it', async () => {
    server.answer(json({ error: 'Oops' }, 500), json({ error: 'No' }, 404));
    const { market } = await client();
    expect(await failure(read(market))).toMatchObject({ code: 'not-found', effect: 'unknown' });
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ['a Retry-After in seconds', { 'retry-after': '2' }],
    ['no Retry-After', {}],
    ['a Retry-After that is junk', { 'retry-after': 'soon' }],
  ])('a POST is sent again after a 429 with %s', async (_what, headers) => {
    server.answer(
      json({ error: 'Rate limit exceeded' }, 429, headers),
      json({ success: true, job: { id: 9, status: 'scheduled' } }),
    );
    const { market, gate } = await client({}, 61_000);
    expect((await bid(market)).job).toMatchObject({ id: 9, status: 'scheduled' });
    expect(server.seen).toHaveLength(2);
    expect(gate.status().used).toBeGreaterThan(0);
  });

  test('a person is not kept for a Retry-After beyond the deadline', async () => {
    server.answer(json({ error: 'Rate limit exceeded' }, 429, { 'retry-after': '90' }));
    const { market, gate, clock } = await client();
    const error = await failure(read(market));
    expect(error).toMatchObject({ code: 'rate-limited', effect: 'none', details: { retryAfterMs: 90_000 } });
    expect(gate.status().pausedUntil).toBe(clock.now() + 90_000);
  });

  test('a 429 that leaves a person no place in time ends with what is known', async () => {
    server.answer(json({ error: 'Rate limit exceeded' }, 429));
    const { market, gate } = await client();
    for (let i = 0; i < 3; i++) (await gate.enter('person')).finish({ kind: 'done' });
    const error = await failure(read(market));
    expect(error).toMatchObject({ code: 'gate-timeout', effect: 'none', details: { status: 429 } });
    expect(error.details.retryAfterMs).toBeGreaterThan(50_000);
  });
});

describe('time limits', () => {
  /** Second by second, with time for the network in between; how many seconds it took. */
  async function letTimePass(clock: ManualClock, until: Promise<unknown>): Promise<number> {
    let over = false;
    void until.then(() => {
      over = true;
    });
    for (let seconds = 0; ; seconds++) {
      for (let i = 0; i < 20 && !over; i++) await settle();
      if (over) return seconds;
      clock.moveBy(1_000);
    }
  }

  test('a bid that is never answered ends after 15 s, its effect unknown', async () => {
    server.answer(hang);
    const { market, clock } = await client();
    const error = failure(bid(market));
    await server.received(1);
    expect(await letTimePass(clock, error)).toBe(15);
    expect(await error).toMatchObject({ code: 'timeout', effect: 'unknown' });
  });

  test('a bid whose answer stops in the middle ends after 10 s more, its effect unknown', async () => {
    server.answer((response) => {
      response.writeHead(200);
      response.write('{"data":');
    });
    const { market, clock } = await client();
    const error = failure(bid(market));
    await server.received(1);
    expect(await letTimePass(clock, error)).toBeLessThanOrEqual(15);
    expect(await error).toMatchObject({ code: 'timeout', effect: 'unknown' });
  });

  test('an answer that drips for ever ends after 30 s', async () => {
    let drip: (() => void) | undefined;
    server.answer((response) => {
      response.writeHead(200);
      drip = () => response.write(' ');
    });
    const { market, clock } = await client();
    const error = failure(bid(market));
    await server.received(1);
    const dripping = () => {
      drip?.();
      clock.after(1_000, dripping);
    };
    dripping();
    expect(await letTimePass(clock, error)).toBe(30);
    expect(await error).toMatchObject({ code: 'timeout', effect: 'unknown' });
  });

  test('a person waits 20 s at most, tries and pauses included', async () => {
    server.answer(hang);
    const { market, clock, gate } = await client();
    const begunAt = clock.now();
    const error = failure(read(market));
    await server.received(1);
    clock.moveBy(15_000);
    await server.received(2);
    clock.moveBy(5_000);
    expect(await error).toMatchObject({ code: 'timeout', effect: 'unknown' });
    expect(clock.now() - begunAt).toBeLessThanOrEqual(22_000);
    expect(gate.status().used).toBe(2);
  });

  test('a connection that nobody accepts is a timeout without effect', async () => {
    const { market, clock } = await client({
      dispatcher: { dispatch: () => true } as never,
    });
    const error = failure(bid(market));
    await new Promise((resolve) => setImmediate(resolve));
    clock.moveBy(5_000);
    expect(await error).toMatchObject({ code: 'timeout', effect: 'none' });
  });

  test('a connection that stands too late is not used, and never twice', async () => {
    const handlers: Dispatcher.DispatchHandler[] = [];
    const aborted: Error[] = [];
    const dispatch = (_request: unknown, handler: Dispatcher.DispatchHandler) => handlers.push(handler) > 0;
    const { market, clock } = await client({ dispatcher: { dispatch } as never });
    const controller = { abort: (reason: Error) => void aborted.push(reason) } as never;
    const late = failure(bid(market));
    await settle();
    clock.moveBy(5_000);
    expect(await late).toMatchObject({ code: 'timeout', effect: 'none' });
    handlers[0]?.onRequestStart?.(controller, {});
    expect(aborted).toHaveLength(1);
    void bid(market).catch(() => undefined);
    await settle();
    handlers[1]?.onRequestStart?.(controller, {});
    expect(aborted).toHaveLength(1);
    handlers[1]?.onRequestStart?.(controller, {});
    expect(aborted).toHaveLength(2);
  });

  test('a refused connection had no effect', async () => {
    const closed = createTcpServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const address = closed.address();
    const port = typeof address === 'object' ? address?.port : 0;
    await new Promise((resolve) => closed.close(resolve));
    const { market } = await openClient(`http://127.0.0.1:${port}/v1`);
    opened.push(market);
    expect(await failure(bid(market))).toMatchObject({ code: 'network', effect: 'none' });
  });
});

describe('giving up', () => {
  test('before it was sent: no effect, and the place that was held is free', async () => {
    server.answer(json(proposal));
    const { market, gate } = await client();
    const permit = await gate.enter('person');
    const signal = AbortSignal.abort(new Error('gone'));
    const error = await failure(market.proposal(7 as never, { lane: 'person', permit, signal }));
    expect(error).toMatchObject({ code: 'network', effect: 'none' });
    expect(gate.status().used).toBe(0);
    expect(server.seen).toHaveLength(0);
  });

  test('while under way: the effect is unknown, and the place counts', async () => {
    server.answer(hang);
    const { market, gate } = await client();
    const control = new AbortController();
    const error = failure(
      market.createJob(
        { setup: 3 as never, marketplaceJobId: '~021' },
        { lane: 'bid', signal: control.signal },
      ),
    );
    await server.received(1);
    control.abort(new Error('gone'));
    expect(await error).toMatchObject({ code: 'network', effect: 'unknown' });
    expect(gate.status().used).toBe(1);
  });

  test("the caller's permit serves the first try, so that one request counts once", async () => {
    server.answer(json(proposal));
    const { market, gate } = await client();
    const permit = await gate.enter('person');
    await market.proposal(7 as never, { lane: 'person', permit });
    expect(gate.status().used).toBe(1);
  });

  test('a closed client answers what is sent and refuses what is new', async () => {
    let respond: (() => void) | undefined;
    server.answer((response) => {
      respond = () => response.end(JSON.stringify(proposal));
    });
    const { market } = await client();
    const answered = read(market);
    await server.received(1);
    const closed = market.close();
    expect(await failure(read(market))).toMatchObject({ code: 'network', effect: 'none' });
    respond?.();
    expect(await answered).toMatchObject({ id: 7 });
    await closed;
  });
});

describe('the token', () => {
  test('shows in no error, cause, log line or inspection', async () => {
    const shown: string[] = [];
    const log = createLog('debug', { write: (text) => void shown.push(text) });
    const { market, gate, clock } = await client({ log, random: () => 0 });
    server.answer(
      json({ error: `bad token ${TOKEN}`, fields: { [TOKEN]: `no ${TOKEN}` } }, 400),
      json({ success: false, error: `never heard of ${TOKEN}` }),
      reset,
      json(`<p>${TOKEN}`, 200),
    );
    const errors = [
      await failure(bid(market)),
      await failure(bid(market)),
      await failure(bid(market)),
      await failure(bid(market)),
    ];
    const dispatcher = {
      dispatch: (request: object) => {
        throw Object.assign(new Error(`cannot send ${TOKEN}`), { request });
      },
    } as never;
    const broken = { baseUrl, token: new Secret(TOKEN), gate, clock, random: () => 0, log, dispatcher };
    errors.push(await failure(bid(createMarketplace(broken))));
    for (const error of errors) {
      shown.push(inspect(error, { depth: 20, showHidden: true }), String(error.stack), JSON.stringify(error));
      shown.push(inspect(error.cause, { depth: 20 }));
    }
    shown.push(inspect(market, { depth: 20, showHidden: true }));
    expect(errors.map((error) => error.code)).toEqual([
      'bad-request',
      'bad-request',
      'network',
      'unreadable',
      'network',
    ]);
    expect(shown.join('\n')).not.toContain(TOKEN);
    expect(shown.join('\n')).toContain('[secret]');
  });
});
