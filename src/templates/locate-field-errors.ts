/**
 * Maps the marketplace's field errors to our form. Source: marketplace-api.md, Errors (validation error).
 * Pure.
 */
import {
  isFieldApplicable,
  TEMPLATE_FIELD_NAMES,
  TEMPLATE_FIELDS,
  type TemplateField,
  type TemplateFieldLocation,
  valueAt,
} from './fields.ts';
import type { TemplateForm } from './form.ts';

/** The error of a whole group shows at its deciding field. */
const GROUPS: readonly (readonly [path: string, field: TemplateField])[] = [
  ['sender', 'sender.organizationId'],
  ['hourly_rate', 'hourly.rate'],
  ['fixed_price', 'fixedPrice.type'],
  ['ai', 'ai.instructions'],
  ['cover_letters', 'letters.variantA'],
  ['answers.#', 'answers'],
];

const FIELDS = new Map([
  ...GROUPS,
  ...TEMPLATE_FIELD_NAMES.map((field) => [TEMPLATE_FIELDS[field].path, field] as const),
]);

/**
 * Maps a dot path such as `hourly_rate.rate`, `answers.3.answer` or `answers[3].answer` (assumed to count
 * from 0).
 */
export function locateFieldPath(path: string): TemplateFieldLocation | undefined {
  const dotted = path.trim().replaceAll(/\[(\w+)\]/gu, '.$1');
  if (dotted.includes('#')) return undefined;
  const index = /^answers\.(\d{1,4})(?=\.|$)/u.exec(dotted)?.[1];
  const field = FIELDS.get(index === undefined ? dotted : dotted.replace(index, '#'));
  if (!field) return undefined;
  return { step: TEMPLATE_FIELDS[field].step, field, index: index === undefined ? undefined : Number(index) };
}

/** `words` are the marketplace's: escape them. */
export interface LocatedFieldError extends TemplateFieldLocation {
  readonly words: string;
}

export interface LocatedFieldErrors {
  /** In form order. */
  readonly placed: readonly LocatedFieldError[];
  /** At paths we don't know, or at fields that don't apply. */
  readonly others: readonly { readonly path: string; readonly words: string }[];
}

function comparePlaces(a: LocatedFieldError, b: LocatedFieldError): number {
  const order = TEMPLATE_FIELD_NAMES.indexOf(a.field) - TEMPLATE_FIELD_NAMES.indexOf(b.field);
  return order || (a.index ?? -1) - (b.index ?? -1);
}

/** Locates every error at its input, if there is one. @param fields dot path -> message */
export function locateFieldErrors(
  form: TemplateForm,
  fields: Readonly<Record<string, string>>,
): LocatedFieldErrors {
  const placed: LocatedFieldError[] = [];
  const others: { path: string; words: string }[] = [];
  for (const [path, words] of Object.entries(fields)) {
    const place = locateFieldPath(path);
    const isThere =
      place && isFieldApplicable(form, place.field) && (place.index ?? -1) < form.answers.length;
    if (isThere) placed.push({ ...place, words });
    else others.push({ path, words });
  }
  return { placed: placed.sort(comparePlaces), others };
}

/** The errors of unchanged fields: a changed field drops its error. */
export function dropErrorsOfChangedFields(
  before: TemplateForm,
  after: TemplateForm,
  fields: Readonly<Record<string, string>>,
): Record<string, string> {
  const same = Object.entries(fields).filter(([path]) => {
    const place = locateFieldPath(path);
    return !place || judged(before, place) === judged(after, place);
  });
  return Object.fromEntries(same);
}

/** The values behind an error: sender and rates are judged as a group, other fields alone. */
function judged(form: TemplateForm, { field, index }: TemplateFieldLocation): string {
  if (index !== undefined) return JSON.stringify(form.answers[index] ?? null);
  const group = (['sender', 'hourly', 'fixedPrice'] as const).find((name) => field.startsWith(`${name}.`));
  return JSON.stringify(group ? form[group] : valueAt(form, field));
}
