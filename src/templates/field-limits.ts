/**
 * The limits of a template's fields. Source of each row: marketplace-api.md, ProposalTemplate input. Pure.
 */

/** In characters, as `countCharacters` counts. */
export const MAX_TEMPLATE_TEXT_LENGTHS = {
  name: 255,
  'ai.instructions': 10_000,
  'ai.clientQuestions': 10_000,
  'ai.additionalContext': 10_000,
  'letters.variantA': 5_000,
  'letters.variantB': 5_000,
  'answers.question': 500,
  'answers.answer': 5_000,
} as const;
export type LimitedTextField = keyof typeof MAX_TEMPLATE_TEXT_LENGTHS;

/** `dollars`: at most two decimals (our rule: more is a typo, and `5.000` is ambiguous). */
export interface NumberRange {
  readonly min: number;
  readonly max?: number;
  readonly unit: 'dollars' | 'dollars an hour' | '%';
  readonly whole?: true;
}

const HOURLY: NumberRange = { min: 3, max: 999, unit: 'dollars an hour' };
const PRICE: NumberRange = { min: 5, max: 1_000_000, unit: 'dollars' };

export const TEMPLATE_NUMBER_RANGES = {
  'hourly.rate': HOURLY,
  'hourly.smartMin': HOURLY,
  'hourly.smartMax': HOURLY,
  'hourly.smartPercent': { min: 1, max: 100, unit: '%', whole: true },
  'hourly.increasePercent': { min: 0, unit: '%' },
  'fixedPrice.price': PRICE,
  'fixedPrice.minPrice': PRICE,
  'fixedPrice.clientBudgetPercent': { min: 1, max: 1_000, unit: '%', whole: true },
} as const satisfies Record<string, NumberRange>;
export type LimitedNumberField = keyof typeof TEMPLATE_NUMBER_RANGES;

export const MAX_SCREENING_ANSWERS = 50;
