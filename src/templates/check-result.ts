/** Checks single fields. A result is a value to send, or every error with its field. Pure. */
import { omitUndefined } from '../base/omit-undefined.ts';
import { hasMoreThanTwoDecimals, parseMoney, parsePercent } from '../typed/numbers.ts';
import { countCharacters, isBlank } from '../typed/texts.ts';
import {
  type LimitedTextField,
  type NumberField,
  type NumberRange,
  type RequiredTextField,
  TEMPLATE_FIELDS,
  type TemplateField,
  type TemplateFieldLocation,
  templateFieldRules,
} from './form.ts';

export interface TemplateInputError extends TemplateFieldLocation {
  /** What is wrong and how to fix it; plain text without other people's words. */
  readonly sentence: string;
}

interface Mistaken {
  readonly kind: 'mistakes';
  readonly mistakes: readonly TemplateInputError[];
}

export type FormCheckResult<T> = { readonly kind: 'ok'; readonly value: T } | Mistaken;

export function validResult<T>(value: T): FormCheckResult<T> {
  return { kind: 'ok', value };
}

/** A field that doesn't apply, or an optional one left empty. */
export const OMITTED_FIELD_RESULT: FormCheckResult<undefined> = validResult(undefined);

export function invalidField(field: TemplateField, sentence: string, index?: number): Mistaken {
  const place = { step: TEMPLATE_FIELDS[field].step, field, ...omitUndefined({ index }) };
  return { kind: 'mistakes', mistakes: [{ ...place, sentence }] };
}

export function listInputErrors(checked: FormCheckResult<unknown>): readonly TemplateInputError[] {
  return checked.kind === 'mistakes' ? checked.mistakes : [];
}

type Values<T> = { [K in keyof T]: T[K] extends FormCheckResult<infer V> ? V : never };

/** All values by name, without undefined ones; or all errors. */
export function combineChecks<T extends Record<string, FormCheckResult<unknown>>>(
  parts: T,
): FormCheckResult<ReturnType<typeof omitUndefined<Values<T>>>> {
  const mistakes = Object.values(parts).flatMap(listInputErrors);
  if (mistakes.length > 0) return { kind: 'mistakes', mistakes };
  const values = Object.entries(parts).map(([name, part]) => [
    name,
    part.kind === 'ok' ? part.value : undefined,
  ]);
  return validResult(omitUndefined(Object.fromEntries(values) as Values<T>));
}

/** All values in order, or all errors. */
export function combineCheckList<T>(parts: readonly FormCheckResult<T>[]): FormCheckResult<T[]> {
  const mistakes = parts.flatMap(listInputErrors);
  if (mistakes.length > 0) return { kind: 'mistakes', mistakes };
  return validResult(parts.flatMap((part) => (part.kind === 'ok' ? [part.value] : [])));
}

const grouped = new Intl.NumberFormat('en-US');

function checkLength(field: LimitedTextField, text: string, index?: number): FormCheckResult<string> {
  const { what, are } = templateFieldRules(field);
  const { most } = TEMPLATE_FIELDS[field];
  const length = countCharacters(text);
  if (length <= most) return validResult(text);
  const [all, over, fit] = [length, length - most, most].map((number) => grouped.format(number));
  return invalidField(
    field,
    `${what} ${are ? 'are' : 'is'} ${all} characters long, ${over} over the limit of ${fit}.`,
    index,
  );
}

/** A required text, exactly as typed. @param index which of the answers */
export function checkRequiredText(
  field: RequiredTextField,
  text: string,
  index?: number,
): FormCheckResult<string> {
  return isBlank(text)
    ? invalidField(field, TEMPLATE_FIELDS[field].required, index)
    : checkLength(field, text, index);
}

/** A text exactly as typed; null when empty. Only blanks are an error, since they are invisible. */
export function checkOptionalText(field: LimitedTextField, text: string): FormCheckResult<string | null> {
  if (text === '') return validResult(null);
  if (isBlank(text))
    return invalidField(
      field,
      `${TEMPLATE_FIELDS[field].what} only has spaces. Enter some text, or clear the field.`,
    );
  return checkLength(field, text);
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

function checkNumber(field: NumberField, text: string): FormCheckResult<number> {
  const { what } = TEMPLATE_FIELDS[field];
  const range: NumberRange = TEMPLATE_FIELDS[field].range;
  const value = range.unit === '%' ? parsePercent(text) : parseMoney(text);
  if (value === undefined)
    return invalidField(field, `${what} isn't a valid number. Enter ${rangeWords(range)}.`);
  if (isOutside(value, range)) return invalidField(field, `${what} must be ${rangeWords(range)}.`);
  if (range.unit !== '%' && hasMoreThanTwoDecimals(text))
    return invalidField(field, `${what} can have up to 2 decimals. Don't use a point between thousands.`);
  return validResult(value);
}

export function checkRequiredNumber(field: NumberField, text: string): FormCheckResult<number> {
  const { what, range } = TEMPLATE_FIELDS[field];
  return isBlank(text)
    ? invalidField(field, `${what} is missing. Enter ${rangeWords(range)}.`)
    : checkNumber(field, text);
}

/** undefined when nothing is typed. */
export function checkOptionalNumber(field: NumberField, text: string): FormCheckResult<number | undefined> {
  return isBlank(text) ? OMITTED_FIELD_RESULT : checkNumber(field, text);
}
