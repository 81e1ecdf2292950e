/** One answer to a screening question, in a window on top of the list. Pure. */
import { createHash } from 'node:crypto';
import type { KnownBlock, ModalView } from '@slack/types';
import { addAnswer, replaceAnswer } from '../../templates/answer-list.ts';
import { MOST_ANSWERS } from '../../templates/bounds.ts';
import { checkAnswer } from '../../templates/check-answers.ts';
import { EMPTY_ANSWER, MatchType, type TemplateAnswer, type TemplateForm } from '../../templates/form.ts';
import type { TemplateDraft } from '../../templates/records.ts';
import { viewIds } from '../blocks/ids.ts';
import { number } from '../blocks/numbers.ts';
import { plain } from '../messages/parts.ts';
import { refusedPlaces } from '../messages/template-places.ts';
import { MATCH_TYPE_LABELS } from '../messages/template-words.ts';
import type { ViewValues } from '../routes.ts';
import { readLongText } from './long-text.ts';
import { menuInput, type StepFacts, typedInput } from './template-inputs.ts';
import type { Marks } from './template-marks.ts';
import { type AnswerPlace, type InputName, inputId, nameOfBlock } from './template-place.ts';
import { textBlocks } from './template-texts.ts';

/** Tells a list of answers from any other. */
function fingerprint({ answers }: TemplateForm): string {
  return createHash('sha256').update(JSON.stringify(answers)).digest('hex').slice(0, 32);
}

/**
 * The form with the answer of a window: in its place, or behind the others for a new one. Where the list was changed since the
 * window was opened it goes to the end, so that no other answer is overwritten, unless it is there already: then it was submitted
 * twice. Where there is no room the form stays as it is.
 */
export function putAnswer(
  form: TemplateForm,
  { index, list }: Pick<AnswerPlace, 'index' | 'list'>,
  answer: TemplateAnswer,
): TemplateForm {
  const isSame = fingerprint(form) === list;
  if (isSame && index in form.answers) return replaceAnswer(form, index, answer);
  if (form.answers.length >= MOST_ANSWERS) return form;
  return !isSame && findAnswer(form, answer, index) >= 0 ? form : addAnswer(form, answer);
}

/** Where an answer stands: in its place, or wherever else it was put. -1: nowhere */
export function findAnswer({ answers }: TemplateForm, answer: TemplateAnswer, place: number): number {
  const isIt = (it: TemplateAnswer | undefined): boolean =>
    it?.question === answer.question && it.answer === answer.answer && it.matchType === answer.matchType;
  return isIt(answers[place]) ? place : answers.findLastIndex(isIt);
}

/** What stands in the window. @param before as stored, for what has no input in it */
export function readAnswer(
  values: ViewValues,
  place: AnswerPlace,
  before: TemplateAnswer = EMPTY_ANSWER,
): TemplateAnswer {
  const id = (name: InputName) => inputId(name, { since: place.revision, revision: place.revision });
  const chosen = MatchType.safeParse(values.get(id('answers.matchType'))?.option).data;
  return {
    question: values.get(id('answers.question'))?.text ?? '',
    answer: place.inputs.includes('answers.answer')
      ? readLongText(values, id('answers.answer'))
      : before.answer,
    matchType: chosen ?? '',
  };
}

/** The mistakes stand without the answer's number here. */
function marksOfAnswer(draft: TemplateDraft, index: number, all: boolean): Marks {
  const answer = draft.form.answers[index];
  const said = refusedPlaces(draft).placed.filter((it) => it.index === index);
  return {
    mistakes: answer ? checkAnswer(answer) : [],
    said: said.map(({ step, field, words }) => ({ step, field, words })),
    all,
  };
}

export interface AnswerFacts {
  readonly draft: TemplateDraft;
  readonly place: Pick<AnswerPlace, 'channel' | 'index'>;
}

/** @param facts `index`: the length of the list for a new one */
export function answerView({ draft, place: { channel, index } }: AnswerFacts): ModalView {
  const { form, revision, room } = draft;
  const stored = form.answers[index];
  const { question, answer, matchType } = stored ?? EMPTY_ANSWER;
  const marks = marksOfAnswer(draft, index, stored !== undefined);
  const at = { since: revision, revision };
  const texts = textBlocks([['answers.answer', answer]], {
    room,
    marks,
    id: (field) => inputId(field, at),
    required: new Set(['answers.answer']),
  });
  const facts: Pick<StepFacts, 'place' | 'marks'> = {
    place: {
      ...at,
      draft: draft.id,
      channel,
      step: 'answers',
      typing: { organization: false, contractor: false },
      marks: false,
    },
    marks,
  };
  const blocks: KnownBlock[] = [
    ...typedInput(facts, 'answers.question', question, { multiline: true }),
    ...menuInput(facts, 'answers.matchType', { labels: MATCH_TYPE_LABELS, chosen: matchType }),
    ...[...texts.values()].flat(),
  ];
  const inputs = blocks.flatMap((block) =>
    block.type === 'input' ? (nameOfBlock(block.block_id ?? '') ?? []) : [],
  );
  const carried: AnswerPlace = {
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
    title: plain(stored ? `Answer ${number(index + 1)}` : 'New Answer'),
    submit: plain('Save'),
    close: plain('Back'),
    blocks,
  };
}
