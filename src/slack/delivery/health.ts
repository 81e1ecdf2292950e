/** Whether posts reach Slack, for monitoring: `/readyz`, `/metrics`, `/gig status`. */
import type { Instant } from '../../clock.ts';
import type { ChannelId } from '../../ids.ts';
import type { ReadTransaction } from '../../storage/store.ts';
import { deliveryStops } from './stops.ts';
import { readOutboxWork } from './transitions.ts';

/** A channel (or, by user ID, a direct message) where posts wait because Slack refuses them. */
export interface RefusedConversation {
  readonly channel: ChannelId;
  /** Slack's error code. */
  readonly error: string;
  readonly since: Instant;
  /** Its feeds stopped and its subscribers were notified: it needs Resume. */
  readonly isStopped: boolean;
}

export interface DeliveryHealth {
  /** Slack rejects the token, with this code. */
  readonly paused?: { readonly since: Instant; readonly error: string };
  readonly refused: readonly RefusedConversation[];
}

export interface DeliveryHealthReader {
  /** What currently prevents delivery. */
  readHealth(tx: ReadTransaction): Promise<DeliveryHealth>;
}

export async function readRefusedConversations(tx: ReadTransaction): Promise<RefusedConversation[]> {
  const stops = await tx.list(deliveryStops, { limit: 1_000 });
  if (stops.length === 0) return [];
  const { toSend } = await readOutboxWork(tx);
  return stops.flatMap(({ value: { channel, error, since, kind } }) =>
    toSend.has(channel) ? [{ channel, error, since, isStopped: kind === undefined }] : [],
  );
}
