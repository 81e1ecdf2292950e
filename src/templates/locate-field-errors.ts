/**
 * Maps the marketplace's field errors to our form. Source: marketplace-api.md, Errors (validation error).
 * Pure.
 */
import {
  isFieldApplicable,
  TEMPLATE_FIELD_STEPS,
  type TemplateField,
  type TemplateFieldLocation,
  type TemplateForm,
} from './form.ts';

/** The error of a whole group shows at its deciding field. */
const FIELDS: ReadonlyMap<string, TemplateField> = new Map([
  ['name', 'name'],
  ['visibility', 'visibility'],
  ['sender', 'sender.organizationId'],
  ['sender.organization_id', 'sender.organizationId'],
  ['sender.contractor_uid', 'sender.contractorUid'],
  ['hourly_rate', 'hourly.rate'],
  ['hourly_rate.mode', 'hourly.mode'],
  ['hourly_rate.rate', 'hourly.rate'],
  ['hourly_rate.smart_rate_min', 'hourly.smartMin'],
  ['hourly_rate.smart_rate_max', 'hourly.smartMax'],
  ['hourly_rate.smart_rate_percent', 'hourly.smartPercent'],
  ['hourly_rate.increase_percent', 'hourly.increasePercent'],
  ['hourly_rate.increase_frequency', 'hourly.increaseFrequency'],
  ['fixed_price', 'fixedPrice.type'],
  ['fixed_price.type', 'fixedPrice.type'],
  ['fixed_price.price', 'fixedPrice.price'],
  ['fixed_price.min_price', 'fixedPrice.minPrice'],
  ['fixed_price.client_budget_percent', 'fixedPrice.clientBudgetPercent'],
  ['ai', 'ai.instructions'],
  ['ai.model', 'ai.model'],
  ['ai.instructions', 'ai.instructions'],
  ['ai.client_questions', 'ai.clientQuestions'],
  ['ai.additional_context', 'ai.additionalContext'],
  ['ai.template_structure', 'ai.templateStructure'],
  ['ab_testing', 'abTesting'],
  ['cover_letters', 'letters.variantA'],
  ['cover_letters.variant_a', 'letters.variantA'],
  ['cover_letters.variant_b', 'letters.variantB'],
  ['answers', 'answers'],
] satisfies [string, TemplateField][]);

/** Within one answer. */
const ANSWER_FIELDS: ReadonlyMap<string, TemplateField> = new Map([
  ['', 'answers'],
  ['question', 'answers.question'],
  ['answer', 'answers.answer'],
  ['match_type', 'answers.matchType'],
] satisfies [string, TemplateField][]);

const ANSWER = /^answers\.(\d{1,4})(?:\.(\w+))?$/u;

/**
 * Maps a dot path such as `hourly_rate.rate`, `answers.3.answer` or `answers[3].answer` (assumed to count
 * from 0).
 */
export function locateFieldPath(path: string): TemplateFieldLocation | undefined {
  const dotted = path.trim().replaceAll(/\[(\w+)\]/gu, '.$1');
  const found = ANSWER.exec(dotted);
  const field = found ? ANSWER_FIELDS.get(found[2] ?? '') : FIELDS.get(dotted);
  if (!field) return undefined;
  return { step: TEMPLATE_FIELD_STEPS[field], field, ...(found ? { index: Number(found[1]) } : {}) };
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

const ORDER = Object.keys(TEMPLATE_FIELD_STEPS);

function comparePlaces(a: LocatedFieldError, b: LocatedFieldError): number {
  return ORDER.indexOf(a.field) - ORDER.indexOf(b.field) || (a.index ?? -1) - (b.index ?? -1);
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
    if (place && isThere(form, place)) placed.push({ ...place, words });
    else others.push({ path, words });
  }
  return { placed: placed.sort(comparePlaces), others };
}

function isThere(form: TemplateForm, { field, index }: TemplateFieldLocation): boolean {
  return isFieldApplicable(form, field) && (index === undefined || index < form.answers.length);
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
  const { sender, hourly, fixedPrice, ai, letters, answers, ...rest } = form;
  const [group = '', name = ''] = field.split('.');
  switch (group) {
    case 'sender':
      return JSON.stringify(sender);
    case 'hourly':
      return JSON.stringify(hourly);
    case 'fixedPrice':
      return JSON.stringify(fixedPrice);
    case 'answers':
      return JSON.stringify(index === undefined ? answers : (answers[index] ?? null));
    default: {
      const values: Readonly<Record<string, unknown>> = { ...rest, ...ai, ...letters };
      return JSON.stringify(values[name || group]);
    }
  }
}
