/** A channel's preferences: all of its settings except pauses and mutes. Pure. */

import { z } from 'zod';
import { omitUndefined } from '../base/omit-undefined.ts';
import { isDeepEqual } from './merge-project.ts';
import { CardButton, ChannelSettings, MentionRule, QuietHours } from './records.ts';

export const ChannelPreferences = z.object({
  density: ChannelSettings.shape.density,
  threadDetails: z.boolean(),
  /** Missing: no quiet hours. */
  quiet: QuietHours.optional(),
  /** Missing: the configured one. */
  timezone: z.string().optional(),
  hiddenButtons: z.array(CardButton),
  mentions: z.array(MentionRule),
});
export type ChannelPreferences = z.infer<typeof ChannelPreferences>;

/** The names used in the audit log. */
const NAMES = {
  density: 'density',
  threadDetails: 'thread details',
  quiet: 'quiet hours',
  timezone: 'time zone',
  hiddenButtons: 'buttons',
  mentions: 'mentions',
} as const satisfies Record<keyof ChannelPreferences, string>;
export type PreferenceName = (typeof NAMES)[keyof ChannelPreferences];

/** More rules are hard to keep apart. */
export const MAX_MENTION_RULES = 5;

export function extractPreferences(settings: ChannelSettings): ChannelPreferences {
  const { density, quiet, timezone, threadDetails, hiddenButtons = [], mentions = [] } = settings;
  return {
    density,
    threadDetails: threadDetails ?? false,
    hiddenButtons: CardButton.options.filter((each) => hiddenButtons.includes(each)),
    mentions,
    ...omitUndefined({ quiet, timezone }),
  };
}

function isSame(one: ChannelPreferences, other: ChannelPreferences, key: keyof ChannelPreferences): boolean {
  return isDeepEqual([one[key]], [other[key]]);
}

/** The preferences that differ, in the order of the form. */
export function listChangedPreferences(
  one: ChannelPreferences,
  other: ChannelPreferences,
): readonly PreferenceName[] {
  const keys = Object.keys(NAMES) as (keyof ChannelPreferences)[];
  return keys.filter((key) => !isSame(one, other, key)).map((key) => NAMES[key]);
}

/** The settings with the named preferences replaced. Default values are left out. */
export function applyChannelPreferences(
  settings: ChannelSettings,
  wanted: ChannelPreferences,
  names: readonly PreferenceName[],
): ChannelSettings {
  const {
    density: _density,
    threadDetails: _threadDetails,
    quiet: _quiet,
    timezone: _timezone,
    hiddenButtons: _hiddenButtons,
    mentions: _mentions,
    ...others
  } = settings;
  const now = extractPreferences(settings);
  const take = <K extends keyof ChannelPreferences>(key: K): ChannelPreferences[K] =>
    names.includes(NAMES[key]) ? wanted[key] : now[key];
  const quiet = take('quiet');
  const timezone = take('timezone');
  const hiddenButtons = take('hiddenButtons');
  const mentions = take('mentions');
  return {
    ...others,
    density: take('density'),
    ...(take('threadDetails') ? { threadDetails: true } : {}),
    ...(quiet ? { quiet } : {}),
    ...(timezone ? { timezone } : {}),
    ...(hiddenButtons.length > 0 ? { hiddenButtons } : {}),
    ...(mentions.length > 0 ? { mentions } : {}),
  };
}
