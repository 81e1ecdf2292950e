/** Any marketplace answer gives a value that matches its type, or an error of the one family. */
import { setImmediate } from 'node:timers/promises';
import * as fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect } from 'vitest';
import { HOUR, MINUTE } from '../../src/clock.ts';
import { MarketplaceError } from '../../src/marketplace/errors.ts';
import { type Answer, serveFile, TOKEN } from '../marketplace/wire-server.ts';
import { fuzz } from './fuzz.ts';
import { changes, hostileValue, isJson, writeChanged } from './hostile.ts';
import { type Endpoints, readEndpoints } from './market-endpoints.ts';

const { server, client } = serveFile();
let endpoints: Endpoints;
let world: Awaited<ReturnType<typeof client>>;
beforeAll(async () => {
  endpoints = await readEndpoints({ server, client });
});
beforeEach(async () => {
  // Its gate never rejects: pauses end at once.
  world = await client({}, 60_000);
});

/** How a text changes on its way. */
const DAMAGE: readonly ((text: string) => Buffer)[] = [
  (text) => Buffer.from(text).subarray(0, Math.floor(text.length / 2)),
  (text) => Buffer.from(text, 'utf16le'),
  // No UTF-8.
  (text) => Buffer.from(text.replaceAll('":"', '":"\u00c3\u00ff'), 'latin1'),
  (text) => Buffer.from(`\ufeff${text}`),
  (text) => Buffer.from(text + text),
  (text) => Buffer.from(text.replaceAll('"title":"', String.raw`"title":"\ud800`)),
];

const headers = fc.constantFrom<Readonly<Record<string, string>>>(
  { 'content-type': 'application/json' },
  { 'content-type': 'text/html' },
  {},
  { 'content-encoding': 'gzip' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'retry-after': '99999999999999999999' },
  { 'retry-after': 'NaN', date: 'never' },
  { location: 'https://evil.example/' },
);

const STATUSES = [
  200, 201, 202, 204, 299, 301, 304, 400, 401, 402, 403, 404, 409, 418, 422, 429, 500, 503, 599,
] as const;

const sent = fc.record({
  endpoint: fc.nat(200),
  status: fc.oneof(
    { weight: 5, arbitrary: fc.constant(200) },
    { weight: 2, arbitrary: fc.constantFrom(...STATUSES) },
  ),
  headers: fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: headers }),
  damage: fc.option(fc.nat(DAMAGE.length - 1), { freq: 6 }),
  changes,
});

/** A documented rejection, so its parts can be changed, too. Some servers echo the request. */
const REFUSAL = {
  success: false,
  error: 'Validation failed',
  message: `You need 20 and have 12 (${TOKEN})`,
  fields: { 'hourly_rate.rate': 'must be between 3 and 999', 'ai.model': ['unknown', 'model'] },
  job_id: 31,
  credits_needed: 20,
  credits_remaining: 12,
  credits_reset_date: '2026-02-01T00:00:00Z',
};

function answering(status: number, given: Readonly<Record<string, string>>, body: Buffer): Answer {
  return (response) => {
    response.writeHead(status, given);
    response.end(body);
  };
}

type Read = { readonly value: unknown } | { readonly error: MarketplaceError };

/** @throws when the error is of no known family */
async function read({ call }: Endpoints[number]): Promise<Read> {
  try {
    return { value: await call(world.market) };
  } catch (thrown) {
    if (thrown instanceof MarketplaceError) return { error: thrown };
    throw thrown;
  }
}

function pick(number: number, of = endpoints) {
  return of[number % of.length] ?? expect.fail('no endpoint');
}

/** Waits until the gate has room again. */
async function letTimePass(): Promise<void> {
  // A leftover timer must not move the clock during the next call.
  await setImmediate();
  world.clock.moveBy(2 * MINUTE);
  const { pausedUntil = 0 } = world.gate.status();
  expect(pausedUntil - world.clock.now()).toBeLessThan(HOUR);
  if (pausedUntil > world.clock.now()) world.clock.moveTo(pausedUntil);
}

/** Properties of every result. */
function expectUnharmed({ shape }: Endpoints[number], became: Read): void {
  if ('value' in became) {
    const fits = shape.safeParse(became.value);
    expect({ fits: fits.success, why: fits.error?.message }).toEqual({ fits: true, why: undefined });
    // Neither deeper nor larger than the store and Slack can take.
    expect(JSON.stringify(became.value).length).toBeLessThan(64 * 2 ** 20);
  }
  expect('polluted' in {}).toBe(false);
  expect(world.gate.status().waiting).toBe(0);
  const told = JSON.stringify([
    world.lines,
    'error' in became ? [became.error.message, became.error.details] : [],
  ]);
  expect(told).not.toContain(TOKEN);
  world.lines.splice(0);
}

describe('whatever the marketplace answers', () => {
  fuzz('is a value that is what it says, or an error of the family', sent, 150, async (given) => {
    const endpoint = pick(given.endpoint);
    const healthy = given.status < 300 ? endpoint.healthy : REFUSAL;
    const text = writeChanged(healthy, given.changes);
    const body = given.damage === null ? Buffer.from(text) : (DAMAGE[given.damage]?.(text) ?? expect.fail());
    server.answer(answering(given.status, given.headers, body));
    const became = await read(endpoint);
    expectUnharmed(endpoint, became);
    // The gate's slot was released: the next call gets an answer.
    server.answer(answering(200, {}, Buffer.from(JSON.stringify(endpoint.healthy))));
    await letTimePass();
    const next = await read(endpoint);
    if ('error' in next) expect.fail(`the next call: ${next.error.code} (${next.error.message})`);
  });

  const bad = fc.record({
    endpoint: fc.nat(200),
    at: fc.nat(3),
    item: fc.oneof(changes, hostileValue),
  });

  fuzz('one bad item costs itself alone', bad, 100, async (given) => {
    const endpoint = pick(
      given.endpoint,
      endpoints.filter((it) => it.isList),
    );
    const frame = endpoint.healthy as Readonly<Record<string, unknown>>;
    const [under, items] = listIn(frame);
    const written = items.map((item) => JSON.stringify(item));
    const badItem = typeof given.item === 'string' ? given.item : writeChanged(items[0], given.item);
    // Invalid JSON, or a single value that is too large, rightly fails the whole answer.
    if (!isJson(badItem) || badItem.length > 2 ** 21) return;
    written.splice(given.at, 0, badItem);
    const rest = JSON.stringify({ ...frame, [under]: [] }).replace(
      `"${under}":[]`,
      () => `"${under}":[${written.join(',')}]`,
    );
    server.answer(answering(200, {}, Buffer.from(rest)));
    const became = await read(endpoint);
    expectUnharmed(endpoint, became);
    if (!('value' in became)) return expect.fail(String(became.error));
    server.answer(answering(200, {}, Buffer.from(JSON.stringify(frame))));
    const [, healthy] = listIn({ value: await endpoint.call(world.market) });
    const [, found] = listIn({ value: became.value });
    expect(healthy).toHaveLength(items.length);
    expect(found).toEqual(expect.arrayContaining([...healthy]));
    expect(found.length).toBeLessThanOrEqual(items.length + 1);
    await letTimePass();
  });
});

/** The only list in it, or in its only part, with its name. */
function listIn(frame: object): readonly [name: string, items: readonly unknown[]] {
  const parts = Object.entries(frame);
  const found = parts.find(([, part]) => Array.isArray(part));
  return found ?? (parts[0] ? listIn(parts[0][1] as object) : expect.fail('no list'));
}
