/**
 * Checks a form against the API's limits and reports all errors at once, per step or for the whole form.
 * Texts stay exactly as typed; IDs are trimmed. Source: marketplace-api.md, ProposalTemplate input. Pure.
 */
import { z } from 'zod';
import { OrganizationId } from '../ids.ts';
import type { ProposalTemplateInput } from '../marketplace/schema.ts';
import { hasMoreThanTwoDecimals, parseMoney, parsePercent } from '../typed/numbers.ts';
import { countCharacters, isBlank } from '../typed/texts.ts';
import {
  isFieldApplicable,
  type NumberRange,
  TEMPLATE_FIELDS,
  TEMPLATE_FORM_FIELDS,
  type TemplateField,
  type TemplateFieldLocation,
  templateFieldRow,
  templateFieldText,
} from './fields.ts';
import { MAX_SCREENING_ANSWERS, type ScreeningAnswer, type TemplateForm, type TemplateStep } from './form.ts';

export interface TemplateInputError extends TemplateFieldLocation {
  /** What is wrong and how to fix it; plain text without other people's words. */
  readonly sentence: string;
}

export type TemplateCheck =
  | { readonly kind: 'ok'; readonly input: ProposalTemplateInput }
  | { readonly kind: 'mistakes'; readonly mistakes: readonly TemplateInputError[] };

/** All errors of a form in step order, or the input to send. */
export function checkTemplateForm(form: TemplateForm): TemplateCheck {
  const mistakes = checkTemplateStep(form, 'review');
  return mistakes.length > 0 ? { kind: 'mistakes', mistakes } : { kind: 'ok', input: buildInput(form) };
}

/** The errors of one step; `review` checks all steps. */
export function checkTemplateStep(form: TemplateForm, step: TemplateStep): readonly TemplateInputError[] {
  const isAsked = (field: TemplateField) => step === 'review' || TEMPLATE_FIELDS[field].step === step;
  const fields = TEMPLATE_FORM_FIELDS.filter((field) => isAsked(field) && isFieldApplicable(form, field));
  const sentenceOf = (field: TemplateField) =>
    describeMistake(field, templateFieldText(form, field)) ?? FURTHER_CHECKS[field]?.(form);
  const mistakes = fields.flatMap((field) => errorsAt(field, sentenceOf(field)));
  if (!isAsked('answers')) return mistakes;
  const { answers } = form;
  const over = answers.length - MAX_SCREENING_ANSWERS;
  const tooMany =
    over > 0
      ? `A template can have up to ${MAX_SCREENING_ANSWERS} answers. Remove ${over} of ${answers.length}.`
      : undefined;
  return [...mistakes, ...errorsAt('answers', tooMany), ...answers.flatMap(checkScreeningAnswer)];
}

/** The errors of one answer. @param index its place in the form */
export function checkScreeningAnswer(answer: ScreeningAnswer, index?: number): readonly TemplateInputError[] {
  return (['question', 'answer', 'matchType'] as const).flatMap((name) => {
    const field = `answers.${name}` as const;
    return errorsAt(field, describeMistake(field, answer[name]), index);
  });
}

function errorsAt(field: TemplateField, sentence: string | undefined, index?: number): TemplateInputError[] {
  if (sentence === undefined) return [];
  return [{ step: TEMPLATE_FIELDS[field].step, field, index, sentence }];
}

const grouped = new Intl.NumberFormat('en-US');

function describeMistake(field: TemplateField, typed: string): string | undefined {
  const row = templateFieldRow(field);
  const { label, required, most, range, are } = row;
  const { what = `The ${label.charAt(0).toLowerCase()}${label.slice(1)}` } = row;
  if (isBlank(typed) && required !== undefined) return required;
  if (range) return isBlank(typed) ? undefined : describeWrongNumber(what, typed, range);
  if (most === undefined || typed === '') return undefined;
  // Only blanks are an error, since they are invisible.
  if (isBlank(typed)) return `${what} only has spaces. Enter some text, or clear the field.`;
  const length = countCharacters(typed);
  if (length <= most) return undefined;
  const [all, over, fit] = [length, length - most, most].map((number) => grouped.format(number));
  return `${what} ${are ? 'are' : 'is'} ${all} characters long, ${over} over the limit of ${fit}.`;
}

/** `$3 to $999 an hour`, `a whole number from 1% to 100%`, `0% or more` */
function rangeWords({ min, max, unit, whole }: NumberRange): string {
  const amount = (value: number) =>
    unit === '%' ? `${grouped.format(value)}%` : `$${grouped.format(value)}`;
  const per = unit === 'dollars an hour' ? ' an hour' : '';
  if (max === undefined) return `${amount(min)}${per} or more`;
  const range = `${amount(min)} to ${amount(max)}${per}`;
  return whole ? `a whole number from ${range}` : range;
}

/** In percent or dollars; undefined for anything but a number. */
export function parseTemplateNumber(typed: string, { unit }: NumberRange): number | undefined {
  return unit === '%' ? parsePercent(typed) : parseMoney(typed);
}

