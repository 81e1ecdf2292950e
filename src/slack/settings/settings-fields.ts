/** The settings form's fields, and parsing of its values, which are untrusted input. Pure. */

import { z } from 'zod';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { type ChannelPreferences, MAX_MENTION_RULES } from '../../feed/channel-preferences.ts';
import { parseRules } from '../../feed/decide-card.ts';
import { CardButton, ChannelSettings, type MentionRule, type QuietHours } from '../../feed/records.ts';
import type { QueryError } from '../../query/query.ts';
import type { ViewValues } from '../core/routes.ts';
import { cleanLine } from '../kit/clean-text.ts';
import { clipText } from '../kit/mrkdwn.ts';
import { formatNumber } from '../kit/numbers.ts';
import { parseTimezone } from '../kit/words/parse-timezone.ts';
import { timezoneErrorText } from '../kit/words/timezone-error.ts';

export const settingsFields = {
  density: 'density',
  threadDetails: 'thread-details',
  quiet: 'quiet',
  quietFrom: 'quiet-from',
  quietTo: 'quiet-to',
  timezone: 'timezone',
  buttons: 'buttons',
} as const;

/** The fields of one rule. */
export function mentionFields(row: number) {
  return { rules: `mention-rules-${row}`, users: `mention-users-${row}`, groups: `mention-groups-${row}` };
}

export const quietHoursChoices = { daily: 'daily', weekends: 'weekends' } as const;

/** Mentioning half the team would make people ignore the cards. */
const MOST_USERS = 20;
const MOST_GROUPS = 10;

const GroupIds = z.array(z.string().regex(/^S[A-Z0-9]{1,30}$/u));
const LONGEST_WORDS = 60;

export type ParsedSettingsForm =
  | { readonly kind: 'filled'; readonly requested: ChannelPreferences }
  /** By field; plain text. */
  | { readonly kind: 'mistakes'; readonly errors: Readonly<Record<string, string>> }
  /** The form can't produce these values. */
  | { readonly kind: 'unreadable' };

type Errors = Map<string, string>;

function minuteOf(time: string | undefined): number | undefined {
  const [, hours, minutes] = /^(\d{2}):(\d{2})$/u.exec(time ?? '') ?? [];
  const minute = Number(hours) * 60 + Number(minutes);
  return minute < 24 * 60 ? minute : undefined;
}

function readQuiet(values: ViewValues, errors: Errors): QuietHours | undefined {
  const chosen = values.get(settingsFields.quiet)?.options ?? [];
  const weekends = chosen.includes(quietHoursChoices.weekends);
  if (!chosen.includes(quietHoursChoices.daily)) return weekends ? { from: 0, to: 0, weekends } : undefined;
  const from = minuteOf(values.get(settingsFields.quietFrom)?.time);
  const to = minuteOf(values.get(settingsFields.quietTo)?.time);
  if (from === undefined)
    errors.set(settingsFields.quietFrom, 'Choose when quiet hours start, for example 20:00.');
  if (to === undefined) errors.set(settingsFields.quietTo, 'Choose when quiet hours end, for example 08:00.');
  if (from === undefined || to === undefined) return undefined;
  if (from === to)
    errors.set(
      settingsFields.quietTo,
      "Quiet hours can't start and end at the same time. Choose another time.",
    );
  return { from, to, weekends };
}

function readZone(values: ViewValues, errors: Errors): string | undefined {
  const typed = values.get(settingsFields.timezone)?.text?.trim();
  if (!typed) return undefined;
  const read = parseTimezone(typed);
  if (read.kind === 'zone') return read.timezone;
  errors.set(
    settingsFields.timezone,
    timezoneErrorText(`“${clipText(cleanLine(typed), LONGEST_WORDS)}”`, read),
  );
  return undefined;
}

/** With its place, as plain text: `Here: “lots” (character 9).` */
function ruleMistake(written: string, { at, length, message, example }: QueryError): string {
  const there = clipText(cleanLine(written.slice(at, at + length)), LONGEST_WORDS);
  const place = there ? ` The problem is at “${there}” (character ${formatNumber(at + 1)}).` : '';
  return `${clipText(message, 400)}${place} For example: ${clipText(example, 200)}`;
}

function readRule(values: ViewValues, row: number, errors: Errors): MentionRule | undefined | 'unreadable' {
  const fields = mentionFields(row);
  const written = values.get(fields.rules)?.text ?? '';
  const users = [...new Set(values.get(fields.users)?.users)];
  const chosen = GroupIds.safeParse(values.get(fields.groups)?.options ?? []);
  if (!chosen.success) return 'unreadable';
  const groups = chosen.data;
  const read = parseRules(written);
  if (read.kind === 'mistake') errors.set(fields.rules, ruleMistake(written, read));
  if (users.length > MOST_USERS)
    errors.set(fields.users, `Up to ${MOST_USERS} people. To add more, choose a user group.`);
  if (groups.length > MOST_GROUPS) errors.set(fields.groups, `Up to ${MOST_GROUPS} groups.`);
  const callsNobody = users.length === 0 && groups.length === 0;
  if (callsNobody && written.trim() !== '')
    errors.set(fields.users, 'Choose who these projects mention, or clear the rule above.');
  return callsNobody || read.kind === 'mistake' ? undefined : { rules: read.printed, users, groups };
}

/** Returns all mistakes at once, each at its field. @param rows the form's number of mention rules */
export function parseSettingsForm(values: ViewValues, rows: number): ParsedSettingsForm {
  const density = ChannelSettings.shape.density.safeParse(values.get(settingsFields.density)?.option);
  if (!density.success) return { kind: 'unreadable' };
  const errors: Errors = new Map();
  const quiet = readQuiet(values, errors);
  const timezone = readZone(values, errors);
  const offered = values.get(settingsFields.buttons)?.options ?? [];
  const mentions: MentionRule[] = [];
  for (let row = 0; row < Math.min(rows, MAX_MENTION_RULES); row++) {
    const rule = readRule(values, row, errors);
    if (rule === 'unreadable') return { kind: 'unreadable' };
    if (rule) mentions.push(rule);
  }
  if (errors.size > 0) return { kind: 'mistakes', errors: Object.fromEntries(errors) };
  const wanted: ChannelPreferences = {
    density: density.data,
    threadDetails: values.get(settingsFields.threadDetails)?.options !== undefined,
    hiddenButtons: CardButton.options.filter((each) => !offered.includes(each)),
    mentions,
    ...(quiet ? { quiet } : {}),
    ...omitUndefined({ timezone }),
  };
  return { kind: 'filled', requested: wanted };
}
