/** The fields for what else a channel gets: of the setup form's second step, and of an edited one. Pure. */
import type { KnownBlock } from '@slack/types';
import type { NamedFilter } from '../../feed/feed.ts';
import { NoiseLevel } from '../../feed/feed.ts';
import { contextBlock, joinLines, sectionBlock } from '../kit/block-builders.ts';
import {
  checkboxesInput,
  type InputChoice,
  multiSelectInput,
  selectInput,
  textInput,
  timeInput,
  usersInput,
} from '../kit/inputs.ts';
import { cleanLine, clipText, formatMention } from '../kit/mrkdwn.ts';
import { formatCount } from '../kit/numbers.ts';
import { LEVEL_LABELS } from '../settings/settings.ts';
import { currentReceiveInputs, followedKey, receiveFields, usersOfEveryProject } from './receive-answers.ts';
import type { FollowedFeed, ReceiveInputs, SetupForm } from './setup-forms.ts';

/** What the menus offer. */
export interface SetupChoices {
  readonly filters: readonly NamedFilter[];
  /** Names are strangers' text. */
  readonly profiles: readonly { readonly id: number; readonly name: string }[];
}

interface Named {
  readonly id: number;
  readonly name?: string | undefined;
}

/** `Node work (12)`: the ID stays readable after a long name. Plain text. */
function nameWithId({ id, name }: Named, longest: number): string {
  const words = clipText(cleanLine(name ?? ''), longest);
  return words ? `${words} (${id})` : `ID ${id}`;
}

/** By name. */
export function namedChoices(all: readonly Named[]): readonly InputChoice[] {
  return all
    .map((each) => ({ value: String(each.id), label: nameWithId(each, 55) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, 'en'));
}

function followedLabel({ kind, profile, profileName, organization, organizationName }: FollowedFeed): string {
  const what = kind === 'invitations' ? 'Invitations' : 'Proposal updates';
  const at =
    organization === undefined ? '' : ` at ${nameWithId({ id: organization, name: organizationName }, 12)}`;
  return `${what}: ${nameWithId({ id: profile, name: profileName }, at ? 16 : 36)}${at}`;
}

function followedBlocks({ followed }: SetupForm, { kept }: ReceiveInputs): KnownBlock[] {
  if (followed.length === 0) return [];
  return [
    multiSelectInput({
      id: receiveFields.followed,
      label: 'Posted now, at no cost',
      hint: 'Remove an entry to stop it. Existing messages stay.',
      choices: followed.map((feed) => ({ value: followedKey(feed), label: followedLabel(feed) })),
      initial: kept,
      optional: true,
    }),
  ];
}

function profileBlocks(
  { profiles }: SetupChoices,
  inputs: ReceiveInputs,
  isAnyFollowed: boolean,
): KnownBlock[] {
  const choices = namedChoices(profiles);
  const isKnown = choices.length > 0;
  return [
    checkboxesInput({
      id: receiveFields.feeds,
      label: isAnyFollowed ? 'Post more, at no cost' : 'Also post, at no cost',
      choices: [
        { label: "Invitations to your team's profiles", value: 'invitations' },
        { label: 'Proposal updates: views, interviews and hires', value: 'outcomes' },
      ],
      initial: inputs.feeds,
      optional: true,
    }),
    ...(isKnown
      ? [
          multiSelectInput({
            id: receiveFields.profiles,
            label: 'Profiles',
            placeholder: 'Choose profiles',
            choices,
            initial: inputs.profiles,
            optional: true,
          }),
        ]
      : []),
    textInput({
      id: receiveFields.profileIds,
      label: isKnown ? 'Profile IDs, if they are not in the list' : 'Profile IDs',
      placeholder: '301, 302',
      ...(isKnown ? {} : { hint: "Gigdesk hasn't seen any names yet. It learns them from proposals." }),
      initial: inputs.profileIds,
      maxLength: 300,
      optional: true,
    }),
  ];
}

const MOST_NAMED = 10;

/** For people who may not change them. */
function readOnlyAdminBlocks(form: SetupForm): KnownBlock[] {
  const users = usersOfEveryProject(form);
  const more = users.length > MOST_NAMED ? ` and ${users.length - MOST_NAMED} more` : '';
  const mentioned = users.slice(0, MOST_NAMED).map(formatMention).join(', ') || 'nobody';
  const credits = form.budget === 'off' ? 'no limit' : formatCount(Number(form.budget), 'credit');
  return [
    sectionBlock(
      joinLines(
        `*Updates in this channel:* ${LEVEL_LABELS[form.shown.level]}`,
        `*Mention on every new project:* ${mentioned}${more}`,
        `*Credits per billing period:* ${credits}`,
      ),
    ),
    contextBlock('Only admins of this channel can change these three.'),
  ];
}

function adminBlocks(form: SetupForm, { level, mentions, budget }: ReceiveInputs): KnownBlock[] {
  if (!form.isAdmin) return readOnlyAdminBlocks(form);
  return [
    selectInput({
      id: receiveFields.level,
      label: 'Updates in this channel',
      choices: NoiseLevel.options.map((value) => ({ value, label: LEVEL_LABELS[value] })),
      initial: level,
    }),
    usersInput({
      id: receiveFields.mentions,
      label: 'Mention on every new project',
      hint: 'For mentions by rules, use /gig settings.',
      initial: mentions,
      optional: true,
    }),
    textInput({
      id: receiveFields.budget,
      label: 'Credits per billing period',
      hint:
        'The most that this channel can spend. With fewer than 10 left, new projects wait. ' +
        'Enter “off” for no limit.',
      initial: budget,
      maxLength: 20,
      optional: true,
    }),
  ];
}

function digestBlocks({ digest, digestTime }: ReceiveInputs): KnownBlock[] {
  return [
    selectInput({
      id: receiveFields.digest,
      label: 'Daily digest',
      choices: [
        { label: 'None', value: 'off' },
        { label: 'Monday to Friday', value: 'weekdays' },
        { label: 'Every day', value: 'daily' },
      ],
      initial: digest,
    }),
    timeInput({
      id: receiveFields.digestTime,
      label: 'Digest time',
      hint: 'In your time zone.',
      initial: digestTime,
      optional: true,
    }),
  ];
}

export function receiveBlocks(form: SetupForm, choices: SetupChoices): KnownBlock[] {
  const inputs = currentReceiveInputs(form);
  return [
    ...followedBlocks(form, inputs),
    ...profileBlocks(choices, inputs, form.followed.length > 0),
    ...adminBlocks(form, inputs),
    ...digestBlocks(inputs),
  ];
}
