/**
 * The last step: what is still missing, where to fix it, and what the template will send, field by field.
 * Pure.
 */
import type { KnownBlock } from '@slack/types';
import { checkTemplateStep } from '../../templates/check-template.ts';
import { isFieldApplicable, TEMPLATE_FIELDS, templateFieldText } from '../../templates/fields.ts';
import {
  MAX_SCREENING_ANSWERS,
  type ScreeningAnswer,
  TEMPLATE_STEPS,
  type TemplateForm,
  type TemplateStep,
} from '../../templates/form.ts';
import { findSenderByOrganizationId, senderWarning } from '../../templates/prefill-form.ts';
import { isCreationUncertain, type TemplateDraft } from '../../templates/templates.ts';
import { countCharacters } from '../../typed/texts.ts';
import {
  actionsBlock,
  buttonElement,
  confirmDialog,
  joinLines,
  plainTextSection,
  sectionBlock,
} from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import { cleanText, clipText, formatDate, safeLine } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import { alertBlock } from '../kit/rich-blocks.ts';
import { refusalReasonText } from '../kit/words/marketplace-failure.ts';
import {
  type BuilderFieldErrors,
  fieldNameText,
  refusedFieldsText,
  templateInputErrorsText,
} from './template-errors.ts';
import {
  applicableFields,
  emptyText,
  fieldReviewLine,
  MISSING,
  NOT_SET,
  SENDER_NOT_ELIGIBLE_WARNING,
  SENDER_TYPE_LABELS,
  STEP_TITLES,
  type TemplateInputField,
} from './template-fields.ts';
import type { StepFacts } from './template-inputs.ts';

const MOST_TOLD = 4;

/** To a step, which then shows its mistakes. */
function jump(step: TemplateStep) {
  return buttonElement({
    id: actionIds.templateStep,
    label: 'Open Step',
    value: `!${step}`,
    accessibilityLabel: `Open the step ${STEP_TITLES[step]}`,
  });
}

function missingBlocks(form: TemplateForm): KnownBlock[] {
  const steps = TEMPLATE_STEPS.filter((step) => step !== 'review');
  const found = steps
    .map((step) => ({ step, mistakes: checkTemplateStep(form, step) }))
    .filter(({ mistakes }) => mistakes.length > 0);
  const count = found.reduce((sum, { mistakes }) => sum + mistakes.length, 0);
  if (count === 0) return [];
  return [
    alertBlock('warning', `Fix ${formatCount(count, 'thing')} before you create this template.`),
    ...found.map(({ step, mistakes }) => {
      const head = `*${STEP_TITLES[step]}: ${formatCount(mistakes.length, 'thing')} to fix*`;
      const errors = templateInputErrorsText(mistakes, MOST_TOLD, fieldNameText);
      return sectionBlock(joinLines(head, errors), jump(step));
    }),
  ];
}

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

function attemptBlocks(draft: TemplateDraft): KnownBlock[] {
  const { state, refusal, answeredAt, attempt } = draft;
  const when = answeredAt === undefined ? '' : ` (${formatDate(answeredAt)})`;
  if (state !== 'refused' || !refusal)
    return isCreationUncertain(draft) ? doubtBlocks(`attempt ${attempt} created this template${when}`) : [];
  const { code, serverMessage } = refusal;
  // Errors about single fields show at their fields, and above.
  const words = refusalReasonText({ code, serverMessage });
  return [
    alertBlock('error', `Attempt ${attempt} was rejected${when}: ${words}.`),
    ...(isCreationUncertain(draft) ? doubtBlocks('an earlier attempt created this template') : []),
  ];
}

