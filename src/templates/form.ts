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

/** Every field in form order, with its step. */
export const TEMPLATE_FIELD_STEPS = {
  name: 'sender',
  visibility: 'sender',
  'sender.organizationId': 'sender',
  'sender.contractorUid': 'sender',
  'hourly.mode': 'rates',
  'hourly.rate': 'rates',
  'hourly.smartMin': 'rates',
  'hourly.smartMax': 'rates',
  'hourly.smartPercent': 'rates',
  'hourly.increaseFrequency': 'rates',
  'hourly.increasePercent': 'rates',
  'fixedPrice.type': 'rates',
  'fixedPrice.price': 'rates',
  'fixedPrice.minPrice': 'rates',
  'fixedPrice.clientBudgetPercent': 'rates',
  'ai.model': 'ai',
  'ai.instructions': 'ai',
  'ai.clientQuestions': 'ai',
  'ai.additionalContext': 'ai',
  'ai.templateStructure': 'ai',
  abTesting: 'letters',
  'letters.variantA': 'letters',
  'letters.variantB': 'letters',
  /** The list as a whole. */
  answers: 'answers',
  'answers.question': 'answers',
  'answers.answer': 'answers',
  'answers.matchType': 'answers',
} as const satisfies Record<string, TemplateStep>;
export type TemplateField = keyof typeof TEMPLATE_FIELD_STEPS;

/** The location of a field; `index`: which of the answers, from 0. */
export interface TemplateFieldLocation {
  readonly step: TemplateStep;
  readonly field: TemplateField;
  readonly index?: number;
}

type Asked = (form: TemplateForm) => boolean;

const inSmartMode: Asked = ({ hourly }) => hourly.mode === 'smart';
const byJobTerms: Asked = ({ fixedPrice }) => fixedPrice.type === 'by-job-terms';
/** Without a template structure the AI ignores the letters. */
const withStructure: Asked = ({ ai }) => ai.templateStructure;

const ASKED: Readonly<Partial<Record<TemplateField, Asked>>> = {
  'sender.contractorUid': ({ sender }) => sender.type !== 'freelancer' || sender.contractorUid.trim() !== '',
  'hourly.smartMin': inSmartMode,
  'hourly.smartMax': inSmartMode,
  'hourly.smartPercent': inSmartMode,
  'hourly.increasePercent': ({ hourly }) => hourly.increaseFrequency !== 'never',
  'fixedPrice.price': ({ fixedPrice }) => fixedPrice.type === 'by-project',
  'fixedPrice.minPrice': byJobTerms,
  'fixedPrice.clientBudgetPercent': byJobTerms,
  abTesting: withStructure,
  'letters.variantA': withStructure,
  'letters.variantB': withStructure,
};

/**
 * Whether the form's choices make a field apply. Other fields are not shown, checked or sent. A freelancer
 * profile must not have a contractor: that field applies until it is cleared.
 */
export function isFieldApplicable(form: TemplateForm, field: TemplateField): boolean {
  return ASKED[field]?.(form) ?? true;
}
