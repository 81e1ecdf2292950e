/** A channel's settings, and whether it gets projects now. */
import { HOUR, type Instant } from '../clock.ts';
import type { ChannelId, FilterId, TeamId, UserId } from '../ids.ts';
import { type ReadTransaction, scanCollection } from '../storage/store.ts';
import {
  type ChannelSettings,
  channelSettings,
  channelSettingsKey,
  defaultChannelSettings,
  type Subscription,
  subscriptionKey,
  subscriptions,
} from './records.ts';

/** A corrected clock moves back by less than this. */
const SET_BACK_MS = HOUR;

export async function readChannelSettings(
  tx: ReadTransaction,
  team: TeamId,
  channel: ChannelId,
): Promise<ChannelSettings> {
  return (
    (await tx.get(channelSettings, channelSettingsKey(team, channel))) ??
    defaultChannelSettings(team, channel)
  );
}

/** When a timed pause ends. Ignores a pause set in the future by a clock that was wrong. */
export function findPauseEnd({ paused }: ChannelSettings, at: Instant): Instant | undefined {
  if (paused?.until === undefined || paused.until <= at || paused.at > at + SET_BACK_MS) return undefined;
  return paused.until;
}

export async function listSubscribedChannels(
  tx: ReadTransaction,
  team: TeamId,
): Promise<readonly ChannelId[]> {
  const channels = new Set<ChannelId>();
  for await (const { value } of scanCollection(tx, subscriptions, { prefix: [team] }))
    channels.add(value.channel);
  return [...channels];
}

export async function findSubscription(
  tx: ReadTransaction,
  team: TeamId,
  channel: ChannelId,
  filter: FilterId,
): Promise<Subscription | undefined> {
  return tx.get(subscriptions, subscriptionKey(team, channel, filter));
}

/** Whether the channel has a subscription, stopped or not. */
export async function hasSubscription(
  tx: ReadTransaction,
  team: TeamId,
  channel: ChannelId,
): Promise<boolean> {
  return (await tx.list(subscriptions, { prefix: [team, channel], limit: 1 })).length > 0;
}

/** Whether a subscription of the channel isn't stopped. */
export async function hasRunningSubscription(
  tx: ReadTransaction,
  team: TeamId,
  channel: ChannelId,
): Promise<boolean> {
  for await (const { value } of scanCollection(tx, subscriptions, { prefix: [team, channel] }))
    if (!value.stopped) return true;
  return false;
}

/** Who subscribed the channel to filters; may repeat a person. */
export async function listSubscribers(
  tx: ReadTransaction,
  team: TeamId,
  channel: ChannelId,
): Promise<UserId[]> {
  const found: UserId[] = [];
  for await (const { value } of scanCollection(tx, subscriptions, { prefix: [team, channel] }))
    found.push(value.by);
  return found;
}

export function isChannelPaused(settings: ChannelSettings, at: Instant): boolean {
  const { paused } = settings;
  return paused !== undefined && (paused.until === undefined || findPauseEnd(settings, at) !== undefined);
}

/** Whether Gigdesk reads and posts for a channel's subscription now; the same for one to a profile. */
export function isSubscriptionActive(
  subscription: { readonly stopped?: Subscription['stopped'] },
  settings: ChannelSettings,
  at: Instant,
): boolean {
  return subscription.stopped === undefined && !isChannelPaused(settings, at);
}
