/**
 * Checks a form against the API's limits and reports all errors at once, per step or for the whole form.
 * Texts stay exactly as typed; IDs are trimmed. Source: marketplace-api.md, ProposalTemplate input. Pure.
 */
import { OrganizationId } from '../ids.ts';
import type { ProposalTemplateInput } from '../marketplace/schema.ts';
import { isBlank } from '../typed/texts.ts';
import {
  checkOptionalNumber,
  checkOptionalText,
  checkRequiredNumber,
  checkRequiredText,
  combineCheckList,
  combineChecks,
  type FormCheckResult,
  invalidField,
  listInputErrors,
  OMITTED_FIELD_RESULT,
  type TemplateInputError,
  validResult,
} from './check-result.ts';
import {
  isFieldApplicable,
  MAX_SCREENING_ANSWERS,
  type NumberField,
  type ScreeningAnswer,
  TEMPLATE_FIELDS,
  type TemplateForm,
  type TemplateStep,
  templateFieldText,
} from './form.ts';

export type TemplateCheck =
  | { readonly kind: 'ok'; readonly input: ProposalTemplateInput }
  | { readonly kind: 'mistakes'; readonly mistakes: readonly TemplateInputError[] };

type Part<Name extends keyof ProposalTemplateInput> = FormCheckResult<Pick<ProposalTemplateInput, Name>>;

/** All errors of a form in step order, or the input to send. */
export function checkTemplateForm(form: TemplateForm): TemplateCheck {
  const checked = combineChecks({
    sender: checkSenderStep(form),
    rates: checkRates(form),
    ai: checkAiSettings(form),
    letters: checkCoverLetters(form),
    answers: checkScreeningAnswers(form),
  });
  if (checked.kind === 'mistakes') return checked;
  const { sender, rates, ai, letters, answers } = checked.value;
  return { kind: 'ok', input: { ...sender, ...rates, ...ai, ...letters, ...answers } };
}

const CHECKS: Readonly<
  Record<TemplateStep, (form: TemplateForm) => FormCheckResult<unknown> | TemplateCheck>
> = {
  sender: checkSenderStep,
  rates: checkRates,
  ai: checkAiSettings,
  letters: checkCoverLetters,
  answers: checkScreeningAnswers,
  review: checkTemplateForm,
};

/** The errors of one step; `review` checks all steps. */
export function checkTemplateStep(form: TemplateForm, step: TemplateStep): readonly TemplateInputError[] {
  const checked = CHECKS[step](form);
  return checked.kind === 'mistakes' ? checked.mistakes : [];
}

function checkSenderStep({ name, visibility, sender }: TemplateForm): Part<'name' | 'visibility' | 'sender'> {
  return combineChecks({
    name: checkRequiredText('name', name),
    visibility: validResult(visibility),
    sender: combineChecks({
      organizationId: checkOrganization(sender),
      contractorUid: checkContractor(sender),
    }),
  });
}

function checkOrganization({ organizationId }: TemplateForm['sender']): FormCheckResult<OrganizationId> {
  const field = 'sender.organizationId';
  if (isBlank(organizationId)) return invalidField(field, TEMPLATE_FIELDS[field].required);
  const digits = /^#?(\d{1,16})$/u.exec(organizationId.trim())?.[1];
  const id = OrganizationId.safeParse(Number(digits));
  return id.success
    ? validResult(id.data)
    : invalidField(field, 'The organization ID must be a whole number above 0.');
}

/** Required for agencies, not allowed for freelancers; for an unknown type the marketplace decides. */
function checkContractor({
  contractorUid,
  type,
}: TemplateForm['sender']): FormCheckResult<string | undefined> {
  const field = 'sender.contractorUid';
  const uid = isBlank(contractorUid) ? '' : contractorUid.trim();
  if (type === 'freelancer' && uid !== '')
    return invalidField(field, "Freelancer profiles don't need a contractor. Clear this field.");
  if (type === 'agency' && uid === '')
    return invalidField(
      field,
      'Agencies send through a contractor. Choose one, or enter the contractor UID.',
    );
  return uid === '' ? OMITTED_FIELD_RESULT : validResult(uid);
}

function checkRates(form: TemplateForm): Part<'hourlyRate' | 'fixedPrice'> {
  return combineChecks({ hourlyRate: checkHourly(form), fixedPrice: checkFixedPrice(form) });
}

