/** Actions in the builder's list of answers to screening questions. */

import { omitUndefined } from '../../base/omit-undefined.ts';
import {
  MAX_SCREENING_ANSWERS,
  moveScreeningAnswer,
  removeScreeningAnswer,
  type TemplateForm,
} from '../../templates/form.ts';
import type { TemplateDraft } from '../../templates/records.ts';
import { SlackCallError } from '../core/errors.ts';
import { unknownButtonMessage } from '../core/request-errors.ts';
import type { ActionCall, ActionRoute, PressedView } from '../core/routes.ts';
import { logAndDescribeFailure } from '../core/view-updates.ts';
import { actionIds } from '../kit/ids.ts';
import { answerModalView } from './template-answer.ts';
import { parseBuilderMetadata } from './template-metadata.ts';
import {
  TEMPLATE_ANSWERS_CHANGED,
  TEMPLATE_ANSWERS_FULL,
  templateNotOpenedMessage,
} from './template-notices.ts';
import { TEMPLATE_DRAFT_GONE } from './template-outcome.ts';
import {
  isTemplateDraftLocked,
  readTemplateChannel,
  showTemplateStep,
  toTemplateBuilderContext,
} from './template-show.ts';
import { type AnswerMenuChoice, parseAnswerMenuChoice } from './template-step-answers.ts';

/** Shows the current list. */
async function showList(
  call: ActionCall,
  viewId: string,
  draft: TemplateDraft,
  note?: string,
): Promise<void> {
  const { channel } = call;
  const spot = { channel, step: 'answers' as const, ...omitUndefined({ note }) };
  await showTemplateStep(toTemplateBuilderContext(call), viewId, draft, spot);
}

/** @param index the list's length for a new answer */
async function openAnswer(call: ActionCall, draft: TemplateDraft, index: number): Promise<void> {
  const { services, channel, triggerId } = call;
  try {
    await services.slack.pushView(triggerId, answerModalView({ draft, place: { channel, index } }));
  } catch (thrown) {
    if (!(thrown instanceof SlackCallError)) throw thrown;
    const failure = logAndDescribeFailure(services, 'could not open the answer window', thrown);
    await call.answer(templateNotOpenedMessage(failure, draft));
  }
}

/** The draft behind a list, and the revision on the screen. */
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

function changeOf({ act, index }: AnswerMenuChoice): ((form: TemplateForm) => TemplateForm) | undefined {
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
  const choice = parseAnswerMenuChoice(call.value);
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
