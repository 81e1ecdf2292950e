/** Response settings in words, for the channel's announcement. Mentions nobody. Pure. */
import type { UserId } from '../../ids.ts';
import type { Duty, Lead, ResponseField, ResponsePlan } from '../../response/response.ts';
import { formatTimeOfDay } from '../../schedule/local-time.ts';
import type { Message } from '../core/routes.ts';
import { joinLines } from '../kit/block-builders.ts';
import { formatMention } from '../kit/mrkdwn.ts';
import { formatCount } from '../kit/numbers.ts';
import { WEEKDAY_NAMES } from './response-form.ts';

const minutes = (count: number) => formatCount(count, 'minute');

const DUTY_TEXTS: Readonly<Record<Duty['kind'], string>> = {
  nobody: 'nobody',
  person: 'one person',
  group: 'a user group',
  rota: 'a weekly rota',
};

function daysText(days: readonly number[]): string {
  if (days.length === WEEKDAY_NAMES.length) return 'every day';
  return days.map((day) => (WEEKDAY_NAMES[day - 1] ?? '').slice(0, 3)).join(', ');
}

function hoursText(hours: ResponsePlan['hours']): string {
  return hours ? `${formatTimeOfDay(hours.from)} to ${formatTimeOfDay(hours.to)}` : 'all day';
}

const who = (target: Duty | Lead) => DUTY_TEXTS[target.kind];

const LINES: { readonly [F in ResponseField]: (plan: ResponsePlan) => string } = {
  isOn: ({ isOn }) => `Targets and nudges: ${isOn ? 'on' : 'off'}`,
  claimTarget: ({ claimTarget }) => `Claim target: ${minutes(claimTarget)}`,
  bidTarget: ({ bidTarget }) => `Bid target: ${minutes(bidTarget)}`,
  nudgeAfter: ({ nudgeAfter }) => `First nudge after ${minutes(nudgeAfter)}`,
  leadAfter: ({ leadAfter }) => `Nudge for the lead ${minutes(leadAfter)} later`,
  claimExpiry: ({ claimExpiry }) =>
    claimExpiry > 0 ? `Claims without a bid expire after ${minutes(claimExpiry)}` : 'Claims never expire',
  hours: ({ hours }) => `Working hours: ${hoursText(hours)}`,
  days: ({ days }) => `Working days: ${daysText(days)}`,
  duty: ({ duty }) => `On duty: ${who(duty)}`,
  lead: ({ lead }) => `Lead: ${who(lead)}`,
};

/** For everyone in the channel. */
export function responseChangedMessage(
  changed: readonly ResponseField[],
  plan: ResponsePlan,
  by: UserId,
): Message {
  const lines = changed.map((field) => `• ${LINES[field](plan)}`);
  return { text: joinLines(`:wrench: ${formatMention(by)} changed the response times:`, ...lines) };
}

/** For the person whose form overwrote another person's changes. */
export function responseOverwrittenMessage(
  overwritten: readonly ResponseField[],
  plan: ResponsePlan,
): Message {
  const lines = overwritten.map((field) => `• ${LINES[field](plan)}`);
  return { text: joinLines('Someone else changed these while your form was open. Yours apply:', ...lines) };
}