function checkHourly(form: TemplateForm): FormCheckResult<ProposalTemplateInput['hourlyRate']> {
  const { mode, rate, increaseFrequency } = form.hourly;
  const max = checkAskedNumber(form, 'hourly.smartMax');
  return combineChecks({
    mode:
      mode === ''
        ? invalidField(
            'hourly.mode',
            'Choose fixed or smart. You can only set flexible rates in the dashboard.',
          )
        : validResult(mode),
    rate: checkRequiredNumber('hourly.rate', rate),
    smartRateMin: notAbove(checkAskedNumber(form, 'hourly.smartMin'), max),
    smartRateMax: max,
    smartRatePercent: checkAskedNumber(form, 'hourly.smartPercent'),
    increaseFrequency: validResult(increaseFrequency),
    increasePercent: checkAskedNumber(form, 'hourly.increasePercent'),
  });
}

function checkFixedPrice(
  form: TemplateForm,
): FormCheckResult<NonNullable<ProposalTemplateInput['fixedPrice']>> {
  return combineChecks({
    type: validResult(form.fixedPrice.type),
    price: checkAskedNumber(form, 'fixedPrice.price'),
    minPrice: checkAskedNumber(form, 'fixedPrice.minPrice'),
    clientBudgetPercent: checkAskedNumber(form, 'fixedPrice.clientBudgetPercent'),
  });
}

/** An optional number; one that doesn't apply is not checked. */
function checkAskedNumber(form: TemplateForm, field: NumberField): FormCheckResult<number | undefined> {
  return isFieldApplicable(form, field)
    ? checkOptionalNumber(field, templateFieldText(form, field))
    : OMITTED_FIELD_RESULT;
}

/**
 * Source: “Effective min must not exceed effective max.” The effective value of a missing one is not
 * documented. We assume the end of its range, 3 or 999: so a missing one never blocks what the marketplace
 * may accept. If the marketplace disagrees, its own error appears at the field.
 */
function notAbove(min: FormCheckResult<number | undefined>, max: FormCheckResult<number | undefined>) {
  if (min.kind !== 'ok' || min.value === undefined) return min;
  if (max.kind !== 'ok' || max.value === undefined || min.value <= max.value) return min;
  return invalidField(
    'hourly.smartMin',
    `The smart minimum (${money(min.value)}) is above the maximum (${money(max.value)}). ` +
      'Lower the minimum or raise the maximum.',
  );
}

/** `$60`, `$60.50` */
function money(dollars: number): string {
  return `$${dollars.toLocaleString('en-US', { minimumFractionDigits: Number.isInteger(dollars) ? 0 : 2 })}`;
}

/** The available models are not documented: the marketplace checks the ID. */
function checkAiSettings({ ai }: TemplateForm): Part<'ai'> {
  return combineChecks({
    ai: combineChecks({
      model: validResult(isBlank(ai.model) ? null : ai.model.trim()),
      instructions: checkRequiredText('ai.instructions', ai.instructions),
      clientQuestions: checkOptionalText('ai.clientQuestions', ai.clientQuestions),
      additionalContext: checkOptionalText('ai.additionalContext', ai.additionalContext),
      templateStructure: validResult(ai.templateStructure),
    }),
  });
}

function checkCoverLetters(form: TemplateForm): Part<'abTesting' | 'coverLetters'> {
  if (!isFieldApplicable(form, 'letters.variantA')) return validResult({});
  return combineChecks({ abTesting: validResult(form.abTesting), coverLetters: checkVariants(form.letters) });
}

function checkVariants({ variantA, variantB }: TemplateForm['letters']) {
  if (variantA === '' && variantB === '') return OMITTED_FIELD_RESULT;
  return combineChecks({
    variantA: checkOptionalText('letters.variantA', variantA),
    variantB: checkOptionalText('letters.variantB', variantB),
  });
}

function checkScreeningAnswers({ answers }: TemplateForm): Part<'answers'> {
  const each = combineCheckList(answers.map(readAnswer));
  const over = answers.length - MAX_SCREENING_ANSWERS;
  const count =
    over > 0
      ? invalidField(
          'answers',
          `A template can have up to ${MAX_SCREENING_ANSWERS} answers. Remove ${over} of ${answers.length}.`,
        )
      : OMITTED_FIELD_RESULT;
  return combineChecks({ count, answers: answers.length === 0 ? OMITTED_FIELD_RESULT : each });
}

/** The errors of one answer. */
export function checkScreeningAnswer(answer: ScreeningAnswer): readonly TemplateInputError[] {
  return listInputErrors(readAnswer(answer));
}

function readAnswer(
  { question, answer, matchType }: ScreeningAnswer,
  index?: number,
): FormCheckResult<NonNullable<ProposalTemplateInput['answers']>[number]> {
  return combineChecks({
    question: checkRequiredText('answers.question', question, index),
    answer: checkRequiredText('answers.answer', answer, index),
    matchType:
      matchType === ''
        ? invalidField('answers.matchType', 'Choose how to match client questions.', index)
        : validResult(matchType),
  });
}
