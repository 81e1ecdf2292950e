/** The form of a proposal template, field by field and step by step. Pure. */
import { z } from 'zod';

/** Who on the team can see and edit the template; the API can't set `private`. */
export const TemplateVisibility = z.enum(['shared_view', 'shared_edit', 'shared_admins']);
export type TemplateVisibility = z.infer<typeof TemplateVisibility>;

/** `''`: not chosen yet. The API can't set `flexible`. */
export const HourlyMode = z.enum(['', 'fixed', 'smart']);
export type HourlyMode = z.infer<typeof HourlyMode>;

export const IncreaseFrequency = z.enum(['never', 'every-3-months', 'every-6-months', 'every-12-months']);
export type IncreaseFrequency = z.infer<typeof IncreaseFrequency>;

export const FixedPriceType = z.enum(['by-job-terms', 'by-project']);
export type FixedPriceType = z.infer<typeof FixedPriceType>;

/** How a client's question is matched with an answer's question; `''`: not chosen yet. */
export const QuestionMatchType = z.enum(['', 'exact', 'contains', 'startsWith']);
export type QuestionMatchType = z.infer<typeof QuestionMatchType>;

/** `unknown`: typed by hand, or the marketplace doesn't say. */
export const SenderType = z.enum(['agency', 'freelancer', 'unknown']);
export type SenderType = z.infer<typeof SenderType>;

export const ScreeningAnswer = z.object({
  question: z.string(),
  answer: z.string(),
  matchType: QuestionMatchType,
});
export type ScreeningAnswer = z.infer<typeof ScreeningAnswer>;

export const EMPTY_SCREENING_ANSWER: ScreeningAnswer = { question: '', answer: '', matchType: '' };

/** As typed: numbers are texts, and hidden fields keep their values for when they show again. */
export const TemplateForm = z.object({
  name: z.string(),
  visibility: TemplateVisibility,
  sender: z.object({ organizationId: z.string(), contractorUid: z.string(), type: SenderType }),
  hourly: z.object({
    mode: HourlyMode,
    rate: z.string(),
    smartMin: z.string(),
    smartMax: z.string(),
    smartPercent: z.string(),
    increasePercent: z.string(),
    increaseFrequency: IncreaseFrequency,
  }),
  fixedPrice: z.object({
    type: FixedPriceType,
    price: z.string(),
    minPrice: z.string(),
    clientBudgetPercent: z.string(),
  }),
  ai: z.object({
    /** `''`: the default model. */
    model: z.string(),
    instructions: z.string(),
    /** `''`: off. */
    clientQuestions: z.string(),
    /** `''`: off. */
    additionalContext: z.string(),
    templateStructure: z.boolean(),
  }),
  abTesting: z.boolean(),
  answers: z.array(ScreeningAnswer),
  letters: z.object({ variantA: z.string(), variantB: z.string() }),
});
export type TemplateForm = z.infer<typeof TemplateForm>;

/**
 * The API's defaults for visibility, fixed price type and A/B testing. For mode, frequency and template
 * structure no default is documented: ours are the simplest. The form always sends them, so what it shows is
 * what applies.
 */
export const EMPTY_TEMPLATE_FORM: TemplateForm = {
  name: '',
  visibility: 'shared_admins',
  sender: { organizationId: '', contractorUid: '', type: 'unknown' },
  hourly: {
    mode: 'fixed',
    rate: '',
    smartMin: '',
    smartMax: '',
    smartPercent: '',
    increasePercent: '',
    increaseFrequency: 'never',
  },
  fixedPrice: { type: 'by-job-terms', price: '', minPrice: '', clientBudgetPercent: '' },
  ai: { model: '', instructions: '', clientQuestions: '', additionalContext: '', templateStructure: true },
  abTesting: false,
  answers: [],
  letters: { variantA: '', variantB: '' },
};

export const TEMPLATE_STEPS = ['sender', 'rates', 'ai', 'letters', 'answers', 'review'] as const;
export type TemplateStep = (typeof TEMPLATE_STEPS)[number];

/** `dollars`: at most two decimals (our rule: more is a typo, and `5.000` is ambiguous). */
export interface NumberRange {
  readonly min: number;
  readonly max?: number;
  readonly unit: 'dollars' | 'dollars an hour' | '%';
  readonly whole?: true;
}

