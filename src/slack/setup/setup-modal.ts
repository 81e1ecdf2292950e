/**
 * The setup form's two steps: which projects, then what else the channel gets. To edit a subscription, both
 * are one. Opens from stored data, and is redrawn once newer names are known. Pure.
 */
import type { KnownBlock, ModalView } from '@slack/types';
import { MIN_PROJECTS_PAGE_SIZE } from '../../credits/credits.ts';
import type { NamedFilter } from '../../feed/feed.ts';
import { MAX_QUERY_LENGTH } from '../../query/parse-query.ts';
import { channelUnreachableMessage } from '../core/failures.ts';
import {
  actionsBlock,
  buttonElement,
  DIVIDER,
  formView,
  sectionBlock,
  sectionBlocks,
} from '../kit/block-builders.ts';
import { actionIds, viewIds } from '../kit/ids.ts';
import {
  checkboxesInput,
  type InputChoice,
  multiSelectInput,
  selectInput,
  textInput,
  timeInput,
} from '../kit/inputs.ts';
import { channelLink, cleanLine, clipText } from '../kit/mrkdwn.ts';
import { formatCount } from '../kit/numbers.ts';
import { alertBlock } from '../kit/rich-blocks.ts';
import { filterName } from '../kit/words/filters.ts';
import { ANY_TYPE, currentReceiveInputs, filterFields, followedKey, receiveFields } from './setup-answers.ts';
import type { FollowedFeed, ReceiveInputs, SetupForm } from './setup-forms.ts';

export const SETUP_TITLE = 'Set Up Channel';
export const EDIT_TITLE = 'Edit Subscription';
/** The most that asking the marketplace for a preview costs: one page. */
export const PREVIEW_COST = MIN_PROJECTS_PAGE_SIZE;

/** The values of the longest rules that are allowed, with a blank behind each comma. */
const LONGEST_RULE = 2 * MAX_QUERY_LENGTH;

/** What the menus offer. */
export interface SetupChoices {
  readonly filters: readonly NamedFilter[];
  /** Names are strangers' text. */
  readonly profiles: readonly { readonly id: number; readonly name: string }[];
}

/** `Node work (12)`: the ID stays readable after a long name. Plain text. */
function nameWithId(id: number, name: string | undefined, longest: number): string {
  const words = clipText(cleanLine(name ?? ''), longest);
  return words ? `${words} (${id})` : `ID ${id}`;
}

