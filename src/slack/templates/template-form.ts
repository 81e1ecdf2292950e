/** The template builder: one modal, updated in place from step to step. Pure. */
import type { KnownBlock, ModalView, SectionBlock } from '@slack/types';
import { checkTemplateStep } from '../../templates/check-template.ts';
import { isFieldApplicable, TEMPLATE_STEPS, type TemplateStep } from '../../templates/form.ts';
import type { TemplateDraft } from '../../templates/records.ts';
import {
  actionsBlock,
  buttonElement,
  contextBlock,
  menuOption,
  plainTextObject,
  sectionBlock,
} from '../kit/block-builders.ts';
import { actionIds, viewIds } from '../kit/ids.ts';
import { answersStepBlocks } from './template-answer-views.ts';
import { templateCopyNoteText } from './template-copy-notes.ts';
import { stepFieldErrors, unplacedErrorBlocks } from './template-errors.ts';
import { type SendersState, type StepFacts, stepInputs } from './template-inputs.ts';
import { STEP_TITLES, TEMPLATE_BUILDER_TITLE } from './template-labels.ts';
import { type BuilderMetadata, inputsOf } from './template-metadata.ts';
import { canCreateTemplate, reviewStepBlocks } from './template-review.ts';
import { senderStepBlocks } from './template-step-sender.ts';

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

/** Mode, frequency and type decide which fields show. */
function ratesStepBlocks(facts: StepFacts): KnownBlock[] {
  return [
    sectionBlock('*Hourly jobs*'),
    ...modeNotes(facts),
    ...stepInputs(facts, 'hourly'),
    sectionBlock('*Fixed-price jobs*'),
    ...stepInputs(facts, 'fixedPrice'),
  ];
}

function lettersStepBlocks(facts: StepFacts): KnownBlock[] {
  if (isFieldApplicable(facts.draft.form, 'letters.variantA')) return stepInputs(facts, 'letters');
  const back = buttonElement({ id: actionIds.templateStep, label: `Go to ${STEP_TITLES.ai}`, value: 'ai' });
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

export function nextTemplateStep(step: TemplateStep): TemplateStep {
  return TEMPLATE_STEPS[TEMPLATE_STEPS.indexOf(step) + 1] ?? step;
}

/** The current step, and a menu of all steps that marks the complete ones. */
function stepMenu({ form, revision }: TemplateDraft, step: TemplateStep): SectionBlock {
  const options = TEMPLATE_STEPS.map((each, index) => {
    const done = each !== 'review' && checkTemplateStep(form, each).length === 0 ? ' ✓' : '';
    return menuOption(`${index + 1}. ${STEP_TITLES[each]}${done}`, each);
  });
  const here = TEMPLATE_STEPS.indexOf(step);
  const current = options[here];
  const words = `Step ${here + 1} of ${TEMPLATE_STEPS.length} · *${STEP_TITLES[step]}*`;
  const menu = sectionBlock(words, {
    type: 'static_select',
    action_id: actionIds.templateStep,
    options,
    ...(current ? { initial_option: current } : {}),
  });
  // Slack keeps a block's choice across updates: a new ID per view resets it.
  return { ...menu, block_id: `steps:${step}:${revision}` };
}

function backRow(step: TemplateStep): KnownBlock[] {
  const before = TEMPLATE_STEPS[TEMPLATE_STEPS.indexOf(step) - 1];
  if (before === undefined) return [];
  return [actionsBlock([buttonElement({ id: actionIds.templateStep, label: 'Back', value: before })])];
}

function submitWords({ draft, location }: BuilderFacts): string | undefined {
  if (location.step !== 'review') return 'Next';
  return canCreateTemplate(draft) ? 'Create Template' : undefined;
}

/** A step with the draft's values. */
export function builderView(facts: BuilderFacts): ModalView {
  const { draft, location, senders, note } = facts;
  const { step, channel, since = draft.revision, typing = NOT_TYPED, marks = false } = location;
  const place = { draft: draft.id, channel, step, revision: draft.revision, since, typing, marks };
  const content = STEPS[step]({ draft, place, senders, marks: stepFieldErrors(draft, step, marks) });
  const submit = submitWords(facts);
  const carried: BuilderMetadata = { ...place, inputs: inputsOf(content) };
  return {
    type: 'modal',
    callback_id: viewIds.template,
    private_metadata: JSON.stringify(carried),
    notify_on_close: true,
    title: plainTextObject(TEMPLATE_BUILDER_TITLE),
    ...(submit === undefined ? {} : { submit: plainTextObject(submit) }),
    close: plainTextObject('Close'),
    blocks: [
      ...(note ? [sectionBlock(note)] : []),
      stepMenu(draft, step),
      ...unplacedErrorBlocks(draft),
      ...content,
      ...backRow(step),
    ],
  };
}
