/** Decides whether a failed request is retried, and when; reads the Retry-After header. Pure. */
import { DAY, type Instant, MINUTE, type RandomSource, SECOND } from '../clock.ts';
import type { MarketplaceError } from './errors.ts';
import type { Lane } from './gate/gate.ts';

/** Background work waits for its first slot without a limit; this limits its retries. */
const RETRIES_WITHIN_MS = 10 * MINUTE;

const MOST_RETRIES = 2;
const MOST_REFUSALS = 10;
const FIRST_PAUSE_MS = 500;

/** Total time for all tries of a request; undefined for lanes in which nobody waits. */
export function getLaneDeadlineMs(lane: Lane): number | undefined {
  // The wait at the gate included.
  if (lane === 'person') return 20 * SECOND;
  // A person pressed a button for it, but it continues without them.
  return lane === 'bid' ? 2 * MINUTE : undefined;
}

/** How long a request may wait at the gate, for lanes without a deadline. Then it has its full timeouts. */
export function getLaneGateWaitLimitMs(lane: Lane): number | undefined {
  // A link preview is useless later.
  return lane === 'unfurl' ? 15 * SECOND : undefined;
}

/** Nobody waits for a link preview, so a failed one is dropped. */
export function isRetriedLane(lane: Lane): boolean {
  return lane !== 'unfurl';
}

export interface RetryState {
  /** The request must not take effect twice. */
  readonly once: boolean;
  /** Failed tries other than 429s, this one included. */
  readonly failures: number;
  /** Tries answered with 429, this one included. */
  readonly refusals: number;
  /** Since the first try. */
  readonly elapsedMs: number;
  /** Time until the deadline, if there is one. */
  readonly leftMs: number | undefined;
}

/**
 * How long to wait before the next try, or undefined to give up. Any method may be retried after a 429, since
 * the server did nothing; the gate then applies the pause. Network faults, timeouts and 5xx get two retries,
 * except requests that must not take effect twice: a repeated bid costs money, and so does a repeated page of
 * a filter that has new projects since.
 */
export function decideRetryDelay(error: MarketplaceError, tries: RetryState, random: RandomSource) {
  const leftMs = Math.min(tries.leftMs ?? RETRIES_WITHIN_MS, RETRIES_WITHIN_MS - tries.elapsedMs);
  if (error.code === 'rate-limited') {
    const waitMs = error.details.retryAfterMs ?? 0;
    return tries.refusals <= MOST_REFUSALS && waitMs < leftMs ? 0 : undefined;
  }
  const isPassing = error.code === 'network' || error.code === 'timeout' || error.code === 'server';
  if (tries.once || !isPassing || tries.failures > MOST_RETRIES) return undefined;
  const pauseMs = FIRST_PAUSE_MS * 2 ** (tries.failures - 1) * (0.5 + random());
  return pauseMs < leftMs ? pauseMs : undefined;
}

const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * The wait that a Retry-After header (RFC 9110, 10.2.3: whole seconds or an HTTP date) asks for, in ms: 0 for
 * a past date, undefined for an invalid value or more than a day. A date is compared with the response's own
 * Date header if present, since the server's clock may differ.
 */
export function parseRetryAfter(value: unknown, date: unknown, now: Instant): number | undefined {
  if (typeof value !== 'string') return undefined;
  const isNumber = /^\d{1,9}$/.test(value);
  const waitMs = isNumber ? Number(value) * SECOND : (httpDate(value) ?? Infinity) - (httpDate(date) ?? now);
  return waitMs > DAY ? undefined : Math.max(waitMs, 0);
}

function httpDate(value: unknown): Instant | undefined {
  if (typeof value !== 'string' || !HTTP_DATE.test(value)) return undefined;
  const read = Date.parse(value);
  return Number.isNaN(read) ? undefined : read;
}
