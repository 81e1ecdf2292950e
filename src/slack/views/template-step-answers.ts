/** The fifth step: the list of answers to screening questions. One block an answer, so that 50 fit. Pure. */
import type { KnownBlock, Overflow } from '@slack/types';
import { z } from 'zod';
import { MOST_ANSWERS } from '../../templates/bounds.ts';
import type { TemplateAnswer } from '../../templates/form.ts';
import { countCharacters } from '../../typed/texts.ts';
import { actionIds } from '../blocks/ids.ts';
import { clip, safeLine } from '../blocks/mrkdwn.ts';
import { count, number } from '../blocks/numbers.ts';
import { actions, button, context, lines, option, section } from '../messages/parts.ts';
import { MATCH_TYPE_LABELS } from '../messages/template-words.ts';
import type { StepFacts } from './template-inputs.ts';
import { markText } from './template-marks.ts';

const QUESTION = 150;
const ANSWER = 100;
const WORDS_OF_MARKS = 900;
/** More than anybody can add; a view holds no more. */
const MOST_ROWS = 60;

const MenuChoice = z
  .string()
  .regex(/^(?:edit|up|down|remove):\d{1,4}$/u)
  .transform((value) => {
    const [act = '', index = ''] = value.split(':');
    return { act: act as 'edit' | 'up' | 'down' | 'remove', index: Number(index) };
  });
export type MenuChoice = z.infer<typeof MenuChoice>;

/** What was chosen of an answer's menu; input from outside. */
export function readMenuChoice(value: string): MenuChoice | undefined {
  return MenuChoice.safeParse(value).data;
}

function rowMenu(index: number, length: number): Overflow {
  const choices = [
    option('Edit', `edit:${index}`),
    ...(index > 0 ? [option('Move Up', `up:${index}`)] : []),
    ...(index < length - 1 ? [option('Move Down', `down:${index}`)] : []),
    option('Remove', `remove:${index}`),
  ];
  return { type: 'overflow', action_id: actionIds.templateAnswerMenu, options: choices };
}

function matchText({ matchType }: TemplateAnswer): string {
  return matchType === '' ? 'match type not chosen' : MATCH_TYPE_LABELS[matchType];
}

function row({ draft, marks }: StepFacts, answer: TemplateAnswer, index: number): KnownBlock {
  const { length } = draft.form.answers;
  const fields = ['answers', 'answers.question', 'answers.answer', 'answers.matchType'] as const;
  const wrong = lines(...fields.map((field) => markText(marks, { field, index }, true)));
  const words = lines(
    `*${number(index + 1)}.* ${safeLine(answer.question, QUESTION) || '_no question_'}`,
    `${safeLine(answer.answer, ANSWER) || '_no answer_'} (${count(countCharacters(answer.answer), 'character')} · ${matchText(answer)})`,
    clip(wrong, WORDS_OF_MARKS),
  );
  return { ...section(words, rowMenu(index, length)), block_id: `answer:${index}:${draft.revision}` };
}

export function answersStep(facts: StepFacts): KnownBlock[] {
  const { answers } = facts.draft.form;
  const list = markText(facts.marks, { field: 'answers' }, true);
  const shown = answers.slice(0, MOST_ROWS);
  const more = answers.length - shown.length;
  const isFull = answers.length >= MOST_ANSWERS;
  const add = button({ id: actionIds.templateAnswerAdd, label: 'Add Answer', value: 'add' });
  return [
    context(`${number(answers.length)} of ${MOST_ANSWERS} answers to screening questions.`),
    ...(list ? [context(list)] : []),
    ...shown.map((answer, index) => row(facts, answer, index)),
    ...(more > 0 ? [context(`…and ${number(more)} more.`)] : []),
    ...(isFull ? [] : [actions([add])]),
  ];
}
