/** What a check finds: a value that can be sent, or every mistake at its field. Pure. */
import { known } from '../marketplace/wire-values.ts';
import { FIELD_STEPS, type TemplateField, type TemplatePlace } from './form.ts';

export interface Mistake extends TemplatePlace {
  /** What is wrong and what would be right; plain text, without a word of strangers. */
  readonly sentence: string;
}

interface Mistaken {
  readonly kind: 'mistakes';
  readonly mistakes: readonly Mistake[];
}

export type Checked<T> = { readonly kind: 'ok'; readonly value: T } | Mistaken;

export function ok<T>(value: T): Checked<T> {
  return { kind: 'ok', value };
}

/** A field that is not asked, or left empty where it may be. */
export const NOT_SENT: Checked<undefined> = ok(undefined);

export function wrong(field: TemplateField, sentence: string, index?: number): Mistaken {
  const place = { step: FIELD_STEPS[field], field, ...(index === undefined ? {} : { index }) };
  return { kind: 'mistakes', mistakes: [{ ...place, sentence }] };
}

export function mistakesOf(checked: Checked<unknown>): readonly Mistake[] {
  return checked.kind === 'mistakes' ? checked.mistakes : [];
}

type Values<T> = { [K in keyof T]: T[K] extends Checked<infer V> ? V : never };

/** All values under their names, without those that are undefined; or all mistakes together. */
export function together<T extends Record<string, Checked<unknown>>>(
  parts: T,
): Checked<ReturnType<typeof known<Values<T>>>> {
  const mistakes = Object.values(parts).flatMap(mistakesOf);
  if (mistakes.length > 0) return { kind: 'mistakes', mistakes };
  const values = Object.entries(parts).map(([name, part]) => [
    name,
    part.kind === 'ok' ? part.value : undefined,
  ]);
  return ok(known(Object.fromEntries(values) as Values<T>));
}

/** All values in their order, or all mistakes together. */
export function inOrder<T>(parts: readonly Checked<T>[]): Checked<T[]> {
  const mistakes = parts.flatMap(mistakesOf);
  if (mistakes.length > 0) return { kind: 'mistakes', mistakes };
  return ok(parts.flatMap((part) => (part.kind === 'ok' ? [part.value] : [])));
}
