/** One answer to a screening question, in a window on top of the list. Pure. */
import { createHash } from 'node:crypto';
import type { KnownBlock, ModalView } from '@slack/types';
import { checkScreeningAnswer } from '../../templates/check-template.ts';
import {
  addScreeningAnswer,
  EMPTY_SCREENING_ANSWER,
  MAX_SCREENING_ANSWERS,
  QuestionMatchType,
  replaceScreeningAnswer,
  type ScreeningAnswer,
  type TemplateForm,
} from '../../templates/form.ts';
import type { TemplateDraft } from '../../templates/records.ts';
import type { ViewValues } from '../core/routes.ts';
import { plainTextObject } from '../kit/block-builders.ts';
import { viewIds } from '../kit/ids.ts';
import { joinLongText } from '../kit/long-text.ts';
import { formatNumber } from '../kit/numbers.ts';
import { type BuilderFieldErrors, locateRefusedFields } from './template-errors.ts';
import { longTextBlocks, shortInput } from './template-inputs.ts';
import {
  type AnswerMetadata,
  parseTemplateInputName,
  type TemplateInputName,
  templateInputBlockId,
} from './template-metadata.ts';

/** Detects whether the list of answers changed. */
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

/** The answer's errors, without its number: the window's title shows it. */
function marksOfAnswer(draft: TemplateDraft, index: number, all: boolean): BuilderFieldErrors {
  const answer = draft.form.answers[index];
  const said = locateRefusedFields(draft).placed.filter((it) => it.index === index);
  return {
    inputErrors: answer ? checkScreeningAnswer(answer) : [],
    rejections: said.map(({ step, field, words }) => ({ step, field, words })),
    shouldShowAll: all,
  };
}

export interface TemplateAnswerFacts {
  readonly draft: TemplateDraft;
  readonly place: Pick<AnswerMetadata, 'channel' | 'index'>;
}

/** @param facts `index`: the length of the list for a new one */
export function answerModalView({ draft, place: { channel, index } }: TemplateAnswerFacts): ModalView {
  const { form, revision, room } = draft;
  const stored = form.answers[index];
  const { question, answer, matchType } = stored ?? EMPTY_SCREENING_ANSWER;
  const marks = marksOfAnswer(draft, index, stored !== undefined);
  const inputFacts = { place: { since: revision, revision }, marks, room };
  const texts = longTextBlocks([['answers.answer', answer]], inputFacts);
  const blocks: KnownBlock[] = [
    ...shortInput(inputFacts, 'answers.question', question),
    ...shortInput(inputFacts, 'answers.matchType', matchType),
    ...[...texts.values()].flat(),
  ];
  const inputs = blocks.flatMap((block) =>
    block.type === 'input' ? (parseTemplateInputName(block.block_id ?? '') ?? []) : [],
  );
  const carried: AnswerMetadata = {
    draft: draft.id,
    channel,
    revision,
    index,
    list: fingerprint(form),
    inputs: [...new Set(inputs)],
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
