/** How a digest's pictures go on after a step that did or did not succeed. Pure. */
import { DAY, type Instant, MINUTE, SECOND } from '../clock.ts';
import type { ChannelId, MessageTs } from '../ids.ts';
import type { Post } from '../outbox/posts.ts';
import type { DigestRecord } from './records.ts';

type Sharing = NonNullable<DigestRecord['pictures']>;
export type SharedChartFile = Sharing['files'][number];

const MOST_FAILURES = 5;
const FIRST_PAUSE_MS = 15 * SECOND;
const LONGEST_PAUSE_MS = 10 * MINUTE;
/** A picture of yesterday helps nobody. */
const LONGEST_WAIT_MS = DAY;

/** What to do with pictures that are due: draw and share them, or look whether Slack shows them already. */
export type ChartSharingStep =
  | {
      readonly kind: 'draw' | 'look';
      readonly place: { readonly channel: ChannelId; readonly thread: MessageTs };
    }
  | { readonly kind: 'wait'; readonly until: Instant }
  | { readonly kind: 'give-up' };

/** @param post of the digest */
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
  // Slack was asked to show them: whether it did is looked up before it is asked again.
  return { kind: record.pictures?.state === 'sharing' ? 'look' : 'draw', place };
}

/** So long after the failure that `failures` counts in. */
export function computeSharingRetryPause(failures: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 3 ** (failures - 1));
}

/** @param to the state in which it goes on: with what is known of Slack's side by now */
export function applySharingFailure(sharing: Sharing, to: 'waiting' | 'sharing', now: Instant): Sharing {
  const failures = sharing.failures + 1;
  if (failures >= MOST_FAILURES) return { ...sharing, state: 'failed', failures };
  return { ...sharing, state: to, failures, dueAt: now + computeSharingRetryPause(failures) };
}
