/**
 * The form of Notify Me: a person's rules, how and when they hear of projects, and mute. Reads its values,
 * which are untrusted input. Pure.
 */
import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { Instant } from '../../clock.ts';
import type { NamedFilter } from '../../feed/feed.ts';
import {
  type Follower,
  type FollowPreferences,
  type FollowTarget,
  isFollowerMuted,
  MAX_FOLLOW_RULES,
} from '../../follows/follows.ts';
import { MAX_QUERY_LENGTH } from '../../query/parse-query.ts';
import { formatClockTime, parseClockTime } from '../../schedule/local-time.ts';
import type { ViewValues } from '../core/routes.ts';
import { plainTextObject, sectionBlock } from '../kit/block-builders.ts';
import { ruleMistakeText } from '../kit/command-text.ts';
import { viewIds } from '../kit/ids.ts';
import { checkboxesInput, radioInput, textInput, timeInput } from '../kit/inputs.ts';
import { cleanLine, clipText } from '../kit/mrkdwn.ts';
import { readQuiet } from '../settings/settings.ts';
import { parseFollow, writeFollow } from './parse-follow.ts';

export const NOTIFY_TITLE = 'Notify Me';

const fields = {
  how: 'how',
  when: 'when',
  dailyAt: 'daily-at',
  quiet: 'quiet',
  quietFrom: 'quiet-from',
  quietTo: 'quiet-to',
  mute: 'mute',
} as const;

/** One rule in each. */
function ruleField(row: number): string {
  return `rule-${row}`;
}

/** `filter 123456 ` before the rules. */
const LONGEST_RULE = MAX_QUERY_LENGTH + 30;
/** Empty rows below the person's rules. */
const SPARE_ROWS = 2;
const LEAST_ROWS = 3;
/** What the pickers start with. */
const USUAL = { from: 20 * 60, to: 8 * 60, dailyAt: 9 * 60 };

export interface NotifyFormFacts {
  /** undefined: the person follows nothing yet. */
  readonly follower: Follower | undefined;
  /** IANA name: the person's own, or the default. */
  readonly timezone: string;
  readonly at: Instant;
}

function ruleRows({ follower }: NotifyFormFacts): KnownBlock[] {
  const rules = follower?.rules ?? [];
  const rows = Math.min(MAX_FOLLOW_RULES, Math.max(LEAST_ROWS, rules.length + SPARE_ROWS));
  return Array.from({ length: rows }, (_, row) => {
    const rule = rules[row];
    return textInput({
      id: ruleField(row),
      label: `Rule ${row + 1}`,
      placeholder: 'filter 7 budget:>2000',
      maxLength: LONGEST_RULE,
      optional: true,
      ...(row === 0
        ? {
            hint:
              'For example: react budget:>2000. It applies to all filters of your channels. ' +
              'For one filter, start with its ID: filter 7 react, or filter 7 for all its projects.',
          }
        : {}),
      ...(rule ? { initial: writeFollow(rule) } : {}),
    });
  });
}

function whenBlocks({ follower, timezone }: NotifyFormFacts): KnownBlock[] {
  const { quiet, dailyAt } = follower ?? {};
  const isDaily = quiet !== undefined && quiet.from !== quiet.to;
  const { from, to } = isDaily ? quiet : USUAL;
  return [
    radioInput({
      id: fields.when,
      label: 'When',
      choices: [
        { label: 'At once', value: 'now' },
        { label: 'Once a day, as one direct message', value: 'daily' },
      ],
      initial: dailyAt === undefined ? 'now' : 'daily',
    }),
    timeInput({
      id: fields.dailyAt,
      label: 'Once a day at',
      hint: `Your time zone in Slack is ${timezone}.`,
      initial: formatClockTime(dailyAt ?? USUAL.dailyAt),
      optional: true,
    }),
    checkboxesInput({
      id: fields.quiet,
      label: 'Quiet hours',
      hint:
        'Projects found in quiet hours come afterwards, in one message. ' +
        'The daily message keeps its time.',
      choices: [
        { label: 'Every day, between the times below', value: 'daily' },
        { label: 'All day Saturday and Sunday', value: 'weekends' },
      ],
      initial: [...(isDaily ? ['daily'] : []), ...(quiet?.weekends ? ['weekends'] : [])],
      optional: true,
    }),
    timeInput({ id: fields.quietFrom, label: 'Quiet from', initial: formatClockTime(from), optional: true }),
    timeInput({ id: fields.quietTo, label: 'Quiet until', initial: formatClockTime(to), optional: true }),
  ];
}

function muteBlock({ follower, at }: NotifyFormFacts): KnownBlock {
  const isMuted = follower !== undefined && isFollowerMuted(follower, at);
  const isTimed = isMuted && follower.muted?.until !== undefined;
  return radioInput({
    id: fields.mute,
    label: 'Mute',
    hint: "You don't get projects found while you're muted, not even later.",
    choices: [
      { label: 'Not muted', value: 'off' },
      ...(isTimed ? [{ label: 'Muted until tomorrow, as now', value: 'keep' }] : []),
      { label: 'Muted until tomorrow at 9:00 AM', value: 'tomorrow' },
      { label: 'Muted until I unmute', value: 'on' },
    ],
    initial: isTimed ? 'keep' : isMuted ? 'on' : 'off',
  });
}

