/** How a failed poll affects the next ones, and when channels are notified. Pure. */
import { HOUR, type Instant, MINUTE, SECOND } from '../clock.ts';
import type { MarketplaceErrorCode } from '../marketplace/errors.ts';
import type { FeedFailure } from './records.ts';

/**
 * What a failure affects: the account (or the connection), or one filter. `either`: an invalid response may
 * come from both, so it affects the filter and, for now, all others.
 */
type Concern = 'account' | 'filter' | 'either';

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
  'not-found': lasting('filter', HOUR),
  'bad-request': lasting('filter', 2 * MINUTE, HOUR),
};

/** Channels are notified of transient failures that last longer. */
const TOLD_AFTER_MS = 3 * MINUTE;

export function getFailureRule(code: string): FailureRule {
  return Object.hasOwn(RULES, code) ? RULES[code as MarketplaceErrorCode] : passing('either');
}

/** The failure after one more error. Several errors during the same pause (parallel polls) count as one. */
export function escalateFeedFailure(
  before: FeedFailure | undefined,
  code: MarketplaceErrorCode,
  at: Instant,
  retryAfterMs = 0,
): FeedFailure {
  const rule = getFailureRule(code);
  const together = before !== undefined && at < before.retryAt && before.code === code;
  const sameKind = before !== undefined && getFailureRule(before.code).transient === rule.transient;
  const failures = sameKind ? before.failures + (together ? 0 : 1) : 1;
  const pause = Math.min(rule.firstPauseMs * 2 ** Math.min(failures - 1, 10), rule.longestPauseMs);
  const nextRetryAt = Math.max(at + Math.max(pause, retryAfterMs), together ? before.retryAt : 0);
  return {
    code,
    // A time in the future comes from a clock that was wrong.
    since: sameKind ? Math.min(before.since, at) : at,
    failures,
    retryAt: nextRetryAt,
    ...(before?.told ? { told: before.told } : {}),
  };
}

/** When to retry. A failure since a future time comes from a wrong clock: retry at once. */
export function getFeedRetryTime(trouble: FeedFailure, now: Instant): Instant {
  return trouble.since > now ? now : trouble.retryAt;
}

export function shouldNotifyFailure(trouble: FeedFailure, at: Instant): boolean {
  return !getFailureRule(trouble.code).transient || at - trouble.since > TOLD_AFTER_MS;
}

/** Prevents duplicate notices. Transient codes alternate, so they share one key. */
export function failureNoticeKey(trouble: FeedFailure, filter: string): string {
  const code = getFailureRule(trouble.code).transient ? 'unreachable' : trouble.code;
  return `feed-failing:${filter}:${code}:${trouble.since}`;
}
