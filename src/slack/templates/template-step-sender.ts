/**
 * The first step: the template's name, its visibility, and its sender, chosen from the marketplace's list or
 * typed as IDs. Pure.
 */

import type { KnownBlock } from '@slack/types';
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { ProposalSender } from '../../marketplace/client.ts';
import type { MarketplaceError } from '../../marketplace/errors.ts';
import { findSenderByOrganizationId, parseSenderType, senderWarning } from '../../templates/choose-sender.ts';
import { isFieldApplicable } from '../../templates/form.ts';
import { buttonElement, contextBlock, sectionBlock } from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import { type InputChoice, selectInput } from '../kit/inputs.ts';
import { slackLimits } from '../kit/limits.ts';
import { cleanLine, clipText, safeLine } from '../kit/mrkdwn.ts';
import { formatNumber } from '../kit/numbers.ts';
import { describeMarketplaceFailure } from '../kit/words/marketplace-failure.ts';
import { templateCopyNotesText } from './template-copy-notes.ts';
import { fieldErrorBlocks } from './template-errors.ts';
import { type StepFacts, shortInput } from './template-inputs.ts';
import { SENDER_NOT_ELIGIBLE_WARNING, SENDER_TYPE_LABELS } from './template-labels.ts';
import { templateInputBlockId } from './template-metadata.ts';
import { OTHER_SENDER, senderIdValue } from './template-values.ts';

/** Next to “Other”. */
const MOST_CHOICES = slackLimits.selectOptions.max - 1;
const TYPE_ID: InputChoice = { label: 'Other: enter an ID', value: OTHER_SENDER };
const NAME = 45;

function organizationChoice({ organizationId, name, type }: ProposalSender): InputChoice {
  const kind = parseSenderType(type);
  const facts = [...(kind === 'unknown' ? [] : [SENDER_TYPE_LABELS[kind]]), `#${organizationId}`];
  const words = clipText(cleanLine(name ?? ''), NAME);
  return { label: `${words || 'Organization'} (${facts.join(', ')})`, value: senderIdValue(organizationId) };
}

function contractorChoice({ uid, name }: ProposalSender['contractors'][number]): InputChoice {
  const words = clipText(cleanLine(name ?? ''), NAME);
  const id = clipText(cleanLine(uid), NAME / 2);
  return { label: words ? `${words} (${id})` : id, value: senderIdValue(uid) };
}

/** As many as a menu can have, without repeats; includes the chosen one if the list has it. */
function offered(all: readonly InputChoice[], chosen: string): readonly InputChoice[] {
  const fit = all.filter(({ value }) => value.length <= slackLimits.optionValue.max);
  const once = [...new Map(fit.map((choice) => [choice.value, choice])).values()];
  const first = once.slice(0, MOST_CHOICES);
  const missing = once.find(({ value }) => value === chosen);
  return missing && !first.includes(missing) ? [...first.slice(0, -1), missing] : first;
}

/** Senders beyond the menu's limit of 100. */
function moreText(all: readonly unknown[], shown: readonly InputChoice[]): string {
  const more = all.length - shown.length;
  return more > 0 ? ` Not listed: ${formatNumber(more)} more. Choose “Other” to enter any ID.` : '';
}

function typedOrganization(facts: StepFacts): KnownBlock[] {
  const { organizationId } = facts.draft.form.sender;
  return shortInput(facts, 'sender.organizationId', organizationId);
}

function typedContractor(facts: StepFacts): KnownBlock[] {
  const { form } = facts.draft;
  const isNeeded = form.sender.type === 'agency';
  return shortInput(facts, 'sender.contractorUid', form.sender.contractorUid, !isNeeded);
}

