/** What a failed poll means for the next ones, and when people hear of it. Pure. */
import { HOUR, type Instant, MINUTE, SECOND } from '../clock.ts';
import type { MarketplaceErrorCode } from '../marketplace/errors.ts';
import type { FeedFailure } from './records.ts';

/**
 * Whom a failure concerns: the account (or the way to the service), one filter, or, as a broken answer may come from
 * either, the filter and for the time being everyone.
 */
type Concern = 'account' | 'filter' | 'either';

interface FailureRule {
  readonly concern: Concern;
  /** Passes by itself as a rule: people hear of it when it lasts. */
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

/** Transient trouble that lasts longer is told. */
const TOLD_AFTER_MS = 3 * MINUTE;

export function getFailureRule(code: string): FailureRule {
  return Object.hasOwn(RULES, code) ? RULES[code as MarketplaceErrorCode] : passing('either');
}

/** The trouble after one more failure. Failures that come while it waits anyway (several polls at once) count as one. */
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
    // A time in the future is one of a clock that was ahead.
    since: sameKind ? Math.min(before.since, at) : at,
    failures,
    retryAt: nextRetryAt,
    ...(before?.told ? { told: before.told } : {}),
  };
}

/** When to try again. Trouble since a time to come: the clock was wrong then, so at once. */
export function getRetryTime(trouble: FeedFailure, now: Instant): Instant {
  return trouble.since > now ? now : trouble.retryAt;
}

/** Whether channels should hear of it now. */
export function shouldNotifyFailure(trouble: FeedFailure, at: Instant): boolean {
  return !getFailureRule(trouble.code).transient || at - trouble.since > TOLD_AFTER_MS;
}

/** What keeps a notice from being sent twice: transient codes come in turns and are one matter. */
export function failureNoticeKey(trouble: FeedFailure, filter: string): string {
  const code = getFailureRule(trouble.code).transient ? 'unreachable' : trouble.code;
  return `feed-failing:${filter}:${code}:${trouble.since}`;
}
