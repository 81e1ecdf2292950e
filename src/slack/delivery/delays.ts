/** All delays of delivery, and what can't be updated now: in memory, so a restart tries each at once. */
import { backoffMs } from '../../base/backoff.ts';
import { HOUR, type Instant, MINUTE, type RandomSource, SECOND } from '../../clock.ts';
import type { Post, PostId } from '../../outbox/posts.ts';
import type { SlackCallError } from '../core/errors.ts';
import { classifyRefusal } from './refusals.ts';
import type { PostDestination } from './transitions.ts';

/** Between the starts of two messages in one channel. Source: docs/slack-limits.md, "Times and rates". */
export const MIN_CHANNEL_POST_GAP_MS = SECOND;
/** Between the starts of any two messages: 240 a minute, within "some hundreds". */
export const MIN_WORKSPACE_POST_GAP_MS = 250;
/** Between two updates: under 50 a minute. */
export const MIN_MESSAGE_UPDATE_GAP_MS = 1_250;
/** After an unclear answer: gives a message in flight time to arrive before we look for it. */
export const UNCERTAIN_POST_SEARCH_DELAY_MS = 15 * SECOND;
/** The least of it that this process waits itself, after a restart or a takeover. */
export const MIN_UNCERTAIN_POST_WAIT_MS = 5 * SECOND;
/** The part of the history searched around an attempt: allows for a clock ahead of or behind Slack's. */
export const SEARCHED_BEFORE_ATTEMPT_MS = 5 * MINUTE;
export const SEARCHED_AFTER_ATTEMPT_MS = 15 * MINUTE;
/** How far back to search the history for an attempt whose own date can't be true. */
export const UNDATED_ATTEMPT_SEARCH_MS = 24 * HOUR;
/** When a post's arrival stays unknown this long, the posts behind it are sent. */
export const SKIP_UNCERTAIN_POST_AFTER_MS = 10 * MINUTE;
/** When Slack denies access to the history this long, a post that may have arrived is given up. */
export const MAX_UNREADABLE_HISTORY_MS = 24 * HOUR;
/** How often delivery checks posts that can't be sent yet: what they wait for may be over. */
export const OUTBOX_POLL_MS = SECOND;
/** How long after a post was stored or changed delivery looks: what is stored with it goes out with it. */
export const GATHER_MS = SECOND / 2;
/** How often it checks without any: a stored post wakes it. */
export const IDLE_OUTBOX_POLL_MS = MINUTE;
/** How soon a resumed channel is noticed. */
export const RESUMED_CHANNEL_POLL_MS = 5 * SECOND;
/** Retry delays for an unreachable channel. */
export const MIN_UNREACHABLE_CHANNEL_RETRY_MS = MINUTE;
export const MAX_UNREACHABLE_CHANNEL_RETRY_MS = 60 * MINUTE;
/** Retry delays for a conversation where a permission is missing. */
export const MIN_MISSING_PERMISSION_RETRY_MS = 10 * SECOND;
export const MAX_MISSING_PERMISSION_RETRY_MS = 10 * MINUTE;

/** The delay before attempt `failures + 1`: doubles from `first` up to `longest`, minus up to 10% jitter. */
export function backoffDelayMs(failures: number, first: number, longest: number, random: RandomSource) {
  return Math.round(backoffMs(failures, first, longest) * (1 - random() / 10));
}

export function toSlackTs(at: Instant): string {
  return (Math.max(at, 0) / SECOND).toFixed(6);
}

interface UpdateHold {
  /** Monotonic time. */
  readonly until: number;
  readonly failures: number;
  /** A post that arrives in the channel ends the delay: updates may work there again. */
  readonly endsWithPost: boolean;
}

export interface UpdateDelays {
  readonly channels: Map<PostDestination, UpdateHold>;
  /** Messages refused with unknown codes, which may concern only them. */
  readonly messages: Map<PostId, UpdateHold>;
}

/** After this many refusals of its own, a message is left unchanged. */
const MOST_REFUSALS = 6;

/**
 * Delays a failed update: the message, or its channel where others would fail too, longer each time.
 * @returns false when the message should not be retried
 */
export function delayUpdates(
  holds: UpdateDelays,
  { id, channel }: Pick<Post, 'id' | 'channel'>,
  error: SlackCallError,
  at: number,
  random: RandomSource,
): boolean {
  const isRefused = error.failureKind === 'refused';
  const first = isRefused ? MINUTE : 5 * SECOND;
  const kind = isRefused ? classifyRefusal(error.code) : 'channel';
  const held = (before: UpdateHold | undefined): UpdateHold => {
    const failures = (before?.failures ?? 0) + 1;
    const until = at + backoffDelayMs(failures, first, 60 * MINUTE, random);
    return { until, failures, endsWithPost: kind === 'channel' };
  };
  if (kind !== 'later') {
    holds.channels.set(channel, held(holds.channels.get(channel)));
    return true;
  }
  const hold = held(holds.messages.get(id));
  if (hold.failures < MOST_REFUSALS) holds.messages.set(id, hold);
  else holds.messages.delete(id);
  return hold.failures < MOST_REFUSALS;
}

/** A message arrived in the channel. That says nothing about messages that were refused individually. */
export function clearUpdateDelayAfterPost({ channels }: UpdateDelays, channel: PostDestination): void {
  if (channels.get(channel)?.endsWithPost) channels.delete(channel);
}

export function clearUpdateDelaysAfterUpdate(holds: UpdateDelays, post: Pick<Post, 'id' | 'channel'>): void {
  holds.channels.delete(post.channel);
  holds.messages.delete(post.id);
}
