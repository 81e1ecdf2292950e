/** The fifth step: answers to screening questions. Pure. */
import type { ProposalTemplateInput } from '../marketplace/schema.ts';
import { MOST_ANSWERS } from './bounds.ts';
import { requiredText } from './check-values.ts';
import { type Checked, inOrder, type Mistake, mistakesOf, NOT_SENT, ok, together, wrong } from './checked.ts';
import type { TemplateAnswer, TemplateForm } from './form.ts';

type AnswerPart = NonNullable<ProposalTemplateInput['answers']>[number];

export function checkAnswers({ answers }: TemplateForm): Checked<Pick<ProposalTemplateInput, 'answers'>> {
  const each = inOrder(answers.map(readAnswer));
  const over = answers.length - MOST_ANSWERS;
  const count =
    over > 0
      ? wrong(
          'answers',
          `A template can have up to ${MOST_ANSWERS} answers. Remove ${over} of ${answers.length}.`,
        )
      : NOT_SENT;
  return together({ count, answers: answers.length === 0 ? NOT_SENT : each });
}

/** What is wrong with one answer. @param index its place in the list, for the mistakes */
export function checkAnswer(answer: TemplateAnswer, index?: number): readonly Mistake[] {
  return mistakesOf(readAnswer(answer, index));
}

function readAnswer({ question, answer, matchType }: TemplateAnswer, index?: number): Checked<AnswerPart> {
  const place = index === undefined ? {} : { index };
  return together({
    question: requiredText('answers.question', question, {
      what: 'The question',
      missing: 'Enter the question that this answers, or part of it.',
      ...place,
    }),
    answer: requiredText('answers.answer', answer, {
      what: 'The answer',
      missing: 'Enter the answer.',
      ...place,
    }),
    matchType:
      matchType === ''
        ? wrong('answers.matchType', 'Choose how to match client questions.', index)
        : ok(matchType),
  });
}
