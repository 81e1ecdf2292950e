/**
 * Conversations that Slack refuses. Their posts stay `waiting`, so nothing is lost: they go out when Slack takes posts
 * there again, which is tried after growing pauses. A channel that is stopped is also tried at once after `/gig resume`.
 */
import { z } from 'zod';
import type { Instant, Random } from '../../clock.ts';
import { subscriptions } from '../../feed/records.ts';
import { ChannelId, TeamId } from '../../ids.ts';
import { profileFeeds } from '../../profiles/records.ts';
import { type Collection, scan, type Transaction } from '../../storage/store.ts';
import {
  FIRST_REFUSED_MS,
  FIRST_STOP_MS,
  growingPause,
  LONGEST_REFUSED_MS,
  LONGEST_STOP_MS,
} from './pauses.ts';

/** Key: [team, channel], or for direct messages [team, user]. */
const DeliveryStop = z.object({
  team: TeamId,
  channel: ChannelId,
  /** Missing: the channel takes no posts, and its feeds have stopped. refused: Slack refuses us there; feeds go on. */
  kind: z.literal('refused').optional(),
  /** Slack's code. */
  error: z.string(),
  since: z.number(),
  failures: z.number(),
  retryAt: z.number(),
});
type DeliveryStop = z.infer<typeof DeliveryStop>;

export const deliveryStops: Collection<DeliveryStop> = {
  name: 'delivery-stops',
  schema: DeliveryStop,
  indexes: {},
};

/** Whether somebody has resumed the channel since it was stopped: something that it follows then goes on. */
async function isResumed(tx: Transaction, team: TeamId, channel: ChannelId): Promise<boolean> {
  const prefix = [team, channel] as const;
  for await (const { value } of scan(tx, subscriptions, { prefix })) if (!value.stopped) return true;
  for await (const { value } of scan(tx, profileFeeds, { prefix })) if (!value.stopped) return true;
  return false;
}

/** @returns for how long nothing is to be sent there, in ms; undefined when it may be tried now. */
export async function stoppedFor(
  tx: Transaction,
  team: TeamId,
  channel: ChannelId,
  at: Instant,
): Promise<number | undefined> {
  const stop = await tx.get(deliveryStops, [team, channel]);
  // A refusal is waited for in memory, so that a start tries at once.
  if (!stop || stop.kind === 'refused') return undefined;
  if (await isResumed(tx, team, channel)) {
    await tx.delete(deliveryStops, [team, channel]);
    return undefined;
  }
  const leftMs = stop.retryAt - at;
  // Farther off than any pause: the clock was set back.
  return leftMs > 0 && leftMs <= LONGEST_STOP_MS ? leftMs : undefined;
}

/** Stores that a channel takes no posts. @returns whether that is new. */
export async function recordStop(
  tx: Transaction,
  refused: { readonly team: TeamId; readonly channel: ChannelId; readonly error: string },
  at: Instant,
  random: Random,
): Promise<boolean> {
  const before = await tx.get(deliveryStops, [refused.team, refused.channel]);
  const failures = (before?.failures ?? 0) + 1;
  const retryAt = at + growingPause(failures, FIRST_STOP_MS, LONGEST_STOP_MS, random);
  const since = before?.since ?? at;
  await tx.put(deliveryStops, [refused.team, refused.channel], { ...refused, since, failures, retryAt });
  return before === undefined || before.kind === 'refused';
}

export interface Refusal {
  readonly isNew: boolean;
  /** How long nothing is to be sent there. */
  readonly pauseMs: number;
}

/** Stores that Slack refuses us in a conversation whose feeds go on. */
export async function recordRefusal(
  tx: Transaction,
  refused: { readonly team: TeamId; readonly channel: ChannelId; readonly error: string },
  at: Instant,
  random: Random,
): Promise<Refusal> {
  const key = [refused.team, refused.channel] as const;
  const before = await tx.get(deliveryStops, key);
  const failures = (before?.failures ?? 0) + 1;
  const pauseMs = growingPause(failures, FIRST_REFUSED_MS, LONGEST_REFUSED_MS, random);
  const first = { kind: 'refused', since: at } as const;
  await tx.put(deliveryStops, key, {
    ...(before ?? first),
    ...refused,
    failures,
    retryAt: at + pauseMs,
  });
  return { isNew: before === undefined, pauseMs };
}

export async function clearStop(tx: Transaction, team: TeamId, channel: ChannelId): Promise<void> {
  await tx.delete(deliveryStops, [team, channel]);
}
