/**
 * The fields of a proposal template, a row each, in form order. The rows say how a field looks, what it may
 * hold, and where it is in the API: inputs, checks, the review, the places of the marketplace's errors and
 * copies of other templates follow from them. Pure.
 */
import {
  type FixedPriceType,
  type HourlyMode,
  type IncreaseFrequency,
  type QuestionMatchType,
  TemplateForm,
  type TemplateStep,
  type TemplateVisibility,
} from './form.ts';

/** In display order. */
type Labels<Choice extends string> = Readonly<Record<Choice, string>>;

export const VISIBILITY_LABELS: Labels<TemplateVisibility> = {
  shared_admins: 'Team admins',
  shared_view: 'Everyone can view, admins can edit',
  shared_edit: 'Everyone can view and edit',
};

export const MATCH_TYPE_LABELS: Labels<Exclude<QuestionMatchType, ''>> = {
  contains: "The client's question contains this",
  startsWith: "The client's question starts with this",
  exact: "The client's question is exactly this",
};

/** `dollars`: at most two decimals (our rule: more is a typo, and `5.000` is ambiguous). */
export interface NumberRange {
  readonly min: number;
  readonly max?: number;
  readonly unit: 'dollars' | 'dollars an hour' | '%';
  readonly whole?: true;
}

/** How a field looks; labels are plain text. */
type FieldLook = { readonly label: string; readonly hint?: string; readonly placeholder?: string } & (
  | { readonly kind: 'line'; readonly multiline?: true }
  /** A text that may need more than one input. */
  | { readonly kind: 'long' }
  | { readonly kind: 'menu'; readonly choices: Readonly<Record<string, string>> }
  | { readonly kind: 'switch'; readonly on: { readonly label: string; readonly value: string } }
  /** The answers as a whole, which have no input. */
  | { readonly kind: 'list' }
);

interface FieldRules extends ReturnType<typeof at> {
  /** Begins an error's sentence; missing: the label with “The”. */
  readonly what?: string;
  /** Whether `what` is plural. */
  readonly are?: true;
  /** What to do about an empty field, which is an error then. */
  readonly required?: string;
  /** What an empty field means. */
  readonly empty?: string;
  /** In characters, as `countCharacters` counts. */
  readonly most?: number;
  readonly range?: NumberRange;
  /** The choice that makes the field apply; missing: always. */
  readonly when?: {
    readonly field: 'hourly.mode' | 'hourly.increaseFrequency' | 'fixedPrice.type' | 'ai.templateStructure';
    readonly is: readonly unknown[];
  };
}

const HOURLY: NumberRange = { min: 3, max: 999, unit: 'dollars an hour' };
const PRICE: NumberRange = { min: 5, max: 1_000_000, unit: 'dollars' };
const ON = { label: 'On', value: 'on' };

const IF_SMART = { field: 'hourly.mode', is: ['smart'] } as const;
const IF_BY_TERMS = { field: 'fixedPrice.type', is: ['by-job-terms'] } as const;
/** Without a template structure the AI ignores the letters. */
const IF_STRUCTURED = { field: 'ai.templateStructure', is: [true] } as const;

/** The step of the form, and the path in the API; `#`: the answer's index. */
const at = (step: TemplateStep, path: string) => ({ step, path });

