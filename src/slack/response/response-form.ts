/** The form with a channel's response times: its inputs, and the reading of its values. Pure. */
import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { type ChannelId, UserId } from '../../ids.ts';
import type { ResponsePlan, ResponseTarget } from '../../response/response.ts';
import { formatClockTime, parseClockTime } from '../../schedule/local-time.ts';
import type { ViewValues } from '../core/routes.ts';
import { type UserGroups, userGroupChoices, userGroupsBlocks } from '../core/user-groups.ts';
import { DIVIDER, formView, sectionBlock } from '../kit/block-builders.ts';
import { viewIds } from '../kit/ids.ts';
import { checkboxesInput, numberInput, selectInput, timeInput, userInput } from '../kit/inputs.ts';
import { channelLink } from '../kit/mrkdwn.ts';
import { formatNumber } from '../kit/numbers.ts';
import { alertBlock } from '../kit/rich-blocks.ts';
import { granteesText, type UserGroupNames, WEEKDAYS } from '../kit/words/labels.ts';

export const RESPONSE_TITLE = 'Response Times';

const responseFields = {
  isOn: 'response-on',
  claimTarget: 'claim-target',
  bidTarget: 'bid-target',
  nudgeAfter: 'nudge-after',
  leadAfter: 'lead-after',
  claimExpiry: 'claim-expiry',
  hoursFrom: 'hours-from',
  hoursTo: 'hours-to',
  days: 'work-days',
  dutyUser: 'duty-user',
  dutyGroup: 'duty-group',
  leadUser: 'lead-user',
  leadGroup: 'lead-group',
} as const;

export interface ResponseFormFacts {
  readonly form: { readonly id: string; readonly channel: ChannelId; readonly shown: ResponsePlan };
  readonly groups: UserGroups;
  /** The channel's time zone. IANA name. */
  readonly timezone: string;
  /** On duty, but couldn't be mentioned. */
  readonly skipped: readonly ResponseTarget[];
  readonly groupNames: UserGroupNames;
}

function minutesInput(id: string, label: string, value: number, hint?: string): KnownBlock {
  return numberInput({ id, label, initial: String(value), hint });
}

function targetBlocks(plan: ResponsePlan): KnownBlock[] {
  return [
    checkboxesInput({
      id: responseFields.isOn,
      label: 'Targets and nudges',
      choices: [{ label: 'Show targets on cards and send nudges', value: 'on' }],
      initial: plan.isOn ? ['on'] : [],
      optional: true,
    }),
    minutesInput(
      responseFields.claimTarget,
      'Claim target (minutes)',
      plan.claimTarget,
      "Counts from the project's publication, or from its card if that came over 5 minutes later.",
    ),
    minutesInput(
      responseFields.bidTarget,
      'Bid target (minutes)',
      plan.bidTarget,
      'Counts from the same moment as the claim target.',
    ),
    minutesInput(
      responseFields.nudgeAfter,
      'Nudge the person on duty after (minutes)',
      plan.nudgeAfter,
      'For a card that nobody has claimed. Sent once, in its thread.',
    ),
    minutesInput(
      responseFields.leadAfter,
      'Then nudge the lead after (minutes)',
      plan.leadAfter,
      'Counts from the first nudge.',
    ),
    minutesInput(
      responseFields.claimExpiry,
      'Claims without a bid expire after (minutes)',
      plan.claimExpiry,
      'The person gets a warning first, and can extend the claim. 0 means never.',
    ),
  ];
}

function workBlocks({ hours, days }: ResponsePlan, timezone: string): KnownBlock[] {
  return [
    checkboxesInput({
      id: responseFields.days,
      label: 'Working days',
      choices: WEEKDAYS.map((label, day) => ({ label, value: String(day + 1) })),
      initial: days.map(String),
      optional: true,
    }),
    timeInput({
      id: responseFields.hoursFrom,
      label: 'Working hours from',
      hint: `In the channel's time zone, ${timezone}. Leave both empty for the whole day.`,
      optional: true,
      initial: hours && formatClockTime(hours.from),
    }),
    timeInput({
      id: responseFields.hoursTo,
      label: 'Working hours until',
      optional: true,
      initial: hours && formatClockTime(hours.to),
    }),
  ];
}

