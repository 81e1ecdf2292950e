/** A channel's settings, its preferences among them, and whether it gets projects now. */
import { z } from 'zod';
import { isDeepEqual } from '../base/is-deep-equal.ts';
import { HOUR, type Instant } from '../clock.ts';
import type { ChannelId, FilterId, UserId } from '../ids.ts';
import { listAllValues, type ReadTransaction } from '../storage/store.ts';
import {
  CardButton,
  ChannelSettings,
  channelSettings,
  defaultChannelSettings,
  MentionRule,
  NoiseLevel,
  QuietHours,
  type Subscription,
  subscriptions,
} from './records.ts';

/** A corrected clock moves back by less than this. */
const SET_BACK_MS = HOUR;

export async function readChannelSettings(tx: ReadTransaction, channel: ChannelId): Promise<ChannelSettings> {
  return (await tx.get(channelSettings, [channel])) ?? defaultChannelSettings(channel);
}

/** When a timed pause ends. Ignores a pause set in the future by a clock that was wrong. */
export function findPauseEnd({ paused }: ChannelSettings, at: Instant): Instant | undefined {
  if (paused?.until === undefined || paused.until <= at || paused.at > at + SET_BACK_MS) return undefined;
  return paused.until;
}

export async function listSubscribedChannels(tx: ReadTransaction): Promise<readonly ChannelId[]> {
  const all = await listAllValues(tx, subscriptions);
  return [...new Set(all.map(({ channel }) => channel))];
}

/** The channel's subscriptions to filters, stopped or not. */
export function listChannelSubscriptions(tx: ReadTransaction, channel: ChannelId): Promise<Subscription[]> {
  return listAllValues(tx, subscriptions, { prefix: [channel] });
}

export function findSubscription(tx: ReadTransaction, channel: ChannelId, filter: FilterId) {
  return tx.get(subscriptions, [channel, filter]);
}

/** Whether the channel has a subscription, stopped or not. */
export async function hasSubscription(tx: ReadTransaction, channel: ChannelId): Promise<boolean> {
  return (await tx.list(subscriptions, { prefix: [channel], limit: 1 })).length > 0;
}

/** Whether a subscription of the channel isn't stopped. */
export async function hasRunningSubscription(tx: ReadTransaction, channel: ChannelId): Promise<boolean> {
  return (await listChannelSubscriptions(tx, channel)).some(({ stopped }) => !stopped);
}

/** Who subscribed the channel to filters; may repeat a person. */
export async function listSubscribers(tx: ReadTransaction, channel: ChannelId): Promise<UserId[]> {
  return (await listChannelSubscriptions(tx, channel)).map(({ by }) => by);
}

export function isChannelPaused(settings: ChannelSettings, at: Instant): boolean {
  const { paused } = settings;
  return paused !== undefined && (paused.until === undefined || findPauseEnd(settings, at) !== undefined);
}

/** Whether Gigdesk reads and posts for a channel's subscription now; the same for one to a profile. */
export function isSubscriptionActive(
  { stopped }: Pick<Subscription, 'stopped'>,
  settings: ChannelSettings,
  at: Instant,
): boolean {
  return stopped === undefined && !isChannelPaused(settings, at);
}

/** Choices for how long a request for approval stays open, in hours; 0: until someone answers. */
export const APPROVAL_HOURS = [1, 4, 12, 24, 48, 0] as const;
export const DEFAULT_APPROVAL_HOURS = 24;

export const ChannelPreferences = z.object({
  density: ChannelSettings.shape.density,
  threadDetails: z.boolean(),
  /** Missing: no quiet hours. */
  quiet: QuietHours.optional(),
  /** Missing: the configured one. */
  timezone: z.string().optional(),
  hiddenButtons: z.array(CardButton),
  mentions: z.array(MentionRule),
  level: NoiseLevel,
  /** How long a request for approval stays open, in hours; 0: until someone answers. */
  approvalHours: z.number(),
});
export type ChannelPreferences = z.infer<typeof ChannelPreferences>;

/** The names used in the audit log, in the order of the form. */
const NAMES = {
  level: 'level',
  density: 'card layout',
  threadDetails: 'thread details',
  quiet: 'quiet hours',
  timezone: 'time zone',
  hiddenButtons: 'buttons',
  mentions: 'mentions',
  approvalHours: 'approval time',
} as const satisfies Record<keyof ChannelPreferences, string>;
export type PreferenceName = (typeof NAMES)[keyof ChannelPreferences];

/** More rules are hard to keep apart. */
export const MAX_MENTION_RULES = 5;

export function extractPreferences(settings: ChannelSettings): ChannelPreferences {
  const { density, quiet, timezone, threadDetails, hiddenButtons = [], mentions = [] } = settings;
  return {
    level: settings.level ?? 'normal',
    density,
    approvalHours: settings.approvalHours ?? DEFAULT_APPROVAL_HOURS,
    threadDetails: threadDetails ?? false,
    hiddenButtons: CardButton.options.filter((each) => hiddenButtons.includes(each)),
    mentions,
    quiet,
    timezone,
  };
}

/** The preferences that differ, in the order of the form. */
export function listChangedPreferences(one: ChannelPreferences, other: ChannelPreferences) {
  const keys = Object.keys(NAMES) as (keyof ChannelPreferences)[];
  return keys.filter((key) => !isDeepEqual([one[key]], [other[key]])).map((key) => NAMES[key]);
}

/** The settings with the named preferences replaced. Default values are left out. */
export function applyChannelPreferences(
  settings: ChannelSettings,
  wanted: ChannelPreferences,
  names: readonly PreferenceName[],
): ChannelSettings {
  const now = extractPreferences(settings);
  const take = <K extends keyof ChannelPreferences>(key: K): ChannelPreferences[K] =>
    names.includes(NAMES[key]) ? wanted[key] : now[key];
  const hiddenButtons = take('hiddenButtons');
  const mentions = take('mentions');
  const level = take('level');
  const approvalHours = take('approvalHours');
  return {
    ...settings,
    density: take('density'),
    threadDetails: take('threadDetails') || undefined,
    quiet: take('quiet'),
    timezone: take('timezone') || undefined,
    hiddenButtons: hiddenButtons.length > 0 ? hiddenButtons : undefined,
    mentions: mentions.length > 0 ? mentions : undefined,
    level: level === 'normal' ? undefined : level,
    approvalHours: approvalHours === DEFAULT_APPROVAL_HOURS ? undefined : approvalHours,
  };
}
