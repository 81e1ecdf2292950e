/** Response settings in words: all of them, and what changed. Pure. */
import type { UserId } from '../../ids.ts';
import type { Lead, ResponseField, ResponsePlan } from '../../response/response.ts';
import { formatTimeOfDay } from '../../schedule/local-time.ts';
import type { Message } from '../core/routes.ts';
import { joinLines } from '../kit/block-builders.ts';
import { formatMention } from '../kit/mrkdwn.ts';
import { formatCount } from '../kit/numbers.ts';
import { granteesText, type UserGroupNames } from '../kit/words/labels.ts';
import { WEEKDAY_NAMES } from './response-form.ts';

const minutes = (count: number) => formatCount(count, 'minute');

function shortDay(day: number): string {
  return (WEEKDAY_NAMES[day - 1] ?? '').slice(0, 3);
}

function daysText(days: readonly number[]): string {
  if (days.length === WEEKDAY_NAMES.length) return 'every day';
  return days.map(shortDay).join(', ');
}

function hoursText(hours: ResponsePlan['hours']): string {
  return hours ? `${formatTimeOfDay(hours.from)} to ${formatTimeOfDay(hours.to)}` : 'all day';
}

/** What the words about people on duty need besides the settings. */
export interface DutyFacts {
  /** 1 is Monday: today in the channel's time zone. */
  readonly weekday: number;
  readonly groupNames: UserGroupNames;
}

/** Groups by their handle, which notifies none of their people. */
function targetText(target: Lead, { groupNames }: DutyFacts): string {
  switch (target.kind) {
    case 'nobody':
      return 'nobody';
    case 'person':
      return formatMention(target.user);
    case 'group':
      return granteesText({ users: [], groups: [target.group] }, groupNames);
  }
}

/** On duty as a rule, and today. */
function dutyText({ duty, lead }: ResponsePlan, facts: DutyFacts): string {
  const nobody = lead.kind === 'nobody' ? 'nobody' : 'nobody, so the lead gets the first nudge';
  if (duty.kind === 'nobody') return nobody;
  if (duty.kind !== 'rota') return targetText(duty, facts);
  const named = duty.days.flatMap((user, day) =>
    user ? [`${shortDay(day + 1)} ${formatMention(user)}`] : [],
  );
  const today = duty.days[facts.weekday - 1];
  return `${named.join(', ')}. Today: ${today ? formatMention(today) : nobody}`;
}

const LINES: { readonly [F in ResponseField]: (plan: ResponsePlan, facts: DutyFacts) => string } = {
  isOn: ({ isOn }) => `Targets and nudges: ${isOn ? 'on' : 'off'}`,
  claimTarget: ({ claimTarget }) => `Claim target: ${minutes(claimTarget)}`,
  bidTarget: ({ bidTarget }) => `Bid target: ${minutes(bidTarget)}`,
  nudgeAfter: ({ nudgeAfter }) => `First nudge after ${minutes(nudgeAfter)}`,
  leadAfter: ({ leadAfter }) => `Nudge for the lead ${minutes(leadAfter)} later`,
  claimExpiry: ({ claimExpiry }) =>
    claimExpiry > 0 ? `Claims without a bid expire after ${minutes(claimExpiry)}` : 'Claims never expire',
  hours: ({ hours }) => `Working hours: ${hoursText(hours)}`,
  days: ({ days }) => `Working days: ${daysText(days)}`,
  duty: (plan, facts) => `On duty: ${dutyText(plan, facts)}`,
  lead: ({ lead }, facts) => `Lead: ${targetText(lead, facts)}`,
};

/** With nudges turned on, everyone learns who gets them. */
function announcedFields(
  changed: readonly ResponseField[],
  { isOn }: ResponsePlan,
): readonly ResponseField[] {
  if (!isOn || !changed.includes('isOn')) return changed;
  return [...changed.filter((field) => field !== 'duty' && field !== 'lead'), 'duty', 'lead'];
}

/** All settings, in the order of the form. */
export function responseRulesText(plan: ResponsePlan, facts: DutyFacts): string {
  return joinLines(...Object.values(LINES).map((line) => `• ${line(plan, facts)}`));
}

/** No one gets the nudges; undefined if someone does. */
function nobodyText({ isOn, duty, lead }: ResponsePlan): string | undefined {
  const hasDuty = duty.kind === 'rota' ? duty.days.some(Boolean) : duty.kind !== 'nobody';
  if (!isOn || hasDuty || lead.kind !== 'nobody') return undefined;
  return (
    ':warning: Nobody is on duty and there is no lead, so nudges mention nobody. ' +
    'An admin can choose someone in `/gig settings`, under *Response Times*.'
  );
}

/** For everyone in the channel. */
export function responseChangedMessage(
  changed: readonly ResponseField[],
  plan: ResponsePlan,
  by: UserId,
  facts: DutyFacts,
): Message {
  const lines = announcedFields(changed, plan).map((field) => `• ${LINES[field](plan, facts)}`);
  const head = `:wrench: ${formatMention(by)} changed the response times:`;
  return { text: joinLines(head, ...lines, nobodyText(plan)) };
}

/** For the person whose form overwrote another person's changes. */
export function responseOverwrittenMessage(
  overwritten: readonly ResponseField[],
  plan: ResponsePlan,
  facts: DutyFacts,
): Message {
  const lines = overwritten.map((field) => `• ${LINES[field](plan, facts)}`);
  return { text: joinLines('Someone else changed these while your form was open. Yours apply:', ...lines) };
}
