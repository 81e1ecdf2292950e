/** The template builder: one modal, updated in place from step to step. Pure. */
import type { KnownBlock, ModalView, SectionBlock } from '@slack/types';
import type { ProposalSender } from '../../marketplace/client.ts';
import type { MarketplaceError } from '../../marketplace/errors.ts';
import { checkTemplateStep } from '../../templates/check-template.ts';
import { isFieldApplicable } from '../../templates/fields.ts';
import { TEMPLATE_STEPS, type TemplateStep } from '../../templates/form.ts';
import { findSenderByOrganizationId, parseSenderType, senderWarning } from '../../templates/prefill-form.ts';
import type { TemplateDraft } from '../../templates/templates.ts';
import {
  actionsBlock,
  buttonElement,
  contextBlock,
  menuOption,
  plainTextObject,
  sectionBlock,
} from '../kit/block-builders.ts';
import { actionIds, viewIds } from '../kit/ids.ts';
import { type InputChoice, selectInput } from '../kit/inputs.ts';
import { slackLimits } from '../kit/limits.ts';
import { cleanLine, clipText, safeLine } from '../kit/mrkdwn.ts';
import { formatNumber } from '../kit/numbers.ts';
import { alertBlock } from '../kit/rich-blocks.ts';
import { describeMarketplaceFailure } from '../kit/words/marketplace-failure.ts';
import { answersStepBlocks } from './template-answer-views.ts';
import { templateCopyNotesText, templateCopyNoteText } from './template-details.ts';
import { fieldErrorBlocks, locateRefusedFields, unplacedErrorBlocks } from './template-errors.ts';
import {
  SENDER_NOT_ELIGIBLE_WARNING,
  SENDER_TYPE_LABELS,
  STEP_TITLES,
  TEMPLATE_BUILDER_TITLE,
} from './template-fields.ts';
import { type SendersState, type StepFacts, shortInput, stepInputs } from './template-inputs.ts';
import { canCreateTemplate, reviewStepBlocks } from './template-review.ts';
import {
  type BuilderMetadata,
  inputsOf,
  OTHER_SENDER,
  senderIdValue,
  templateInputBlockId,
} from './template-values.ts';

/** The user's place in the builder; missing parts get defaults. */
export type BuilderLocation = Pick<BuilderMetadata, 'channel' | 'step'> &
  Partial<Pick<BuilderMetadata, 'since' | 'typing' | 'marks'>>;

export interface BuilderFacts {
  readonly draft: TemplateDraft;
  readonly location: BuilderLocation;
  readonly senders: SendersState;
  /** A notice at the top; safe mrkdwn. */
  readonly note?: string;
}

/** Why the user must choose a mode, if the source template is the reason. */
function modeNotes({ draft }: StepFacts): KnownBlock[] {
  if (draft.form.hourly.mode !== '') return [];
  const notes = (draft.from?.notes ?? []).filter(
    (note) => note.kind === 'flexible-rate' || (note.kind === 'choice' && note.field === 'hourly.mode'),
  );
  return notes.map((note) => contextBlock(templateCopyNoteText(note)));
}

function ratesStepBlocks(facts: StepFacts): KnownBlock[] {
  return [
    sectionBlock('*Hourly projects*'),
    ...modeNotes(facts),
    ...stepInputs(facts, 'hourly'),
    sectionBlock('*Fixed-price projects*'),
    ...stepInputs(facts, 'fixedPrice'),
  ];
}

function lettersStepBlocks(facts: StepFacts): KnownBlock[] {
  if (isFieldApplicable(facts.draft.form, 'letters.variantA')) return stepInputs(facts, 'letters');
  const back = buttonElement({
    id: actionIds.templateStep,
    label: 'Open Step',
    value: 'ai',
    accessibilityLabel: `Open the step ${STEP_TITLES.ai}`,
  });
  return [
    sectionBlock(
      'Without the template structure, the AI ignores cover letters, so this step has no fields. ' +
        'Existing letters stay in the draft.',
      back,
    ),
  ];
}

const STEPS: Readonly<Record<TemplateStep, (facts: StepFacts) => KnownBlock[]>> = {
  sender: senderStepBlocks,
  rates: ratesStepBlocks,
  ai: (facts) => stepInputs(facts, 'ai'),
  letters: lettersStepBlocks,
  answers: answersStepBlocks,
  review: reviewStepBlocks,
};

const NOT_TYPED = { organization: false, contractor: false };

function stepMenu({ form, revision }: TemplateDraft, step: TemplateStep): SectionBlock {
  const options = TEMPLATE_STEPS.map((each, index) => {
    const done = each !== 'review' && checkTemplateStep(form, each).length === 0 ? ' ✓' : '';
    return menuOption(`${index + 1}. ${STEP_TITLES[each]}${done}`, each);
  });
  const here = TEMPLATE_STEPS.indexOf(step);
  const words = `Step ${here + 1} of ${TEMPLATE_STEPS.length} · *${STEP_TITLES[step]}*`;
  const menu = sectionBlock(words, {
    type: 'static_select',
    action_id: actionIds.templateStep,
    options,
    initial_option: options[here],
  });
  // Slack keeps a block's choice across updates: a new ID per view resets it.
  return { ...menu, block_id: `steps:${step}:${revision}` };
}

