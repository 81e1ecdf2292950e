/**
 * What a channel can set, one form for each part: its inputs, and the reading of its values, which are
 * untrusted input. Pure.
 */
import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import {
  APPROVAL_HOURS,
  type ChannelPreferences,
  MAX_MENTION_RULES,
  type PreferenceName,
} from '../../feed/channels.ts';
import { parseRules } from '../../feed/decide-card.ts';
import {
  CardButton,
  ChannelSettings,
  type MentionRule,
  NoiseLevel,
  type QuietHours,
} from '../../feed/feed.ts';
import type { ChannelId } from '../../ids.ts';
import { formatClockTime, parseClockTime } from '../../schedule/local-time.ts';
import type { ViewValues } from '../core/routes.ts';
import { type UserGroups, userGroupChoices, userGroupsBlocks } from '../core/user-groups.ts';
import { actionsBlock, buttonElement, formView, sectionBlock } from '../kit/block-builders.ts';
import { ruleMistakeText } from '../kit/command-text.ts';
import { actionIds, viewIds } from '../kit/ids.ts';
import {
  checkboxesInput,
  multiSelectInput,
  radioInput,
  selectInput,
  textInput,
  timeInput,
  usersInput,
} from '../kit/inputs.ts';
import { channelLink, cleanLine, clipText } from '../kit/mrkdwn.ts';
import { parseTimezone, timezoneErrorText } from '../kit/words/parse-time.ts';
import { approvalHoursText, LEVEL_LABELS } from './settings-text.ts';

const settingsFields = {
  level: 'level',
  density: 'density',
  threadDetails: 'thread-details',
  quiet: 'quiet',
  quietFrom: 'quiet-from',
  quietTo: 'quiet-to',
  timezone: 'timezone',
  buttons: 'buttons',
  approvalHours: 'approval-hours',
} as const;

function mentionFields(row: number) {
  return { rules: `mention-rules-${row}`, users: `mention-users-${row}`, groups: `mention-groups-${row}` };
}

const quietHoursChoices = { daily: 'daily', weekends: 'weekends' } as const;

/** Mentioning half the team would make people ignore the cards. */
const MOST_USERS = 20;
const MOST_GROUPS = 10;

const GroupIds = z.array(z.string().regex(/^S[A-Z0-9]{1,30}$/u));
const LONGEST_WORDS = 60;

type Errors = Map<string, string>;

function readQuiet(values: ViewValues, errors: Errors): QuietHours | undefined {
  const chosen = values.get(settingsFields.quiet)?.options ?? [];
  const weekends = chosen.includes(quietHoursChoices.weekends);
  if (!chosen.includes(quietHoursChoices.daily)) return weekends ? { from: 0, to: 0, weekends } : undefined;
  const from = parseClockTime(values.get(settingsFields.quietFrom)?.time);
  const to = parseClockTime(values.get(settingsFields.quietTo)?.time);
  if (from === undefined)
    errors.set(settingsFields.quietFrom, 'Choose when quiet hours start, for example 20:00.');
  if (to === undefined) errors.set(settingsFields.quietTo, 'Choose when quiet hours end, for example 08:00.');
  if (from === undefined || to === undefined) return undefined;
  const same = "Quiet hours can't start and end at the same time. Choose another time.";
  if (from === to) errors.set(settingsFields.quietTo, same);
  return { from, to, weekends };
}

function readZone(values: ViewValues, errors: Errors): string | undefined {
  const typed = values.get(settingsFields.timezone)?.text?.trim();
  if (!typed) return undefined;
  const read = parseTimezone(typed);
  if (read.kind === 'zone') return read.timezone;
  const quoted = `“${clipText(cleanLine(typed), LONGEST_WORDS)}”`;
  errors.set(settingsFields.timezone, timezoneErrorText(quoted, read));
  return undefined;
}

function readRule(values: ViewValues, row: number, errors: Errors): MentionRule | undefined | 'unreadable' {
  const fields = mentionFields(row);
  const written = values.get(fields.rules)?.text ?? '';
  const users = [...new Set(values.get(fields.users)?.users)];
  const chosen = GroupIds.safeParse(values.get(fields.groups)?.options ?? []);
  if (!chosen.success) return 'unreadable';
  const groups = chosen.data;
  const read = parseRules(written);
  if (read.kind === 'mistake') errors.set(fields.rules, ruleMistakeText(written, read));
  if (users.length > MOST_USERS)
    errors.set(fields.users, `Up to ${MOST_USERS} people. To add more, choose a user group.`);
  if (groups.length > MOST_GROUPS) errors.set(fields.groups, `Up to ${MOST_GROUPS} groups.`);
  const callsNobody = users.length === 0 && groups.length === 0;
  if (callsNobody && written.trim() !== '')
    errors.set(fields.users, 'Choose who these projects mention, or clear the rule above.');
  return callsNobody || read.kind === 'mistake' ? undefined : { rules: read.printed, users, groups };
}

