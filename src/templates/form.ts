/** The form of a proposal template: its values, its steps, and its list of answers. Pure. */
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

export const MAX_SCREENING_ANSWERS = 50;

// Changes to the list of answers. Indexes count from 0; an unknown index changes nothing.

export function addScreeningAnswer(form: TemplateForm, answer: ScreeningAnswer): TemplateForm {
  return { ...form, answers: [...form.answers, answer] };
}

export function replaceScreeningAnswer(form: TemplateForm, index: number, answer: ScreeningAnswer) {
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
