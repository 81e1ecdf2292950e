/**
 * A channel's settings in words: for one person, and as the results of changing them. Mentions notify nobody.
 * Pure.
 */
import type { Instant } from '../../clock.ts';
import {
  type ChannelPreferences,
  DEFAULT_APPROVAL_HOURS,
  extractPreferences,
  type PreferenceName,
} from '../../feed/channels.ts';
import type {
  CardButton,
  ChangePreferencesOutcome,
  MentionRule,
  NoiseLevel,
  QuietHours,
} from '../../feed/feed.ts';
import type { UserId } from '../../ids.ts';
import { formatTimeOfDay } from '../../schedule/local-time.ts';
import type { Message } from '../core/routes.ts';
import { joinLines } from '../kit/block-builders.ts';
import { codeText, formatDate, formatMention, safeLine } from '../kit/mrkdwn.ts';
import { formatCount } from '../kit/numbers.ts';
import { unknownCountriesText } from '../kit/words/filters.ts';
import { granteesText, type UserGroupNames } from '../kit/words/labels.ts';

const CARD_BUTTON_LABELS: Readonly<Record<CardButton, string>> = {
  bid: 'Bid',
  details: 'Details',
  claim: 'Claim',
  more: 'the menu with Skip, Mute and Assign',
};

/** For the form's menu; plain text. */
export const LEVEL_LABELS: Readonly<Record<NoiseLevel, string>> = {
  quiet: 'Quiet: no views or small changes, fewer invitations',
  normal: 'Normal: smaller updates go in threads or an hourly summary',
  everything: 'Everything: each update is a message',
};

const LEVEL_TEXTS: Readonly<Record<NoiseLevel, string>> = {
  quiet:
    "Updates: quiet. Hires and interviews are posted, views and small changes aren't. " +
    'At most 1 invitation an hour is posted on its own, the others in a summary.',
  normal:
    'Updates: normal. Views and small changes go in threads or one summary an hour, and invitations ' +
    'that arrive together are grouped.',
  everything: 'Updates: everything. Each update is posted on its own.',
};

/** `a`, `a and b`, `a, b and c`. */
function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

function densityText(density: ChannelPreferences['density']): string {
  return density === 'full' ? 'Card layout: full.' : 'Card layout: compact (two lines and the buttons).';
}

/** `Open for 24 hours`. */
export function approvalHoursText(hours: number): string {
  return hours === 0 ? 'Open until someone answers' : `Open for ${formatCount(hours, 'hour')}`;
}

/** `8:00 PM to 8:00 AM and all day Saturday and Sunday`. */
export function quietText({ from, to, weekends }: QuietHours): string {
  const parts = [
    ...(from === to ? [] : [`${formatTimeOfDay(from)} to ${formatTimeOfDay(to)}`]),
    ...(weekends ? ['all day Saturday and Sunday'] : []),
  ];
  return listed(parts) || 'never';
}

function timezoneText(timezone: string | undefined, defaultTimezone: string): string {
  return timezone === undefined ? `${safeLine(defaultTimezone, 60)}, the default` : safeLine(timezone, 60);
}

/** `Cards that match … call @Ana, the group @design.` mrkdwn. */
function mentionText(rule: MentionRule, names: UserGroupNames): string {
  const which = rule.rules ? `Cards that match ${codeText(rule.rules, 300)}` : 'All cards';
  return `${which} mention ${granteesText(rule, names)}.`;
}

/** Each rule in a line. mrkdwn. */
export function mentionsText(mentions: ChannelPreferences['mentions'], names: UserGroupNames): string {
  return joinLines(...mentions.map((rule) => mentionText(rule, names))) || "Cards don't mention anyone.";
}

export interface SettingsTextFacts {
  readonly choices: ChannelPreferences;
  /** IANA name of the default, for channels without their own. */
  readonly timezone: string;
  readonly names: UserGroupNames;
  readonly quietUntil?: Instant;
}

