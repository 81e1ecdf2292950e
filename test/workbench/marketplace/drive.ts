/** Drives the simulated marketplace as any client would: plain HTTP. */
import { request } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import type { z } from 'zod';
import { ManualClock } from '../../../src/workbench/clocks.ts';
import type { CoverageRow } from '../../../src/workbench/marketplace/coverage-row.ts';
import type {
  MarketplaceOptions,
  SimulatedMarketplace,
} from '../../../src/workbench/marketplace/simulated-marketplace.ts';
import { startSimulatedMarketplace } from '../../../src/workbench/marketplace/start-marketplace.ts';
import { seededRandom } from '../../seeded-random.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Undefined when the text isn't JSON. */
  readonly body: unknown;
}

export interface Drive {
  readonly market: SimulatedMarketplace;
  readonly clock: ManualClock;
  readonly get: (path: string, headers?: Readonly<Record<string, string>>) => Promise<Reply>;
  readonly post: (path: string, body?: unknown, headers?: Readonly<Record<string, string>>) => Promise<Reply>;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A new one; the caller closes it. Without a tight rate limit by default. */
export async function openMarketplace(options: Partial<MarketplaceOptions> = {}): Promise<Drive> {
  const clock = new ManualClock();
  const market = await startSimulatedMarketplace({
    clock,
    random: seededRandom(7),
    requestsPerMinute: 100_000,
    ...options,
  });
  const call = async (
    method: 'GET' | 'POST',
    path: string,
    body: string | undefined,
    headers: Readonly<Record<string, string>>,
  ): Promise<Reply> => {
    const answer = await request(`${market.baseUrl}${path}`, {
      method,
      headers: { 'x-api-token': market.token, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    const text = await answer.body.text();
    return { status: answer.statusCode, headers: answer.headers, text, body: parsed(text) };
  };
  return {
    market,
    clock,
    get: (path, headers = {}) => call('GET', path, undefined, headers),
    post: (path, body, headers = {}) =>
      call('POST', path, body === undefined ? undefined : JSON.stringify(body), {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      }),
  };
}

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
