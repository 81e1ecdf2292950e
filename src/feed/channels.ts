/** A channel's settings, and whether it takes projects at the moment. */
import type { Instant } from '../clock.ts';
import type { ChannelId, TeamId } from '../ids.ts';
import type { ReadTransaction } from '../storage/store.ts';
import {
  type ChannelSettings,
  channelKey,
  channelSettings,
  defaultSettings,
  type Subscription,
} from './records.ts';

export async function readSettings(
  tx: ReadTransaction,
  team: TeamId,
  channel: ChannelId,
): Promise<ChannelSettings> {
  return (await tx.get(channelSettings, channelKey(team, channel))) ?? defaultSettings(team, channel);
}

export function isPaused(settings: ChannelSettings, at: Instant): boolean {
  const { paused } = settings;
  return paused !== undefined && (paused.until === undefined || paused.until > at);
}

/** Whether polls are made for a subscription. */
export function isActive(
  subscription: Pick<Subscription, 'stopped'>,
  settings: ChannelSettings,
  at: Instant,
): boolean {
  return subscription.stopped === undefined && !isPaused(settings, at);
}