interface FieldRules {
  readonly step: TemplateStep;
  /** In the marketplace's errors; `#`: the answer's index. */
  readonly path: string;
  /** Begins an error's sentence. */
  readonly what?: string;
  /** Whether `what` is plural. */
  readonly are?: true;
  /** What to do about an empty field, which is an error then; `true`: enter a number in its range. */
  readonly required?: string | true;
  /** In characters, as `countCharacters` counts. */
  readonly most?: number;
  readonly range?: NumberRange;
  /** Whether the form's choices make the field apply; missing: always. */
  readonly applies?: (form: TemplateForm) => boolean;
}

const HOURLY: NumberRange = { min: 3, max: 999, unit: 'dollars an hour' };
const PRICE: NumberRange = { min: 5, max: 1_000_000, unit: 'dollars' };

function isSmart({ hourly }: TemplateForm): boolean {
  return hourly.mode === 'smart';
}

function isByJobTerms({ fixedPrice }: TemplateForm): boolean {
  return fixedPrice.type === 'by-job-terms';
}

/** Without a template structure the AI ignores the letters. */
function hasStructure({ ai }: TemplateForm): boolean {
  return ai.templateStructure;
}

/** Every field in form order. Source of each limit: marketplace-api.md, ProposalTemplate input. */
export const TEMPLATE_FIELDS = {
  name: {
    step: 'sender',
    path: 'name',
    what: 'The name',
    required: 'Enter a name for the template.',
    most: 255,
  },
  visibility: { step: 'sender', path: 'visibility' },
  'sender.organizationId': {
    step: 'sender',
    path: 'sender.organization_id',
    required: 'Choose a sender, or enter the organization ID.',
  },
  /** A freelancer profile must not have a contractor: the field applies until it is cleared. */
  'sender.contractorUid': {
    step: 'sender',
    path: 'sender.contractor_uid',
    applies: ({ sender }) => sender.type !== 'freelancer' || sender.contractorUid.trim() !== '',
  },
  'hourly.mode': { step: 'rates', path: 'hourly_rate.mode' },
  'hourly.rate': {
    step: 'rates',
    path: 'hourly_rate.rate',
    what: 'The hourly rate',
    required: true,
    range: HOURLY,
  },
  'hourly.smartMin': {
    step: 'rates',
    path: 'hourly_rate.smart_rate_min',
    what: 'The smart minimum',
    range: HOURLY,
    applies: isSmart,
  },
  'hourly.smartMax': {
    step: 'rates',
    path: 'hourly_rate.smart_rate_max',
    what: 'The smart maximum',
    range: HOURLY,
    applies: isSmart,
  },
  'hourly.smartPercent': {
    step: 'rates',
    path: 'hourly_rate.smart_rate_percent',
    what: 'The smart percentage',
    range: { min: 1, max: 100, unit: '%', whole: true },
    applies: isSmart,
  },
  'hourly.increaseFrequency': { step: 'rates', path: 'hourly_rate.increase_frequency' },
  'hourly.increasePercent': {
    step: 'rates',
    path: 'hourly_rate.increase_percent',
    what: 'The rate increase',
    range: { min: 0, unit: '%' },
    applies: ({ hourly }) => hourly.increaseFrequency !== 'never',
  },
  'fixedPrice.type': { step: 'rates', path: 'fixed_price.type' },
  'fixedPrice.price': {
    step: 'rates',
    path: 'fixed_price.price',
    what: 'The price',
    range: PRICE,
    applies: ({ fixedPrice }) => fixedPrice.type === 'by-project',
  },
  'fixedPrice.minPrice': {
    step: 'rates',
    path: 'fixed_price.min_price',
    what: 'The minimum price',
    range: PRICE,
    applies: isByJobTerms,
  },
  'fixedPrice.clientBudgetPercent': {
    step: 'rates',
    path: 'fixed_price.client_budget_percent',
    what: "The percentage of the client's budget",
    range: { min: 1, max: 1_000, unit: '%', whole: true },
    applies: isByJobTerms,
  },
  'ai.model': { step: 'ai', path: 'ai.model' },
  'ai.instructions': {
    step: 'ai',
    path: 'ai.instructions',
    what: 'The instructions',
    are: true,
    required: "Describe how the AI should write. The instructions can't be empty.",
    most: 10_000,
  },
  'ai.clientQuestions': {
    step: 'ai',
    path: 'ai.client_questions',
    what: 'The prompt for client questions',
    most: 10_000,
  },
  'ai.additionalContext': {
    step: 'ai',
    path: 'ai.additional_context',
    what: 'The additional context',
    most: 10_000,
  },
  'ai.templateStructure': { step: 'ai', path: 'ai.template_structure' },
  abTesting: { step: 'letters', path: 'ab_testing', applies: hasStructure },
  'letters.variantA': {
    step: 'letters',
    path: 'cover_letters.variant_a',
    what: 'Variant A',
    most: 5_000,
    applies: hasStructure,
  },
  'letters.variantB': {
    step: 'letters',
    path: 'cover_letters.variant_b',
    what: 'Variant B',
    most: 5_000,
    applies: hasStructure,
  },
  /** The list as a whole. */
  answers: { step: 'answers', path: 'answers' },
  'answers.question': {
    step: 'answers',
    path: 'answers.#.question',
    what: 'The question',
    required: 'Enter the question that this answers, or part of it.',
    most: 500,
  },
  'answers.answer': {
    step: 'answers',
    path: 'answers.#.answer',
    what: 'The answer',
    required: 'Enter the answer.',
    most: 5_000,
  },
  'answers.matchType': { step: 'answers', path: 'answers.#.match_type' },
} as const satisfies Record<string, FieldRules>;
export type TemplateField = keyof typeof TEMPLATE_FIELDS;

