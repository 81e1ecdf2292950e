/**
 * How failed reads of a source (a filter, a profile's invitations or proposals) affect the next ones, and
 * when channels are notified. Pure.
 */
import { z } from 'zod';
import { backoffMs } from '../base/backoff.ts';
import { HOUR, type Instant, MINUTE, SECOND } from '../clock.ts';
import { ChannelId } from '../ids.ts';
import type { MarketplaceErrorCode } from '../marketplace/errors.ts';

/** Why reading a source fails, since when, when to retry. */
export const SourceFailure = z.object({
  /** A MarketplaceErrorCode. */
  code: z.string(),
  since: z.number(),
  failures: z.number(),
  retryAt: z.number(),
  /** Channels that were notified. */
  told: z.array(ChannelId).optional(),
});
export type SourceFailure = z.infer<typeof SourceFailure>;

/**
 * What a failure affects: the account (or the connection), or one source. `either`: an invalid response may
 * come from both, so it affects the source and, for now, all others.
 */
type Concern = 'account' | 'source' | 'either';

interface FailureRule {
  readonly concern: Concern;
  /** Usually ends on its own: channels are notified only if it lasts. */
  readonly transient: boolean;
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

const passing = (concern: Concern): FailureRule => ({
  concern,
  transient: true,
  firstPauseMs: 10 * SECOND,
  longestPauseMs: 2 * MINUTE,
});
const lasting = (concern: Concern, firstPauseMs: number, longestPauseMs = firstPauseMs): FailureRule => ({
  concern,
  transient: false,
  firstPauseMs,
  longestPauseMs,
});

const RULES: Readonly<Record<MarketplaceErrorCode, FailureRule>> = {
  server: passing('either'),
  timeout: passing('either'),
  unreadable: passing('either'),
  network: passing('account'),
  'gate-timeout': passing('account'),
  'rate-limited': passing('account'),
  'credits-depleted': passing('account'),
  unauthorised: lasting('account', 2 * MINUTE),
  forbidden: lasting('account', 2 * MINUTE),
  'subscription-inactive': lasting('account', 5 * MINUTE),
  'not-connected': lasting('account', MINUTE),
  'not-found': lasting('source', HOUR),
  'bad-request': lasting('source', 2 * MINUTE, HOUR),
};

/** Channels are notified of transient failures that last longer. */
const TOLD_AFTER_MS = 3 * MINUTE;

export function getFailureRule(code: string): FailureRule {
  return Object.hasOwn(RULES, code) ? RULES[code as MarketplaceErrorCode] : passing('either');
}

/** For a profile, `forbidden` means that it is no longer connected; others aren't affected. */
export function getProfileConcern(code: string): Concern {
  return code === 'forbidden' ? 'source' : getFailureRule(code).concern;
}

/**
 * The failure after one more error.
 * @param getRetryAt by the number of failures of the same kind
 * @param isRepeat the error doesn't count as another one
 */
export function countFailure(
  before: SourceFailure | undefined,
  code: string,
  at: Instant,
  getRetryAt: (failures: number) => Instant,
  isRepeat = false,
): SourceFailure {
  const isTransient = getFailureRule(code).transient;
  const same = before && getFailureRule(before.code).transient === isTransient ? before : undefined;
  const failures = same ? same.failures + (isRepeat ? 0 : 1) : 1;
  return {
    code,
    // A time in the future comes from a clock that was wrong.
    since: Math.min(same?.since ?? at, at),
    failures,
    retryAt: getRetryAt(failures),
    told: before?.told,
  };
}

/** By the code's own rule. Several errors during the same pause (parallel polls) count as one. */
export function escalateFailure(
  before: SourceFailure | undefined,
  code: MarketplaceErrorCode,
  at: Instant,
  retryAfterMs = 0,
): SourceFailure {
  const { firstPauseMs, longestPauseMs } = getFailureRule(code);
  const together = before !== undefined && at < before.retryAt && before.code === code;
  const getRetryAt = (failures: number) => {
    const pauseMs = Math.max(backoffMs(failures, firstPauseMs, longestPauseMs), retryAfterMs);
    return Math.max(at + pauseMs, together ? before.retryAt : 0);
  };
  return countFailure(before, code, at, getRetryAt, together);
}

/** When to retry. A failure since a future time comes from a wrong clock: retry at once. */
export function getRetryTime(trouble: SourceFailure, now: Instant): Instant {
  return trouble.since > now ? now : trouble.retryAt;
}

export function shouldNotifyFailure(trouble: SourceFailure, at: Instant): boolean {
  return !getFailureRule(trouble.code).transient || at - trouble.since > TOLD_AFTER_MS;
}

/** Transient codes alternate, so they share one notice. */
export function getNoticeCode(code: string): string {
  return getFailureRule(code).transient ? 'unreachable' : code;
}

/** Prevents duplicate notices. */
export function failureNoticeKey({ code, since }: SourceFailure, source: string): string {
  return `feed-failing:${source}:${getNoticeCode(code)}:${since}`;
}
