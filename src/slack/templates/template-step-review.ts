/** The last step: what is still missing, where to fix it, and what will be sent. Pure. */
import type { KnownBlock } from '@slack/types';
import { checkTemplateStep } from '../../templates/check-template.ts';
import { TEMPLATE_STEPS, type TemplateForm, type TemplateStep } from '../../templates/form.ts';
import { isCreationUncertain, type TemplateDraft } from '../../templates/records.ts';
import {
  actionsBlock,
  buttonElement,
  confirmDialog,
  joinLines,
  sectionBlock,
} from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import { formatDate } from '../kit/mrkdwn.ts';
import { formatCount } from '../kit/numbers.ts';
import { refusalReasonText } from '../kit/words/marketplace-failure.ts';
import { fieldNameText, refusedFieldsText, templateInputErrorsText } from './template-errors.ts';
import type { BuilderFieldErrors } from './template-field-errors.ts';
import type { StepFacts } from './template-inputs.ts';
import { STEP_TITLES } from './template-labels.ts';
import { templateReviewBlocks } from './template-review.ts';

const MOST_TOLD = 4;

/** Values of `templateStep`: a step; with a `!` before it, the step shows its mistakes. */
export function stepValueShowingErrors(step: TemplateStep): string {
  return `!${step}`;
}

function jump(step: TemplateStep) {
  const label = `Go to ${STEP_TITLES[step]}`;
  return buttonElement({ id: actionIds.templateStep, label, value: stepValueShowingErrors(step) });
}

function missingBlocks(form: TemplateForm): KnownBlock[] {
  const steps = TEMPLATE_STEPS.filter((step) => step !== 'review');
  return steps.flatMap((step) => {
    const mistakes = checkTemplateStep(form, step);
    if (mistakes.length === 0) return [];
    const head = `:warning: *${STEP_TITLES[step]}: ${formatCount(mistakes.length, 'thing')} to fix*`;
    return [
      sectionBlock(joinLines(head, templateInputErrorsText(mistakes, MOST_TOLD, fieldNameText)), jump(step)),
    ];
  });
}

/** The marketplace's errors about fields that are unchanged since. */
function refusedBlocks({ rejections }: BuilderFieldErrors): KnownBlock[] {
  const steps = [...new Set(rejections.map(({ step }) => step))];
  return steps.map((step) => {
    const placed = rejections.filter((it) => it.step === step);
    const head =
      `:no_entry_sign: *${STEP_TITLES[step]}: ` +
      `the marketplace rejected ${formatCount(placed.length, 'field')}*`;
    return sectionBlock(
      joinLines(head, refusedFieldsText({ placed, others: [] }, MOST_TOLD, fieldNameText)),
      jump(step),
    );
  });
}

/** The result of the last attempt, if it created no template. */
function attemptBlocks(draft: TemplateDraft): KnownBlock[] {
  const { state, refusal, answeredAt, attempt } = draft;
  const when = answeredAt === undefined ? '' : ` (${formatDate(answeredAt)})`;
  if (state !== 'refused' || !refusal)
    return isCreationUncertain(draft) ? doubtBlocks(`attempt ${attempt} created this template*${when}`) : [];
  const { code, serverMessage } = refusal;
  // Errors about single fields show at their fields, and above.
  const words = refusalReasonText({ code, serverMessage });
  return [
    sectionBlock(`:no_entry_sign: Attempt ${attempt} was rejected${when}: ${words}.`),
    ...(isCreationUncertain(draft) ? doubtBlocks('an earlier attempt created this template*') : []),
  ];
}

/** The warning before an attempt that may create a second template. @param which completes the bold text */
function doubtBlocks(which: string): KnownBlock[] {
  return [
    sectionBlock(
      `:grey_question: *We don't know if ${which}. ` +
        "Check the templates in the marketplace's dashboard first. " +
        "The marketplace doesn't detect repeats, so another attempt may create a second one.",
    ),
    actionsBlock([
      {
        ...buttonElement({
          id: actionIds.templateCreateAgain,
          label: 'Create Again',
          value: 'create',
          confirm: confirmDialog(
            'Create again?',
            'If the earlier attempt created the template, there will be 2 of them.',
            'Create Again',
          ),
        }),
        style: 'danger',
      },
    ]),
  ];
}

export function isTemplateComplete({ form }: TemplateDraft): boolean {
  return checkTemplateStep(form, 'review').length === 0;
}

/** Whether it can be created without a confirmation; not while an earlier attempt's outcome is unknown. */
export function canCreateTemplate(draft: TemplateDraft): boolean {
  return !isCreationUncertain(draft) && isTemplateComplete(draft);
}

export function reviewStepBlocks({ draft, marks, senders }: StepFacts): KnownBlock[] {
  const { form, from } = draft;
  return [
    ...(isTemplateComplete(draft) ? attemptBlocks(draft) : missingBlocks(form)),
    ...refusedBlocks(marks),
    ...templateReviewBlocks(form, {
      ...(from ? { from } : {}),
      ...(senders.kind === 'known' ? { senders: senders.senders } : {}),
    }),
  ];
}
