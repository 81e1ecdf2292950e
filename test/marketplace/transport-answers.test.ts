/** The errors for unsuccessful answers, and which requests are retried. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { MAX_RESPONSE_BYTES } from '../../src/marketplace/http.ts';
import {
  type Answer,
  bid,
  brokenOff,
  failure,
  json,
  proposal,
  read,
  reset,
  serveFile,
  WireServer,
} from './wire-server.ts';

const { server, client } = serveFile();

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

  test.each<[string, (body: string) => Buffer]>([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])(
    'an answer and a refusal that a proxy compressed with %s are read like any other',
    async (name, pack) => {
      const packed =
        (body: unknown, status: number): Answer =>
        (response) =>
          response.writeHead(status, { 'content-encoding': name }).end(pack(JSON.stringify(body)));
      server.answer(packed(proposal, 200), packed({ error: 'The daily limit is reached' }, 400));
      const { market } = await client();
      expect(await read(market)).toMatchObject({ id: 7 });
      expect(await failure(bid(market))).toMatchObject({
        code: 'bad-request',
        effect: 'none',
        details: { serverMessage: 'The daily limit is reached' },
      });
    },
  );

  test.each<[string, Readonly<Record<string, string>>, () => Buffer]>([
    ['a bomb', { 'content-encoding': 'gzip' }, () => gzipSync(Buffer.alloc(MAX_RESPONSE_BYTES + 1, 32))],
    ['an unknown encoding', { 'content-encoding': 'zstd' }, () => Buffer.from(JSON.stringify(proposal))],
    ['two encodings', { 'content-encoding': 'gzip, gzip' }, () => gzipSync(gzipSync('{}'))],
    [
      'one that ends in its middle',
      { 'content-encoding': 'gzip' },
      () => gzipSync('{"data": {}}').subarray(0, 15),
    ],
  ])('%s is unreadable', async (_what, headers, body) => {
    server.answer((response) => response.writeHead(200, headers).end(body()));
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
      response.writeHead(200, announced ? { 'content-length': String(MAX_RESPONSE_BYTES + 1) } : {});
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
    for (let i = 0; i < 3; i++) (await gate.acquirePermit('person')).finish({ kind: 'done' });
    const error = await failure(read(market));
    expect(error).toMatchObject({ code: 'gate-timeout', effect: 'none', details: { status: 429 } });
    expect(error.details.retryAfterMs).toBeGreaterThan(50_000);
  });
});
