/** Whether a request that failed is tried again, and when. Pure. */
import { MINUTE, type Random, SECOND } from '../clock.ts';
import type { MarketplaceError } from './errors.ts';
import type { Lane } from './gate.ts';

/** A person's request gives up after this, waiting at the gate included. */
const PERSON_DEADLINE_MS = 20 * SECOND;
/** Somebody pressed a button for it, but it goes on without them. */
const BID_DEADLINE_MS = 2 * MINUTE;
/** Background work may wait for its first place as long as it takes; this bounds its repetitions. */
const RETRIES_WITHIN_MS = 10 * MINUTE;

/** A preview is of no use later. */
const UNFURL_WAIT_MS = 15 * SECOND;

const MOST_RETRIES = 2;
const MOST_REFUSALS = 10;
const FIRST_PAUSE_MS = 500;

/** How long all tries of a request may take together; undefined for lanes in which nobody waits. */
export function deadlineForLane(lane: Lane): number | undefined {
  if (lane === 'person') return PERSON_DEADLINE_MS;
  return lane === 'bid' ? BID_DEADLINE_MS : undefined;
}

/** How long a request may wait for its place, where its lane has no deadline; what is sent then has all its time. */
export function gateWaitLimitForLane(lane: Lane): number | undefined {
  return lane === 'unfurl' ? UNFURL_WAIT_MS : undefined;
}

/** Nobody waits for a preview: what fails is given up. */
export function isRetriedLane(lane: Lane): boolean {
  return lane !== 'unfurl';
}

export interface RetryState {
  /** It must not take effect twice. */
  readonly once: boolean;
  /** Tries that failed otherwise than by a 429, this one included. */
  readonly failures: number;
  /** Tries answered with 429, this one included. */
  readonly refusals: number;
  /** Since the first try. */
  readonly elapsedMs: number;
  /** Until the deadline, where there is one. */
  readonly leftMs: number | undefined;
}

/**
 * How long to wait before the next try, or undefined to give up. A 429 may be repeated by any method, since the server
 * did nothing; the gate then keeps the pause. Otherwise a request is repeated twice after network faults, timeouts and
 * 5xx, but for one that must not take effect twice: a repeated bid costs money, and so does a page of a filter to which
 * projects came meanwhile.
 */
export function decideRetryDelay(
  error: MarketplaceError,
  tries: RetryState,
  random: Random,
): number | undefined {
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