/** Source of each limit: marketplace-api.md, ProposalTemplate input. */
export const TEMPLATE_FIELDS = {
  name: {
    ...at('sender', 'name'),
    kind: 'line',
    label: 'Name',
    hint: 'Up to 255 characters.',
    placeholder: 'Shops, calm tone',
    required: 'Enter a name for the template.',
    most: 255,
  },
  visibility: {
    ...at('sender', 'visibility'),
    kind: 'menu',
    label: 'Who on the team can see and edit it',
    hint: "To create a private template, use the marketplace's dashboard.",
    choices: VISIBILITY_LABELS,
  },
  'sender.organizationId': {
    ...at('sender', 'sender.organization_id'),
    kind: 'line',
    label: 'Sender (organization ID)',
    hint:
      "The organization's ID. If there's no list, find it with your team's profiles in the marketplace " +
      'dashboard.',
    required: 'Choose a sender, or enter the organization ID.',
  },
  'sender.contractorUid': {
    ...at('sender', 'sender.contractor_uid'),
    kind: 'line',
    label: 'Contractor (UID)',
    hint:
      "Agencies send through a contractor. The UID is in the contractor's profile. " +
      'Freelancer profiles have none.',
  },
  'hourly.mode': {
    ...at('rates', 'hourly_rate.mode'),
    kind: 'menu',
    label: 'Hourly bids',
    hint: 'Flexible rates (budget rules) can only be set in the dashboard.',
    choices: {
      fixed: 'The same rate on every hourly project',
      smart: "Smart (follows the client's budget)",
    } satisfies Labels<Exclude<HourlyMode, ''>>,
    required: 'Choose fixed or smart. You can only set flexible rates in the dashboard.',
  },
  'hourly.rate': {
    ...at('rates', 'hourly_rate.rate'),
    kind: 'line',
    label: 'Hourly rate',
    hint: '$3 to $999 an hour.',
    required: 'The hourly rate is missing. Enter $3 to $999 an hour.',
    range: HOURLY,
  },
  'hourly.smartMin': {
    ...at('rates', 'hourly_rate.smart_rate_min'),
    kind: 'line',
    label: 'Smart minimum',
    hint: '$3 to $999 an hour, not above the maximum.',
    range: HOURLY,
    when: IF_SMART,
  },
  'hourly.smartMax': {
    ...at('rates', 'hourly_rate.smart_rate_max'),
    kind: 'line',
    label: 'Smart maximum',
    hint: '$3 to $999 an hour.',
    range: HOURLY,
    when: IF_SMART,
  },
  'hourly.smartPercent': {
    ...at('rates', 'hourly_rate.smart_rate_percent'),
    kind: 'line',
    label: 'Smart percent',
    what: 'The smart percentage',
    hint: "Percent of the client's budget, 1 to 100.",
    range: { min: 1, max: 100, unit: '%', whole: true },
    when: IF_SMART,
  },
  'hourly.increaseFrequency': {
    ...at('rates', 'hourly_rate.increase_frequency'),
    kind: 'menu',
    label: 'Scheduled increase',
    choices: {
      never: 'Never',
      'every-3-months': 'Every 3 months',
      'every-6-months': 'Every 6 months',
      'every-12-months': 'Every 12 months',
    } satisfies Labels<IncreaseFrequency>,
  },
  'hourly.increasePercent': {
    ...at('rates', 'hourly_rate.increase_percent'),
    kind: 'line',
    label: 'Increase',
    what: 'The rate increase',
    hint: 'Percent, 0 or more.',
    range: { min: 0, unit: '%' },
    when: { field: 'hourly.increaseFrequency', is: ['every-3-months', 'every-6-months', 'every-12-months'] },
  },
  'fixedPrice.type': {
    ...at('rates', 'fixed_price.type'),
    kind: 'menu',
    label: 'Fixed-price bids',
    choices: {
      'by-job-terms': "By the project's terms",
      'by-project': 'The same price on every project',
    } satisfies Labels<FixedPriceType>,
  },
  'fixedPrice.price': {
    ...at('rates', 'fixed_price.price'),
    kind: 'line',
    label: 'Price',
    hint: 'The same bid on every fixed-price project: $5 to $1,000,000.',
    range: PRICE,
    when: { field: 'fixedPrice.type', is: ['by-project'] },
  },
  'fixedPrice.minPrice': {
    ...at('rates', 'fixed_price.min_price'),
    kind: 'line',
    label: 'Minimum price',
    hint: 'The lowest bid: $5 to $1,000,000.',
    range: PRICE,
    when: IF_BY_TERMS,
  },
  'fixedPrice.clientBudgetPercent': {
    ...at('rates', 'fixed_price.client_budget_percent'),
    kind: 'line',
    label: "Percent of the client's budget",
    what: "The percentage of the client's budget",
    hint: "The bid as a percent of the client's budget, 1 to 1,000.",
    range: { min: 1, max: 1_000, unit: '%', whole: true },
    when: IF_BY_TERMS,
  },
  'ai.model': {
    ...at('ai', 'ai.model'),
    kind: 'line',
    label: 'AI model',
    hint: "A model ID from the marketplace's catalog. Leave empty for the default model.",
    empty: 'Default model',
  },
  'ai.instructions': {
    ...at('ai', 'ai.instructions'),
    kind: 'long',
    label: 'Instructions',
    are: true,
    hint: 'How the AI writes the proposals. Up to 10,000 characters.',
    required: "Describe how the AI should write. The instructions can't be empty.",
    most: 10_000,
  },
  'ai.clientQuestions': {
    ...at('ai', 'ai.client_questions'),
    kind: 'long',
    label: 'AI prompt for client questions',
    what: 'The prompt for client questions',
    hint: 'How the AI answers client questions. Leave empty to turn this off. Up to 10,000 characters.',
    empty: 'off',
    most: 10_000,
  },
  'ai.additionalContext': {
    ...at('ai', 'ai.additional_context'),
    kind: 'long',
    label: 'Additional context',
    hint: 'Anything else the AI should know. Leave empty to turn this off. Up to 10,000 characters.',
    empty: 'off',
    most: 10_000,
  },
  'ai.templateStructure': {
    ...at('ai', 'ai.template_structure'),
    kind: 'switch',
    label: 'Template structure',
    hint: 'When off, the AI ignores the cover letters.',
    on: ON,
  },
  abTesting: {
    ...at('letters', 'ab_testing'),
    kind: 'switch',
    label: 'A/B testing',
    hint: 'Alternates between the two letters.',
    on: ON,
    when: IF_STRUCTURED,
  },
  'letters.variantA': {
    ...at('letters', 'cover_letters.variant_a'),
    kind: 'long',
    label: 'Letter A',
    what: 'Letter A',
    hint: 'Up to 5,000 characters.',
    most: 5_000,
    when: IF_STRUCTURED,
  },
  'letters.variantB': {
    ...at('letters', 'cover_letters.variant_b'),
    kind: 'long',
    label: 'Letter B',
    what: 'Letter B',
    hint: 'Up to 5,000 characters.',
    most: 5_000,
    when: IF_STRUCTURED,
  },
  answers: { ...at('answers', 'answers'), kind: 'list', label: 'Answers' },
  'answers.question': {
    ...at('answers', 'answers.#.question'),
    kind: 'line',
    label: 'Question',
    hint: "The client's question, or part of it. Up to 500 characters.",
    multiline: true,
    required: 'Enter the question that this answers, or part of it.',
    most: 500,
  },
  'answers.answer': {
    ...at('answers', 'answers.#.answer'),
    kind: 'long',
    label: 'Answer',
    hint: 'Up to 5,000 characters.',
    required: 'Enter the answer.',
    most: 5_000,
  },
  'answers.matchType': {
    ...at('answers', 'answers.#.match_type'),
    kind: 'menu',
    label: 'How questions are matched',
    choices: MATCH_TYPE_LABELS,
    required: 'Choose how to match client questions.',
  },
} as const satisfies Record<string, FieldLook & FieldRules>;
export type TemplateField = keyof typeof TEMPLATE_FIELDS;

