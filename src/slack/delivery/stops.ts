/**
 * Conversations that Slack refuses. Their posts stay `waiting`, so nothing is lost: delivery retries after
 * growing delays. A stopped channel is also retried at once after Resume.
 */
import { z } from 'zod';
import type { Instant, RandomSource } from '../../clock.ts';
import { hasRunningSubscription } from '../../feed/channels.ts';
import { ChannelId } from '../../ids.ts';
import { hasRunningProfileFeed } from '../../profiles/profile-feeds.ts';
import { collection, type Transaction } from '../../storage/store.ts';
import {
  backoffDelayMs,
  MAX_MISSING_PERMISSION_RETRY_MS,
  MAX_UNREACHABLE_CHANNEL_RETRY_MS,
  MIN_MISSING_PERMISSION_RETRY_MS,
  MIN_UNREACHABLE_CHANNEL_RETRY_MS,
} from './delays.ts';

/** `channel`: or a user's ID, for direct messages. */
const DeliveryStop = z.object({
  channel: ChannelId,
  /** Missing: the channel takes no posts, its feeds stopped. refused: Slack refuses us; feeds continue. */
  kind: z.literal('refused').optional(),
  /** Slack's error code. */
  error: z.string(),
  since: z.number(),
  failures: z.number(),
  retryAt: z.number(),
});

export const deliveryStops = collection({
  name: 'delivery-stops',
  schema: DeliveryStop,
  key: (it) => [it.channel],
});

/** @returns how long not to send there, in ms; undefined when a retry is allowed now. */
export async function remainingDeliveryStopMs(tx: Transaction, channel: ChannelId, at: Instant) {
  const stop = await tx.get(deliveryStops, [channel]);
  // Delays after a refusal are kept in memory, so that a restart retries at once.
  if (!stop || stop.kind === 'refused') return undefined;
  // Someone resumed the channel since it stopped: then at least one of its subscriptions is active.
  if ((await hasRunningSubscription(tx, channel)) || (await hasRunningProfileFeed(tx, channel))) {
    await tx.delete(deliveryStops, [channel]);
    return undefined;
  }
  const leftMs = stop.retryAt - at;
  // More than the longest delay: the clock was set back.
  return leftMs > 0 && leftMs <= MAX_UNREACHABLE_CHANNEL_RETRY_MS ? leftMs : undefined;
}

/** Stores that a channel takes no posts. @returns whether that is new. */
export async function recordStoppedChannel(
  tx: Transaction,
  refused: { readonly channel: ChannelId; readonly error: string },
  at: Instant,
  random: RandomSource,
): Promise<boolean> {
  const before = await tx.get(deliveryStops, [refused.channel]);
  const failures = (before?.failures ?? 0) + 1;
  const [least, most] = [MIN_UNREACHABLE_CHANNEL_RETRY_MS, MAX_UNREACHABLE_CHANNEL_RETRY_MS];
  const retryAt = at + backoffDelayMs(failures, least, most, random);
  const since = before?.since ?? at;
  await tx.put(deliveryStops, { ...refused, since, failures, retryAt });
  return before === undefined || before.kind === 'refused';
}

/** Stores that Slack refuses posts where feeds continue. @returns also how long not to send there */
export async function recordRefusedConversation(
  tx: Transaction,
  refused: { readonly channel: ChannelId; readonly error: string },
  at: Instant,
  random: RandomSource,
) {
  const key = [refused.channel] as const;
  const before = await tx.get(deliveryStops, key);
  const failures = (before?.failures ?? 0) + 1;
  const [least, most] = [MIN_MISSING_PERMISSION_RETRY_MS, MAX_MISSING_PERMISSION_RETRY_MS];
  const pauseMs = backoffDelayMs(failures, least, most, random);
  const first = { kind: 'refused', since: at } as const;
  await tx.put(deliveryStops, { ...(before ?? first), ...refused, failures, retryAt: at + pauseMs });
  return { isNew: before === undefined, pauseMs };
}
