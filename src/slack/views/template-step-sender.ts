/** The first step: the template's name, who sees it, and who sends it, chosen from the marketplace's list or typed as ids. Pure. */
import type { KnownBlock } from '@slack/types';
import type { ProposalSender } from '../../marketplace/client.ts';
import type { MarketplaceError } from '../../marketplace/errors.ts';
import { findSender, readSenderType, senderWarning } from '../../templates/choose-sender.ts';
import { isAsked } from '../../templates/form.ts';
import { cleanLine } from '../blocks/clean-text.ts';
import { actionIds } from '../blocks/ids.ts';
import { limits } from '../blocks/limits.ts';
import { clip, safeLine } from '../blocks/mrkdwn.ts';
import { number } from '../blocks/numbers.ts';
import { button, context, section } from '../messages/parts.ts';
import { notesText } from '../messages/template-notes.ts';
import { NOT_ELIGIBLE, SENDER_TYPE_LABELS, VISIBILITY_LABELS } from '../messages/template-words.ts';
import { describeTrouble } from '../messages/trouble.ts';
import { type Choice, selectInput } from './inputs.ts';
import { menuInput, type StepFacts, typedInput } from './template-inputs.ts';
import { markBlocks } from './template-marks.ts';
import { inputId } from './template-place.ts';
import { idValue, OTHER } from './template-values.ts';

/** Beside “Other”. */
const MOST_CHOICES = limits.selectOptions.max - 1;
const TYPE_ID: Choice = { label: 'Other: enter an ID', value: OTHER };
const NAME = 45;

function organizationChoice({ organizationId, name, type }: ProposalSender): Choice {
  const kind = readSenderType(type);
  const facts = [...(kind === 'unknown' ? [] : [SENDER_TYPE_LABELS[kind]]), `#${organizationId}`];
  const words = clip(cleanLine(name ?? ''), NAME);
  return { label: `${words || 'Organization'} (${facts.join(', ')})`, value: idValue(organizationId) };
}

function contractorChoice({ uid, name }: ProposalSender['contractors'][number]): Choice {
  const words = clip(cleanLine(name ?? ''), NAME);
  const id = clip(cleanLine(uid), NAME / 2);
  return { label: words ? `${words} (${id})` : id, value: idValue(uid) };
}

/** As many as a menu takes, each value once; the chosen one is among them where it is listed at all. */
function offered(all: readonly Choice[], chosen: string): readonly Choice[] {
  const fit = all.filter(({ value }) => value.length <= limits.optionValue.max);
  const once = [...new Map(fit.map((choice) => [choice.value, choice])).values()];
  const first = once.slice(0, MOST_CHOICES);
  const missing = once.find(({ value }) => value === chosen);
  return missing && !first.includes(missing) ? [...first.slice(0, -1), missing] : first;
}

/** Senders that are not in the menu, which holds 100. */
function moreText(all: readonly unknown[], shown: readonly Choice[]): string {
  const more = all.length - shown.length;
  return more > 0 ? ` Not listed: ${number(more)} more. Choose “Other” to enter any ID.` : '';
}

function typedOrganization(facts: StepFacts): KnownBlock[] {
  const { organizationId } = facts.draft.form.sender;
  return typedInput(facts, 'sender.organizationId', organizationId);
}

function typedContractor(facts: StepFacts): KnownBlock[] {
  const { form } = facts.draft;
  const isNeeded = form.sender.type === 'agency';
  return typedInput(facts, 'sender.contractorUid', form.sender.contractorUid, { optional: !isNeeded });
}

function contractorBlocks(facts: StepFacts, { contractors }: ProposalSender): KnownBlock[] {
  const { place, marks, draft } = facts;
  const { contractorUid } = draft.form.sender;
  if (!isAsked(draft.form, 'sender.contractorUid')) return [];
  const choices = offered(contractors.map(contractorChoice), idValue(contractorUid.trim()));
  if (choices.length === 0) return typedContractor(facts);
  const isListed = choices.some(({ value }) => value === idValue(contractorUid.trim()));
  const isTyped = place.typing.contractor || (contractorUid.trim() !== '' && !isListed);
  const chosen = isTyped ? OTHER : contractorUid.trim() === '' ? undefined : idValue(contractorUid.trim());
  const menu = selectInput({
    id: inputId('menu.contractor', place),
    label: 'Contractor',
    hint: `An agency sends through one of its contractors. A freelancer profile sends for itself.${moreText(contractors, choices)}`,
    choices: [...choices, TYPE_ID],
    placeholder: 'Choose a contractor',
    ...(chosen === undefined ? {} : { initial: chosen }),
    dispatch: actionIds.templateChoice,
    optional: draft.form.sender.type !== 'agency',
  });
  return [menu, ...(isTyped ? typedContractor(facts) : markBlocks(marks, 'sender.contractorUid'))];
}

function listedBlocks(facts: StepFacts, senders: readonly ProposalSender[]): KnownBlock[] {
  const { place, marks, draft } = facts;
  const { organizationId } = draft.form.sender;
  const found = findSender(senders, organizationId);
  const isTyped = place.typing.organization || (organizationId.trim() !== '' && !found);
  const own = found && idValue(found.organizationId);
  const choices = offered(senders.map(organizationChoice), own ?? '');
  const chosen = isTyped ? OTHER : own;
  const menu = selectInput({
    id: inputId('menu.organization', place),
    label: 'Sender',
    hint: `Who bids with this template.${moreText(senders, choices)}`,
    choices: [...choices, TYPE_ID],
    placeholder: 'Choose an agency or freelancer profile',
    ...(chosen === undefined ? {} : { initial: chosen }),
    dispatch: actionIds.templateChoice,
  });
  if (isTyped) return [menu, ...typedOrganization(facts), ...typedContractor(facts)];
  return [
    menu,
    ...markBlocks(marks, 'sender.organizationId'),
    ...(found ? contractorBlocks(facts, found) : markBlocks(marks, 'sender.contractorUid')),
  ];
}

const WHERE_IDS_ARE =
  "You can type both IDs: `organization_id` and `contractor_uid` in the API's `GET /proposal-senders`. The person who runs Gigdesk can call it with its token. The marketplace's dashboard also shows them with the team's profiles.";

/** Where the list is, is documented by name only. */
function whyNot({ code }: MarketplaceError): string {
  return code === 'not-found' ? "the marketplace couldn't find the list" : describeTrouble(code).what;
}

function reload(label: string, words: string): KnownBlock {
  return section(words, button({ id: actionIds.templateSenders, label, value: 'reload' }));
}

function senderBlocks(facts: StepFacts): KnownBlock[] {
  const { senders, draft } = facts;
  switch (senders.kind) {
    case 'unasked':
    case 'loading': {
      const id = safeLine(draft.form.sender.organizationId, 40);
      const own = id ? ` Chosen organization: ${id}.` : '';
      return [
        context(`:hourglass_flowing_sand: Loading senders…${own}`),
        ...markBlocks(facts.marks, 'sender.organizationId'),
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

export function senderStep(facts: StepFacts): KnownBlock[] {
  const { form, from } = facts.draft;
  const warning = senderWarning(from?.senderType, form.sender.type);
  return [
    ...(from ? [section(notesText(from))] : []),
    ...typedInput(facts, 'name', form.name, { placeholder: 'Shops, calm tone' }),
    ...menuInput(facts, 'visibility', { labels: VISIBILITY_LABELS, chosen: form.visibility }),
    ...senderBlocks(facts),
    ...(warning ? [context(`:warning: ${NOT_ELIGIBLE}`)] : []),
  ];
}