function userOf(target: ResponseTarget | undefined): { readonly initial?: UserId } {
  return { initial: target?.kind === 'person' ? target.user : undefined };
}

/** No menu where there are no groups. */
function groupSelect(
  id: string,
  label: string,
  chosen: ResponseTarget | undefined,
  groups: UserGroups,
): KnownBlock[] {
  const group = chosen?.kind === 'group' ? chosen.group : undefined;
  const choices = userGroupChoices(groups, group === undefined ? [] : [group]);
  if (choices.length === 0) return [];
  return [selectInput({ id, label, choices, optional: true, initial: group })];
}

function dutyBlocks({ duty, lead }: ResponsePlan, groups: UserGroups): KnownBlock[] {
  return [
    userInput({
      id: responseFields.dutyUser,
      label: 'On duty: person',
      hint: 'With nobody on duty, the lead gets the first nudge.',
      optional: true,
      ...userOf(duty),
    }),
    ...groupSelect(responseFields.dutyGroup, 'On duty: user group', duty, groups),
    userInput({ id: responseFields.leadUser, label: 'Lead: person', optional: true, ...userOf(lead) }),
    ...groupSelect(responseFields.leadGroup, 'Lead: user group', lead, groups),
    ...userGroupsBlocks(groups, 'Groups chosen earlier are shown by their ID.'),
  ];
}

function skippedBlocks({ skipped, groupNames }: ResponseFormFacts): KnownBlock[] {
  if (skipped.length === 0) return [];
  const users = skipped.flatMap((each) => (each.kind === 'person' ? [each.user] : []));
  const groups = skipped.flatMap((each) => (each.kind === 'group' ? [each.group] : []));
  const names = granteesText({ users, groups }, groupNames);
  return [
    alertBlock(
      'warning',
      `Couldn't mention ${names}: deactivated, deleted, or not in this channel. ` +
        'Gigdesk skipped them. Choose someone else.',
    ),
  ];
}

export function responseModal(facts: ResponseFormFacts): ModalView {
  const { form, groups, timezone } = facts;
  const { shown } = form;
  return formView(
    { id: viewIds.response, carries: form.id, title: RESPONSE_TITLE, submit: 'Save', close: 'Back' },
    [
      sectionBlock(
        `*Response times for ${channelLink(form.channel)}.* ` +
          'Minutes count in working hours only. In quiet hours, nudges wait.',
      ),
      ...skippedBlocks(facts),
      ...targetBlocks(shown),
      DIVIDER,
      ...workBlocks(shown, timezone),
      DIVIDER,
      ...dutyBlocks(shown, groups),
    ],
  );
}

type ParsedResponseForm =
  | { readonly kind: 'filled'; readonly wanted: ResponsePlan }
  /** By field; plain text. */
  | { readonly kind: 'mistakes'; readonly errors: Readonly<Record<string, string>> }
  /** The form can't produce these values. */
  | { readonly kind: 'unreadable' };

type Errors = Map<string, string>;

/** A day: with longer times, nobody is in a hurry. */
const MOST_MINUTES = 24 * 60;
/** A warning needs time before the claim ends. */
const SHORTEST_EXPIRY = 5;
/** Minutes: with shorter hours, an hour of work would take weeks. */
const SHORTEST_DAY = 60;

const GroupId = z.string().regex(/^S[A-Z0-9]{1,30}$/u);
const PersonId = z
  .string()
  .regex(/^[UW][A-Z0-9]{1,30}$/u)
  .pipe(UserId);
const Days = z.array(z.enum(['1', '2', '3', '4', '5', '6', '7']));

