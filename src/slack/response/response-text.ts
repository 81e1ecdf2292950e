/** Response settings in words, all of them and what changed; response times as lines of mrkdwn. Pure. */
import type { UserId } from '../../ids.ts';
import type { MedianTimes } from '../../response/measure.ts';
import type { CardDeadlines, ResponseField, ResponsePlan, ResponseTarget } from '../../response/response.ts';
import { formatTimeOfDay } from '../../schedule/local-time.ts';
import type { Message } from '../core/routes.ts';
import { capitalize, joinFacts, joinLines } from '../kit/block-builders.ts';
import { formatDate, formatMention, formatTimeAgo } from '../kit/mrkdwn.ts';
import { formatCount, formatDuration } from '../kit/numbers.ts';
import { granteesText, SHORT_WEEKDAYS, type UserGroupNames } from '../kit/words/labels.ts';

const minutes = (count: number) => formatCount(count, 'minute');

/** Groups by their handle, which notifies none of their people. */
function targetText(target: ResponseTarget | undefined, names: UserGroupNames): string {
  if (!target) return 'nobody';
  if (target.kind === 'person') return formatMention(target.user);
  return granteesText({ users: [], groups: [target.group] }, names);
}

const LINES: { readonly [F in ResponseField]: (plan: ResponsePlan, names: UserGroupNames) => string } = {
  isOn: ({ isOn }) => `Targets and nudges: ${isOn ? 'on' : 'off'}`,
  claimTarget: ({ claimTarget }) => `Claim target: ${minutes(claimTarget)}`,
  bidTarget: ({ bidTarget }) => `Bid target: ${minutes(bidTarget)}`,
  nudgeAfter: ({ nudgeAfter }) => `First nudge after ${minutes(nudgeAfter)}`,
  leadAfter: ({ leadAfter }) => `Nudge for the lead ${minutes(leadAfter)} later`,
  claimExpiry: ({ claimExpiry }) =>
    claimExpiry > 0 ? `Claims without a bid expire after ${minutes(claimExpiry)}` : 'Claims never expire',
  hours: ({ hours }) =>
    `Working hours: ${hours ? `${formatTimeOfDay(hours.from)} to ${formatTimeOfDay(hours.to)}` : 'all day'}`,
  days: ({ days }) => {
    const names = days.map((day) => SHORT_WEEKDAYS[day - 1]).join(', ');
    return `Working days: ${days.length === SHORT_WEEKDAYS.length ? 'every day' : names}`;
  },
  duty: ({ duty, lead }, names) =>
    `On duty: ${!duty && lead ? 'nobody, so the lead gets the first nudge' : targetText(duty, names)}`,
  lead: ({ lead }, names) => `Lead: ${targetText(lead, names)}`,
};

/** User groups whose names the texts need. */
export function listNudgedGroups({ duty, lead }: ResponsePlan): readonly string[] {
  return [duty, lead].flatMap((each) => (each?.kind === 'group' ? [each.group] : []));
}

/** All settings, in the order of the form; or that they are off. */
export function responseRulesText(plan: ResponsePlan, names: UserGroupNames): string {
  if (!plan.isOn) return '• Targets and nudges: off';
  return joinLines(...Object.values(LINES).map((line) => `• ${line(plan, names)}`));
}

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
  // With nudges turned on, everyone learns who gets them.
  const others = changed.filter((field) => field !== 'duty' && field !== 'lead');
  const isTurnedOn = plan.isOn && changed.includes('isOn');
  const fields: readonly ResponseField[] = isTurnedOn ? [...others, 'duty', 'lead'] : changed;
  const lines = fields.map((field) => `• ${LINES[field](plan, names)}`);
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

/** Slack says how much time is left, and updates it: no edit is needed. */
function dueText(what: string, at: number | undefined): string | undefined {
  return at === undefined ? undefined : `${what} ${formatDate(at)} (${formatTimeAgo(at)})`;
}

/** `Claim by today at 9:10 (in 5 minutes)`; undefined if there is no deadline. */
export function deadlineLine(deadlines: CardDeadlines | undefined): string | undefined {
  if (!deadlines) return undefined;
  const { claimBy, bidBy, claimExpiresAt } = deadlines;
  const facts = joinFacts(
    dueText('claim by', claimBy),
    dueText('bid by', bidBy),
    dueText('claim expires', claimExpiresAt),
  );
  return facts ? `:alarm_clock: ${capitalize(facts)}` : undefined;
}

/** `card 40 seconds · claim 6 minutes · bid 22 minutes`. */
export function medianTimesText({ card, claim, bid }: MedianTimes): string {
  const span = (what: string, ms: number | undefined) =>
    ms === undefined ? undefined : `${what} ${formatDuration(ms)}`;
  return joinFacts(span('card', card), span('claim', claim), span('bid', bid));
}
