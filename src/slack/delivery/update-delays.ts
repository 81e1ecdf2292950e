/** Channels, and single messages, that can't be updated now. Held in memory: after a start each is tried at once. */
import { MINUTE, type Random, SECOND } from '../../clock.ts';
import type { Post, PostId } from '../../outbox/posts.ts';
import type { SlackCallError } from '../errors.ts';
import { backoffDelayMs } from './delays.ts';
import type { PostDestination } from './outbox-queries.ts';
import { refusalKind } from './refusals.ts';

interface UpdateHold {
  /** By the clock's steady time. */
  readonly until: number;
  readonly failures: number;
  /** A post that arrives in the channel ends it: then updates may work there again. */
  readonly endsWithPost: boolean;
}

export interface UpdateDelays {
  readonly channels: Map<PostDestination, UpdateHold>;
  /** Refused with codes that we don't know, which may concern them alone. */
  readonly messages: Map<PostId, UpdateHold>;
}

/** After no clear answer, and after a refusal. */
const FIRST_HOLD_MS = { unknown: 5 * SECOND, refused: MINUTE };
const LONGEST_HOLD_MS = 60 * MINUTE;
/** A message that is refused so often for itself is left as it is. */
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
 * An update came to nothing: the message waits, or its channel where others would fail as well, longer each time.
 * @returns false when the message is not to be tried any more
 */
export function delayUpdates(
  holds: UpdateDelays,
  { id, channel }: Pick<Post, 'id' | 'channel'>,
  error: SlackCallError,
  at: number,
  random: Random,
): boolean {
  const isRefused = error.failureKind === 'refused';
  const first = FIRST_HOLD_MS[isRefused ? 'refused' : 'unknown'];
  const kind = isRefused ? refusalKind(error.code) : 'channel';
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

/** A message has arrived in the channel, which tells nothing of one that was refused for itself. */
export function clearDelayAfterPost({ channels }: UpdateDelays, channel: PostDestination): void {
  if (channels.get(channel)?.endsWithPost) channels.delete(channel);
}

/** A message was updated. */
export function clearDelaysAfterUpdate(
  holds: UpdateDelays,
  { id, channel }: Pick<Post, 'id' | 'channel'>,
): void {
  holds.channels.delete(channel);
  holds.messages.delete(id);
}
