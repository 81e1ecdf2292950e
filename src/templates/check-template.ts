/**
 * Checks a form against the API's limits and reports all errors at once, per step or for the whole form.
 * Texts stay exactly as typed; IDs are trimmed. Source: marketplace-api.md, ProposalTemplate input. Pure.
 */
import type { ProposalTemplateInput } from '../marketplace/schema.ts';
import { checkAiSettings, checkCoverLetters } from './check-ai.ts';
import { checkScreeningAnswers } from './check-answers.ts';
import { checkRates } from './check-rates.ts';
import { combineChecks, type FormCheckResult, type TemplateInputError } from './check-result.ts';
import { checkSenderStep } from './check-sender.ts';
import type { TemplateForm, TemplateStep } from './form.ts';

export type TemplateCheck =
  | { readonly kind: 'ok'; readonly input: ProposalTemplateInput }
  | { readonly kind: 'mistakes'; readonly mistakes: readonly TemplateInputError[] };

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
