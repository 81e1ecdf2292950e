/**
 * The errors of a step, shown under the fields: from our own checks, and in the marketplace's words. Pure.
 */
import type { KnownBlock } from '@slack/types';
import type { TemplateInputError } from '../../templates/check-result.ts';
import { checkTemplateStep } from '../../templates/check-template.ts';
import type { TemplateField, TemplateFieldLocation, TemplateStep } from '../../templates/form.ts';
import type { LocatedFieldError } from '../../templates/locate-field-errors.ts';
import type { TemplateDraft } from '../../templates/records.ts';
import { contextBlock, joinLines } from '../kit/block-builders.ts';
import { safeLine } from '../kit/mrkdwn.ts';
import { locateRefusedFields, refusedFieldsText } from './template-errors.ts';

const LONGEST_WORDS = 300;
/** The most marketplace errors to show per field. */
const MOST_WORDS = 3;

export interface BuilderFieldErrors {
  /** The step's mistakes, including empty fields. */
  readonly inputErrors: readonly TemplateInputError[];
  readonly rejections: readonly LocatedFieldError[];
  /** Whether every field shows its mistakes, or only those that would otherwise go unseen. */
  readonly shouldShowAll: boolean;
}

export function stepFieldErrors(draft: TemplateDraft, step: TemplateStep, all: boolean): BuilderFieldErrors {
  return {
    inputErrors: checkTemplateStep(draft.form, step),
    rejections: locateRefusedFields(draft).placed,
    shouldShowAll: all,
  };
}

type Spot = Pick<TemplateFieldLocation, 'field' | 'index'>;

function isAt({ field, index }: Spot): (place: TemplateFieldLocation) => boolean {
  return (place) => place.field === field && place.index === index;
}

/** The marketplace's errors about a field. mrkdwn lines. */
function saidAt({ rejections }: BuilderFieldErrors, at: Spot): string[] {
  const words = rejections.filter(isAt(at)).slice(0, MOST_WORDS);
  return words.map(
    ({ words: theirs }) =>
      `:no_entry_sign: The marketplace says: “${safeLine(theirs, LONGEST_WORDS) || 'not accepted'}”`,
  );
}

function mistakesAt({ inputErrors }: BuilderFieldErrors, at: Spot): string[] {
  return inputErrors.filter(isAt(at)).map(({ sentence }) => `:warning: ${sentence}`);
}

/**
 * All errors of one field. @param always also shows mistakes when `shouldShowAll` is false. mrkdwn, may be
 * empty
 */
export function fieldErrorText(marks: BuilderFieldErrors, at: Spot, always = false): string {
  return joinLines(...saidAt(marks, at), ...(marks.shouldShowAll || always ? mistakesAt(marks, at) : []));
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
