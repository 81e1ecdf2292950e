/** The template builder's steps in words, and each field's input and line in the review. Pure. */
import { parseTemplateNumber } from '../../templates/check-template.ts';
import {
  isFieldApplicable,
  TEMPLATE_FIELDS,
  TEMPLATE_FORM_FIELDS,
  type TemplateField,
  templateFieldRow,
  templateFieldText,
  valueAt,
} from '../../templates/fields.ts';
import type { SenderType, TemplateForm, TemplateStep } from '../../templates/form.ts';
import type { FieldValue, FormField } from '../kit/form.ts';
import { actionIds } from '../kit/ids.ts';
import { safeLine } from '../kit/mrkdwn.ts';
import { formatMoney } from '../kit/numbers.ts';

/** At most 24 characters, as a view's title. */
export const TEMPLATE_BUILDER_TITLE = 'Proposal template';

/** At most 24 characters each, as a view's title. */
export const STEP_TITLES: Readonly<Record<TemplateStep, string>> = {
  sender: 'Name and sender',
  rates: 'Rates',
  ai: 'AI',
  letters: 'Cover letters',
  answers: 'Answers',
  review: 'Review',
};

export const SENDER_TYPE_LABELS: Readonly<Record<SenderType, string>> = {
  agency: 'agency',
  freelancer: 'freelancer',
  unknown: 'type unknown',
};

/** What the documented API can't do; valid as mrkdwn and as plain text. */
export const DASHBOARD_ONLY_FEATURES_TEXT =
  'Only in the dashboard: editing existing templates, flexible rates, private templates, attachments, ' +
  'and assigning templates to setups and filters.';

/**
 * What an agency's template loses with a freelancer sender. Source: docs/marketplace-api.md, Template sender
 * rule.
 */
export const SENDER_NOT_ELIGIBLE_WARNING =
  "The original template is sent by an agency. A copy sent by a freelancer can't be used for auto bidding.";

export const NOT_SET = '_not set_';
export const MISSING = ':warning: _missing_';

/** Every field with an input: all but the list of answers as a whole. */
export type TemplateInputField = Exclude<TemplateField, 'answers'>;

/** Their choices change which fields show. */
const DECIDING_FIELDS = new Set<string>(
  TEMPLATE_FORM_FIELDS.flatMap((field) => templateFieldRow(field).when?.field ?? []),
);

/** A field's input; a deciding menu sends its choice at once. */
export function templateFormField(field: TemplateInputField): FormField {
  const row = TEMPLATE_FIELDS[field];
  return row.kind === 'menu' && DECIDING_FIELDS.has(field)
    ? { ...row, dispatch: actionIds.templateChoice }
    : row;
}

/** The fields of a step or a group that apply, in form order. @param part such as `ai`, `hourly` */
export function applicableFields(form: TemplateForm, part: string): readonly TemplateInputField[] {
  return TEMPLATE_FORM_FIELDS.filter(
    (field) =>
      (TEMPLATE_FIELDS[field].step === part || field.startsWith(`${part}.`)) &&
      isFieldApplicable(form, field),
  );
}

/** A field's value in the form; `''` for a single answer's fields. */
export function fieldValueOf(form: TemplateForm, field: TemplateInputField): FieldValue {
  const value = valueAt(form, field);
  return typeof value === 'boolean' ? value : templateFieldText(form, field);
}

/** `Minimum price: $100`, for any field except a long text. mrkdwn. */
export function fieldReviewLine(form: TemplateForm, field: TemplateInputField): string {
  return `${TEMPLATE_FIELDS[field].label}: ${valueText(form, field)}`;
}

function valueText(form: TemplateForm, field: TemplateInputField): string {
  const row = templateFieldRow(field);
  const typed = templateFieldText(form, field);
  if (row.kind === 'menu') return row.choices[typed] ?? MISSING;
  if (row.kind === 'switch') return valueAt(form, field) === true ? row.on.label : 'Off';
  if (!row.range) return safeLine(typed, field === 'name' ? 300 : 80) || (row.empty ?? MISSING);
  const value = parseTemplateNumber(typed, row.range);
  if (value !== undefined) return row.range.unit === '%' ? `${value}%` : formatMoney(value);
  const words = safeLine(typed, 40);
  if (words) return `:warning: “${words}”`;
  return row.required ? MISSING : NOT_SET;
}

/** What an empty long text means. mrkdwn. */
export function emptyText({ letters }: TemplateForm, field: TemplateInputField): string {
  const { step, empty = MISSING } = templateFieldRow(field);
  if (step !== 'letters') return empty;
  return letters.variantA === '' && letters.variantB === '' ? NOT_SET : '_empty_';
}
