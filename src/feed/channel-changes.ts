/** What people set for a channel: mutes, density, a pause; and a channel that Slack refuses. */
import type { Instant } from '../clock.ts';
import type { ChannelId, TeamId, UserId } from '../ids.ts';
import { enqueueNotice } from '../outbox/outbox.ts';
import { fold } from '../query/fold.ts';
import { type ReadTransaction, scan, type Transaction } from '../storage/store.ts';
import { isPaused, readSettings } from './channels.ts';
import type { FeedContext } from './context.ts';
import type { MuteOutcome } from './feed.ts';
import {
  type ChannelSettings,
  channelKey,
  channelSettings,
  type Mute,
  type Subscription,
  subscriptionKey,
  subscriptions,
} from './records.ts';

/** More mutes than a person can oversee are of no use, and each card is compared with all. */
const MOST_MUTES = 200;

export async function subscriptionsOf(
  tx: ReadTransaction,
  team: TeamId,
  channel: ChannelId,
): Promise<Subscription[]> {
  const found: Subscription[] = [];
  for await (const { value } of scan(tx, subscriptions, { prefix: [team, channel] })) found.push(value);
  return found;
}

/** @returns the settings as they are then. */
export function changeSettings(
  context: FeedContext,
  channel: ChannelId,
  change: (settings: ChannelSettings, at: Instant) => ChannelSettings,
): Promise<ChannelSettings> {
  const { store, team, clock } = context;
  return store.transact(async (tx) => {
    const settings = change(await readSettings(tx, team, channel), clock.now());
    await tx.put(channelSettings, channelKey(team, channel), settings);
    return settings;
  });
}

type MuteName = Pick<Mute, 'kind' | 'value'>;

function isSame(one: MuteName, other: MuteName): boolean {
  return one.kind === other.kind && fold(one.value) === fold(other.value);
}

export async function mute(
  context: FeedContext,
  channel: ChannelId,
  wanted: MuteName,
  by: UserId,
): Promise<MuteOutcome> {
  let outcome: MuteOutcome = 'muted';
  await changeSettings(context, channel, (settings, at) => {
    const value = wanted.value.trim();
    outcome = outcomeOf(settings, wanted);
    if (outcome !== 'muted') return settings;
    return { ...settings, mutes: [...settings.mutes, { kind: wanted.kind, value, by, at }] };
  });
  return outcome;
}

function outcomeOf({ mutes }: ChannelSettings, wanted: MuteName): MuteOutcome {
  if (fold(wanted.value) === '' || mutes.some((each) => isSame(each, wanted))) return 'there';
  return mutes.length >= MOST_MUTES ? 'full' : 'muted';
}

export async function unmute(context: FeedContext, channel: ChannelId, wanted: MuteName): Promise<boolean> {
  let wasMuted = false;
  await changeSettings(context, channel, (settings) => {
    const mutes = settings.mutes.filter((each) => !isSame(each, wanted));
    wasMuted = mutes.length < settings.mutes.length;
    return { ...settings, mutes };
  });
  return wasMuted;
}

export async function pause(
  context: FeedContext,
  channel: ChannelId,
  by: UserId,
  until: Instant | undefined,
): Promise<void> {
  await changeSettings(context, channel, (settings, at) => ({
    ...settings,
    paused: { by, at, ...(until === undefined ? {} : { until }) },
  }));
}

/** Ends a pause, and starts again what Slack's refusals had stopped. @returns whether anything was to end. */
export function resume(context: FeedContext, channel: ChannelId): Promise<boolean> {
  const { store, team, clock } = context;
  return store.transact(async (tx) => {
    const settings = await readSettings(tx, team, channel);
    const { paused, ...rest } = settings;
    if (paused) await tx.put(channelSettings, channelKey(team, channel), rest);
    let restarted = 0;
    for (const subscription of await subscriptionsOf(tx, team, channel)) {
      if (!subscription.stopped) continue;
      const { stopped: _, ...going } = subscription;
      await tx.put(subscriptions, subscriptionKey(team, channel, subscription.filter), going);
      restarted++;
    }
    return restarted > 0 || isPaused(settings, clock.now());
  });
}

/** Stops a channel's subscriptions and tells, as a direct message, whoever made them. Stopped already: nothing. */
export async function stopChannel(
  context: FeedContext,
  tx: Transaction,
  channel: ChannelId,
  error: string,
  at: Instant,
): Promise<void> {
  const { team } = context;
  for (const subscription of await subscriptionsOf(tx, team, channel)) {
    if (subscription.stopped) continue;
    const key = subscriptionKey(team, channel, subscription.filter);
    await tx.put(subscriptions, key, { ...subscription, stopped: { at, error } });
    await enqueueNotice(
      tx,
      { team, channel: subscription.by, matter: `channel-unreachable:${channel}:${at}`, at },
      { about: 'channel-unreachable', channel, error },
    );
  }
}