export function isTemplateField(name: string): name is TemplateField {
  return Object.hasOwn(TEMPLATE_FIELDS, name);
}

/** In form order. */
export const TEMPLATE_FIELD_NAMES = Object.keys(TEMPLATE_FIELDS).filter(isTemplateField);

/** Without the answers, which are edited one by one. */
export const TEMPLATE_FORM_FIELDS = TEMPLATE_FIELD_NAMES.filter((field) => field !== 'answers').filter(
  (field) => !field.startsWith('answers.'),
);

/** How a field looks, and what it may hold. */
export function templateFieldRow(field: TemplateField): FieldLook & FieldRules {
  return TEMPLATE_FIELDS[field];
}

/** The location of a field; `index`: which of the answers, from 0. */
export interface TemplateFieldLocation {
  readonly step: TemplateStep;
  readonly field: TemplateField;
  readonly index?: number;
}

/** Whether the form's choices make a field apply. Other fields are not shown, checked or sent. */
export function isFieldApplicable(form: TemplateForm, field: TemplateField): boolean {
  // A freelancer profile must not have a contractor: the field applies until it is cleared.
  if (field === 'sender.contractorUid')
    return form.sender.type !== 'freelancer' || form.sender.contractorUid.trim() !== '';
  const { when } = templateFieldRow(field);
  return when === undefined || when.is.includes(valueAt(form, when.field));
}

/** What a record holds at a dot path such as `hourly.rate`. */
export function valueAt(record: unknown, path: string): unknown {
  return path.split('.').reduce((value, name) => {
    const isGroup = typeof value === 'object' && value !== null;
    return isGroup ? new Map<string, unknown>(Object.entries(value)).get(name) : undefined;
  }, record);
}

/** A number or a text as typed; `''` for a single answer's fields. */
export function templateFieldText(form: TemplateForm, field: TemplateField): string {
  const value = valueAt(form, field);
  return typeof value === 'string' ? value : '';
}

/** The form with another value in one field outside the answers. */
export function withTemplateFieldValue(form: TemplateForm, field: TemplateField, value: string | boolean) {
  const [group = '', name] = field.split('.');
  const after = name === undefined ? value : Object.assign({}, valueAt(form, group), { [name]: value });
  return TemplateForm.parse({ ...form, [group]: after });
}
