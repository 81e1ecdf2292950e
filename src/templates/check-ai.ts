/** The third and the fourth step: what the AI is told, and the cover letters that it follows. Pure. */
import type { ProposalTemplateInput } from '../marketplace/schema.ts';
import { isBlank } from '../typed/texts.ts';
import { optionalText, requiredText } from './check-values.ts';
import { type Checked, NOT_SENT, ok, together } from './checked.ts';
import { isAsked, type TemplateForm } from './form.ts';

/** Which models there are is not documented: the marketplace checks the id. */
export function checkAi({ ai }: TemplateForm): Checked<Pick<ProposalTemplateInput, 'ai'>> {
  return together({
    ai: together({
      model: ok(isBlank(ai.model) ? null : ai.model.trim()),
      instructions: requiredText('ai.instructions', ai.instructions, {
        what: 'The instructions',
        are: true,
        missing: "Describe how the AI should write. The instructions can't be empty.",
      }),
      clientQuestions: optionalText('ai.clientQuestions', ai.clientQuestions, {
        what: 'The prompt for client questions',
      }),
      additionalContext: optionalText('ai.additionalContext', ai.additionalContext, {
        what: 'The additional context',
      }),
      templateStructure: ok(ai.templateStructure),
    }),
  });
}

type LettersPart = Pick<ProposalTemplateInput, 'abTesting' | 'coverLetters'>;

export function checkLetters(form: TemplateForm): Checked<LettersPart> {
  if (!isAsked(form, 'letters.variantA')) return ok({});
  return together({ abTesting: ok(form.abTesting), coverLetters: checkVariants(form.letters) });
}

function checkVariants({ variantA, variantB }: TemplateForm['letters']) {
  if (variantA === '' && variantB === '') return NOT_SENT;
  return together({
    variantA: optionalText('letters.variantA', variantA, { what: 'Variant A' }),
    variantB: optionalText('letters.variantB', variantB, { what: 'Variant B' }),
  });
}
