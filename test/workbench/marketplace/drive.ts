/** Drives the simulated marketplace as any client would: plain HTTP. */
import { request } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import type { z } from 'zod';
import { ManualClock } from '../../../src/workbench/clocks.ts';
import type { CoverageRow } from '../../../src/workbench/marketplace/coverage-row.ts';
import type { MarketplaceOptions } from '../../../src/workbench/marketplace/simulated-marketplace.ts';
import { startSimulatedMarketplace } from '../../../src/workbench/marketplace/start-marketplace.ts';
import { seededRandom } from '../../seeded-random.ts';

export type Drive = Awaited<ReturnType<typeof openMarketplace>>;
type Reply = Awaited<ReturnType<Drive['get']>>;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A new one; the caller closes it. Without a tight rate limit by default. */
export async function openMarketplace(options: Partial<MarketplaceOptions> = {}) {
  const clock = new ManualClock();
  const random = seededRandom(7);
  const market = await startSimulatedMarketplace({ clock, random, requestsPerMinute: 100_000, ...options });
  const call = async (method: 'GET' | 'POST', path: string, given: Headers, body?: string) => {
    const headers = { 'x-api-token': market.token, ...given };
    const sent = { method, headers, ...(body === undefined ? {} : { body }) };
    const answer = await request(`${market.baseUrl}${path}`, sent);
    const text = await answer.body.text();
    return { status: answer.statusCode, headers: answer.headers, text, body: parsed(text) };
  };
  return {
    market,
    clock,
    get: (path: string, headers: Headers = {}) => call('GET', path, headers),
    post: (path: string, body?: unknown, headers: Headers = {}) => {
      const json: Headers = body === undefined ? {} : { 'content-type': 'application/json' };
      return call('POST', path, { ...json, ...headers }, JSON.stringify(body));
    },
  };
}

type Headers = Readonly<Record<string, string>>;

/** Opens a marketplace that the test closes. */
export type Open = (options?: Partial<MarketplaceOptions>) => Promise<Drive>;

/** The behavior promised by one row of the coverage table. */
export type Check = (open: Open) => Promise<void>;

/** The body of an answer with this status and exactly this shape. */
export function bodyOf<T extends z.ZodType>(reply: Reply, status: number, shape: T): z.output<T> {
  expect([reply.status, reply.text]).toEqual([status, expect.anything()]);
  return shape.parse(reply.body);
}

/** One test for each row of a table of what the simulated marketplace does. */
export function covers<T extends readonly CoverageRow[]>(
  rows: T,
  checks: Readonly<Record<T[number]['id'], Check>>,
): void {
  it.each(rows.map((row) => [row.id, row.rule] as const))('%s: %s', async (id) => {
    const opened: Drive[] = [];
    await checks[id as T[number]['id']](async (options) => {
      const drive = await openMarketplace(options);
      opened.push(drive);
      onTestFinished(() => drive.market.close());
      return drive;
    });
    expect(opened.flatMap(({ market }) => market.requests())).not.toEqual([]);
  });
}
