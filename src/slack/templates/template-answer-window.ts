/**
 * The modal for one answer, on top of the list. Each press saves its values. Slack names the list's view: it
 * is the modal's root.
 */

import type { TemplateInputError } from '../../templates/check-result.ts';
import { checkScreeningAnswer } from '../../templates/check-template.ts';
import {
  EMPTY_SCREENING_ANSWER,
  replaceScreeningAnswer,
  type ScreeningAnswer,
  type TemplateForm,
} from '../../templates/form.ts';
import type { TemplateDraft } from '../../templates/records.ts';
import type { SaveDraftResult } from '../../templates/template-service.ts';
import { isBlank } from '../../typed/texts.ts';
import type {
  ActionCall,
  Message,
  PressedView,
  SubmissionResponse,
  ViewInteraction,
  ViewRoute,
} from '../core/routes.ts';
import { updateViewIfOpen } from '../core/view-updates.ts';
import { viewIds } from '../kit/ids.ts';
import {
  answerModalView,
  findAnswerIndex,
  insertOrReplaceAnswer,
  parseTemplateAnswer,
} from './template-answer.ts';
import { CLEAR_TEXT_PREFIX, nextInputCount } from './template-inputs.ts';
import { type AnswerMetadata, parseAnswerMetadata, parseTemplateInputName } from './template-metadata.ts';
import { TEMPLATE_ANSWER_NOT_SAVED, TEMPLATE_TEXTS_TOO_LONG } from './template-notices.ts';
import { TEMPLATE_DRAFT_GONE, templateStateMessage } from './template-outcome.ts';
import { showTemplateStep, type TemplateBuilderContext, toTemplateBuilderContext } from './template-show.ts';
import { templateFormErrors } from './template-values.ts';

interface KeptAnswer {
  readonly save: SaveDraftResult;
  readonly answer: ScreeningAnswer;
}

function isNothing({ question, answer }: ScreeningAnswer): boolean {
  return isBlank(question) && isBlank(answer);
}

/** Saves the modal's answer, unless it is new and empty. */
async function keepAnswer(
  { services, user }: TemplateBuilderContext,
  place: AnswerMetadata,
  view: PressedView,
): Promise<KeptAnswer> {
  let answer = EMPTY_SCREENING_ANSWER;
  const save = await services.templates.drafts.save({
    user,
    draft: place.draft,
    change(form) {
      answer = parseTemplateAnswer(view.values, place, form.answers[place.index]);
      const isNew = !(place.index in form.answers);
      return isNew && isNothing(answer) ? form : insertOrReplaceAnswer(form, place, answer);
    },
  });
  return { save, answer };
}

function refuse(view: PressedView, words: string): SubmissionResponse {
  const first =
    [...view.values.keys()].find((id) => parseTemplateInputName(id) !== undefined) ?? 'answers.question';
  return { kind: 'errors', errors: { [first]: words } };
}

async function submit({ user, view, services }: ViewInteraction): Promise<SubmissionResponse> {
  const place = parseAnswerMetadata(view.privateMetadata);
  if (!place) return refuse(view, TEMPLATE_DRAFT_GONE.text);
  const { save, answer } = await keepAnswer({ services, user }, place, view);
  switch (save.kind) {
    case 'gone':
      return refuse(view, TEMPLATE_DRAFT_GONE.text);
    case 'too-large':
    case 'stale':
      return refuse(view, TEMPLATE_TEXTS_TOO_LONG);
    case 'closed':
      return refuse(view, templateStateMessage(save.draft).text);
    case 'saved':
      return settle(place, save.draft, answer, view);
  }
}

function atFields(
  mistakes: readonly TemplateInputError[],
  { inputs, revision }: AnswerMetadata,
): Record<string, string> {
  return templateFormErrors(mistakes, { inputs, revision, since: revision }) ?? {};
}

/**
 * Unless it is empty, the answer is on the list now. Shows errors in the modal, which continues with the
 * stored answer.
 */
