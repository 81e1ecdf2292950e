/** Response settings in words: all of them, and what changed. Pure. */
import type { UserId } from '../../ids.ts';
import type { ResponseField, ResponsePlan, ResponseTarget } from '../../response/response.ts';
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

/** Groups by their handle, which notifies none of their people. */
function targetText(target: ResponseTarget | undefined, names: UserGroupNames): string {
  if (!target) return 'nobody';
  if (target.kind === 'person') return formatMention(target.user);
  return granteesText({ users: [], groups: [target.group] }, names);
}

function dutyText({ duty, lead }: ResponsePlan, names: UserGroupNames): string {
  return !duty && lead ? 'nobody, so the lead gets the first nudge' : targetText(duty, names);
}

const LINES: { readonly [F in ResponseField]: (plan: ResponsePlan, names: UserGroupNames) => string } = {
  isOn: ({ isOn }) => `Targets and nudges: ${isOn ? 'on' : 'off'}`,
  claimTarget: ({ claimTarget }) => `Claim target: ${minutes(claimTarget)}`,
  bidTarget: ({ bidTarget }) => `Bid target: ${minutes(bidTarget)}`,
  nudgeAfter: ({ nudgeAfter }) => `First nudge after ${minutes(nudgeAfter)}`,
  leadAfter: ({ leadAfter }) => `Nudge for the lead ${minutes(leadAfter)} later`,
  claimExpiry: ({ claimExpiry }) =>
    claimExpiry > 0 ? `Claims without a bid expire after ${minutes(claimExpiry)}` : 'Claims never expire',
  hours: ({ hours }) => `Working hours: ${hoursText(hours)}`,
  days: ({ days }) => `Working days: ${daysText(days)}`,
  duty: (plan, names) => `On duty: ${dutyText(plan, names)}`,
  lead: ({ lead }, names) => `Lead: ${targetText(lead, names)}`,
};

/** With nudges turned on, everyone learns who gets them. */
function announcedFields(
  changed: readonly ResponseField[],
  { isOn }: ResponsePlan,
): readonly ResponseField[] {
  if (!isOn || !changed.includes('isOn')) return changed;
  return [...changed.filter((field) => field !== 'duty' && field !== 'lead'), 'duty', 'lead'];
}

/** User groups whose names the texts need. */
export function listNudgedGroups({ duty, lead }: ResponsePlan): readonly string[] {
  return [duty, lead].flatMap((each) => (each?.kind === 'group' ? [each.group] : []));
}

/** All settings, in the order of the form; or that they are off. */
export function responseRulesText(plan: ResponsePlan, names: UserGroupNames): string {
  if (!plan.isOn) return '• Targets and nudges: off';
  return joinLines(...Object.values(LINES).map((line) => `• ${line(plan, names)}`));
}

/** No one gets the nudges; undefined if someone does. */
function nobodyText({ isOn, duty, lead }: ResponsePlan): string | undefined {
  if (!isOn || duty || lead) return undefined;
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
  names: UserGroupNames,
): Message {
  const lines = announcedFields(changed, plan).map((field) => `• ${LINES[field](plan, names)}`);
  const head = `:wrench: ${formatMention(by)} changed the response times:`;
  return { text: joinLines(head, ...lines, nobodyText(plan)) };
}

/** For the person whose form overwrote another person's changes. */
export function responseOverwrittenMessage(
  overwritten: readonly ResponseField[],
  plan: ResponsePlan,
  names: UserGroupNames,
): Message {
  const lines = overwritten.map((field) => `• ${LINES[field](plan, names)}`);
  return { text: joinLines('Someone else changed these while your form was open. Yours apply:', ...lines) };
}
