/** What a channel chooses of how it is told: everything in its settings but pauses and mutes. Pure. */
import { z } from 'zod';
import { sameValue } from './merge-project.ts';
import { CardButton, ChannelSettings, MentionRule, QuietHours } from './records.ts';

export const Choices = z.object({
  density: ChannelSettings.shape.density,
  threadDetails: z.boolean(),
  /** Missing: never quiet. */
  quiet: QuietHours.optional(),
  /** Missing: the configured one. */
  timezone: z.string().optional(),
  hiddenButtons: z.array(CardButton),
  mentions: z.array(MentionRule),
});
export type Choices = z.infer<typeof Choices>;

/** As the audit log has them. */
const NAMES = {
  density: 'density',
  threadDetails: 'thread details',
  quiet: 'quiet hours',
  timezone: 'time zone',
  hiddenButtons: 'buttons',
  mentions: 'mentions',
} as const satisfies Record<keyof Choices, string>;
export type ChoiceName = (typeof NAMES)[keyof Choices];

/** More rules than these nobody keeps apart. */
export const MOST_MENTION_RULES = 5;

export function choicesOf(settings: ChannelSettings): Choices {
  const { density, quiet, timezone, threadDetails, hiddenButtons = [], mentions = [] } = settings;
  return {
    density,
    threadDetails: threadDetails ?? false,
    hiddenButtons: CardButton.options.filter((each) => hiddenButtons.includes(each)),
    mentions,
    ...(quiet === undefined ? {} : { quiet }),
    ...(timezone === undefined ? {} : { timezone }),
  };
}

function isSame(one: Choices, other: Choices, key: keyof Choices): boolean {
  return sameValue([one[key]], [other[key]]);
}

/** What differs, in the order of the form. */
export function differences(one: Choices, other: Choices): readonly ChoiceName[] {
  const keys = Object.keys(NAMES) as (keyof Choices)[];
  return keys.filter((key) => !isSame(one, other, key)).map((key) => NAMES[key]);
}

/** The settings with those of the choices that are named; what is as without settings is left out. */
export function withChoices(
  settings: ChannelSettings,
  wanted: Choices,
  names: readonly ChoiceName[],
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
  const now = choicesOf(settings);
  const take = <K extends keyof Choices>(key: K): Choices[K] =>
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
