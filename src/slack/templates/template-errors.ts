/** Names of places in the template builder, and where to resume a draft. Pure. */

import type { TemplateInputError } from '../../templates/check-result.ts';
import { checkTemplateStep } from '../../templates/check-template.ts';
import { TEMPLATE_STEPS, type TemplateFieldLocation, type TemplateStep } from '../../templates/form.ts';
import { type LocatedFieldErrors, locateFieldErrors } from '../../templates/locate-field-errors.ts';
import type { TemplateDraft } from '../../templates/records.ts';
import { safeLine } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import { codeText } from '../kit/query-error.ts';
import { FIELD_LABELS, STEP_TITLES } from './template-labels.ts';

/** `Rates, Smart minimum` or `Answer 4, Question`. Our own plain text. */
export function fieldLocationText({ step, field, index }: TemplateFieldLocation): string {
  if (index === undefined)
    return field === step ? STEP_TITLES[step] : `${STEP_TITLES[step]}, ${FIELD_LABELS[field]}`;
  const answer = `Answer ${formatNumber(index + 1)}`;
  return field === 'answers' || field === 'answers.answer' ? answer : `${answer}, ${FIELD_LABELS[field]}`;
}

/** Without the step's name: `Smart minimum`, `Answer 4, Question`. Our own plain text. */
export function fieldNameText(place: TemplateFieldLocation): string {
  return place.index === undefined ? FIELD_LABELS[place.field] : fieldLocationText(place);
}

/** The marketplace's errors about single fields; may be empty. */
export function locateRefusedFields({ form, refusal }: TemplateDraft): LocatedFieldErrors {
  return locateFieldErrors(form, refusal?.fields ?? {});
}

/**
 * Where to resume a draft: at the field that the marketplace refused, else at the first incomplete step, else
 * at the review.
 */
export function findResumeStep(draft: TemplateDraft): TemplateStep {
  const [refused] = locateRefusedFields(draft).placed;
  if (refused) return refused.step;
  return TEMPLATE_STEPS.find((step) => checkTemplateStep(draft.form, step).length > 0) ?? 'review';
}

/** As a list; mrkdwn. */
function bullets(each: readonly string[], most: number): string {
  const shown = each.slice(0, most).map((words) => `• ${words}`);
  const more = each.length - shown.length;
  return [...shown, ...(more > 0 ? [`…and ${formatNumber(more)} more.`] : [])].join('\n');
}

const MOST_LINES = 12;
const LONGEST_WORDS = 200;

/** Every mistake with its place, one per line. mrkdwn. */
export function templateInputErrorsText(
  mistakes: readonly TemplateInputError[],
  most = MOST_LINES,
  nameOf = fieldLocationText,
): string {
  return bullets(
    mistakes.map((mistake) => `*${nameOf(mistake)}:* ${mistake.sentence}`),
    most,
  );
}

/**
 * Every marketplace error about a single field, with its place; a field that is not in the form keeps the
 * marketplace's name. May be empty. mrkdwn.
 */
export function refusedFieldsText(
  { placed, others }: LocatedFieldErrors,
  most = MOST_LINES,
  nameOf = fieldLocationText,
): string {
  const said = (words: string): string => safeLine(words, LONGEST_WORDS) || 'not accepted';
  return bullets(
    [
      ...placed.map((error) => `*${nameOf(error)}:* ${said(error.words)}`),
      ...others.map(({ path, words }) => `${codeText(path, 80)}: ${said(words)}`),
    ],
    most,
  );
}

/** `2 things` */
export function inputErrorCountText(mistakes: readonly TemplateInputError[]): string {
  return formatCount(mistakes.length, 'thing');
}
