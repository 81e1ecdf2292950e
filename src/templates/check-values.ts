/** Checks single values: the length of texts, the range of numbers. Pure. */

import { hasDecimalComma, hasMoreThanTwoDecimals, parseMoney, parsePercent } from '../typed/numbers.ts';
import { countCharacters, isBlank } from '../typed/texts.ts';
import { type FormCheckResult, invalidField, OMITTED_FIELD_RESULT, validResult } from './check-result.ts';
import {
  type LimitedNumberField,
  type LimitedTextField,
  MAX_TEMPLATE_TEXT_LENGTHS,
  type NumberRange,
  TEMPLATE_NUMBER_RANGES,
} from './field-limits.ts';

const grouped = new Intl.NumberFormat('en-US');

interface TextNames {
  /** Begins a sentence, for example `The name`. */
  readonly what: string;
  /** The answer's index in the list. */
  readonly index?: number;
  /** Whether `what` is plural. */
  readonly are?: true;
}

function checkLength(
  field: LimitedTextField,
  text: string,
  { what, index, are }: TextNames,
): FormCheckResult<string> {
  const most = MAX_TEMPLATE_TEXT_LENGTHS[field];
  const length = countCharacters(text);
  if (length <= most) return validResult(text);
  const [all, over, fit] = [length, length - most, most].map((number) => grouped.format(number));
  return invalidField(
    field,
    `${what} ${are ? 'are' : 'is'} ${all} characters long, ${over} over the limit of ${fit}.`,
    index,
  );
}

/** A required text, exactly as typed. @param missing what to do when it is missing */
export function checkRequiredText(
  field: LimitedTextField,
  text: string,
  names: TextNames & { readonly missing: string },
): FormCheckResult<string> {
  return isBlank(text) ? invalidField(field, names.missing, names.index) : checkLength(field, text, names);
}

/** A text exactly as typed; null when empty. Only blanks are an error, since they are invisible. */
export function checkOptionalText(
  field: LimitedTextField,
  text: string,
  names: TextNames,
): FormCheckResult<string | null> {
  if (text === '') return validResult(null);
  if (isBlank(text))
    return invalidField(field, `${names.what} only has spaces. Enter some text, or clear the field.`);
  return checkLength(field, text, names);
}

/** `$3 to $999 an hour`, `a whole number from 1% to 100%`, `0% or more` */
function rangeWords({ min, max, unit, whole }: NumberRange): string {
  const amount = (value: number) =>
    unit === '%' ? `${grouped.format(value)}%` : `$${grouped.format(value)}`;
  const per = unit === 'dollars an hour' ? ' an hour' : '';
  if (max === undefined) return `${amount(min)}${per} or more`;
  const range = `${amount(min)} to ${amount(max)}${per}`;
  return whole ? `a whole number from ${range}` : range;
}

function isOutside(value: number, { min, max, whole }: NumberRange): boolean {
  return value < min || (max !== undefined && value > max) || (whole === true && !Number.isInteger(value));
}

function checkNumber(field: LimitedNumberField, text: string, what: string): FormCheckResult<number> {
  const range: NumberRange = TEMPLATE_NUMBER_RANGES[field];
  const value = range.unit === '%' ? parsePercent(text) : parseMoney(text);
  if (value === undefined && hasDecimalComma(text))
    return invalidField(field, `${what} needs a decimal point, like 37.50.`);
  if (value === undefined)
    return invalidField(field, `${what} isn't a valid number. Enter ${rangeWords(range)}.`);
  if (isOutside(value, range)) return invalidField(field, `${what} must be ${rangeWords(range)}.`);
  if (range.unit !== '%' && hasMoreThanTwoDecimals(text))
    return invalidField(field, `${what} can have up to 2 decimals. Don't use a point between thousands.`);
  return validResult(value);
}

export function checkRequiredNumber(
  field: LimitedNumberField,
  text: string,
  what: string,
): FormCheckResult<number> {
  const range: NumberRange = TEMPLATE_NUMBER_RANGES[field];
  return isBlank(text)
    ? invalidField(field, `${what} is missing. Enter ${rangeWords(range)}.`)
    : checkNumber(field, text, what);
}

/** undefined when nothing is typed. */
export function checkOptionalNumber(
  field: LimitedNumberField,
  text: string,
  what: string,
): FormCheckResult<number | undefined> {
  return isBlank(text) ? OMITTED_FIELD_RESULT : checkNumber(field, text, what);
}
