/**
 * The form for a channel's settings. Opens at once, and updates when Slack has sent the user groups. Pure.
 */

import type { KnownBlock, ModalView } from '@slack/types';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { MAX_MENTION_RULES } from '../../feed/channel-preferences.ts';
import type { CardButton } from '../../feed/records.ts';
import { formatClockTime } from '../../schedule/local-time.ts';
import { type UserGroups, userGroupChoices, userGroupsNotice } from '../core/user-groups.ts';
import {
  actionsBlock,
  buttonElement,
  contextBlock,
  joinLines,
  plainTextObject,
  sectionBlock,
} from '../kit/block-builders.ts';
import { actionIds, viewIds } from '../kit/ids.ts';
import {
  checkboxesInput,
  multiSelectInput,
  radioInput,
  textInput,
  timeInput,
  usersInput,
} from '../kit/inputs.ts';
import { channelLink } from '../kit/mrkdwn.ts';
import { noticeView } from '../kit/notice-view.ts';
import type { UserGroupNames } from '../kit/words/access-text.ts';
import { mentionFields, quietHoursChoices, settingsFields } from './settings-fields.ts';
import type { SettingsForm } from './settings-forms.ts';
import { densityText, nonDefaultSettingLines } from './settings-text.ts';

export const SETTINGS_TITLE = 'Channel Settings';

export interface SettingsFacts {
  readonly form: SettingsForm;
  readonly groups: UserGroups;
  /** IANA names: the default for channels without their own, and the user's own if Slack returns it. */
  readonly timezone: string;
  readonly ownTimezone?: string;
}

/** What the pickers start with if nothing is chosen. */
const USUAL = { from: 20 * 60, to: 8 * 60 };
const LONGEST_ZONE = 60;
const LONGEST_RULES = 500;

function lookBlocks({ shown }: SettingsForm): KnownBlock[] {
  return [
    radioInput({
      id: settingsFields.density,
      label: 'Card layout',
      choices: [
        { label: 'Full', value: 'full' },
        { label: 'Compact: two lines and buttons', value: 'compact' },
      ],
      initial: shown.density,
    }),
    checkboxesInput({
      id: settingsFields.threadDetails,
      label: 'Threads',
      choices: [{ label: 'Move description, skills and match reasons to the thread', value: 'details' }],
      initial: shown.threadDetails ? ['details'] : [],
      optional: true,
    }),
  ];
}

function quietBlocks({ form, timezone, ownTimezone }: SettingsFacts): KnownBlock[] {
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
      ...omitUndefined({ initial: own }),
    }),
  ];
}

const BUTTONS: readonly { readonly value: CardButton; readonly label: string }[] = [
  { value: 'bid', label: 'Bid' },
  { value: 'details', label: 'Details' },
  { value: 'claim', label: 'Claim' },
  { value: 'more', label: 'Menu: Skip, Mute, Copy Link' },
];

function buttonBlocks({ shown }: SettingsForm): KnownBlock[] {
  return [
    checkboxesInput({
      id: settingsFields.buttons,
      label: 'Buttons on project cards',
      hint: 'Undo and bid follow-up buttons always stay.',
      choices: BUTTONS,
      initial: BUTTONS.map(({ value }) => value).filter((each) => !shown.hiddenButtons.includes(each)),
      optional: true,
    }),
  ];
}

function ruleBlocks({ form, groups }: SettingsFacts, row: number): KnownBlock[] {
  const fields = mentionFields(row);
  const rule = form.shown.mentions[row];
  const name = `Mention ${row + 1}`;
  // Includes the groups of all rules, so that each menu has the same groups.
  const choices = userGroupChoices(
    groups,
    form.shown.mentions.flatMap((each) => each.groups),
  );
  return [
    textInput({
      id: fields.rules,
      label: `${name}: matching projects`,
      placeholder: 'react budget:>5000',
      maxLength: LONGEST_RULES,
      optional: true,
      ...(row === 0
        ? {
            hint:
              'Same rules as /gig subscribe. Leave empty for every project. ' +
              'Checked once, when the card is posted.',
          }
        : {}),
      ...(rule ? { initial: rule.rules } : {}),
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

function mentionBlocks(facts: SettingsFacts): KnownBlock[] {
  const { rows } = facts.form;
  const more = buttonElement({ id: actionIds.settingsMention, label: 'Add Mention', value: 'add' });
  const ofGroups = userGroupsNotice(facts.groups, 'Groups chosen earlier are shown by their ID.');
  return [
    ...Array.from({ length: rows }, (_, row) => ruleBlocks(facts, row)).flat(),
    ...(rows < MAX_MENTION_RULES ? [actionsBlock([more])] : []),
    ...(ofGroups ? [contextBlock(ofGroups)] : []),
  ];
}

export function settingsModal(facts: SettingsFacts): ModalView {
  const { form } = facts;
  return {
    type: 'modal',
    callback_id: viewIds.settings,
    private_metadata: form.id,
    title: plainTextObject(SETTINGS_TITLE),
    submit: plainTextObject('Save'),
    close: plainTextObject('Cancel'),
    blocks: [
      sectionBlock(
        `*Settings for ${channelLink(form.channel)}.* New cards use these. ` +
          'Existing cards update when they next change.',
      ),
      ...lookBlocks(form),
      ...quietBlocks(facts),
      ...buttonBlocks(form),
      ...mentionBlocks(facts),
    ],
  };
}

/** For users who may read but not change the settings. */
export function readOnlySettingsView(
  { shown, channel }: Pick<SettingsForm, 'shown' | 'channel'>,
  timezone: string,
  names: UserGroupNames,
): ModalView {
  const told = nonDefaultSettingLines({ choices: shown, timezone, names });
  return noticeView(SETTINGS_TITLE, [
    sectionBlock(`*Settings for ${channelLink(channel)}*`),
    sectionBlock(joinLines(densityText(shown.density), ...told)),
    contextBlock('Only admins of this channel can change these settings.'),
  ]);
}