function contractorBlocks(facts: StepFacts, { contractors }: ProposalSender): KnownBlock[] {
  const { place, marks, draft } = facts;
  const { contractorUid } = draft.form.sender;
  if (!isFieldApplicable(draft.form, 'sender.contractorUid')) return [];
  const choices = offered(contractors.map(contractorChoice), senderIdValue(contractorUid.trim()));
  if (choices.length === 0) return typedContractor(facts);
  const isListed = choices.some(({ value }) => value === senderIdValue(contractorUid.trim()));
  const isTyped = place.typing.contractor || (contractorUid.trim() !== '' && !isListed);
  const chosen = isTyped
    ? OTHER_SENDER
    : contractorUid.trim() === ''
      ? undefined
      : senderIdValue(contractorUid.trim());
  const menu = selectInput({
    id: templateInputBlockId('menu.contractor', place),
    label: 'Contractor',
    hint:
      'An agency sends through one of its contractors. ' +
      `A freelancer profile sends for itself.${moreText(contractors, choices)}`,
    choices: [...choices, TYPE_ID],
    placeholder: 'Choose a contractor',
    ...omitUndefined({ initial: chosen }),
    dispatch: actionIds.templateChoice,
    optional: draft.form.sender.type !== 'agency',
  });
  return [menu, ...(isTyped ? typedContractor(facts) : fieldErrorBlocks(marks, 'sender.contractorUid'))];
}

function listedBlocks(facts: StepFacts, senders: readonly ProposalSender[]): KnownBlock[] {
  const { place, marks, draft } = facts;
  const { organizationId } = draft.form.sender;
  const found = findSenderByOrganizationId(senders, organizationId);
  const isTyped = place.typing.organization || (organizationId.trim() !== '' && !found);
  const own = found && senderIdValue(found.organizationId);
  const choices = offered(senders.map(organizationChoice), own ?? '');
  const chosen = isTyped ? OTHER_SENDER : own;
  const menu = selectInput({
    id: templateInputBlockId('menu.organization', place),
    label: 'Sender',
    hint: `Who bids with this template.${moreText(senders, choices)}`,
    choices: [...choices, TYPE_ID],
    placeholder: 'Choose an agency or freelancer profile',
    ...omitUndefined({ initial: chosen }),
    dispatch: actionIds.templateChoice,
  });
  if (isTyped) return [menu, ...typedOrganization(facts), ...typedContractor(facts)];
  return [
    menu,
    ...fieldErrorBlocks(marks, 'sender.organizationId'),
    ...(found ? contractorBlocks(facts, found) : fieldErrorBlocks(marks, 'sender.contractorUid')),
  ];
}

const WHERE_IDS_ARE =
  "You can type both IDs: `organization_id` and `contractor_uid` in the API's `GET /proposal-senders`. " +
  'The person who runs Gigdesk can call it with its token. ' +
  "The marketplace's dashboard also shows them with the team's profiles.";

/** The list's endpoint is documented by name only. */
function whyNot({ code }: MarketplaceError): string {
  return code === 'not-found'
    ? "the marketplace couldn't find the list"
    : describeMarketplaceFailure(code).what;
}

function reload(label: string, words: string): KnownBlock {
  return sectionBlock(words, buttonElement({ id: actionIds.templateSenders, label, value: 'reload' }));
}

function senderBlocks(facts: StepFacts): KnownBlock[] {
  const { senders, draft } = facts;
  switch (senders.kind) {
    case 'unasked':
    case 'loading': {
      const id = safeLine(draft.form.sender.organizationId, 40);
      const own = id ? ` Chosen organization: ${id}.` : '';
      return [
        contextBlock(`:hourglass_flowing_sand: Loading senders…${own}`),
        ...fieldErrorBlocks(facts.marks, 'sender.organizationId'),
      ];
    }
    case 'known':
      if (senders.senders.length > 0) return listedBlocks(facts, senders.senders);
      return [
        ...typedOrganization(facts),
        ...typedContractor(facts),
        reload('Reload', `The marketplace lists no senders. ${WHERE_IDS_ARE}`),
      ];
    case 'unavailable':
      return [
        ...typedOrganization(facts),
        ...typedContractor(facts),
        reload('Reload', `:warning: Couldn't load the senders: ${whyNot(senders.why)}. ${WHERE_IDS_ARE}`),
      ];
  }
}

export function senderStepBlocks(facts: StepFacts): KnownBlock[] {
  const { form, from } = facts.draft;
  const warning = senderWarning(from?.senderType, form.sender.type);
  return [
    ...(from ? [sectionBlock(templateCopyNotesText(from))] : []),
    ...shortInput(facts, 'name', form.name),
    ...shortInput(facts, 'visibility', form.visibility),
    ...senderBlocks(facts),
    ...(warning ? [contextBlock(`:warning: ${SENDER_NOT_ELIGIBLE_WARNING}`)] : []),
  ];
}
