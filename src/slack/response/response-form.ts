/** The form with a channel's response times: its inputs. `parse-response-form.ts` reads its values. Pure. */
import type { KnownBlock, ModalView } from '@slack/types';
import type { ChannelId, UserId } from '../../ids.ts';
import type { ResponsePlan, ResponseTarget } from '../../response/response.ts';
import { formatClockTime } from '../../schedule/local-time.ts';
import { type UserGroups, userGroupChoices, userGroupsBlocks } from '../core/user-groups.ts';
import { DIVIDER, formView, sectionBlock } from '../kit/block-builders.ts';
import { viewIds } from '../kit/ids.ts';
import { checkboxesInput, numberInput, selectInput, timeInput, userInput } from '../kit/inputs.ts';
import { channelLink } from '../kit/mrkdwn.ts';
import { alertBlock } from '../kit/rich-blocks.ts';
import { granteesText, type UserGroupNames, WEEKDAYS } from '../kit/words/labels.ts';

export const RESPONSE_TITLE = 'Response Times';

export const responseFields = {
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

function targetBlocks({ claimTarget, bidTarget, isOn }: ResponsePlan): KnownBlock[] {
  return [
    checkboxesInput({
      id: responseFields.isOn,
      label: 'Targets and nudges',
      choices: [{ label: 'Show targets on cards and send nudges', value: 'on' }],
      initial: isOn ? ['on'] : [],
      optional: true,
    }),
    minutesInput(
      responseFields.claimTarget,
      'Claim target (minutes)',
      claimTarget,
      "Counts from the project's publication, or from its card if that came over 5 minutes later.",
    ),
    minutesInput(
      responseFields.bidTarget,
      'Bid target (minutes)',
      bidTarget,
      'Counts from the same moment as the claim target.',
    ),
  ];
}

function stageBlocks({ nudgeAfter, leadAfter, claimExpiry }: ResponsePlan): KnownBlock[] {
  return [
    minutesInput(
      responseFields.nudgeAfter,
      'Nudge the person on duty after (minutes)',
      nudgeAfter,
      'For a card that nobody has claimed. Sent once, in its thread.',
    ),
    minutesInput(
      responseFields.leadAfter,
      'Then nudge the lead after (minutes)',
      leadAfter,
      'Counts from the first nudge.',
    ),
    minutesInput(
      responseFields.claimExpiry,
      'Claims without a bid expire after (minutes)',
      claimExpiry,
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
      ...stageBlocks(shown),
      DIVIDER,
      ...workBlocks(shown, timezone),
      DIVIDER,
      ...dutyBlocks(shown, groups),
    ],
  );
}