/** The warning before an attempt that may create a second template. @param which completes the warning */
function doubtBlocks(which: string): KnownBlock[] {
  return [
    alertBlock('warning', `We don't know if ${which}.`),
    sectionBlock(
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

/** For a long text, in UTF-16 units. */
const EXCERPT = 500;

function senderLines({ draft: { form }, senders }: StepFacts): string[] {
  const { organizationId, contractorUid, type } = form.sender;
  const listed = senders.kind === 'known' ? senders.senders : [];
  const found = findSenderByOrganizationId(listed, organizationId);
  const contractor = found?.contractors.find(({ uid }) => uid === contractorUid.trim());
  const organization = safeLine(organizationId, 40);
  const uid = safeLine(contractorUid, 60);
  const named = (id: string, name: string | undefined, what = ''): string => {
    const words = safeLine(name ?? '', 80);
    return words ? `${words} (${id})` : `${what}${id}`;
  };
  const sender = `${named(organization, found?.name, 'organization ')}, ${SENDER_TYPE_LABELS[type]}`;
  return [
    `Sender: ${organization ? sender : MISSING}`,
    ...(isFieldApplicable(form, 'sender.contractorUid')
      ? [`Contractor: ${uid ? named(uid, contractor?.name) : NOT_SET}`]
      : []),
  ];
}

function longText(form: TemplateForm, field: TemplateInputField): KnownBlock[] {
  const text = templateFieldText(form, field);
  const { label } = TEMPLATE_FIELDS[field];
  if (text === '') return [sectionBlock(`*${label}:* ${emptyText(form, field)}`)];
  const all = countCharacters(text);
  const whole = cleanText(text);
  const notice =
    whole.length > EXCERPT ? ` [${formatNumber(EXCERPT)} of ${formatNumber(all)} characters shown]` : '';
  return [
    sectionBlock(`*${label}:* ${formatCount(all, 'character')}`),
    plainTextSection(`${clipText(whole, EXCERPT) || '–'}${notice}`),
  ];
}

/** The applicable fields of a step: others are neither sent nor shown. Long texts come last. */
function stepBlocks(form: TemplateForm, step: TemplateStep): KnownBlock[] {
  const fields = applicableFields(form, step);
  const isLong = (field: TemplateInputField) => TEMPLATE_FIELDS[field].kind === 'long';
  const short = fields.filter((field) => !isLong(field)).map((field) => fieldReviewLine(form, field));
  return [
    sectionBlock(joinLines(`*${STEP_TITLES[step]}*`, ...short)),
    ...fields.filter(isLong).flatMap((field) => longText(form, field)),
  ];
}

function letterBlocks(form: TemplateForm): KnownBlock[] {
  if (isFieldApplicable(form, 'letters.variantA')) return stepBlocks(form, 'letters');
  const words = 'Not sent: the AI ignores cover letters when the template structure is off.';
  return [sectionBlock(joinLines(`*${STEP_TITLES.letters}*`, words))];
}

const MATCH_WORDS: Readonly<Record<ScreeningAnswer['matchType'], string>> = {
  '': ':warning: _no match type_',
  contains: 'contains',
  startsWith: 'starts with',
  exact: 'is exactly',
};

/** This many fit in a section of 3,000 characters. */
const ANSWERS_IN_A_SECTION = 8;

function answerText({ question, answer, matchType }: ScreeningAnswer, place: number): string {
  const asks = safeLine(question, 110);
  const says = safeLine(answer, 110);
  const length = countCharacters(answer);
  return (
    `${formatNumber(place + 1)}. ` +
    `${MATCH_WORDS[matchType]} ${asks ? `“${asks}”` : MISSING} → ` +
    `${says ? `“${says}” (${formatCount(length, 'character')})` : MISSING}`
  );
}

function answerBlocks({ answers }: TemplateForm): KnownBlock[] {
  if (answers.length === 0) return [sectionBlock(joinLines(`*${STEP_TITLES.answers}*`, 'None.'))];
  const each = answers.slice(0, MAX_SCREENING_ANSWERS).map(answerText);
  const more = answers.length - each.length;
  const blocks: KnownBlock[] = [];
  for (let from = 0; from < each.length; from += ANSWERS_IN_A_SECTION)
    blocks.push(sectionBlock(each.slice(from, from + ANSWERS_IN_A_SECTION).join('\n')));
  return [
    sectionBlock(`*${STEP_TITLES.answers}:* ${formatNumber(answers.length)}`),
    ...blocks,
    ...(more > 0 ? [sectionBlock(`…and ${formatNumber(more)} more.`)] : []),
  ];
}

/** What will be sent takes at most 25 blocks: long texts show only their start and length. */
export function reviewStepBlocks(facts: StepFacts): KnownBlock[] {
  const { draft, marks } = facts;
  const { form, from } = draft;
  return [
    ...(isTemplateComplete(draft) ? attemptBlocks(draft) : missingBlocks(form)),
    ...refusedBlocks(marks),
    sectionBlock(
      joinLines(
        `*${STEP_TITLES.sender}*`,
        fieldReviewLine(form, 'name'),
        fieldReviewLine(form, 'visibility'),
        ...senderLines(facts),
      ),
    ),
    ...(senderWarning(from?.senderType, form.sender.type)
      ? [alertBlock('warning', SENDER_NOT_ELIGIBLE_WARNING)]
      : []),
    ...stepBlocks(form, 'rates'),
    ...stepBlocks(form, 'ai'),
    ...letterBlocks(form),
    ...answerBlocks(form),
  ];
}
