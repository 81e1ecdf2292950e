/**
 * The fields of the template builder: each row gives a field's input and its line in the review. Labels of
 * steps, fields and choices are plain text. Limits, checks and API paths are in `TEMPLATE_FIELDS`. Pure.
 */
import {
  type FixedPriceType,
  type HourlyMode,
  type IncreaseFrequency,
  isFieldApplicable,
  isTemplateField,
  type QuestionMatchType,
  type SenderType,
  TEMPLATE_FIELDS,
  type TemplateField,
  type TemplateForm,
  type TemplateStep,
  type TemplateVisibility,
  templateFieldRules,
  templateFieldText,
  templateFieldValue,
} from '../../templates/form.ts';
import { parseMoney, parsePercent } from '../../typed/numbers.ts';
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

/** In display order, here and below. */
export const VISIBILITY_LABELS: Readonly<Record<TemplateVisibility, string>> = {
  shared_admins: 'Team admins',
  shared_view: 'Everyone can view, admins can edit',
  shared_edit: 'Everyone can view and edit',
};

export const HOURLY_MODE_LABELS: Readonly<Record<Exclude<HourlyMode, ''>, string>> = {
  fixed: 'The same rate on every hourly project',
  smart: "Smart (follows the client's budget)",
};

export const INCREASE_FREQUENCY_LABELS: Readonly<Record<IncreaseFrequency, string>> = {
  never: 'Never',
  'every-3-months': 'Every 3 months',
  'every-6-months': 'Every 6 months',
  'every-12-months': 'Every 12 months',
};

export const PRICE_TYPE_LABELS: Readonly<Record<FixedPriceType, string>> = {
  'by-job-terms': "By the project's terms",
  'by-project': 'The same price on every project',
};

export const MATCH_TYPE_LABELS: Readonly<Record<Exclude<QuestionMatchType, ''>, string>> = {
  contains: "The client's question contains this",
  startsWith: "The client's question starts with this",
  exact: "The client's question is exactly this",
};

export const SENDER_TYPE_LABELS: Readonly<Record<SenderType, string>> = {
  agency: 'agency',
  freelancer: 'freelancer',
  unknown: 'type unknown',
};

/** For template structure and A/B testing. */
const SWITCH_LABELS = { on: 'On', off: 'Off' } as const;

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

type TemplateFormField = FormField & {
  /** The input that shows its errors while it has none; missing: any. */
  readonly near?: TemplateInputField;
  /** Its review, where that differs from others of its kind. mrkdwn. */
  readonly review?: (form: TemplateForm) => string;
  /** What an empty long text means. mrkdwn. */
  readonly empty?: (form: TemplateForm) => string;
};

/** The choice changes which fields show. */
const dispatch = actionIds.templateChoice;
const on = { label: SWITCH_LABELS.on, value: 'on' };

const isOff = () => 'off';

function emptyLetter({ letters }: TemplateForm): string {
  return letters.variantA === '' && letters.variantB === '' ? NOT_SET : '_empty_';
}

/** Every field with an input. */
export type TemplateInputField = Exclude<TemplateField, 'answers'>;