function quietLine(quiet: QuietHours, zone: string, until?: Instant): string {
  const now = until === undefined ? '' : ` They are on now, until ${formatDate(until)}.`;
  return `Quiet hours: ${quietText(quiet)} (${zone}).${now} New projects arrive afterwards in one summary.`;
}

/** One line for each setting that differs from the default. mrkdwn. */
export function nonDefaultSettingLines(facts: SettingsTextFacts): readonly string[] {
  const { choices, timezone, names } = facts;
  const { quiet, hiddenButtons, mentions } = choices;
  const zone = timezoneText(choices.timezone, timezone);
  return [
    ...(choices.level === 'normal' ? [] : [LEVEL_TEXTS[choices.level]]),
    ...(choices.density === 'full' ? [] : [densityText(choices.density)]),
    ...(choices.threadDetails
      ? ['Cards show the key facts. Description, skills and reasons go in their threads.']
      : []),
    ...(quiet ? [quietLine(quiet, zone, facts.quietUntil)] : []),
    ...(!quiet && choices.timezone !== undefined ? [`Time zone: ${zone}.`] : []),
    ...(hiddenButtons.length > 0
      ? [`Cards hide ${listed(hiddenButtons.map((each) => CARD_BUTTON_LABELS[each]))}.`]
      : []),
    ...(choices.approvalHours === DEFAULT_APPROVAL_HOURS
      ? []
      : [`Requests for approval: ${approvalHoursText(choices.approvalHours).toLowerCase()}.`]),
    ...mentions.map((rule) => mentionText(rule, names)),
  ];
}

/** What is set, for everyone in the channel. Mentions notify nobody. mrkdwn. */
export function preferenceText(
  name: PreferenceName,
  choices: ChannelPreferences,
  defaultTimezone: string,
): string {
  const { level, density, threadDetails, quiet, timezone, hiddenButtons, mentions, approvalHours } = choices;
  const zone = timezoneText(timezone, defaultTimezone);
  const hidden = hiddenButtons.map((each) => CARD_BUTTON_LABELS[each]).join(', ');
  switch (name) {
    case 'level':
      return LEVEL_TEXTS[level];
    case 'card layout':
      return densityText(density);
    case 'thread details':
      return threadDetails
        ? 'Cards show the key facts. Details go in their threads.'
        : 'Details appear on the cards.';
    case 'quiet hours':
      if (quiet) return quietLine(quiet, zone);
      return 'No quiet hours. New projects are posted as soon as they are found.';
    case 'time zone':
      return `Time zone: ${zone}.`;
    case 'buttons':
      return hidden ? `Cards hide ${hidden}.` : 'Cards show all buttons.';
    case 'approval time':
      return `Requests for approval: ${approvalHoursText(approvalHours).toLowerCase()}.`;
    case 'mentions':
      return mentions.length === 0
        ? "Cards don't mention anyone."
        : `Cards mention people by ${formatCount(mentions.length, 'rule')}. ` +
            'See the rules with `/gig list`.';
  }
}

/** For the channel. */
export function settingsChangedMessage(
  outcome: ChangePreferencesOutcome,
  by: UserId,
  defaultTimezone: string,
): Message {
  const choices = extractPreferences(outcome.settings);
  const calling = outcome.changed.includes('mentions') ? choices.mentions : [];
  return {
    text: joinLines(
      `${formatMention(by)} changed this channel's settings. New cards use them.`,
      ...outcome.changed.map((name) => `• ${preferenceText(name, choices, defaultTimezone)}`),
      unknownCountriesText(...calling.map(({ rules }) => rules)),
    ),
  };
}

/** For the user: someone else had changed the same settings in the meantime. */
export function settingsOverwrittenMessage(names: readonly PreferenceName[]): Message {
  return {
    text:
      `While your window was open, someone else also changed: ${names.join(', ')}. ` +
      'Your changes replaced theirs. See who it was with `/gig audit`.',
  };
}
