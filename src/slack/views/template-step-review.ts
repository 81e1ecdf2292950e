/** The last step: what is still missing, where it is put right, and what will be sent. Pure. */
import type { KnownBlock } from '@slack/types';
import { checkStep } from '../../templates/check-template.ts';
import { TEMPLATE_STEPS, type TemplateForm, type TemplateStep } from '../../templates/form.ts';
import { isInDoubt, type TemplateDraft } from '../../templates/records.ts';
import { actionIds } from '../blocks/ids.ts';
import { date } from '../blocks/mrkdwn.ts';
import { count } from '../blocks/numbers.ts';
import { actions, button, confirm, lines, section } from '../messages/parts.ts';
import { refusalWords } from '../messages/refusal-words.ts';
import { fieldText, mistakesText, refusedFieldsText } from '../messages/template-places.ts';
import { reviewBlocks } from '../messages/template-review.ts';
import { STEP_TITLES } from '../messages/template-words.ts';
import type { StepFacts } from './template-inputs.ts';
import type { Marks } from './template-marks.ts';

const MOST_TOLD = 4;

/** Values of `templateStep`: a step, which shows its mistakes where a sign stands before it. */
export function stepWithMarks(step: TemplateStep): string {
  return `!${step}`;
}

function jump(step: TemplateStep) {
  const label = `Go to ${STEP_TITLES[step]}`;
  return button({ id: actionIds.templateStep, label, value: stepWithMarks(step) });
}

function missingBlocks(form: TemplateForm): KnownBlock[] {
  const steps = TEMPLATE_STEPS.filter((step) => step !== 'review');
  return steps.flatMap((step) => {
    const mistakes = checkStep(form, step);
    if (mistakes.length === 0) return [];
    const head = `:warning: *${STEP_TITLES[step]}: ${count(mistakes.length, 'thing')} to fix*`;
    return [section(lines(head, mistakesText(mistakes, MOST_TOLD, fieldText)), jump(step))];
  });
}

/** What the marketplace refused and nobody has changed since. */
function refusedBlocks({ said }: Marks): KnownBlock[] {
  const steps = [...new Set(said.map(({ step }) => step))];
  return steps.map((step) => {
    const placed = said.filter((it) => it.step === step);
    const head = `:no_entry_sign: *${STEP_TITLES[step]}: the marketplace rejected ${count(placed.length, 'field')}*`;
    return section(lines(head, refusedFieldsText({ placed, others: [] }, MOST_TOLD, fieldText)), jump(step));
  });
}

/** What came of the last attempt, where it made no template. */
function attemptBlocks(draft: TemplateDraft): KnownBlock[] {
  const { state, refusal, answeredAt, attempt } = draft;
  const when = answeredAt === undefined ? '' : `, ${date(answeredAt)}`;
  if (state !== 'refused' || !refusal)
    return isInDoubt(draft) ? doubtBlocks(`attempt ${attempt} created this template*${when}`) : [];
  const { code, serverMessage } = refusal;
  // What it said of single fields stands at these, and above.
  const words = refusalWords({ code, serverMessage });
  return [
    section(`:no_entry_sign: Attempt ${attempt} was rejected${when}: ${words}.`),
    ...(isInDoubt(draft) ? doubtBlocks('an earlier attempt created this template*') : []),
  ];
}

/** The question that comes before an attempt which may make a second template. @param which ends what is in bold */
function doubtBlocks(which: string): KnownBlock[] {
  return [
    section(
      `:grey_question: *We don't know whether ${which}. Check the templates in the marketplace's dashboard first. The marketplace doesn't recognize a repeat, so another attempt may create a second one.`,
    ),
    actions([
      {
        ...button({
          id: actionIds.templateCheck,
          label: 'Create Again',
          value: 'create',
          confirm: confirm(
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

export function isComplete({ form }: TemplateDraft): boolean {
  return checkStep(form, 'review').length === 0;
}

/** Whether it is sent by a press that asks nothing; one whose fate is unknown is not. */
export function canCreate(draft: TemplateDraft): boolean {
  return !isInDoubt(draft) && isComplete(draft);
}

export function reviewStep({ draft, marks, senders }: StepFacts): KnownBlock[] {
  const { form, from } = draft;
  return [
    ...(isComplete(draft) ? attemptBlocks(draft) : missingBlocks(form)),
    ...refusedBlocks(marks),
    ...reviewBlocks(form, {
      ...(from ? { from } : {}),
      ...(senders.kind === 'known' ? { senders: senders.senders } : {}),
    }),
  ];
}
