/** Checks of single values: texts by their length, numbers by their range. Pure. */

import { hasDecimalComma, isFinerThanCents, readMoney, readPercent } from '../typed/numbers.ts';
import { countCharacters, isBlank } from '../typed/texts.ts';
import {
  type BoundedNumber,
  type BoundedText,
  MOST_CHARACTERS,
  NUMBER_RANGES,
  type NumberRange,
} from './bounds.ts';
import { type Checked, NOT_SENT, ok, wrong } from './checked.ts';

const grouped = new Intl.NumberFormat('en-US');

interface TextNames {
  /** Begins a sentence, for example `The name`. */
  readonly what: string;
  /** Which of the answers. */
  readonly index?: number;
  /** Whether `what` is a plural. */
  readonly are?: true;
}

function checkLength(field: BoundedText, text: string, { what, index, are }: TextNames): Checked<string> {
  const most = MOST_CHARACTERS[field];
  const length = countCharacters(text);
  if (length <= most) return ok(text);
  const [all, over, fit] = [length, length - most, most].map((number) => grouped.format(number));
  return wrong(
    field,
    `${what} ${are ? 'are' : 'is'} ${all} characters long, ${over} over the limit of ${fit}.`,
    index,
  );
}

/** A text that must be there, exactly as typed. @param missing what to do when it is not */
export function requiredText(
  field: BoundedText,
  text: string,
  names: TextNames & { readonly missing: string },
): Checked<string> {
  return isBlank(text) ? wrong(field, names.missing, names.index) : checkLength(field, text, names);
}

/** A text exactly as typed; null when it is empty. One of blanks alone is a mistake, since nobody can see it. */
export function optionalText(field: BoundedText, text: string, names: TextNames): Checked<string | null> {
  if (text === '') return ok(null);
  if (isBlank(text))
    return wrong(field, `${names.what} only has spaces. Enter some text, or clear the field.`);
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

function checkNumber(field: BoundedNumber, text: string, what: string): Checked<number> {
  const range: NumberRange = NUMBER_RANGES[field];
  const value = range.unit === '%' ? readPercent(text) : readMoney(text);
  if (value === undefined && hasDecimalComma(text))
    return wrong(field, `${what} needs a decimal point, like 37.50.`);
  if (value === undefined) return wrong(field, `${what} isn't a valid number. Enter ${rangeWords(range)}.`);
  if (isOutside(value, range)) return wrong(field, `${what} must be ${rangeWords(range)}.`);
  if (range.unit !== '%' && isFinerThanCents(text))
    return wrong(field, `${what} can have up to 2 decimals. Don't use a point between thousands.`);
  return ok(value);
}

/** A number that must be there. */
export function requiredNumber(field: BoundedNumber, text: string, what: string): Checked<number> {
  const range: NumberRange = NUMBER_RANGES[field];
  return isBlank(text)
    ? wrong(field, `${what} is missing. Enter ${rangeWords(range)}.`)
    : checkNumber(field, text, what);
}

/** A number; undefined when nothing is typed. */
export function optionalNumber(
  field: BoundedNumber,
  text: string,
  what: string,
): Checked<number | undefined> {
  return isBlank(text) ? NOT_SENT : checkNumber(field, text, what);
}
