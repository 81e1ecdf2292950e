/** Channels and messages that can't be updated now. In memory: after a restart each is tried at once. */
import { MINUTE, type RandomSource, SECOND } from '../../clock.ts';
import type { Post, PostId } from '../../outbox/posts.ts';
import type { SlackCallError } from '../core/errors.ts';
import { backoffDelayMs } from './delays.ts';
import type { PostDestination } from './outbox-queries.ts';
import { classifyRefusal } from './refusals.ts';

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

/** After no clear answer, and after a refusal. */
const FIRST_HOLD_MS = { unknown: 5 * SECOND, refused: MINUTE };
const LONGEST_HOLD_MS = 60 * MINUTE;
/** After this many refusals of its own, a message is left unchanged. */
const MOST_REFUSALS = 6;

export function createUpdateDelays(): UpdateDelays {
  return { channels: new Map(), messages: new Map() };
}

export function areChannelUpdatesDelayed(
  { channels }: UpdateDelays,
  channel: PostDestination,
  at: number,
): boolean {
  return (channels.get(channel)?.until ?? 0) > at;
}

export function isMessageUpdateDelayed({ messages }: UpdateDelays, post: PostId, at: number): boolean {
  return (messages.get(post)?.until ?? 0) > at;
}

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
  const first = FIRST_HOLD_MS[isRefused ? 'refused' : 'unknown'];
  const kind = isRefused ? classifyRefusal(error.code) : 'channel';
  const held = (before: UpdateHold | undefined): UpdateHold => {
    const failures = (before?.failures ?? 0) + 1;
    const until = at + backoffDelayMs(failures, first, LONGEST_HOLD_MS, random);
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

export function clearUpdateDelaysAfterUpdate(
  holds: UpdateDelays,
  { id, channel }: Pick<Post, 'id' | 'channel'>,
): void {
  holds.channels.delete(channel);
  holds.messages.delete(id);
}
