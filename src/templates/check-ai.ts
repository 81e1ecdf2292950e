/** The third and fourth step: the AI's instructions, and the cover letters that it follows. Pure. */
import type { ProposalTemplateInput } from '../marketplace/schema.ts';
import { isBlank } from '../typed/texts.ts';
import { combineChecks, type FormCheckResult, OMITTED_FIELD_RESULT, validResult } from './check-result.ts';
import { checkOptionalText, checkRequiredText } from './check-values.ts';
import { isFieldApplicable, type TemplateForm } from './form.ts';

/** The available models are not documented: the marketplace checks the ID. */
export function checkAiSettings({ ai }: TemplateForm): FormCheckResult<Pick<ProposalTemplateInput, 'ai'>> {
  return combineChecks({
    ai: combineChecks({
      model: validResult(isBlank(ai.model) ? null : ai.model.trim()),
      instructions: checkRequiredText('ai.instructions', ai.instructions, {
        what: 'The instructions',
        are: true,
        missing: "Describe how the AI should write. The instructions can't be empty.",
      }),
      clientQuestions: checkOptionalText('ai.clientQuestions', ai.clientQuestions, {
        what: 'The prompt for client questions',
      }),
      additionalContext: checkOptionalText('ai.additionalContext', ai.additionalContext, {
        what: 'The additional context',
      }),
      templateStructure: validResult(ai.templateStructure),
    }),
  });
}

type LettersPart = Pick<ProposalTemplateInput, 'abTesting' | 'coverLetters'>;

export function checkCoverLetters(form: TemplateForm): FormCheckResult<LettersPart> {
  if (!isFieldApplicable(form, 'letters.variantA')) return validResult({});
  return combineChecks({ abTesting: validResult(form.abTesting), coverLetters: checkVariants(form.letters) });
}

function checkVariants({ variantA, variantB }: TemplateForm['letters']) {
  if (variantA === '' && variantB === '') return OMITTED_FIELD_RESULT;
  return combineChecks({
    variantA: checkOptionalText('letters.variantA', variantA, { what: 'Variant A' }),
    variantB: checkOptionalText('letters.variantB', variantB, { what: 'Variant B' }),
  });
}