export function isTemplateField(name: string): name is TemplateField {
  return Object.hasOwn(TEMPLATE_FIELDS, name);
}

/** A field with this rule. */
type FieldWith<Rule extends keyof FieldRules> = {
  [Field in TemplateField]: (typeof TEMPLATE_FIELDS)[Field] extends Record<Rule, unknown> ? Field : never;
}[TemplateField];
/** A text with a maximum length. */
export type LimitedTextField = FieldWith<'most'>;
export type RequiredTextField = FieldWith<'most' | 'required'>;
export type NumberField = FieldWith<'range'>;

export const MAX_SCREENING_ANSWERS = 50;

export function templateFieldRules(field: TemplateField): FieldRules {
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
  return templateFieldRules(field).applies?.(form) ?? true;
}

/** A field's stored value; a single answer's fields have none. */
export function templateFieldValue(form: TemplateForm, field: TemplateField): unknown {
  const [group = '', name] = field.split('.');
  const value = new Map<string, unknown>(Object.entries(form)).get(group);
  if (name === undefined || typeof value !== 'object' || value === null) return value;
  return new Map<string, unknown>(Object.entries(value)).get(name);
}

/** A number or a text as typed. */
export function templateFieldText(form: TemplateForm, field: TemplateField): string {
  const value = templateFieldValue(form, field);
  return typeof value === 'string' ? value : '';
}

/** The form with another value in one field outside the answers. */
export function withTemplateFieldValue(
  form: TemplateForm,
  field: TemplateField,
  value: string | boolean,
): TemplateForm {
  const [group = '', name] = field.split('.');
  const before = new Map<string, unknown>(Object.entries(form)).get(group);
  const after = name === undefined ? value : Object.assign({}, before, { [name]: value });
  return TemplateForm.parse({ ...form, [group]: after });
}

// Changes to the list of answers. Indexes count from 0; an unknown index changes nothing.

export function addScreeningAnswer(form: TemplateForm, answer: ScreeningAnswer): TemplateForm {
  return { ...form, answers: [...form.answers, answer] };
}

export function replaceScreeningAnswer(
  form: TemplateForm,
  index: number,
  answer: ScreeningAnswer,
): TemplateForm {
  return { ...form, answers: form.answers.map((old, place) => (place === index ? answer : old)) };
}

export function removeScreeningAnswer(form: TemplateForm, index: number): TemplateForm {
  return { ...form, answers: form.answers.filter((_, place) => place !== index) };
}

/** Moves the answer at `from`, so that its index is then `to`. */
export function moveScreeningAnswer(form: TemplateForm, from: number, to: number): TemplateForm {
  const moved = form.answers[from];
  if (!moved || !(to in form.answers)) return form;
  return { ...form, answers: form.answers.toSpliced(from, 1).toSpliced(to, 0, moved) };
}
