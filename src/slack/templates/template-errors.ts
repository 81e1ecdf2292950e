/**
 * Errors in the template builder, from our own checks and in the marketplace's words: at their fields and as
 * lists. Also where to resume a draft. Pure.
 */

import type { KnownBlock } from '@slack/types';
import { checkTemplateStep, type TemplateInputError } from '../../templates/check-template.ts';
import { TEMPLATE_FIELDS, type TemplateField, type TemplateFieldLocation } from '../../templates/fields.ts';
import { TEMPLATE_STEPS, type TemplateStep } from '../../templates/form.ts';
import {
  type LocatedFieldError,
  type LocatedFieldErrors,
  locateFieldErrors,
} from '../../templates/locate-field-errors.ts';
import type { TemplateDraft } from '../../templates/templates.ts';
import { contextBlock, joinLines } from '../kit/block-builders.ts';
import { codeText, safeLine } from '../kit/mrkdwn.ts';
import { formatNumber } from '../kit/numbers.ts';
import { STEP_TITLES } from './template-fields.ts';

/** `Rates, Smart minimum` or `Answer 4, Question`. Our own plain text. */
function fieldLocationText({ step, field, index }: TemplateFieldLocation): string {
  if (index === undefined)
    return field === step ? STEP_TITLES[step] : `${STEP_TITLES[step]}, ${TEMPLATE_FIELDS[field].label}`;
  const answer = `Answer ${formatNumber(index + 1)}`;
  return field === 'answers' || field === 'answers.answer'
    ? answer
    : `${answer}, ${TEMPLATE_FIELDS[field].label}`;
}

/** Without the step's name: `Smart minimum`, `Answer 4, Question`. Our own plain text. */
export function fieldNameText(place: TemplateFieldLocation): string {
  return place.index === undefined ? TEMPLATE_FIELDS[place.field].label : fieldLocationText(place);
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

const LONGEST_WORDS_AT_FIELD = 300;
const MOST_REJECTIONS_AT_FIELD = 3;

export interface BuilderFieldErrors {
  readonly inputErrors: readonly TemplateInputError[];
  readonly rejections: readonly LocatedFieldError[];
  /** Whether every field shows its mistakes, or only those that would otherwise go unseen. */
  readonly shouldShowAll: boolean;
}

type Spot = Pick<TemplateFieldLocation, 'field' | 'index'>;

function isAt({ field, index }: Spot): (place: TemplateFieldLocation) => boolean {
  return (place) => place.field === field && place.index === index;
}

/**
 * All errors of one field. @param always also shows mistakes when `shouldShowAll` is false. mrkdwn, may be
 * empty
 */
export function fieldErrorText(marks: BuilderFieldErrors, at: Spot, always = false): string {
  const mistakes = marks.shouldShowAll || always ? marks.inputErrors.filter(isAt(at)) : [];
  const rejections = marks.rejections.filter(isAt(at)).slice(0, MOST_REJECTIONS_AT_FIELD);
  return joinLines(
    ...rejections.map(({ words }) => {
      const theirs = safeLine(words, LONGEST_WORDS_AT_FIELD) || 'not accepted';
      return `:no_entry_sign: The marketplace says: “${theirs}”`;
    }),
    ...mistakes.map(({ sentence }) => `:warning: ${sentence}`),
  );
}

export function fieldErrorBlocks(
  marks: BuilderFieldErrors,
  field: TemplateField,
  always = false,
): KnownBlock[] {
  const words = fieldErrorText(marks, { field }, always);
  return words ? [contextBlock(words)] : [];
}

/** The marketplace's errors about fields that the form does not have. */
export function unplacedErrorBlocks(draft: TemplateDraft): KnownBlock[] {
  const { others } = locateRefusedFields(draft);
  if (others.length === 0) return [];
  return [
    contextBlock(
      joinLines(
        ":no_entry_sign: The marketplace also rejected fields that aren't shown here:",
        refusedFieldsText({ placed: [], others }, 5),
      ),
    ),
  ];
}