/** @returns the preferences with those of the part; undefined: the form can't produce these values */
type ReadPart = (
  values: ViewValues,
  shown: ChannelPreferences,
  errors: Errors,
) => ChannelPreferences | undefined;

const readUpdates: ReadPart = (values, shown) => {
  const level = NoiseLevel.safeParse(values.get(settingsFields.level)?.option).data;
  const density = ChannelSettings.shape.density.safeParse(values.get(settingsFields.density)?.option).data;
  return level && density && { ...shown, level, density };
};

const readQuietHours: ReadPart = (values, { quiet: _quiet, timezone: _timezone, ...others }, errors) => ({
  ...others,
  quiet: readQuiet(values, errors),
  timezone: readZone(values, errors),
});

const readMentions: ReadPart = (values, shown, errors) => {
  const rows = Array.from({ length: MAX_MENTION_RULES }, (_, row) => readRule(values, row, errors));
  if (rows.includes('unreadable')) return undefined;
  return { ...shown, mentions: rows.filter((it) => it !== undefined && it !== 'unreadable') };
};

const readCards: ReadPart = (values, shown) => {
  const offered = values.get(settingsFields.buttons)?.options ?? [];
  const chosen = values.get(settingsFields.approvalHours)?.option;
  const approvalHours = APPROVAL_HOURS.find((hours) => String(hours) === chosen);
  return approvalHours === undefined
    ? undefined
    : {
        ...shown,
        threadDetails: values.get(settingsFields.threadDetails)?.options !== undefined,
        hiddenButtons: CardButton.options.filter((each) => !offered.includes(each)),
        approvalHours,
      };
};

export interface SettingsFormFacts {
  readonly form: { readonly id: string; readonly channel: ChannelId; readonly shown: ChannelPreferences };
  /** How many mention rules to show, untrusted; missing: one more than there are. */
  readonly rows?: number;
  readonly groups: UserGroups;
  /** IANA names: the default for channels without their own, and the user's own if Slack returns it. */
  readonly timezone: string;
  readonly ownTimezone?: string;
}

/** What the pickers start with if nothing is chosen. */
const USUAL = { from: 20 * 60, to: 8 * 60 };
const LONGEST_ZONE = 60;
const LONGEST_RULES = 500;

function updatesBlocks({ form: { shown } }: SettingsFormFacts): KnownBlock[] {
  return [
    selectInput({
      id: settingsFields.level,
      label: 'Updates in this channel',
      hint: 'A hire always gets its own message. New projects always arrive.',
      choices: NoiseLevel.options.map((value) => ({ value, label: LEVEL_LABELS[value] })),
      initial: shown.level,
    }),
    radioInput({
      id: settingsFields.density,
      label: 'Card layout',
      choices: [
        { label: 'Full', value: 'full' },
        { label: 'Compact: two lines and buttons', value: 'compact' },
      ],
      initial: shown.density,
    }),
  ];
}

function quietBlocks({ form, timezone, ownTimezone }: SettingsFormFacts): KnownBlock[] {
  const { quiet, timezone: own } = form.shown;
  const isDaily = quiet !== undefined && quiet.from !== quiet.to;
  const { from, to } = isDaily ? quiet : USUAL;
  const yours = ownTimezone === undefined || ownTimezone === own ? '' : ` Yours is ${ownTimezone}.`;
  return [
    checkboxesInput({
      id: settingsFields.quiet,
      label: 'Quiet hours',
      hint:
        'New projects, invitations and proposal updates wait until quiet hours end; ' +
        'projects then come as one summary. ' +
        'Answers to commands, thread messages and warnings still post right away.',
      choices: [
        { label: 'Every day, between the times below', value: quietHoursChoices.daily },
        { label: 'All day Saturday and Sunday', value: quietHoursChoices.weekends },
      ],
      initial: [
        ...(isDaily ? [quietHoursChoices.daily] : []),
        ...(quiet?.weekends ? [quietHoursChoices.weekends] : []),
      ],
      optional: true,
    }),
    timeInput({
      id: settingsFields.quietFrom,
      label: 'Quiet from',
      initial: formatClockTime(from),
      optional: true,
    }),
    timeInput({
      id: settingsFields.quietTo,
      label: 'Quiet until',
      initial: formatClockTime(to),
      optional: true,
    }),
    textInput({
      id: settingsFields.timezone,
      label: 'Time zone',
      hint:
        'A large city or a time zone, for example Berlin. ' +
        `Leave empty for the default, ${timezone}.${yours}`,
      placeholder: timezone,
      maxLength: LONGEST_ZONE,
      optional: true,
      initial: own,
    }),
  ];
}

const BUTTONS: readonly { readonly value: CardButton; readonly label: string }[] = [
  { value: 'bid', label: 'Bid' },
  { value: 'details', label: 'Details' },
  { value: 'claim', label: 'Claim' },
  { value: 'more', label: 'Menu: Skip, Mute, Assign' },
];

