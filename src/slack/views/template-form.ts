/** The template builder: one modal, updated in place from step to step. Pure. */
import type { KnownBlock, ModalView, SectionBlock } from '@slack/types';
import { checkStep } from '../../templates/check-template.ts';
import { TEMPLATE_STEPS, type TemplateStep } from '../../templates/form.ts';
import type { TemplateDraft } from '../../templates/records.ts';
import { actionIds, viewIds } from '../blocks/ids.ts';
import { actions, button, option, plain, section } from '../messages/parts.ts';
import { STEP_TITLES, TEMPLATE_TITLE } from '../messages/template-words.ts';
import type { Senders, StepFacts } from './template-inputs.ts';
import { marksOf, otherWordsBlocks } from './template-marks.ts';
import { type BuilderPlace, type InputName, nameOfBlock } from './template-place.ts';
import { answersStep } from './template-step-answers.ts';
import { ratesStep } from './template-step-rates.ts';
import { canCreate, reviewStep } from './template-step-review.ts';
import { senderStep } from './template-step-sender.ts';
import { aiStep, lettersStep } from './template-step-texts.ts';

/** Where in the builder somebody is; what is missing begins anew. */
export type BuilderSpot = Pick<BuilderPlace, 'channel' | 'step'> &
  Partial<Pick<BuilderPlace, 'since' | 'typing' | 'marks'>>;

export interface BuilderFacts {
  readonly draft: TemplateDraft;
  readonly spot: BuilderSpot;
  readonly senders: Senders;
  /** Something to say first; harmless mrkdwn. */
  readonly note?: string;
}

const STEPS: Readonly<Record<TemplateStep, (facts: StepFacts) => KnownBlock[]>> = {
  sender: senderStep,
  rates: ratesStep,
  ai: aiStep,
  letters: lettersStep,
  answers: answersStep,
  review: reviewStep,
};

const NOT_TYPED = { organization: false, contractor: false };

export function nextStep(step: TemplateStep): TemplateStep {
  return TEMPLATE_STEPS[TEMPLATE_STEPS.indexOf(step) + 1] ?? step;
}

/** Where one stands, and a menu of all steps, which tells those that are complete. */
function stepMenu({ form, revision }: TemplateDraft, step: TemplateStep): SectionBlock {
  const options = TEMPLATE_STEPS.map((each, index) => {
    const done = each !== 'review' && checkStep(form, each).length === 0 ? ' ✓' : '';
    return option(`${index + 1}. ${STEP_TITLES[each]}${done}`, each);
  });
  const here = TEMPLATE_STEPS.indexOf(step);
  const current = options[here];
  const words = `Step ${here + 1} of ${TEMPLATE_STEPS.length} · *${STEP_TITLES[step]}*`;
  const menu = section(words, {
    type: 'static_select',
    action_id: actionIds.templateStep,
    options,
    ...(current ? { initial_option: current } : {}),
  });
  // Slack keeps what is chosen in a block: this one begins anew with each view.
  return { ...menu, block_id: `steps:${step}:${revision}` };
}

function backRow(step: TemplateStep): KnownBlock[] {
  const before = TEMPLATE_STEPS[TEMPLATE_STEPS.indexOf(step) - 1];
  if (before === undefined) return [];
  return [actions([button({ id: actionIds.templateStep, label: 'Back', value: before })])];
}

function submitWords({ draft, spot }: BuilderFacts): string | undefined {
  if (spot.step !== 'review') return 'Next';
  return canCreate(draft) ? 'Create Template' : undefined;
}

function inputsOf(blocks: readonly KnownBlock[]): InputName[] {
  const names = blocks.flatMap((block) =>
    block.type === 'input' ? (nameOfBlock(block.block_id ?? '') ?? []) : [],
  );
  return [...new Set(names)];
}

/** A step, filled in as the draft has it. */
export function builderView(facts: BuilderFacts): ModalView {
  const { draft, spot, senders, note } = facts;
  const { step, channel, since = draft.revision, typing = NOT_TYPED, marks = false } = spot;
  const place = { draft: draft.id, channel, step, revision: draft.revision, since, typing, marks };
  const content = STEPS[step]({ draft, place, senders, marks: marksOf(draft, step, marks) });
  const submit = submitWords(facts);
  const carried: BuilderPlace = { ...place, inputs: inputsOf(content) };
  return {
    type: 'modal',
    callback_id: viewIds.template,
    private_metadata: JSON.stringify(carried),
    notify_on_close: true,
    title: plain(TEMPLATE_TITLE),
    ...(submit === undefined ? {} : { submit: plain(submit) }),
    close: plain('Close'),
    blocks: [
      ...(note ? [section(note)] : []),
      stepMenu(draft, step),
      ...otherWordsBlocks(draft),
      ...content,
      ...backRow(step),
    ],
  };
}
