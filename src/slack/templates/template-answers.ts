/**
 * Actions in the list of answers, and the window of one answer on top of it. Each press in the window saves
 * its values. Slack names the list's view: it is the modal's root.
 */
import { z } from 'zod';
import { checkScreeningAnswer } from '../../templates/check-template.ts';
import {
  EMPTY_SCREENING_ANSWER,
  MAX_SCREENING_ANSWERS,
  moveScreeningAnswer,
  removeScreeningAnswer,
  replaceScreeningAnswer,
  type ScreeningAnswer,
  type TemplateForm,
} from '../../templates/form.ts';
import { isTemplateDraftLocked, type TemplateDraft } from '../../templates/templates.ts';
import { isBlank } from '../../typed/texts.ts';
import { SlackCallError } from '../core/errors.ts';
import { logAndDescribeFailure, updateViewIfOpen } from '../core/handler-steps.ts';
import { unknownButtonMessage } from '../core/request-errors.ts';
import type {
  ActionCall,
  ActionRoute,
  PressedView,
  SubmissionResponse,
  ViewInteraction,
  ViewRoute,
} from '../core/routes.ts';
import { actionIds, viewIds } from '../kit/ids.ts';
import {
  answerModalView,
  findAnswerIndex,
  insertOrReplaceAnswer,
  parseTemplateAnswer,
} from './template-answer-views.ts';
import {
  TEMPLATE_ANSWER_NOT_SAVED,
  TEMPLATE_ANSWERS_CHANGED,
  TEMPLATE_ANSWERS_FULL,
  TEMPLATE_DRAFT_GONE,
  TEMPLATE_TEXTS_TOO_LONG,
  templateNotOpenedMessage,
  templateStateMessage,
} from './template-outcome.ts';
import {
  makeRoom,
  readTemplateChannel,
  refuseSubmission,
  showTemplateStep,
  type TemplateBuilderContext,
} from './template-show.ts';
import {
  type AnswerMetadata,
  hasTypedValues,
  parseAnswerMetadata,
  parseBuilderMetadata,
  templateFormErrors,
} from './template-values.ts';

async function showList(call: ActionCall, viewId: string, draft: TemplateDraft, note?: string) {
  await showTemplateStep(call, viewId, draft, { channel: call.channel, step: 'answers', note });
}

/** @param index the list's length for a new answer */
async function openAnswer(call: ActionCall, draft: TemplateDraft, index: number): Promise<void> {
  const { services, channel, triggerId } = call;
  try {
    await services.slack.pushView(triggerId, answerModalView(draft, { channel, index }));
  } catch (thrown) {
    if (!(thrown instanceof SlackCallError)) throw thrown;
    const failure = logAndDescribeFailure(services, 'could not open the answer window', thrown);
    await call.answer(templateNotOpenedMessage(failure, draft));
  }
}

async function behind(call: ActionCall, view: PressedView) {
  const place = parseBuilderMetadata(view.privateMetadata);
  const { drafts } = call.services.templates;
  const draft = place && (await drafts.read({ user: call.person.user, draft: place.draft }));
  return draft && { draft, seen: place.revision };
}

async function add(call: ActionCall): Promise<void> {
  const { view } = call;
  const found = view && (await behind(call, view));
  if (!found) return call.answer(TEMPLATE_DRAFT_GONE);
  const { draft } = found;
  const { length } = draft.form.answers;
  if (isTemplateDraftLocked(draft)) return showList(call, view.id, draft);
  if (length >= MAX_SCREENING_ANSWERS) return showList(call, view.id, draft, TEMPLATE_ANSWERS_FULL);
  return openAnswer(call, draft, length);
}

const AnswerMenuChoice = z
  .string()
  .regex(/^(?:edit|up|down|remove):\d{1,4}$/u)
  .transform((value) => {
    const [act = '', index = ''] = value.split(':');
    return { act: act as 'edit' | 'up' | 'down' | 'remove', index: Number(index) };
  });

function changeOf({
  act,
  index,
}: z.infer<typeof AnswerMenuChoice>): ((form: TemplateForm) => TemplateForm) | undefined {
  switch (act) {
    case 'edit':
      return undefined;
    case 'up':
      return (form) => moveScreeningAnswer(form, index, index - 1);
    case 'down':
      return (form) => moveScreeningAnswer(form, index, index + 1);
    case 'remove':
      return (form) => removeScreeningAnswer(form, index);
  }
}

/** A choice fits only the revision on the screen, and runs once. */
async function menu(call: ActionCall): Promise<void> {
  const { view, services, person } = call;
  const choice = AnswerMenuChoice.safeParse(call.value).data;
  if (!choice) return call.answer(unknownButtonMessage());
  const found = view && (await behind(call, view));
  if (!found) return call.answer(TEMPLATE_DRAFT_GONE);
  const { draft, seen } = found;
  if (isTemplateDraftLocked(draft)) return showList(call, view.id, draft);
  if (draft.revision !== seen || !(choice.index in draft.form.answers))
    return showList(call, view.id, draft, TEMPLATE_ANSWERS_CHANGED);
  const change = changeOf(choice);
  if (!change) return openAnswer(call, draft, choice.index);
  const save = await services.templates.drafts.save({ user: person.user, draft: draft.id, seen, change });
  if (save.kind === 'gone') return call.answer(TEMPLATE_DRAFT_GONE);
  return showList(call, view.id, save.draft, save.kind === 'stale' ? TEMPLATE_ANSWERS_CHANGED : undefined);
}