function cardsBlocks({ form: { shown } }: SettingsFormFacts): KnownBlock[] {
  return [
    checkboxesInput({
      id: settingsFields.threadDetails,
      label: 'Threads',
      choices: [{ label: 'Move description, skills and match reasons to the thread', value: 'details' }],
      initial: shown.threadDetails ? ['details'] : [],
      optional: true,
    }),
    checkboxesInput({
      id: settingsFields.buttons,
      label: 'Buttons on project cards',
      hint: 'Undo and bid follow-up buttons always stay.',
      choices: BUTTONS,
      initial: BUTTONS.map(({ value }) => value).filter((each) => !shown.hiddenButtons.includes(each)),
      optional: true,
    }),
    selectInput({
      id: settingsFields.approvalHours,
      label: 'Requests for approval',
      hint: 'Without an answer in this time, a request counts as rejected and nothing is sent.',
      choices: APPROVAL_HOURS.map((hours) => ({ label: approvalHoursText(hours), value: String(hours) })),
      initial: String(shown.approvalHours),
    }),
  ];
}

function ruleBlocks({ form, groups }: SettingsFormFacts, row: number): KnownBlock[] {
  const fields = mentionFields(row);
  const rule = form.shown.mentions[row];
  const name = `Mention ${row + 1}`;
  // Includes the groups of all rules, so that each menu has the same groups.
  const chosen = form.shown.mentions.flatMap((each) => each.groups);
  const choices = userGroupChoices(groups, chosen);
  return [
    textInput({
      id: fields.rules,
      label: `${name}: matching projects`,
      placeholder: 'react budget:>5000',
      maxLength: LONGEST_RULES,
      optional: true,
      hint:
        row === 0
          ? 'Same rules as /gig subscribe. Leave empty for every project. ' +
            'Checked once, when the card is posted.'
          : undefined,
      initial: rule && rule.rules,
    }),
    usersInput({ id: fields.users, label: `${name}: people`, initial: rule?.users ?? [], optional: true }),
    ...(choices.length > 0
      ? [
          multiSelectInput({
            id: fields.groups,
            label: `${name}: user groups`,
            choices,
            initial: rule?.groups ?? [],
            optional: true,
          }),
        ]
      : []),
  ];
}

function mentionBlocks(facts: SettingsFormFacts): KnownBlock[] {
  const { form, groups, rows } = facts;
  const fewest = form.shown.mentions.length + 1;
  const shown = Math.min(rows && rows > fewest ? rows : fewest, MAX_MENTION_RULES);
  const more = { id: actionIds.settingsMention, label: 'Add Mention', value: String(shown + 1) };
  return [
    ...Array.from({ length: shown }, (_, row) => ruleBlocks(facts, row)).flat(),
    // The form is drawn again when the groups are known, which would take an added row away.
    ...(shown < MAX_MENTION_RULES && groups.kind !== 'loading' ? [actionsBlock([buttonElement(more)])] : []),
    ...userGroupsBlocks(groups, 'Groups chosen earlier are shown by their ID.'),
  ];
}

export interface SettingsPart {
  /** Of the button that opens its form, and of the form. */
  readonly title: string;
  readonly actionId: string;
  readonly viewId: string;
  readonly preferences: readonly PreferenceName[];
  readonly draw: (facts: SettingsFormFacts) => KnownBlock[];
  readonly read: ReadPart;
}

export const settingsParts = {
  updates: {
    title: 'Updates',
    actionId: actionIds.settingsUpdates,
    viewId: viewIds.settingsUpdates,
    preferences: ['level', 'card layout'],
    draw: updatesBlocks,
    read: readUpdates,
  },
  quiet: {
    title: 'Quiet Hours',
    actionId: actionIds.settingsQuiet,
    viewId: viewIds.settingsQuiet,
    preferences: ['quiet hours', 'time zone'],
    draw: quietBlocks,
    read: readQuietHours,
  },
  mentions: {
    title: 'Mentions',
    actionId: actionIds.settingsMentions,
    viewId: viewIds.settingsMentions,
    preferences: ['mentions'],
    draw: mentionBlocks,
    read: readMentions,
  },
  cards: {
    title: 'Cards and Approvals',
    actionId: actionIds.settingsCards,
    viewId: viewIds.settingsCards,
    preferences: ['thread details', 'buttons', 'approval time'],
    draw: cardsBlocks,
    read: readCards,
  },
} as const satisfies Readonly<Record<string, SettingsPart>>;

/** One part of the settings. It lies on top of the window with all of them. */
export function settingsModal(part: SettingsPart, facts: SettingsFormFacts): ModalView {
  const { id, channel } = facts.form;
  return formView({ id: part.viewId, carries: id, title: part.title, submit: 'Save', close: 'Back' }, [
    sectionBlock(
      `*${part.title} in ${channelLink(channel)}.* New cards use these. ` +
        'Existing cards update when they next change.',
    ),
    ...part.draw(facts),
  ]);
}
