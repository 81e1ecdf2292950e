/** Presses in the template builder: each keeps what was typed by then, and then shows a step. */
import { z } from 'zod';
import { TEMPLATE_STEPS, type TemplateForm } from '../../templates/form.ts';
import { isInDoubt, LongText, type TemplateDraft, type TextRoom } from '../../templates/records.ts';
import { actionIds, viewIds } from '../blocks/ids.ts';
import { unknownPressMessage } from '../messages/boundary-answers.ts';
import { TEMPLATE_GONE } from '../messages/template-outcome.ts';
import type { ActionCall, ActionRoute, PressedView } from '../routes.ts';
import { creatingView, TEXTS_TOO_LONG } from '../views/template-notices.ts';
import { readBuilderPlace } from '../views/template-place.ts';
import { isComplete } from '../views/template-step-review.ts';
import { EMPTY_IT, nextRoom } from '../views/template-texts.ts';
import { textOf, withoutText } from '../views/template-values.ts';
import { putView } from './bid-show.ts';
import { roomInAnswer } from './template-answer-window.ts';
import { create } from './template-create.ts';
import { type Changes, type Kept, keepFilled } from './template-keep.ts';
import { builderCall, placeOfTemplate, sendersNow, showStep, spotOfDraft } from './template-show.ts';

/** Keeps what stands in the view; where that is not possible the person is told, and it stays on the screen. */
async function keepPress(
  call: ActionCall,
  view: PressedView,
  changes: Omit<Changes, 'senders'> = {},
): Promise<Kept | undefined> {
  const builder = builderCall(call);
  const step = readBuilderPlace(view.privateMetadata)?.step;
  const channel = call.channel;
  const senders = step === 'sender' ? await sendersNow(builder, { channel, step }) : undefined;
  const known = senders?.kind === 'known' ? { senders: senders.senders } : {};
  const kept = await keepFilled(builder, view, { ...known, ...changes });
  switch (kept.kind) {
    case 'kept':
      return kept;
    case 'gone':
      await call.answer(TEMPLATE_GONE);
      return undefined;
    case 'too-large':
      await call.answer({ text: TEXTS_TOO_LONG });
      return undefined;
    case 'closed':
      await showStep(builder, view.id, kept.draft, kept.place);
      return undefined;
  }
}

/** The step that is on the screen, with what the press changed. */
async function showAgain(call: ActionCall, view: PressedView, { draft, place, typing }: Kept): Promise<void> {
  const { channel, step, since, marks } = place;
  await showStep(builderCall(call), view.id, draft, { channel, step, since, marks, typing });
}

async function choose(call: ActionCall): Promise<void> {
  const { view } = call;
  if (!view) return call.answer(TEMPLATE_GONE);
  const kept = await keepPress(call, view);
  if (kept) await showAgain(call, view, kept);
}

const StepValue = z
  .string()
  .regex(/^!?[a-z]+$/u)
  .transform((value) => ({ step: value.replace('!', ''), marks: value.startsWith('!') }))
  .pipe(z.object({ step: z.enum(TEMPLATE_STEPS), marks: z.boolean() }));

async function goTo(call: ActionCall): Promise<void> {
  const { view, channel } = call;
  const to = StepValue.safeParse(call.value).data;
  if (!to) return call.answer(unknownPressMessage());
  if (!view) return call.answer(TEMPLATE_GONE);
  const kept = await keepPress(call, view);
  if (kept) await showStep(builderCall(call), view.id, kept.draft, { ...to, channel });
}

export async function giveRoom(
  { services, person }: ActionCall,
  draft: TemplateDraft,
  room: TextRoom,
): Promise<TemplateDraft> {
  const save = await services.templates.drafts.save({ user: person.user, draft: draft.id, room });
  return save.kind === 'saved' ? save.draft : draft;
}

/** Another input for a long text, or an empty one instead of what no window holds. */
async function room(call: ActionCall): Promise<void> {
  const { view } = call;
  if (view?.callbackId === viewIds.templateAnswer) return roomInAnswer(call, view);
  const isEmptied = call.value.startsWith(EMPTY_IT);
  const field = LongText.safeParse(isEmptied ? call.value.slice(EMPTY_IT.length) : call.value).data;
  if (!field) return call.answer(unknownPressMessage());
  if (!view) return call.answer(TEMPLATE_GONE);
  const change = isEmptied ? { over: (form: TemplateForm) => withoutText(form, field) } : {};
  const kept = await keepPress(call, view, change);
  if (!kept) return;
  const more = isEmptied ? undefined : nextRoom(field, textOf(kept.draft.form, field), kept.draft.room);
  const draft = more === undefined ? kept.draft : await giveRoom(call, kept.draft, { [field]: more });
  await showAgain(call, view, { ...kept, draft });
}

/** After an attempt whose end nobody knows: its button has asked whether to risk a second template. */
async function createAgain(call: ActionCall): Promise<void> {
  const { view } = call;
  const place = view && readBuilderPlace(view.privateMetadata);
  const name = place && { user: call.person.user, draft: place.draft };
  const draft = name && (await call.services.templates.drafts.read(name));
  if (!draft) return call.answer(TEMPLATE_GONE);
  const { channel } = call;
  const isReady = isInDoubt(draft) && isComplete(draft);
  if (!isReady) {
    await showStep(builderCall(call), view.id, draft, { channel, step: 'review' });
    return;
  }
  const spot = { ...spotOfDraft(draft, channel), revision: place.revision };
  await putView(call.services, view.id, creatingView(spot));
  await create(call, view.id, spot);
}

function inBuilder(id: string, run: (call: ActionCall) => Promise<void>): ActionRoute {
  return { id, needs: 'bidder', place: placeOfTemplate, inForm: true, run };
}

export const templatePresses: readonly ActionRoute[] = [
  inBuilder(actionIds.templateChoice, choose),
  inBuilder(actionIds.templateSenders, choose),
  inBuilder(actionIds.templateStep, goTo),
  inBuilder(actionIds.templateRoom, room),
  inBuilder(actionIds.templateCheck, createAgain),
];
