/** What a person fills in to make a proposal template, field by field and step by step. Pure. */
import { z } from 'zod';

/** Who on the team sees and edits it; `private` cannot be set through the API. */
export const TemplateVisibility = z.enum(['shared_view', 'shared_edit', 'shared_admins']);
export type TemplateVisibility = z.infer<typeof TemplateVisibility>;

/** `''`: not chosen yet. `flexible` cannot be set through the API. */
export const HourlyMode = z.enum(['', 'fixed', 'smart']);
export type HourlyMode = z.infer<typeof HourlyMode>;

export const IncreaseFrequency = z.enum(['never', 'every-3-months', 'every-6-months', 'every-12-months']);
export type IncreaseFrequency = z.infer<typeof IncreaseFrequency>;

export const FixedPriceType = z.enum(['by-job-terms', 'by-project']);
export type FixedPriceType = z.infer<typeof FixedPriceType>;

/** How a client's question is held against an answer's question; `''`: not chosen yet. */
export const MatchType = z.enum(['', 'exact', 'contains', 'startsWith']);
export type MatchType = z.infer<typeof MatchType>;

/** `unknown`: typed by hand, or the marketplace does not say. */
export const SenderType = z.enum(['agency', 'freelancer', 'unknown']);
export type SenderType = z.infer<typeof SenderType>;

export const ScreeningAnswer = z.object({ question: z.string(), answer: z.string(), matchType: MatchType });
export type ScreeningAnswer = z.infer<typeof ScreeningAnswer>;

export const EMPTY_SCREENING_ANSWER: ScreeningAnswer = { question: '', answer: '', matchType: '' };

/** As typed: numbers are texts, and what a choice hides stays, so that choosing back brings it again. */
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
    /** `''`: switched off. */
    clientQuestions: z.string(),
    /** `''`: switched off. */
    additionalContext: z.string(),
    templateStructure: z.boolean(),
  }),
  abTesting: z.boolean(),
  answers: z.array(ScreeningAnswer),
  letters: z.object({ variantA: z.string(), variantB: z.string() }),
});
export type TemplateForm = z.infer<typeof TemplateForm>;

/**
 * The API's defaults: visibility, fixed price type and A/B testing are documented. The mode, the frequency and the template
 * structure are not; these are the plainest, and they are always sent, so that what the form shows is what holds.
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

/** Every field, in the order of the form, and the step at which it stands. */
export const FIELD_STEPS = {
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
export type TemplateField = keyof typeof FIELD_STEPS;

/** Where something stands; `index`: which of the answers, from 0. */
export interface TemplateFieldLocation {
  readonly step: TemplateStep;
  readonly field: TemplateField;
  readonly index?: number;
}

type Asked = (form: TemplateForm) => boolean;

const inSmartMode: Asked = ({ hourly }) => hourly.mode === 'smart';
const byJobTerms: Asked = ({ fixedPrice }) => fixedPrice.type === 'by-job-terms';
/** Without the template's structure the AI ignores the letters. */
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
 * Whether the choices that were made ask for a field. What is not asked is not shown, not checked and not sent. A
 * contractor that a freelancer profile must not have is asked for until it is gone.
 */
export function isFieldApplicable(form: TemplateForm, field: TemplateField): boolean {
  return ASKED[field]?.(form) ?? true;
}
