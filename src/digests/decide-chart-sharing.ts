/** Decides the next step of sharing a digest's charts, after a success or a failure. Pure. */
import { DAY, type Instant, MINUTE, SECOND } from '../clock.ts';
import type { ChannelId, MessageTs } from '../ids.ts';
import type { Post } from '../outbox/posts.ts';
import type { DigestRecord } from './records.ts';

type Sharing = NonNullable<DigestRecord['pictures']>;
export type SharedChartFile = Sharing['files'][number];

const MOST_FAILURES = 5;
const FIRST_PAUSE_MS = 15 * SECOND;
const LONGEST_PAUSE_MS = 10 * MINUTE;
/** Charts of yesterday are useless. */
const LONGEST_WAIT_MS = DAY;

/** What to do with charts that are due: draw and share them, or check whether Slack shows them already. */
export type ChartSharingStep =
  | {
      readonly kind: 'draw' | 'look';
      readonly place: { readonly channel: ChannelId; readonly thread: MessageTs };
    }
  | { readonly kind: 'wait'; readonly until: Instant }
  | { readonly kind: 'give-up' };

/** @param post the digest's post */
export function decideChartSharing(
  record: DigestRecord,
  post: Post | undefined,
  now: Instant,
): ChartSharingStep {
  const ageMs = now - record.at;
  if (!post || post.state === 'failed' || ageMs > LONGEST_WAIT_MS) return { kind: 'give-up' };
  if (post.state !== 'posted' || post.ts === undefined)
    return { kind: 'wait', until: now + Math.min(LONGEST_PAUSE_MS, Math.max(SECOND, ageMs / 4)) };
  const place = { channel: post.postedIn ?? record.facts.channel, thread: post.ts };
  // Slack may have shared them already: check before sharing again.
  return { kind: record.pictures?.state === 'sharing' ? 'look' : 'draw', place };
}

/** The pause after the latest of this many failures. */
export function computeSharingRetryPause(failures: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 3 ** (failures - 1));
}

/** @param to the state to retry from, given what is known about Slack's side */
export function applySharingFailure(sharing: Sharing, to: 'waiting' | 'sharing', now: Instant): Sharing {
  const failures = sharing.failures + 1;
  if (failures >= MOST_FAILURES) return { ...sharing, state: 'failed', failures };
  return { ...sharing, state: to, failures, dueAt: now + computeSharingRetryPause(failures) };
}