export const templateAnswerActions: readonly ActionRoute[] = [
  { id: actionIds.templateAnswerAdd, needs: 'bidder', findChannel: readTemplateChannel, run: add },
  { id: actionIds.templateAnswerMenu, needs: 'bidder', findChannel: readTemplateChannel, run: menu },
];

function isNothing({ question, answer }: ScreeningAnswer): boolean {
  return isBlank(question) && isBlank(answer);
}

async function keepAnswer(
  { services, person }: TemplateBuilderContext,
  place: AnswerMetadata,
  view: PressedView,
) {
  let answer = EMPTY_SCREENING_ANSWER;
  const save = await services.templates.drafts.save({
    user: person.user,
    draft: place.draft,
    change(form) {
      answer = parseTemplateAnswer(view.values, place, form.answers[place.index]);
      const isNew = !(place.index in form.answers);
      return isNew && isNothing(answer) ? form : insertOrReplaceAnswer(form, place, answer);
    },
  });
  return { save, answer };
}

async function submitAnswer({ user, view, services }: ViewInteraction): Promise<SubmissionResponse> {
  const place = parseAnswerMetadata(view.privateMetadata);
  if (!place) return refuseSubmission(view, TEMPLATE_DRAFT_GONE.text);
  const { save, answer } = await keepAnswer({ services, person: { user } }, place, view);
  switch (save.kind) {
    case 'gone':
      return refuseSubmission(view, TEMPLATE_DRAFT_GONE.text);
    case 'too-large':
    case 'stale':
      return refuseSubmission(view, TEMPLATE_TEXTS_TOO_LONG);
    case 'closed':
      return refuseSubmission(view, templateStateMessage(save.draft).text);
    case 'saved':
      return settle(place, save.draft, answer, view);
  }
}

/** Unless it is empty, the answer is on the list now. The modal shows errors, and continues with it. */
function settle(
  place: AnswerMetadata,
  draft: TemplateDraft,
  answer: ScreeningAnswer,
  view: PressedView,
): SubmissionResponse {
  const { channel } = place;
  const index = whereKept(draft, answer, place);
  if (index === undefined) return refuseSubmission(view, TEMPLATE_ANSWER_NOT_SAVED);
  const mistakes = checkScreeningAnswer(answer);
  if (!(index in draft.form.answers)) {
    const errors = templateFormErrors(mistakes, { ...place, since: place.revision });
    return { kind: 'errors', channel, errors: errors ?? {} };
  }
  const next: SubmissionResponse =
    mistakes.length === 0
      ? { kind: 'close' }
      : { kind: 'update', view: answerModalView(draft, { channel, index }) };
  return {
    ...next,
    channel,
    async after(call) {
      await showTemplateStep(call, view.rootId, draft, { channel, step: 'answers' });
    },
  };
}

/** Adds space for the answer's text; saves the answer to the list. */
export async function expandAnswerInput(call: ActionCall, view: PressedView): Promise<void> {
  const place = parseAnswerMetadata(view.privateMetadata);
  const kept = place && (await keepAnswer(call, place, view));
  if (!kept || kept.save.kind === 'gone') return call.answer(TEMPLATE_DRAFT_GONE);
  const { save, answer } = kept;
  if (save.kind === 'closed') return call.answer(templateStateMessage(save.draft));
  if (save.kind !== 'saved') return call.answer({ text: TEMPLATE_TEXTS_TOO_LONG });
  const { channel } = place;
  const index = whereKept(save.draft, answer, place);
  if (index === undefined) return call.answer({ text: TEMPLATE_ANSWER_NOT_SAVED });
  const draft = await makeRoom(call, save.draft, ['answers.answer', answer.answer], (form) =>
    replaceScreeningAnswer(form, index, { ...answer, answer: '' }),
  );
  await updateViewIfOpen(call.services, view.id, answerModalView(draft, { channel, index }));
  await showTemplateStep(call, view.rootId, draft, { channel, step: 'answers' });
}

/** The answer's index; a new, empty answer comes at the end. @returns undefined if it wasn't saved */
function whereKept({ form }: TemplateDraft, answer: ScreeningAnswer, { index }: AnswerMetadata) {
  const found = findAnswerIndex(form, answer, index);
  if (found >= 0) return found;
  return isNothing(answer) ? form.answers.length : undefined;
}

async function closed({ user, view, services }: ViewInteraction): Promise<void> {
  const place = parseAnswerMetadata(view.privateMetadata);
  if (!place || !hasTypedValues(view.values)) return;
  const context = { services, person: { user } };
  const { save } = await keepAnswer(context, place, view);
  if (save.kind === 'saved')
    await showTemplateStep(context, view.rootId, save.draft, { channel: place.channel, step: 'answers' });
}

export const templateAnswerView: ViewRoute = {
  id: viewIds.templateAnswer,
  needs: 'bidder',
  submit: submitAnswer,
  closed,
};
