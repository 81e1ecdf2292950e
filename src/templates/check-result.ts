/** The result of a check: a value to send, or every error with its field. Pure. */
import { omitUndefined } from '../base/omit-undefined.ts';
import { TEMPLATE_FIELD_STEPS, type TemplateField, type TemplateFieldLocation } from './form.ts';

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
  const place = { step: TEMPLATE_FIELD_STEPS[field], field, ...omitUndefined({ index }) };
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