function readMinutes(values: ViewValues, field: string, errors: Errors, least = 1): number {
  const typed = values.get(field)?.text?.trim() ?? '';
  const minutes = /^\d{1,9}$/u.test(typed) ? Number(typed) : Number.NaN;
  if (minutes >= least && minutes <= MOST_MINUTES) return minutes;
  errors.set(field, `Enter whole minutes from ${formatNumber(least)} to ${formatNumber(MOST_MINUTES)}.`);
  return 1;
}

function readExpiry(values: ViewValues, errors: Errors): number {
  const field = responseFields.claimExpiry;
  if (!values.get(field)?.text?.trim()) return 0;
  const minutes = readMinutes(values, field, errors, 0);
  if (minutes > 0 && minutes < SHORTEST_EXPIRY && !errors.has(field))
    errors.set(field, `Enter at least ${SHORTEST_EXPIRY} minutes, or 0 for never.`);
  return minutes;
}

function readHours(values: ViewValues, errors: Errors): ResponsePlan['hours'] {
  const from = parseClockTime(values.get(responseFields.hoursFrom)?.time);
  const to = parseClockTime(values.get(responseFields.hoursTo)?.time);
  if (from === undefined && to === undefined) return undefined;
  if (from === undefined)
    errors.set(responseFields.hoursFrom, 'Choose when work starts, or clear both times.');
  if (to === undefined) errors.set(responseFields.hoursTo, 'Choose when work ends, or clear both times.');
  if (from === undefined || to === undefined) return undefined;
  if ((to - from + MOST_MINUTES) % MOST_MINUTES < SHORTEST_DAY)
    errors.set(responseFields.hoursTo, 'Choose working hours of at least 1 hour.');
  return { from, to };
}

function readTarget(values: ViewValues, of: 'duty' | 'lead', errors: Errors): ResponseTarget | undefined {
  const groupField = responseFields[`${of}Group`];
  const user = PersonId.safeParse(values.get(responseFields[`${of}User`])?.users?.[0]).data;
  const group = GroupId.safeParse(values.get(groupField)?.option).data;
  if (user !== undefined && group !== undefined)
    errors.set(groupField, 'Choose a person or a user group, not both.');
  if (user !== undefined) return { kind: 'person', user };
  return group === undefined ? undefined : { kind: 'group', group };
}

/** Reads the form: untrusted values, all mistakes at once, each at its field. */
export function parseResponseForm(values: ViewValues): ParsedResponseForm {
  const errors: Errors = new Map();
  const chosen = Days.safeParse(values.get(responseFields.days)?.options ?? []);
  if (!chosen.success) return { kind: 'unreadable' };
  const days = [...new Set(chosen.data.map(Number))].sort((a, b) => a - b);
  if (days.length === 0) errors.set(responseFields.days, 'Choose at least one working day.');
  const claimTarget = readMinutes(values, responseFields.claimTarget, errors);
  const bidTarget = readMinutes(values, responseFields.bidTarget, errors);
  if (
    bidTarget < claimTarget &&
    !errors.has(responseFields.bidTarget) &&
    !errors.has(responseFields.claimTarget)
  )
    errors.set(responseFields.bidTarget, 'A bid comes after the claim. Enter at least the claim target.');
  const wanted: ResponsePlan = {
    isOn: values.get(responseFields.isOn)?.options?.includes('on') ?? false,
    claimTarget,
    bidTarget,
    nudgeAfter: readMinutes(values, responseFields.nudgeAfter, errors),
    leadAfter: readMinutes(values, responseFields.leadAfter, errors),
    claimExpiry: readExpiry(values, errors),
    days,
    hours: readHours(values, errors),
    duty: readTarget(values, 'duty', errors),
    lead: readTarget(values, 'lead', errors),
  };
  if (errors.size > 0) return { kind: 'mistakes', errors: Object.fromEntries(errors) };
  return { kind: 'filled', wanted };
}
