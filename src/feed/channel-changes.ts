/** Changes to a channel: settings, mutes, pauses; and stopping its feeds when Slack refuses it. */
import { type AuditedAction, recordAuditEntry } from '../audit/audit.ts';
import type { Instant } from '../clock.ts';
import type { ChannelId, UserId } from '../ids.ts';
import { enqueueNotice } from '../outbox/outbox.ts';
import { foldText } from '../query/words.ts';
import { noteMute } from '../sources/card-changes.ts';
import type { Transaction } from '../storage/store.ts';
import {
  applyChannelPreferences,
  type ChannelPreferences,
  extractPreferences,
  isChannelPaused,
  listChangedPreferences,
  listChannelSubscriptions,
  type PreferenceName,
  readChannelSettings,
} from './channels.ts';
import type { ChangePreferencesOutcome, FeedContext } from './feed.ts';
import { releaseQuietHoursPosts } from './quiet-hours.ts';
import { type ChannelSettings, channelSettings, type MuteTarget, subscriptions } from './records.ts';

/** More mutes are hard to oversee, and each card is compared with all of them. */
const MOST_MUTES = 200;

/**
 * @param change returns undefined if there is nothing to change
 * @returns whether something changed
 */
function changeChannelSettings(
  { store, clock }: FeedContext,
  channel: ChannelId,
  by: UserId,
  change: (
    settings: ChannelSettings,
    at: Instant,
  ) => { readonly settings: ChannelSettings; readonly act: AuditedAction } | undefined,
): Promise<boolean> {
  return store.transact(async (tx) => {
    const at = clock.now();
    const changed = change(await readChannelSettings(tx, channel), at);
    if (!changed) return false;
    await tx.put(channelSettings, changed.settings);
    await recordAuditEntry(tx, { at, by, channel, act: changed.act });
    if (changed.act.kind === 'muted') await noteMute(tx, channel);
    return true;
  });
}

function isSame(one: MuteTarget, other: MuteTarget): boolean {
  return one.kind === other.kind && foldText(one.value) === foldText(other.value);
}

/** `there`: it was muted before; `full`: the channel has the maximum of mutes. Both change nothing. */
type AddMuteOutcome = 'muted' | 'there' | 'full';

/** Suppresses future cards that match. */
export async function addMute(
  context: FeedContext,
  channel: ChannelId,
  wanted: MuteTarget,
  by: UserId,
): Promise<AddMuteOutcome> {
  let outcome: AddMuteOutcome = 'muted';
  await changeChannelSettings(context, channel, by, (settings, at) => {
    const { kind } = wanted;
    const { mutes } = settings;
    const value = wanted.value.trim();
    const isThere = foldText(wanted.value) === '' || mutes.some((each) => isSame(each, wanted));
    outcome = isThere ? 'there' : mutes.length >= MOST_MUTES ? 'full' : 'muted';
    if (outcome !== 'muted') return undefined;
    const muted = { ...settings, mutes: [...mutes, { kind, value, by, at }] };
    return { settings: muted, act: { kind: 'muted', what: kind, value } };
  });
  return outcome;
}

/** @returns false if it was not muted */
export function removeMute(context: FeedContext, channel: ChannelId, wanted: MuteTarget, by: UserId) {
  return changeChannelSettings(context, channel, by, (settings) => {
    const mutes = settings.mutes.filter((each) => !isSame(each, wanted));
    if (mutes.length === settings.mutes.length) return undefined;
    const act = { kind: 'unmuted', what: wanted.kind, value: wanted.value.trim() } as const;
    return { settings: { ...settings, mutes }, act };
  });
}

/** Stops polling for a channel. Projects that others pay for meanwhile are deferred until it resumes. */
export async function pauseChannelFeed(
  context: FeedContext,
  channel: ChannelId,
  by: UserId,
  until?: Instant,
): Promise<void> {
  await changeChannelSettings(context, channel, by, (settings, at) => ({
    settings: { ...settings, paused: { by, at, until } },
    act: { kind: 'paused', until },
  }));
}

/** Ends a pause, and restarts feeds that Slack's refusals stopped. @returns whether anything ended */
export function resumeChannelFeed(context: FeedContext, channel: ChannelId, by: UserId): Promise<boolean> {
  const { store, clock } = context;
  return store.transact(async (tx) => {
    const at = clock.now();
    const settings = await readChannelSettings(tx, channel);
    if (settings.paused) await tx.put(channelSettings, { ...settings, paused: undefined });
    const restarted = await restartStoppedFeeds(context, tx, channel, at);
    const wasAnything = restarted > 0 || isChannelPaused(settings, at);
    if (wasAnything) await recordAuditEntry(tx, { at, by, channel, act: { kind: 'resumed' } });
    return wasAnything;
  });
}

/** Restarts the feeds that Slack's refusals stopped. @returns how many */
export async function restartStoppedFeeds(
  { profileFeedControl }: FeedContext,
  tx: Transaction,
  channel: ChannelId,
  at: Instant,
): Promise<number> {
  let restarted = (await profileFeedControl?.restartInChannel(tx, channel, at)) ?? 0;
  for (const subscription of await listChannelSubscriptions(tx, channel)) {
    if (!subscription.stopped) continue;
    await tx.put(subscriptions, { ...subscription, stopped: undefined });
    restarted++;
  }
  return restarted;
}

/**
 * Slack refuses a channel for good: stops all of its feeds and notifies their creators by direct message.
 * Skips feeds already stopped.
 */
export async function stopChannelFeeds(
  { profileFeedControl }: FeedContext,
  tx: Transaction,
  channel: ChannelId,
  error: string,
  at: Instant,
): Promise<void> {
  const stopped = { at, error };
  const concerned = new Set(await profileFeedControl?.stopInChannel(tx, channel, stopped));
  for (const subscription of await listChannelSubscriptions(tx, channel)) {
    if (subscription.stopped) continue;
    await tx.put(subscriptions, { ...subscription, stopped });
    concerned.add(subscription.by);
  }
  for (const by of concerned)
    await enqueueNotice(
      tx,
      { channel: by, matter: `channel-unreachable:${channel}:${at}`, at },
      { about: 'channel-unreachable', channel, error },
    );
}

/**
 * Changes only what differs between `shown` and `wanted`. Rules must be parsed (`parseRules`). If quiet hours
 * end by this, their posts are sent at once.
 * @throws StorageError; then no preference was changed, but posts from quiet hours may have been released
 */
export async function changeChannelPreferences(
  context: FeedContext,
  channel: ChannelId,
  { shown, wanted }: { readonly shown: ChannelPreferences; readonly wanted: ChannelPreferences },
  by: UserId,
): Promise<ChangePreferencesOutcome> {
  const asked = listChangedPreferences(shown, wanted);
  let changed: readonly PreferenceName[] = [];
  let overruled: readonly PreferenceName[] = [];
  await changeChannelSettings(context, channel, by, (settings) => {
    const before = extractPreferences(settings);
    const meanwhile = listChangedPreferences(shown, before);
    changed = listChangedPreferences(before, wanted).filter((each) => asked.includes(each));
    overruled = changed.filter((each) => meanwhile.includes(each));
    if (changed.length === 0) return undefined;
    return {
      settings: applyChannelPreferences(settings, wanted, changed),
      act: { kind: 'settings', changed: [...changed] },
    };
  });
  await releaseQuietHoursPosts(context, channel);
  const settings = await context.store.read((tx) => readChannelSettings(tx, channel));
  return { changed, overwrittenPreferences: overruled, settings };
}