/** Without `answers`, the list as a whole, which has no input. Labels are the names in the checks' errors. */
const ROWS: Readonly<Record<TemplateInputField, TemplateFormField>> = {
  name: {
    kind: 'line',
    label: 'Name',
    hint: 'Up to 255 characters.',
    placeholder: 'Shops, calm tone',
    review: ({ name }) => safeLine(name, 300) || MISSING,
  },
  visibility: {
    kind: 'menu',
    label: 'Who on the team can see and edit it',
    hint: "To create a private template, use the marketplace's dashboard.",
    choices: VISIBILITY_LABELS,
  },
  'sender.organizationId': {
    kind: 'line',
    label: 'Sender (organization ID)',
    hint:
      "The organization's ID. If there's no list, find it with your team's profiles in the marketplace " +
      'dashboard.',
  },
  'sender.contractorUid': {
    kind: 'line',
    label: 'Contractor (UID)',
    hint:
      "Agencies send through a contractor. The UID is in the contractor's profile. " +
      'Freelancer profiles have none.',
  },
  'hourly.mode': {
    kind: 'menu',
    label: 'Hourly bids',
    hint: 'Flexible rates (budget rules) can only be set in the dashboard.',
    choices: HOURLY_MODE_LABELS,
    dispatch,
  },
  'hourly.rate': { kind: 'line', label: 'Hourly rate', hint: '$3 to $999 an hour.' },
  'hourly.smartMin': {
    kind: 'line',
    near: 'hourly.mode',
    label: 'Smart minimum',
    hint: '$3 to $999 an hour, not above the maximum.',
  },
  'hourly.smartMax': {
    kind: 'line',
    near: 'hourly.mode',
    label: 'Smart maximum',
    hint: '$3 to $999 an hour.',
  },
  'hourly.smartPercent': {
    kind: 'line',
    near: 'hourly.mode',
    label: 'Smart percent',
    hint: "Percent of the client's budget, 1 to 100.",
  },
  'hourly.increaseFrequency': {
    kind: 'menu',
    label: 'Scheduled increase',
    choices: INCREASE_FREQUENCY_LABELS,
    dispatch,
  },
  'hourly.increasePercent': {
    kind: 'line',
    near: 'hourly.increaseFrequency',
    label: 'Increase',
    hint: 'Percent, 0 or more.',
  },
  'fixedPrice.type': { kind: 'menu', label: 'Fixed-price bids', choices: PRICE_TYPE_LABELS, dispatch },
  'fixedPrice.price': {
    kind: 'line',
    near: 'fixedPrice.type',
    label: 'Price',
    hint: 'The same bid on every fixed-price project: $5 to $1,000,000.',
  },
  'fixedPrice.minPrice': {
    kind: 'line',
    near: 'fixedPrice.type',
    label: 'Minimum price',
    hint: 'The lowest bid: $5 to $1,000,000.',
  },
  'fixedPrice.clientBudgetPercent': {
    kind: 'line',
    near: 'fixedPrice.type',
    label: "Percent of the client's budget",
    hint: "The bid as a percent of the client's budget, 1 to 1,000.",
  },
  'ai.model': {
    kind: 'line',
    label: 'AI model',
    hint: "A model ID from the marketplace's catalog. Leave empty for the default model.",
    review: ({ ai }) => safeLine(ai.model, 80) || 'Default model',
  },
  'ai.instructions': {
    kind: 'long',
    label: 'Instructions',
    hint: 'How the AI writes the proposals. Up to 10,000 characters.',
  },
  'ai.clientQuestions': {
    kind: 'long',
    label: 'AI prompt for client questions',
    hint: 'How the AI answers client questions. Leave empty to turn this off. Up to 10,000 characters.',
    empty: isOff,
  },
  'ai.additionalContext': {
    kind: 'long',
    label: 'Additional context',
    hint: 'Anything else the AI should know. Leave empty to turn this off. Up to 10,000 characters.',
    empty: isOff,
  },
  'ai.templateStructure': {
    kind: 'switch',
    label: 'Template structure',
    hint: 'When off, the AI ignores the cover letters.',
    on,
  },
  abTesting: { kind: 'switch', label: 'A/B testing', hint: 'Alternates between the two variants.', on },
  'letters.variantA': {
    kind: 'long',
    label: 'Variant A',
    hint: 'Up to 5,000 characters.',
    empty: emptyLetter,
  },
  'letters.variantB': {
    kind: 'long',
    label: 'Variant B',
    hint: 'Up to 5,000 characters.',
    empty: emptyLetter,
  },
  'answers.question': {
    kind: 'line',
    label: 'Question',
    hint: "The client's question, or part of it. Up to 500 characters.",
    multiline: true,
  },
  'answers.answer': { kind: 'long', label: 'Answer', hint: 'Up to 5,000 characters.' },
  'answers.matchType': { kind: 'menu', label: 'How questions are matched', choices: MATCH_TYPE_LABELS },
};

export function templateFormField(field: TemplateInputField): TemplateFormField {
  return ROWS[field];
}

export function templateFieldLabel(field: TemplateField): string {
  return field === 'answers' ? STEP_TITLES.answers : ROWS[field].label;
}

export const TEMPLATE_INPUT_FIELDS = Object.keys(TEMPLATE_FIELDS)
  .filter(isTemplateField)
  .filter((field) => field !== 'answers');

/** The fields of a step or a group that apply, in form order. @param part such as `ai`, `hourly` */
export function applicableFields(form: TemplateForm, part: string): readonly TemplateInputField[] {
  return TEMPLATE_INPUT_FIELDS.filter(
    (field) =>
      (TEMPLATE_FIELDS[field].step === part || field.startsWith(`${part}.`)) &&
      isFieldApplicable(form, field),
  );
}

/** A field's value in the form; `''` for a single answer's fields. */
export function fieldValueOf(form: TemplateForm, field: TemplateInputField): FieldValue {
  const value = templateFieldValue(form, field);
  return typeof value === 'boolean' ? value : templateFieldText(form, field);
}

/** `2.5%`, from a percentage, not from a ratio. */
export function formatWholePercent(percent: number): string {
  return `${percent}%`;
}

/** The value as it is sent; an invalid number shows as typed. */
function numberText(field: TemplateInputField, typed: string): string {
  const { range, required } = templateFieldRules(field);
  const isPercent = range?.unit === '%';
  const value = isPercent ? parsePercent(typed) : parseMoney(typed);
  if (value !== undefined) return isPercent ? formatWholePercent(value) : formatMoney(value);
  const words = safeLine(typed, 40);
  return words ? `:warning: “${words}”` : required ? MISSING : NOT_SET;
}

function valueText(form: TemplateForm, field: TemplateInputField): string {
  const row = ROWS[field];
  const value = fieldValueOf(form, field);
  if (row.review) return row.review(form);
  if (row.kind === 'menu') return row.choices[String(value)] ?? MISSING;
  return row.kind === 'switch'
    ? SWITCH_LABELS[value === true ? 'on' : 'off']
    : numberText(field, String(value));
}

/** `Minimum price: $100`, for any field except a long text. mrkdwn. */
export function fieldReviewLine(form: TemplateForm, field: TemplateInputField): string {
  return `${ROWS[field].label}: ${valueText(form, field)}`;
}

/** What an empty long text means. mrkdwn. */
export function emptyText(form: TemplateForm, field: TemplateInputField): string {
  return ROWS[field].empty?.(form) ?? MISSING;
}