function namedChoices(all: readonly NamedFilter[] | SetupChoices['profiles']): readonly InputChoice[] {
  return all
    .map(({ id, name }) => ({ value: String(id), label: nameWithId(id, name, 55) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, 'en'));
}

function filterBlocks({ edited, answers }: SetupForm, { filters }: SetupChoices): KnownBlock[] {
  if (edited) return [sectionBlock(`Filter: *${filterName({ id: edited.filter, name: edited.name })}*`)];
  const choices = namedChoices(filters);
  const isKnown = choices.length > 0;
  return [
    isKnown
      ? selectInput({
          id: filterFields.filter,
          label: 'Filter',
          placeholder: 'Choose a filter',
          hint: 'Your saved filters in the marketplace, as far as Gigdesk knows them.',
          choices,
          initial: answers.chosen,
          optional: true,
        })
      : sectionBlock("Gigdesk hasn't seen any filter names yet. It learns them from setups and proposals."),
    textInput({
      id: filterFields.filterId,
      label: isKnown ? 'Filter ID, if it is not in the list' : 'Filter ID',
      hint:
        "The number in the filter's dashboard URL. " +
        'Leave it empty to get only invitations or proposal updates.',
      placeholder: '123',
      initial: answers.typedId,
      maxLength: 20,
      optional: true,
    }),
  ];
}

function ruleBlocks({ rules }: SetupForm['answers']): KnownBlock[] {
  return [
    textInput({
      id: filterFields.minBudget,
      label: 'Project budget of at least',
      placeholder: '500',
      hint: 'In dollars. Leave any of these fields empty to get every project.',
      initial: rules.minBudget,
      maxLength: 20,
      optional: true,
    }),
    selectInput({
      id: filterFields.type,
      label: 'Project type',
      choices: [
        { label: 'Fixed price or hourly', value: ANY_TYPE },
        { label: 'Only fixed price', value: 'fixed' },
        { label: 'Only hourly', value: 'hourly' },
      ],
      initial: rules.type === '' ? ANY_TYPE : rules.type,
    }),
    textInput({
      id: filterFields.countries,
      label: 'Only clients in these countries',
      placeholder: 'US, Germany, United Kingdom',
      initial: rules.countries,
      maxLength: LONGEST_RULE,
      optional: true,
    }),
    textInput({
      id: filterFields.minRating,
      label: 'Client rating of at least',
      placeholder: '4.5',
      initial: rules.minRating,
      maxLength: 10,
      optional: true,
    }),
    checkboxesInput({
      id: filterFields.verified,
      label: 'Payment method',
      choices: [{ label: 'Only clients with a verified payment method', value: 'yes' }],
      initial: rules.verified ? ['yes'] : [],
      optional: true,
    }),
    textInput({
      id: filterFields.without,
      label: 'Hide projects with these words',
      placeholder: 'wordpress, data entry',
      initial: rules.without,
      maxLength: LONGEST_RULE,
      optional: true,
    }),
    textInput({
      id: filterFields.more,
      label: 'More rules',
      hint: 'For example: react hires:>=3 -skill:php. /gig help subscribe lists them all.',
      initial: rules.more,
      maxLength: LONGEST_RULE,
      optional: true,
    }),
  ];
}

function previewBlocks({ preview }: SetupForm): KnownBlock[] {
  const free = buttonElement({ id: actionIds.setupPreview, label: 'Preview Rules', value: 'stored' });
  const paid = buttonElement({
    id: actionIds.setupPreviewBuy,
    label: `Preview (${formatCount(PREVIEW_COST, 'Credit')})`,
    value: 'buy',
    accessibilityLabel: `Preview for up to ${formatCount(PREVIEW_COST, 'credit')}`,
  });
  return [...sectionBlocks(preview?.rows ?? []), actionsBlock([free, ...(preview?.isPaid ? [paid] : [])])];
}

function topBlocks({ channel, edited, unreachable }: SetupForm): KnownBlock[] {
  const what = edited
    ? `*Rules for ${channelLink(channel)}.* They apply to new projects. Existing cards stay.`
    : `*Which projects should ${channelLink(channel)} get?* ` +
      'Setup costs no credits. After you save, each new project costs at most 1 credit.';
  if (unreachable === undefined) return [sectionBlock(what)];
  return [sectionBlock(what), alertBlock('warning', channelUnreachableMessage(unreachable).text)];
}

function followedLabel({ kind, profile, profileName, organization, organizationName }: FollowedFeed): string {
  const what = kind === 'invitations' ? 'Invitations' : 'Proposal updates';
  const at = organization === undefined ? '' : ` at ${nameWithId(organization, organizationName, 12)}`;
  return `${what}: ${nameWithId(profile, profileName, at ? 16 : 36)}${at}`;
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

function receiveBlocks(form: SetupForm, choices: SetupChoices): KnownBlock[] {
  const inputs = currentReceiveInputs(form);
  return [
    ...followedBlocks(form, inputs),
    ...profileBlocks(choices, inputs, form.followed.length > 0),
    ...digestBlocks(inputs),
  ];
}

function editBlocks(form: SetupForm, choices: SetupChoices): KnownBlock[] {
  return [
    DIVIDER,
    sectionBlock(
      `*For all of ${channelLink(form.channel)}.* These apply to the channel, not only to this filter. ` +
        'Its other settings are in `/gig settings`.',
    ),
    ...receiveBlocks(form, choices),
  ];
}

/** The first step; for an edited subscription, all of the form. */
export function setupModal(form: SetupForm, choices: SetupChoices): ModalView {
  const words = form.edited ? { title: EDIT_TITLE, submit: 'Save' } : { title: SETUP_TITLE, submit: 'Next' };
  return formView({ id: viewIds.setup, carries: form.id, ...words }, [
    ...topBlocks(form),
    ...filterBlocks(form, choices),
    ...ruleBlocks(form.answers),
    ...previewBlocks(form),
    ...(form.edited ? editBlocks(form, choices) : []),
  ]);
}

/** The second step. @param filter the choice of the first; undefined: none */
export function receiveModal(
  form: SetupForm,
  choices: SetupChoices,
  filter: NamedFilter | undefined,
): ModalView {
  const projects = filter
    ? `New projects from *${filterName(filter)}* will be posted in ${channelLink(form.channel)}.`
    : `No filter chosen, so this adds no new projects to ${channelLink(form.channel)}.`;
  const back = buttonElement({ id: actionIds.setupBack, label: 'Back', value: 'back' });
  return formView({ id: viewIds.setupReceive, carries: form.id, title: SETUP_TITLE, submit: 'Save' }, [
    sectionBlock(projects, back),
    ...receiveBlocks(form, choices),
  ]);
}
