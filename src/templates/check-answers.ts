/** The fifth step: answers to screening questions. Pure. */
import type { ProposalTemplateInput } from '../marketplace/schema.ts';
import {
  combineCheckList,
  combineChecks,
  type FormCheckResult,
  invalidField,
  listInputErrors,
  OMITTED_FIELD_RESULT,
  type TemplateInputError,
  validResult,
} from './check-result.ts';
import { checkRequiredText } from './check-values.ts';
import { MAX_SCREENING_ANSWERS } from './field-limits.ts';
import type { ScreeningAnswer, TemplateForm } from './form.ts';

type AnswerPart = NonNullable<ProposalTemplateInput['answers']>[number];

export function checkScreeningAnswers({
  answers,
}: TemplateForm): FormCheckResult<Pick<ProposalTemplateInput, 'answers'>> {
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

/** The errors of one answer. @param index its index in the list, for the errors' locations */
export function checkScreeningAnswer(answer: ScreeningAnswer, index?: number): readonly TemplateInputError[] {
  return listInputErrors(readAnswer(answer, index));
}

function readAnswer(
  { question, answer, matchType }: ScreeningAnswer,
  index?: number,
): FormCheckResult<AnswerPart> {
  const place = index === undefined ? {} : { index };
  return combineChecks({
    question: checkRequiredText('answers.question', question, {
      what: 'The question',
      missing: 'Enter the question that this answers, or part of it.',
      ...place,
    }),
    answer: checkRequiredText('answers.answer', answer, {
      what: 'The answer',
      missing: 'Enter the answer.',
      ...place,
    }),
    matchType:
      matchType === ''
        ? invalidField('answers.matchType', 'Choose how to match client questions.', index)
        : validResult(matchType),
  });
}