function settle(
  place: AnswerMetadata,
  draft: TemplateDraft,
  answer: ScreeningAnswer,
  view: PressedView,
): SubmissionResponse {
  const { channel } = place;
  const index = whereKept(draft, answer, place);
  if (index === undefined) return refuse(view, TEMPLATE_ANSWER_NOT_SAVED);
  const mistakes = checkScreeningAnswer(answer);
  if (!(index in draft.form.answers)) return { kind: 'errors', channel, errors: atFields(mistakes, place) };
  const next: SubmissionResponse =
    mistakes.length === 0
      ? { kind: 'close' }
      : { kind: 'update', view: answerModalView({ draft, place: { channel, index } }) };
  return {
    ...next,
    channel,
    after: async (call) => {
      await showTemplateStep(toTemplateBuilderContext(call), view.rootId, draft, {
        channel,
        step: 'answers',
      });
    },
  };
}

/** Adds space for the answer's text; saves the answer to the list. */
export async function expandAnswerInput(call: ActionCall, view: PressedView): Promise<void> {
  const builder = toTemplateBuilderContext(call);
  const place = parseAnswerMetadata(view.privateMetadata);
  const kept = place && (await keepAnswer(builder, place, view));
  if (!kept || kept.save.kind === 'gone') return call.answer(TEMPLATE_DRAFT_GONE);
  const { save, answer } = kept;
  if (save.kind !== 'saved') return call.answer(notKept(save));
  const { channel } = place;
  const index = whereKept(save.draft, answer, place);
  if (index === undefined) return call.answer({ text: TEMPLATE_ANSWER_NOT_SAVED });
  const draft = await makeRoom(builder, save.draft, { index, answer, value: call.value });
  await updateViewIfOpen(call.services, view.id, answerModalView({ draft, place: { channel, index } }));
  await showTemplateStep(builder, view.rootId, draft, { channel, step: 'answers' });
}

/** The answer's index; a new, empty answer comes at the end. @returns undefined if it wasn't saved */
function whereKept({ form }: TemplateDraft, answer: ScreeningAnswer, { index }: AnswerMetadata) {
  const found = findAnswerIndex(form, answer, index);
  if (found >= 0) return found;
  return isNothing(answer) ? form.answers.length : undefined;
}

function notKept({ kind, draft }: Exclude<SaveDraftResult, { kind: 'gone' | 'saved' }>): Message {
  return kind === 'closed' ? templateStateMessage(draft) : { text: TEMPLATE_TEXTS_TOO_LONG };
}

async function makeRoom(
  { services, user }: TemplateBuilderContext,
  draft: TemplateDraft,
  press: { readonly index: number; readonly answer: ScreeningAnswer; readonly value: string },
): Promise<TemplateDraft> {
  const { index, answer, value } = press;
  const more = nextInputCount('answers.answer', answer.answer, draft.room);
  const emptied = { ...answer, answer: '' };
  const save = await services.templates.drafts.save({
    user,
    draft: draft.id,
    ...(value.startsWith(CLEAR_TEXT_PREFIX)
      ? { change: (form: TemplateForm) => replaceScreeningAnswer(form, index, emptied) }
      : { room: more === undefined ? {} : { 'answers.answer': more } }),
  });
  return save.kind === 'saved' ? save.draft : draft;
}

/** Slack may not send the typed values; then nothing changes. */
async function closed({ user, view, services }: ViewInteraction): Promise<void> {
  const place = parseAnswerMetadata(view.privateMetadata);
  if (!place || ![...view.values.values()].some(({ text }) => text !== undefined)) return;
  const { save } = await keepAnswer({ services, user }, place, view);
  const { channel } = place;
  if (save.kind === 'saved')
    await showTemplateStep({ services, user }, view.rootId, save.draft, { channel, step: 'answers' });
}

export const templateAnswerView: ViewRoute = {
  id: viewIds.templateAnswer,
  needs: 'bidder',
  submit,
  closed,
};