/** A step with the draft's values. */
export function builderView({ draft, location, senders, note }: BuilderFacts): ModalView {
  const { step, channel, since = draft.revision, typing = NOT_TYPED, marks = false } = location;
  const place = { draft: draft.id, channel, step, revision: draft.revision, since, typing, marks };
  const errors = {
    inputErrors: checkTemplateStep(draft.form, step),
    rejections: locateRefusedFields(draft).placed,
    shouldShowAll: marks,
  };
  const content = STEPS[step]({ draft, place, senders, marks: errors });
  const submit = step !== 'review' ? 'Next' : canCreateTemplate(draft) ? 'Create Template' : undefined;
  const before = TEMPLATE_STEPS[TEMPLATE_STEPS.indexOf(step) - 1];
  const carried: BuilderMetadata = { ...place, inputs: inputsOf(content) };
  return {
    type: 'modal',
    callback_id: viewIds.template,
    private_metadata: JSON.stringify(carried),
    notify_on_close: true,
    title: plainTextObject(TEMPLATE_BUILDER_TITLE),
    submit: submit === undefined ? undefined : plainTextObject(submit),
    close: plainTextObject('Close'),
    blocks: [
      ...(note ? [sectionBlock(note)] : []),
      stepMenu(draft, step),
      ...unplacedErrorBlocks(draft),
      ...content,
      ...(before
        ? [actionsBlock([buttonElement({ id: actionIds.templateStep, label: 'Back', value: before })])]
        : []),
    ],
  };
}

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

function moreText(all: readonly unknown[], shown: readonly InputChoice[]): string {
  const more = all.length - shown.length;
  return more > 0 ? ` Not listed: ${formatNumber(more)} more. Choose “Other” to enter any ID.` : '';
}

function typedContractor(facts: StepFacts): KnownBlock[] {
  const { contractorUid, type } = facts.draft.form.sender;
  return shortInput(facts, 'sender.contractorUid', contractorUid, type !== 'agency');
}

function contractorBlocks(facts: StepFacts, { contractors }: ProposalSender): KnownBlock[] {
  const { place, marks, draft } = facts;
  if (!isFieldApplicable(draft.form, 'sender.contractorUid')) return [];
  const uid = draft.form.sender.contractorUid.trim();
  const choices = offered(contractors.map(contractorChoice), senderIdValue(uid));
  if (choices.length === 0) return typedContractor(facts);
  const isListed = choices.some(({ value }) => value === senderIdValue(uid));
  const isTyped = place.typing.contractor || (uid !== '' && !isListed);
  const chosen = isTyped ? OTHER_SENDER : uid === '' ? undefined : senderIdValue(uid);
  const menu = selectInput({
    id: templateInputBlockId('menu.contractor', place),
    label: 'Contractor',
    hint:
      'An agency sends through one of its contractors. ' +
      `A freelancer profile sends for itself.${moreText(contractors, choices)}`,
    choices: [...choices, TYPE_ID],
    placeholder: 'Choose a contractor',
    initial: chosen,
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
  const menu = selectInput({
    id: templateInputBlockId('menu.organization', place),
    label: 'Sender',
    hint: `Who bids with this template.${moreText(senders, choices)}`,
    choices: [...choices, TYPE_ID],
    placeholder: 'Choose an agency or freelancer profile',
    initial: isTyped ? OTHER_SENDER : own,
    dispatch: actionIds.templateChoice,
  });
  if (isTyped)
    return [menu, ...shortInput(facts, 'sender.organizationId', organizationId), ...typedContractor(facts)];
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

/** Inputs for both IDs. @param why there is no list */
function typedSenderBlocks(facts: StepFacts, why: string): KnownBlock[] {
  const reload = buttonElement({ id: actionIds.templateSenders, label: 'Reload', value: 'reload' });
  return [
    ...shortInput(facts, 'sender.organizationId', facts.draft.form.sender.organizationId),
    ...typedContractor(facts),
    sectionBlock(`${why} ${WHERE_IDS_ARE}`, reload),
  ];
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
      return senders.senders.length > 0
        ? listedBlocks(facts, senders.senders)
        : typedSenderBlocks(facts, 'The marketplace lists no senders.');
    case 'unavailable':
      return typedSenderBlocks(facts, `:warning: Couldn't load the senders: ${whyNot(senders.why)}.`);
  }
}

function senderStepBlocks(facts: StepFacts): KnownBlock[] {
  const { form, from } = facts.draft;
  const warning = senderWarning(from?.senderType, form.sender.type);
  return [
    ...(from ? [sectionBlock(templateCopyNotesText(from))] : []),
    ...shortInput(facts, 'name', form.name),
    ...shortInput(facts, 'visibility', form.visibility),
    ...senderBlocks(facts),
    ...(warning ? [alertBlock('warning', SENDER_NOT_ELIGIBLE_WARNING)] : []),
  ];
}
