/**
 * The window of one answer, on top of the list: what stands in it is stored with each press. Slack tells which view shows the
 * list: the root of the window.
 */
import { replaceAnswer } from '../../templates/answer-list.ts';
import { checkAnswer } from '../../templates/check-answers.ts';
import type { Mistake } from '../../templates/checked.ts';
import { EMPTY_ANSWER, type TemplateAnswer, type TemplateForm } from '../../templates/form.ts';
import type { TemplateDraft } from '../../templates/records.ts';
import type { DraftSave } from '../../templates/templates.ts';
import { isBlank } from '../../typed/texts.ts';
import { viewIds } from '../blocks/ids.ts';
import { TEMPLATE_GONE, templateStandingMessage } from '../messages/template-outcome.ts';
import type { ActionCall, Message, PressedView, SubmissionAnswer, ViewPlace, ViewRoute } from '../routes.ts';
import { answerView, findAnswer, putAnswer, readAnswer } from '../views/template-answer.ts';
import { ANSWER_HAS_NO_PLACE, TEXTS_TOO_LONG } from '../views/template-notices.ts';
import { type AnswerPlace, nameOfBlock, readAnswerPlace } from '../views/template-place.ts';
import { EMPTY_IT, nextRoom } from '../views/template-texts.ts';
import { errorsOf } from '../views/template-values.ts';
import { putView } from './bid-show.ts';
import { type BuilderCall, builderCall, showStep } from './template-show.ts';

interface KeptAnswer {
  readonly save: DraftSave;
  readonly answer: TemplateAnswer;
}

function isNothing({ question, answer }: TemplateAnswer): boolean {
  return isBlank(question) && isBlank(answer);
}

/** Stores the answer of a window, unless there is nothing in it yet. */
async function keepAnswer(
  { services, user }: BuilderCall,
  place: AnswerPlace,
  view: PressedView,
): Promise<KeptAnswer> {
  let answer = EMPTY_ANSWER;
  const save = await services.templates.drafts.save({
    user,
    draft: place.draft,
    change(form) {
      answer = readAnswer(view.values, place, form.answers[place.index]);
      const isNew = !(place.index in form.answers);
      return isNew && isNothing(answer) ? form : putAnswer(form, place, answer);
    },
  });
  return { save, answer };
}

function refuse(view: PressedView, words: string): SubmissionAnswer {
  const first = [...view.values.keys()].find((id) => nameOfBlock(id) !== undefined) ?? 'answers.question';
  return { kind: 'errors', errors: { [first]: words } };
}

async function submit({ user, view, services }: ViewPlace): Promise<SubmissionAnswer> {
  const place = readAnswerPlace(view.privateMetadata);
  if (!place) return refuse(view, TEMPLATE_GONE.text);
  const { save, answer } = await keepAnswer({ services, user }, place, view);
  switch (save.kind) {
    case 'gone':
      return refuse(view, TEMPLATE_GONE.text);
    case 'too-large':
    case 'stale':
      return refuse(view, TEXTS_TOO_LONG);
    case 'closed':
      return refuse(view, templateStandingMessage(save.draft).text);
    case 'saved':
      return settle(place, save.draft, answer, view);
  }
}

function atFields(mistakes: readonly Mistake[], { inputs, revision }: AnswerPlace): Record<string, string> {
  return errorsOf(mistakes, { inputs, revision, since: revision }) ?? {};
}

/** It is on the list by now, unless nothing is in it. What is wrong with it is shown in the window, which goes on from what is stored. */
function settle(
  place: AnswerPlace,
  draft: TemplateDraft,
  answer: TemplateAnswer,
  view: PressedView,
): SubmissionAnswer {
  const { channel } = place;
  const index = whereKept(draft, answer, place);
  if (index === undefined) return refuse(view, ANSWER_HAS_NO_PLACE);
  const mistakes = checkAnswer(answer);
  if (!(index in draft.form.answers)) return { kind: 'errors', channel, errors: atFields(mistakes, place) };
  const next: SubmissionAnswer =
    mistakes.length === 0
      ? { kind: 'close' }
      : { kind: 'update', view: answerView({ draft, place: { channel, index } }) };
  return {
    ...next,
    channel,
    after: async (call) => {
      await showStep(builderCall(call), view.rootId, draft, { channel, step: 'answers' });
    },
  };
}

/** More room for the answer's text; what stands in the window is on the list from now on. */
export async function roomInAnswer(call: ActionCall, view: PressedView): Promise<void> {
  const builder = builderCall(call);
  const place = readAnswerPlace(view.privateMetadata);
  const kept = place && (await keepAnswer(builder, place, view));
  if (!kept || kept.save.kind === 'gone') return call.answer(TEMPLATE_GONE);
  const { save, answer } = kept;
  if (save.kind !== 'saved') return call.answer(notKept(save));
  const { channel } = place;
  const index = whereKept(save.draft, answer, place);
  if (index === undefined) return call.answer({ text: ANSWER_HAS_NO_PLACE });
  const draft = await makeRoom(builder, save.draft, { index, answer, value: call.value });
  await putView(call.services, view.id, answerView({ draft, place: { channel, index } }));
  await showStep(builder, view.rootId, draft, { channel, step: 'answers' });
}

/** One that has nothing in it yet is the next of the list. @returns undefined where it found no room */
function whereKept({ form }: TemplateDraft, answer: TemplateAnswer, { index }: AnswerPlace) {
  const found = findAnswer(form, answer, index);
  if (found >= 0) return found;
  return isNothing(answer) ? form.answers.length : undefined;
}

function notKept({ kind, draft }: Exclude<DraftSave, { kind: 'gone' | 'saved' }>): Message {
  return kind === 'closed' ? templateStandingMessage(draft) : { text: TEXTS_TOO_LONG };
}

async function makeRoom(
  { services, user }: BuilderCall,
  draft: TemplateDraft,
  press: { readonly index: number; readonly answer: TemplateAnswer; readonly value: string },
): Promise<TemplateDraft> {
  const { index, answer, value } = press;
  const more = nextRoom('answers.answer', answer.answer, draft.room);
  const emptied = { ...answer, answer: '' };
  const save = await services.templates.drafts.save({
    user,
    draft: draft.id,
    ...(value.startsWith(EMPTY_IT)
      ? { change: (form: TemplateForm) => replaceAnswer(form, index, emptied) }
      : { room: more === undefined ? {} : { 'answers.answer': more } }),
  });
  return save.kind === 'saved' ? save.draft : draft;
}

/** Slack may tell nothing of what was typed; then it is as it was before. */
async function closed({ user, view, services }: ViewPlace): Promise<void> {
  const place = readAnswerPlace(view.privateMetadata);
  if (!place || ![...view.values.values()].some(({ text }) => text !== undefined)) return;
  const { save } = await keepAnswer({ services, user }, place, view);
  const { channel } = place;
  if (save.kind === 'saved')
    await showStep({ services, user }, view.rootId, save.draft, { channel, step: 'answers' });
}

export const templateAnswerView: ViewRoute = {
  id: viewIds.templateAnswer,
  needs: 'bidder',
  submit,
  closed,
};
