/** Whether posts get into Slack, for those who watch: `/readyz`, `/metrics`, `/gig status`. */
import type { Instant } from '../../clock.ts';
import type { ChannelId, TeamId } from '../../ids.ts';
import type { ReadTransaction } from '../../storage/store.ts';
import { listChannelsToSend } from './outbox-queries.ts';
import { deliveryStops } from './stops.ts';

/** Nothing is delivered: Slack refuses the token. */
export interface DeliveryPause {
  readonly since: Instant;
  /** Slack's code. */
  readonly error: string;
}

/** A channel, or by a user's id the direct messages with a person, that Slack refuses while posts wait there. */
export interface RefusedConversation {
  readonly channel: ChannelId;
  /** Slack's code. */
  readonly error: string;
  readonly since: Instant;
  /** Its feeds have stopped, and its subscribers know: it needs `/gig resume`. */
  readonly isStopped: boolean;
}

export interface DeliveryHealth {
  readonly paused?: DeliveryPause;
  readonly refused: readonly RefusedConversation[];
}

export interface DeliveryHealthReader {
  /** What keeps posts from Slack at present. */
  readHealth(tx: ReadTransaction): Promise<DeliveryHealth>;
}

/** More are not read: a thousand says enough. */
const MOST_READ = 1_000;

export async function readRefusedConversations(
  tx: ReadTransaction,
  team: TeamId,
): Promise<RefusedConversation[]> {
  const stops = await tx.list(deliveryStops, { prefix: [team], limit: MOST_READ });
  if (stops.length === 0) return [];
  const busy = await listChannelsToSend(tx, team);
  return stops
    .filter(({ value }) => busy.has(value.channel))
    .map(({ value: { channel, error, since, kind } }) => ({
      channel,
      error,
      since,
      isStopped: kind === undefined,
    }));
}
