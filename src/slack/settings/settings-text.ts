/** A channel's settings in words. Shown to one person, so mentions notify nobody. Pure. */
import type { Instant } from '../../clock.ts';
import type { ChannelPreferences } from '../../feed/channel-preferences.ts';
import type { CardButton, MentionRule, QuietHours } from '../../feed/records.ts';
import { formatTimeOfDay } from '../../schedule/local-time.ts';
import { formatDate, safeLine } from '../kit/mrkdwn.ts';
import { codeText } from '../kit/query-error.ts';
import { granteesText, type UserGroupNames } from '../kit/words/access-text.ts';

export const CARD_BUTTON_LABELS: Readonly<Record<CardButton, string>> = {
  bid: 'Bid',
  details: 'Details',
  claim: 'Claim',
  more: 'the menu with Skip, Mute and Copy link',
};

/** `a`, `a and b`, `a, b and c`. */
function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

export function densityText(density: ChannelPreferences['density']): string {
  return density === 'full' ? 'Card layout: full.' : 'Card layout: compact (two lines and the buttons).';
}

/** `8:00 PM to 8:00 AM and all day Saturday and Sunday`. */
export function quietText({ from, to, weekends }: QuietHours): string {
  const parts = [
    ...(from === to ? [] : [`${formatTimeOfDay(from)} to ${formatTimeOfDay(to)}`]),
    ...(weekends ? ['all day Saturday and Sunday'] : []),
  ];
  return listed(parts) || 'never';
}

/** `Europe/Berlin`, or the default with a note. mrkdwn. */
export function timezoneText(timezone: string | undefined, defaultTimezone: string): string {
  return timezone === undefined ? `${safeLine(defaultTimezone, 60)}, the default` : safeLine(timezone, 60);
}

/** `Cards that match … call @Ana, the group @design.` mrkdwn. */
function mentionText(rule: MentionRule, names: UserGroupNames): string {
  const which = rule.rules ? `Cards that match ${codeText(rule.rules, 300)}` : 'All cards';
  return `${which} mention ${granteesText(rule, names)}.`;
}

export interface SettingsTextFacts {
  readonly choices: ChannelPreferences;
  /** IANA name of the default, for channels without their own. */
  readonly timezone: string;
  readonly names: UserGroupNames;
  /** Set during quiet hours. */
  readonly quietUntil?: Instant;
}

function quietLine(quiet: QuietHours, zone: string, until: Instant | undefined): string {
  const now = until === undefined ? '' : ` They are on now, until ${formatDate(until)}.`;
  return `Quiet hours: ${quietText(quiet)} (${zone}).${now} New projects arrive afterwards in one summary.`;
}

/** One line for each setting that differs from the default, except density. mrkdwn. */
export function nonDefaultSettingLines(facts: SettingsTextFacts): readonly string[] {
  const { choices, timezone, names } = facts;
  const { quiet, hiddenButtons, mentions } = choices;
  const zone = timezoneText(choices.timezone, timezone);
  return [
    ...(choices.threadDetails
      ? ['Cards show the key facts. Description, skills and reasons go in their threads.']
      : []),
    ...(quiet ? [quietLine(quiet, zone, facts.quietUntil)] : []),
    ...(!quiet && choices.timezone !== undefined ? [`Time zone: ${zone}.`] : []),
    ...(hiddenButtons.length > 0
      ? [`Cards hide ${listed(hiddenButtons.map((each) => CARD_BUTTON_LABELS[each]))}.`]
      : []),
    ...mentions.map((rule) => mentionText(rule, names)),
  ];
}
