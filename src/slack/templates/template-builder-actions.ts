/** Actions in the template builder: each saves the typed values, then shows a step. */
import { z } from 'zod';
import { templateFieldText, withTemplateFieldValue } from '../../templates/fields.ts';
import { TEMPLATE_STEPS } from '../../templates/form.ts';
import { isCreationUncertain, MultiInputTextField } from '../../templates/templates.ts';
import { updateViewIfOpen } from '../core/handler-steps.ts';
import { unknownButtonMessage } from '../core/request-errors.ts';
import type { ActionCall, ActionRoute, PressedView, ViewRoute } from '../core/routes.ts';
import { actionIds, viewIds } from '../kit/ids.ts';
import { expandAnswerInput, templateAnswerActions, templateAnswerView } from './template-answers.ts';
import { TEMPLATE_DRAFT_GONE, TEMPLATE_TEXTS_TOO_LONG, templateCreatingView } from './template-outcome.ts';
import { isTemplateComplete } from './template-review.ts';
import {
  makeRoom,
  readSendersOrStartLoading,
  readTemplateChannel,
  showTemplateStep,
} from './template-show.ts';
import {
  type SavedBuilderInput,
  saveBuilderInput,
  submitTemplateAndShowResult,
  templateView,
} from './template-submit.ts';
import { parseBuilderMetadata } from './template-values.ts';

/** Saves the view's values; if that's impossible, notifies the person and leaves the screen as it is. */
async function keepPress(call: ActionCall, view: PressedView): Promise<SavedBuilderInput | undefined> {
  const step = parseBuilderMetadata(view.privateMetadata)?.step;
  const { channel } = call;
  const senders = step === 'sender' ? await readSendersOrStartLoading(call, { channel, step }) : undefined;
  const kept = await saveBuilderInput(call, view, senders?.kind === 'known' ? senders.senders : undefined);
  if (kept.kind === 'kept') return kept;
  if (kept.kind === 'gone') await call.answer(TEMPLATE_DRAFT_GONE);
  else if (kept.kind === 'too-large') await call.answer({ text: TEMPLATE_TEXTS_TOO_LONG });
  else await showTemplateStep(call, view.id, kept.draft, kept.place);
  return undefined;
}

async function showAgain(
  call: ActionCall,
  view: PressedView,
  { draft, place, typing }: SavedBuilderInput,
): Promise<void> {
  const { channel, step, since, marks } = place;
  await showTemplateStep(call, view.id, draft, { channel, step, since, marks, typing });
}

async function choose(call: ActionCall): Promise<void> {
  const { view } = call;
  if (!view) return call.answer(TEMPLATE_DRAFT_GONE);
  const kept = await keepPress(call, view);
  if (kept) await showAgain(call, view, kept);
}

/** A step; with a `!` before it, the step shows its mistakes. */
const StepValue = z
  .string()
  .regex(/^!?[a-z]+$/u)
  .transform((value) => ({ step: value.replace('!', ''), marks: value.startsWith('!') }))
  .pipe(z.object({ step: z.enum(TEMPLATE_STEPS), marks: z.boolean() }));

async function goTo(call: ActionCall): Promise<void> {
  const { view, channel } = call;
  const to = StepValue.safeParse(call.value).data;
  if (!to) return call.answer(unknownButtonMessage());
  if (!view) return call.answer(TEMPLATE_DRAFT_GONE);
  const kept = await keepPress(call, view);
  if (kept) await showTemplateStep(call, view.id, kept.draft, { ...to, channel });
}

/** Adds an input for a long text, or clears a text that is too long for any modal. */
async function room(call: ActionCall): Promise<void> {
  const { view } = call;
  if (view?.callbackId === viewIds.templateAnswer) return expandAnswerInput(call, view);
  const field = MultiInputTextField.safeParse(call.value.split(':').at(-1)).data;
  if (!field) return call.answer(unknownButtonMessage());
  if (!view) return call.answer(TEMPLATE_DRAFT_GONE);
  const kept = await keepPress(call, view);
  if (!kept) return;
  const text = templateFieldText(kept.draft.form, field);
  const draft = await makeRoom(call, kept.draft, [field, text], (form) =>
    // An answer's text has its own window.
    field === 'answers.answer' ? form : withTemplateFieldValue(form, field, ''),
  );
  await showAgain(call, view, { ...kept, draft });
}

/**
 * After an attempt with an unknown outcome: the button's confirmation asked whether to risk a second
 * template.
 */
async function createAgain(call: ActionCall): Promise<void> {
  const { view } = call;
  const place = view && parseBuilderMetadata(view.privateMetadata);
  const name = place && { user: call.person.user, draft: place.draft };
  const draft = name && (await call.services.templates.drafts.read(name));
  if (!draft) return call.answer(TEMPLATE_DRAFT_GONE);
  const { channel } = call;
  if (!isCreationUncertain(draft) || !isTemplateComplete(draft)) {
    await showTemplateStep(call, view.id, draft, { channel, step: 'review' });
    return;
  }
  const spot = { draft: draft.id, channel, revision: place.revision };
  await updateViewIfOpen(call.services, view.id, templateCreatingView(spot));
  await submitTemplateAndShowResult(call, view.id, spot);
}

function inBuilder(id: string, run: (call: ActionCall) => Promise<void>): ActionRoute {
  return { id, needs: 'bidder', findChannel: readTemplateChannel, isInForm: true, run };
}

export const templateActions: readonly ActionRoute[] = [
  inBuilder(actionIds.templateChoice, choose),
  inBuilder(actionIds.templateSenders, choose),
  inBuilder(actionIds.templateStep, goTo),
  inBuilder(actionIds.templateMoreSpace, room),
  inBuilder(actionIds.templateCreateAgain, createAgain),
  ...templateAnswerActions,
];

export const templateViews: readonly ViewRoute[] = [templateView, templateAnswerView];
