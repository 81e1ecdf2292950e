/** The fifth step: the list of answers to screening questions. One block per answer, so that 50 fit. Pure. */
import type { KnownBlock, Overflow } from '@slack/types';
import { z } from 'zod';
import { MAX_SCREENING_ANSWERS, type ScreeningAnswer } from '../../templates/form.ts';
import { countCharacters } from '../../typed/texts.ts';
import {
  actionsBlock,
  buttonElement,
  contextBlock,
  joinLines,
  menuOption,
  sectionBlock,
} from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import { clipText, safeLine } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import { fieldErrorText } from './template-errors.ts';
import type { StepFacts } from './template-inputs.ts';
import { MATCH_TYPE_LABELS } from './template-labels.ts';

const QUESTION = 150;
const ANSWER = 100;
const WORDS_OF_MARKS = 900;
/** More than a user can add; a view has no room for more. */
const MOST_ROWS = 60;

const AnswerMenuChoice = z
  .string()
  .regex(/^(?:edit|up|down|remove):\d{1,4}$/u)
  .transform((value) => {
    const [act = '', index = ''] = value.split(':');
    return { act: act as 'edit' | 'up' | 'down' | 'remove', index: Number(index) };
  });
export type AnswerMenuChoice = z.infer<typeof AnswerMenuChoice>;

/** The choice in an answer's menu; untrusted input. */
export function parseAnswerMenuChoice(value: string): AnswerMenuChoice | undefined {
  return AnswerMenuChoice.safeParse(value).data;
}

function rowMenu(index: number, length: number): Overflow {
  const choices = [
    menuOption('Edit', `edit:${index}`),
    ...(index > 0 ? [menuOption('Move Up', `up:${index}`)] : []),
    ...(index < length - 1 ? [menuOption('Move Down', `down:${index}`)] : []),
    menuOption('Remove', `remove:${index}`),
  ];
  return { type: 'overflow', action_id: actionIds.templateAnswerMenu, options: choices };
}

function matchText({ matchType }: ScreeningAnswer): string {
  return matchType === '' ? 'match type not chosen' : MATCH_TYPE_LABELS[matchType];
}

function row({ draft, marks }: StepFacts, answer: ScreeningAnswer, index: number): KnownBlock {
  const { length } = draft.form.answers;
  const fields = ['answers', 'answers.question', 'answers.answer', 'answers.matchType'] as const;
  const wrong = joinLines(...fields.map((field) => fieldErrorText(marks, { field, index }, true)));
  const words = joinLines(
    `*${formatNumber(index + 1)}.* ${safeLine(answer.question, QUESTION) || '_no question_'}`,
    `${safeLine(answer.answer, ANSWER) || '_no answer_'} ` +
      `(${formatCount(countCharacters(answer.answer), 'character')} · ${matchText(answer)})`,
    clipText(wrong, WORDS_OF_MARKS),
  );
  return { ...sectionBlock(words, rowMenu(index, length)), block_id: `answer:${index}:${draft.revision}` };
}

export function answersStepBlocks(facts: StepFacts): KnownBlock[] {
  const { answers } = facts.draft.form;
  const list = fieldErrorText(facts.marks, { field: 'answers' }, true);
  const shown = answers.slice(0, MOST_ROWS);
  const more = answers.length - shown.length;
  const isFull = answers.length >= MAX_SCREENING_ANSWERS;
  const add = buttonElement({ id: actionIds.templateAnswerAdd, label: 'Add Answer', value: 'add' });
  return [
    contextBlock(
      `${formatNumber(answers.length)} of ${MAX_SCREENING_ANSWERS} answers to screening questions.`,
    ),
    ...(list ? [contextBlock(list)] : []),
    ...shown.map((answer, index) => row(facts, answer, index)),
    ...(more > 0 ? [contextBlock(`…and ${formatNumber(more)} more.`)] : []),
    ...(isFull ? [] : [actionsBlock([add])]),
  ];
}