function describeWrongNumber(what: string, typed: string, range: NumberRange): string | undefined {
  const { min, max = Number.POSITIVE_INFINITY, unit, whole } = range;
  const value = parseTemplateNumber(typed, range);
  if (value === undefined) return `${what} isn't a valid number. Enter ${rangeWords(range)}.`;
  if (value < min || value > max || (whole && !Number.isInteger(value)))
    return `${what} must be ${rangeWords(range)}.`;
  if (unit !== '%' && hasMoreThanTwoDecimals(typed))
    return `${what} can have up to 2 decimals. Don't use a point between thousands.`;
  return undefined;
}

const FURTHER_CHECKS: Readonly<Partial<Record<TemplateField, (form: TemplateForm) => string | undefined>>> = {
  'sender.organizationId': ({ sender }) =>
    parseOrganizationId(sender) ? undefined : 'The organization ID must be a whole number above 0.',
  'sender.contractorUid': describeWrongContractor,
  'hourly.smartMin': describeMinimumAboveMaximum,
};

function parseOrganizationId({ organizationId }: TemplateForm['sender']): OrganizationId | undefined {
  const digits = /^#?(\d{1,16})$/u.exec(organizationId.trim())?.[1];
  return OrganizationId.safeParse(Number(digits)).data;
}

/** Required for agencies, not allowed for freelancers; for an unknown type the marketplace decides. */
function describeWrongContractor({ sender }: TemplateForm): string | undefined {
  const isMissing = isBlank(sender.contractorUid);
  if (sender.type === 'freelancer' && !isMissing)
    return "Freelancer profiles don't need a contractor. Clear this field.";
  return sender.type === 'agency' && isMissing
    ? 'Agencies send through a contractor. Choose one, or enter the contractor UID.'
    : undefined;
}

/**
 * Source: “Effective min must not exceed effective max.” The effective value of a missing one is not
 * documented. We assume the end of its range, 3 or 999: so a missing one never blocks what the marketplace
 * may accept. If the marketplace disagrees, its own error appears at the field.
 */
function describeMinimumAboveMaximum(form: TemplateForm): string | undefined {
  if (describeMistake('hourly.smartMax', form.hourly.smartMax) !== undefined) return undefined;
  const [min, max] = [readNumber(form, 'hourly.smartMin'), readNumber(form, 'hourly.smartMax')];
  if (min === undefined || max === undefined || min <= max) return undefined;
  return (
    `The smart minimum (${money(min)}) is above the maximum (${money(max)}). ` +
    'Lower the minimum or raise the maximum.'
  );
}

/** `$60`, `$60.50` */
function money(dollars: number): string {
  return `$${dollars.toLocaleString('en-US', { minimumFractionDigits: Number.isInteger(dollars) ? 0 : 2 })}`;
}

function readNumber(form: TemplateForm, field: TemplateField): number | undefined {
  const { range } = templateFieldRow(field);
  const isSent = range !== undefined && isFieldApplicable(form, field);
  return isSent ? parseTemplateNumber(templateFieldText(form, field), range) : undefined;
}

/** @param form without mistakes */
function buildInput(form: TemplateForm): ProposalTemplateInput {
  const { name, visibility, sender, hourly, fixedPrice, ai, letters, answers } = form;
  const hasLetters = letters.variantA !== '' || letters.variantB !== '';
  return {
    name,
    visibility,
    sender: {
      organizationId: OrganizationId.parse(parseOrganizationId(sender)),
      contractorUid: isBlank(sender.contractorUid) ? undefined : sender.contractorUid.trim(),
    },
    hourlyRate: {
      mode: hourly.mode || undefined,
      rate: z.number().parse(readNumber(form, 'hourly.rate')),
      smartRateMin: readNumber(form, 'hourly.smartMin'),
      smartRateMax: readNumber(form, 'hourly.smartMax'),
      smartRatePercent: readNumber(form, 'hourly.smartPercent'),
      increaseFrequency: hourly.increaseFrequency,
      increasePercent: readNumber(form, 'hourly.increasePercent'),
    },
    fixedPrice: {
      type: fixedPrice.type,
      price: readNumber(form, 'fixedPrice.price'),
      minPrice: readNumber(form, 'fixedPrice.minPrice'),
      clientBudgetPercent: readNumber(form, 'fixedPrice.clientBudgetPercent'),
    },
    ai: {
      // The available models are not documented: the marketplace checks the ID.
      model: isBlank(ai.model) ? null : ai.model.trim(),
      instructions: ai.instructions,
      clientQuestions: ai.clientQuestions || null,
      additionalContext: ai.additionalContext || null,
      templateStructure: ai.templateStructure,
    },
    abTesting: isFieldApplicable(form, 'abTesting') ? form.abTesting : undefined,
    coverLetters:
      hasLetters && isFieldApplicable(form, 'letters.variantA')
        ? { variantA: letters.variantA || null, variantB: letters.variantB || null }
        : undefined,
    answers:
      answers.length > 0
        ? answers.flatMap(({ matchType, ...answer }) => (matchType ? [{ ...answer, matchType }] : []))
        : undefined,
  };
}
