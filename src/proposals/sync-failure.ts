/** What a failed sync means for the next ones. Pure. */
import { HOUR, type Instant, MINUTE, type RandomSource, SECOND } from '../clock.ts';
import { getFeedRetryTime as feedRetryAt, getFailureRule } from '../feed/failure-rules.ts';
import type { ProfileSync } from '../profiles/records.ts';

type Trouble = NonNullable<ProfileSync['trouble']>;

const FIRST_PAUSE_MS = 30 * SECOND;
const LONGEST_PAUSE_MS = HOUR;
/** Longest pause after a transient failure: people wait for outcomes that only this pause delays. */
const LONGEST_TRANSIENT_MS = 10 * MINUTE;
/** The profile was disconnected, or never belonged to this team. Only people can connect it again. */
const DISCONNECTED_PAUSE_MS = 6 * HOUR;
const DISCONNECTED: ReadonlySet<string> = new Set(['not-found', 'forbidden']);
const JITTER = 0.1;

/** Whether the failure affects all profiles: the token, the subscription, the rate limit, the connection. */
export function affectsAllProfiles(code: string): boolean {
  return !DISCONNECTED.has(code) && getFailureRule(code).concern === 'account';
}

function pauseMs(code: string, failures: number): number {
  if (DISCONNECTED.has(code)) return DISCONNECTED_PAUSE_MS;
  const rule = getFailureRule(code);
  const [first, longest] =
    rule.concern === 'account'
      ? [rule.firstPauseMs, rule.longestPauseMs]
      : [FIRST_PAUSE_MS, rule.transient ? LONGEST_TRANSIENT_MS : LONGEST_PAUSE_MS];
  return Math.min(first * 2 ** Math.min(failures - 1, 10), longest);
}

/** @param random decides the jitter */
export function escalateSyncFailure(
  before: Trouble | undefined,
  { code, retryAfterMs = 0 }: { readonly code: string; readonly retryAfterMs?: number },
  at: Instant,
  random: RandomSource,
): Trouble {
  const isSame =
    before !== undefined && getFailureRule(before.code).transient === getFailureRule(code).transient;
  const failures = isSame ? before.failures + 1 : 1;
  const asked = Math.min(retryAfterMs, LONGEST_PAUSE_MS);
  const pause = Math.max(pauseMs(code, failures) * (1 + JITTER * random()), asked);
  return {
    code,
    since: isSame ? before.since : at,
    failures,
    retryAt: Math.round(at + pause),
    ...(before?.told ? { told: before.told } : {}),
  };
}

/** When to try again. A time beyond the longest pause comes from a wrong clock. */
export function getSyncRetryTime(trouble: Trouble, now: Instant): Instant {
  const at = feedRetryAt(trouble, now);
  return at > now + DISCONNECTED_PAUSE_MS * (1 + JITTER) ? now : at;
}
