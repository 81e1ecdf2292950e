/** Channels whose messages can't be updated now. Held in memory: after a start each is tried at once. */
import { MINUTE, type Random, SECOND } from '../../clock.ts';
import type { SlackCallError } from '../errors.ts';
import { growingPause } from './pauses.ts';
import type { Channel } from './queues.ts';
import { refusalKind } from './refusals.ts';

interface UpdateHold {
  /** By the clock's steady time. */
  readonly until: number;
  readonly failures: number;
  /** The message itself was refused, not the channel. */
  readonly isOfMessage: boolean;
}

export type UpdateHolds = Map<Channel, UpdateHold>;

/** After no clear answer, and after a refusal. */
const FIRST_HOLD_MS = { unknown: 5 * SECOND, refused: MINUTE };
const LONGEST_HOLD_MS = 60 * MINUTE;

export function isHeld(holds: UpdateHolds, channel: Channel, at: number): boolean {
  return (holds.get(channel)?.until ?? 0) > at;
}

/** An update came to nothing: the channel's next one waits, longer each time. */
export function holdUpdates(
  holds: UpdateHolds,
  channel: Channel,
  error: SlackCallError,
  at: number,
  random: Random,
): void {
  const isRefused = error.end === 'refused';
  const failures = (holds.get(channel)?.failures ?? 0) + 1;
  const first = FIRST_HOLD_MS[isRefused ? 'refused' : 'unknown'];
  const until = at + growingPause(failures, first, LONGEST_HOLD_MS, random);
  holds.set(channel, { until, failures, isOfMessage: isRefused && refusalKind(error.code) !== 'channel' });
}

/** A message has arrived in the channel, which tells nothing of one that was refused for itself. */
export function channelTookPost(holds: UpdateHolds, channel: Channel): void {
  if (holds.get(channel)?.isOfMessage === false) holds.delete(channel);
}
