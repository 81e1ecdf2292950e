/** The fields for what else a channel gets: of the setup form's second step, and of an edited one. Pure. */
import type { KnownBlock } from '@slack/types';
import type { NamedFilter } from '../../feed/feed.ts';
import {
  checkboxesInput,
  type InputChoice,
  multiSelectInput,
  selectInput,
  textInput,
  timeInput,
} from '../kit/inputs.ts';
import { cleanLine, clipText } from '../kit/mrkdwn.ts';
import { currentReceiveInputs, followedKey, receiveFields } from './setup-answers.ts';
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
      hint: isKnown ? undefined : "Gigdesk hasn't seen any names yet. It learns them from proposals.",
      initial: inputs.profileIds,
      maxLength: 300,
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
    ...digestBlocks(inputs),
  ];
}
