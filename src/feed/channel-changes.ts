/** What people set for a channel: mutes, density, a pause; and a channel that Slack refuses. */
import { type AuditAct, addAudit } from '../audit/audit.ts';
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

/** Where, and by whom. */
export interface Order {
  readonly channel: ChannelId;
  readonly by: UserId;
}

interface SettingsChange {
  readonly settings: ChannelSettings;
  /** For the audit log. */
  readonly act: AuditAct;
}

/** @param change undefined: there is nothing to change. @returns whether there was. */
export function changeSettings(
  { store, team, clock }: FeedContext,
  { channel, by }: Order,
  change: (settings: ChannelSettings, at: Instant) => SettingsChange | undefined,
): Promise<boolean> {
  return store.transact(async (tx) => {
    const at = clock.now();
    const changed = change(await readSettings(tx, team, channel), at);
    if (!changed) return false;
    await tx.put(channelSettings, channelKey(team, channel), changed.settings);
    await addAudit(tx, { team, at, by, channel, act: changed.act });
    return true;
  });
}

export async function setDensity(
  context: FeedContext,
  order: Order,
  density: ChannelSettings['density'],
): Promise<void> {
  await changeSettings(context, order, (settings) =>
    settings.density === density
      ? undefined
      : { settings: { ...settings, density }, act: { kind: 'density', density } },
  );
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
  await changeSettings(context, { channel, by }, (settings, at) => {
    const { kind } = wanted;
    const value = wanted.value.trim();
    outcome = outcomeOf(settings, wanted);
    if (outcome !== 'muted') return undefined;
    const mutes = [...settings.mutes, { kind, value, by, at }];
    return { settings: { ...settings, mutes }, act: { kind: 'muted', what: kind, value } };
  });
  return outcome;
}

function outcomeOf({ mutes }: ChannelSettings, wanted: MuteName): MuteOutcome {
  if (fold(wanted.value) === '' || mutes.some((each) => isSame(each, wanted))) return 'there';
  return mutes.length >= MOST_MUTES ? 'full' : 'muted';
}

export function unmute(context: FeedContext, order: Order, wanted: MuteName): Promise<boolean> {
  return changeSettings(context, order, (settings) => {
    const mutes = settings.mutes.filter((each) => !isSame(each, wanted));
    if (mutes.length === settings.mutes.length) return undefined;
    const act = { kind: 'unmuted', what: wanted.kind, value: wanted.value.trim() } as const;
    return { settings: { ...settings, mutes }, act };
  });
}

export async function pause(
  context: FeedContext,
  channel: ChannelId,
  by: UserId,
  until: Instant | undefined,
): Promise<void> {
  const end = until === undefined ? {} : { until };
  await changeSettings(context, { channel, by }, (settings, at) => ({
    settings: { ...settings, paused: { by, at, ...end } },
    act: { kind: 'paused', ...end },
  }));
}

/** Ends a pause, and starts again what Slack's refusals had stopped. @returns whether anything was to end. */
export function resume(context: FeedContext, { channel, by }: Order): Promise<boolean> {
  const { store, team, clock, alsoFollowed } = context;
  return store.transact(async (tx) => {
    const at = clock.now();
    const settings = await readSettings(tx, team, channel);
    const { paused, ...rest } = settings;
    if (paused) await tx.put(channelSettings, channelKey(team, channel), rest);
    let restarted = (await alsoFollowed?.restart(tx, channel, at)) ?? 0;
    for (const subscription of await subscriptionsOf(tx, team, channel)) {
      if (!subscription.stopped) continue;
      const { stopped: _, ...going } = subscription;
      await tx.put(subscriptions, subscriptionKey(team, channel, subscription.filter), going);
      restarted++;
    }
    const wasAnything = restarted > 0 || isPaused(settings, at);
    if (wasAnything) await addAudit(tx, { team, at, by, channel, act: { kind: 'resumed' } });
    return wasAnything;
  });
}

/** Stops all that a channel follows and tells, as a direct message, whoever made it. Stopped already: nothing. */
export async function stopChannel(
  context: FeedContext,
  tx: Transaction,
  channel: ChannelId,
  error: string,
  at: Instant,
): Promise<void> {
  const { team, alsoFollowed } = context;
  const stopped = { at, error };
  const concerned = new Set(await alsoFollowed?.stop(tx, channel, stopped));
  for (const subscription of await subscriptionsOf(tx, team, channel)) {
    if (subscription.stopped) continue;
    const key = subscriptionKey(team, channel, subscription.filter);
    await tx.put(subscriptions, key, { ...subscription, stopped });
    concerned.add(subscription.by);
  }
  for (const by of concerned)
    await enqueueNotice(
      tx,
      { team, channel: by, matter: `channel-unreachable:${channel}:${at}`, at },
      { about: 'channel-unreachable', channel, error },
    );
}