const INTRO =
  "Get notified about projects that your channels' filters find, by your own rules. Only you see this. " +
  'Following costs no extra credits.';

export function notifyForm(facts: NotifyFormFacts): ModalView {
  const { follower } = facts;
  return {
    type: 'modal',
    callback_id: viewIds.followSettings,
    private_metadata: String(follower?.revision ?? 0),
    title: plainTextObject(NOTIFY_TITLE),
    submit: plainTextObject('Save'),
    close: plainTextObject('Cancel'),
    blocks: [
      sectionBlock(INTRO),
      ...ruleRows(facts),
      radioInput({
        id: fields.how,
        label: 'How',
        choices: [
          { label: 'A direct message', value: 'message' },
          { label: "A mention on the channel's card", value: 'mention' },
        ],
        initial: follower?.by ?? 'message',
      }),
      ...whenBlocks(facts),
      muteBlock(facts),
    ],
  };
}

/** The form sends only these. */
const Choices = z.object({
  how: z.enum(['message', 'mention']),
  when: z.enum(['now', 'daily']),
  mute: z.enum(['off', 'keep', 'tomorrow', 'on']),
});
export type MuteChoice = z.infer<typeof Choices>['mute'];

export interface FilledNotifyForm {
  readonly kind: 'filled';
  readonly rules: readonly FollowTarget[];
  readonly preferences: Omit<FollowPreferences, 'muted'>;
  readonly mute: MuteChoice;
}

export type ParsedNotifyForm =
  | FilledNotifyForm
  /** By field; plain text. */
  | { readonly kind: 'mistakes'; readonly errors: Readonly<Record<string, string>> }
  /** The form can't produce these values. */
  | { readonly kind: 'unreadable' };

function plain(text: string): string {
  return `“${clipText(cleanLine(text), 60)}”`;
}

/** @returns what the row follows, or its mistake as plain text */
function readRule(written: string, known: readonly NamedFilter[]): FollowTarget | string {
  const parsed = parseFollow(written, known);
  switch (parsed.kind) {
    case 'target':
      return parsed.target;
    case 'wrong-rules':
      return ruleMistakeText(parsed.rules, parsed.mistake);
    case 'several':
      return `${plain(parsed.name)} matches several filters. Use the ID, for example filter ${
        parsed.filters[0]?.id ?? 7
      }.`;
    case 'no-filter':
      return parsed.asked === ''
        ? "Add the filter's ID, for example filter 7."
        : `There's no filter ${plain(parsed.asked)}. Use its ID, for example filter 7.`;
  }
}

function readRules(values: ViewValues, known: readonly NamedFilter[], errors: Map<string, string>) {
  const rules: FollowTarget[] = [];
  for (let row = 0; row < MAX_FOLLOW_RULES; row++) {
    const written = values.get(ruleField(row))?.text?.trim();
    if (!written) continue;
    const rule = readRule(written, known);
    if (typeof rule === 'string') errors.set(ruleField(row), rule);
    else if (!rules.some((each) => each.filter === rule.filter && each.rules === rule.rules))
      rules.push(rule);
  }
  return rules;
}

/** All mistakes at once, each at its field. @param known filters with names */
export function parseNotifyForm(values: ViewValues, known: readonly NamedFilter[]): ParsedNotifyForm {
  const option = (id: string) => values.get(id)?.option;
  const { data } = Choices.safeParse({
    how: option(fields.how),
    when: option(fields.when),
    mute: option(fields.mute),
  });
  if (!data) return { kind: 'unreadable' };
  const { how, when, mute } = data;
  const errors = new Map<string, string>();
  const rules = readRules(values, known, errors);
  const quiet = readQuiet(values, errors);
  const dailyAt = when === 'daily' ? parseClockTime(values.get(fields.dailyAt)?.time) : undefined;
  if (when === 'daily' && dailyAt === undefined)
    errors.set(fields.dailyAt, 'Choose when the daily message comes, for example 09:00.');
  if (when === 'daily' && how === 'mention')
    errors.set(
      fields.how,
      'Once a day works with direct messages only. Choose a direct message, or At once.',
    );
  if (errors.size > 0) return { kind: 'mistakes', errors: Object.fromEntries(errors) };
  return { kind: 'filled', rules, preferences: { by: how, ...omitUndefined({ quiet, dailyAt }) }, mute };
}

/** The revision that the form showed. @param text the view's metadata, untrusted input */
export function readShownRevision(text: string): number | undefined {
  const digits = /^\d{1,9}$/u.exec(text)?.[0];
  return digits === undefined ? undefined : Number(digits);
}

/** Where a form says that something else changed meanwhile. */
export const FIRST_RULE_FIELD = ruleField(0);
