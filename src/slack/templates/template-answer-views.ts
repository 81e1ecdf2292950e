/**
 * The fifth step: the list of answers to screening questions, one block per answer, so that 50 fit; and the
 * window of one answer. Pure.
 */

import { createHash } from 'node:crypto';
import type { KnownBlock, ModalView, Overflow } from '@slack/types';
import { checkScreeningAnswer } from '../../templates/check-template.ts';
import { MATCH_TYPE_LABELS } from '../../templates/fields.ts';
import {
  addScreeningAnswer,
  EMPTY_SCREENING_ANSWER,
  MAX_SCREENING_ANSWERS,
  QuestionMatchType,
  replaceScreeningAnswer,
  type ScreeningAnswer,
  type TemplateForm,
} from '../../templates/form.ts';
import type { TemplateDraft } from '../../templates/templates.ts';
import { countCharacters } from '../../typed/texts.ts';
import type { ViewValues } from '../core/routes.ts';
import {
  actionsBlock,
  buttonElement,
  contextBlock,
  joinLines,
  menuOption,
  plainTextObject,
  sectionBlock,
} from '../kit/block-builders.ts';
import { actionIds, viewIds } from '../kit/ids.ts';
import { joinLongText } from '../kit/long-text.ts';
import { clipText, safeLine } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import { type BuilderFieldErrors, fieldErrorText, locateRefusedFields } from './template-errors.ts';
import { longTextBlocks, type StepFacts, shortInput } from './template-inputs.ts';
import {
  type AnswerMetadata,
  inputsOf,
  type TemplateInputName,
  templateInputBlockId,
} from './template-values.ts';

const QUESTION = 150;
const ANSWER = 100;
const WORDS_OF_MARKS = 900;
/** More than a user can add; a view has no room for more. */
const MOST_ROWS = 60;

function rowMenu(index: number, length: number): Overflow {
  const choices = [
    menuOption('Edit', `edit:${index}`),
    ...(index > 0 ? [menuOption('Move Up', `up:${index}`)] : []),
    ...(index < length - 1 ? [menuOption('Move Down', `down:${index}`)] : []),
    menuOption('Remove', `remove:${index}`),
  ];
  return { type: 'overflow', action_id: actionIds.templateAnswerMenu, options: choices };
}

function row({ draft, marks }: StepFacts, answer: ScreeningAnswer, index: number): KnownBlock {
  const { length } = draft.form.answers;
  const fields = ['answers', 'answers.question', 'answers.answer', 'answers.matchType'] as const;
  const wrong = joinLines(...fields.map((field) => fieldErrorText(marks, { field, index }, true)));
  const { matchType } = answer;
  const match = matchType === '' ? 'match type not chosen' : MATCH_TYPE_LABELS[matchType];
  const words = joinLines(
    `*${formatNumber(index + 1)}.* ${safeLine(answer.question, QUESTION) || '_no question_'}`,
    `${safeLine(answer.answer, ANSWER) || '_no answer_'} ` +
      `(${formatCount(countCharacters(answer.answer), 'character')} · ${match})`,
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

function fingerprint({ answers }: TemplateForm): string {
  return createHash('sha256').update(JSON.stringify(answers)).digest('hex').slice(0, 32);
}

/**
 * Puts the window's answer into the form: in its place, or at the end for a new one. If the list changed
 * since the window opened, the answer goes to the end, so that it overwrites no other. If it is already in
 * the list, it was submitted twice and is not added. A full list stays unchanged.
 */
export function insertOrReplaceAnswer(
  form: TemplateForm,
  { index, list }: Pick<AnswerMetadata, 'index' | 'list'>,
  answer: ScreeningAnswer,
): TemplateForm {
  const isSame = fingerprint(form) === list;
  if (isSame && index in form.answers) return replaceScreeningAnswer(form, index, answer);
  if (form.answers.length >= MAX_SCREENING_ANSWERS) return form;
  return !isSame && findAnswerIndex(form, answer, index) >= 0 ? form : addScreeningAnswer(form, answer);
}

/** The answer's index: its own place first, else its last match. -1: not found */
export function findAnswerIndex({ answers }: TemplateForm, answer: ScreeningAnswer, place: number): number {
  const isIt = (it: ScreeningAnswer | undefined): boolean =>
    it?.question === answer.question && it.answer === answer.answer && it.matchType === answer.matchType;
  return isIt(answers[place]) ? place : answers.findLastIndex(isIt);
}

/** The window's values. @param before the stored answer, for fields without an input */
export function parseTemplateAnswer(
  values: ViewValues,
  place: AnswerMetadata,
  before: ScreeningAnswer = EMPTY_SCREENING_ANSWER,
): ScreeningAnswer {
  const id = (name: TemplateInputName) =>
    templateInputBlockId(name, { since: place.revision, revision: place.revision });
  const chosen = QuestionMatchType.safeParse(values.get(id('answers.matchType'))?.option).data;
  return {
    question: values.get(id('answers.question'))?.text ?? '',
    answer: place.inputs.includes('answers.answer')
      ? joinLongText(values, id('answers.answer'))
      : before.answer,
    matchType: chosen ?? '',
  };
}

/** @param place `index`: the length of the list for a new one */
export function answerModalView(
  draft: TemplateDraft,
  { channel, index }: Pick<AnswerMetadata, 'channel' | 'index'>,
): ModalView {
  const { form, revision, room } = draft;
  const stored = form.answers[index];
  const { question, answer, matchType } = stored ?? EMPTY_SCREENING_ANSWER;
  const said = locateRefusedFields(draft).placed.filter((it) => it.index === index);
  const marks: BuilderFieldErrors = {
    inputErrors: stored ? checkScreeningAnswer(stored) : [],
    // Without the answer's number: the window's title shows it.
    rejections: said.map(({ step, field, words }) => ({ step, field, words })),
    shouldShowAll: stored !== undefined,
  };
  const inputFacts = { place: { since: revision, revision }, marks, room };
  const texts = longTextBlocks([['answers.answer', answer]], inputFacts);
  const blocks: KnownBlock[] = [
    ...shortInput(inputFacts, 'answers.question', question),
    ...shortInput(inputFacts, 'answers.matchType', matchType),
    ...[...texts.values()].flat(),
  ];
  const carried: AnswerMetadata = {
    draft: draft.id,
    channel,
    revision,
    index,
    list: fingerprint(form),
    inputs: inputsOf(blocks),
  };
  return {
    type: 'modal',
    callback_id: viewIds.templateAnswer,
    private_metadata: JSON.stringify(carried),
    notify_on_close: true,
    title: plainTextObject(stored ? `Answer ${formatNumber(index + 1)}` : 'New Answer'),
    submit: plainTextObject('Save'),
    close: plainTextObject('Back'),
    blocks,
  };
}
