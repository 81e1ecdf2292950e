/** Puts the template builder on the screen, and completes it when the marketplace has told who can send. */
import type { ModalView } from '@slack/types';
import { asError } from '../../errors.ts';
import type { ChannelId, UserId } from '../../ids.ts';
import { chooseSender } from '../../templates/choose-sender.ts';
import type { TemplateDraft } from '../../templates/records.ts';
import type { SendersAnswer } from '../../templates/templates.ts';
import { templateStandingMessage } from '../messages/template-outcome.ts';
import type { ActionCall, Message, Services, ViewPlace } from '../routes.ts';
import { type BuilderFacts, type BuilderSpot, builderView } from '../views/template-form.ts';
import type { Senders } from '../views/template-inputs.ts';
import { templateMessageView } from '../views/template-notices.ts';
import { readAnswerPlace, readBuilderPlace } from '../views/template-place.ts';
import { putView } from './bid-show.ts';

export interface BuilderCall {
  readonly services: Services;
  readonly user: UserId;
}

export function builderCall({ services, person }: Pick<ActionCall, 'services' | 'person'>): BuilderCall {
  return { services, user: person.user };
}

/**
 * The channel that the view was opened in. It gives nobody anything: the role there is looked up for the very press, and the
 * draft is found under the presser's own id.
 */
export async function placeOfTemplate({ view }: Pick<ViewPlace, 'view'>): Promise<ChannelId | undefined> {
  const { privateMetadata } = view;
  return (readBuilderPlace(privateMetadata) ?? readAnswerPlace(privateMetadata))?.channel;
}

/** Nothing of it changes any more, or not just now. */
export function isClosed({ state }: TemplateDraft): boolean {
  return state === 'sending' || state === 'created';
}

export function spotOfDraft({ id, revision }: TemplateDraft, channel: ChannelId) {
  return { draft: id, channel, revision };
}

/** A draft that is done, or on its way. */
export function standingView(draft: TemplateDraft, channel: ChannelId): ModalView {
  return templateMessageView(templateStandingMessage(draft), spotOfDraft(draft, channel));
}

/** Which steps show who can send. */
function wantsSenders({ step }: BuilderSpot): boolean {
  return step === 'sender' || step === 'review';
}

/** What is remembered at this moment; asks for the rest, which nobody waits for here. */
export async function sendersNow({ services }: BuilderCall, spot: BuilderSpot): Promise<Senders> {
  if (!wantsSenders(spot)) return { kind: 'unasked' };
  const asked = services.templates.senders();
  asked.catch(() => undefined);
  return Promise.race([asked, Promise.resolve({ kind: 'loading' } as const)]);
}

/** Stores what the list tells of the sender; the draft as it was where it tells nothing new, or somebody has gone on. */
export async function learnSender(
  { services, user }: BuilderCall,
  draft: TemplateDraft,
  answer: SendersAnswer,
): Promise<TemplateDraft> {
  const { sender } = draft.form;
  if (answer.kind !== 'known' || isClosed(draft) || sender.organizationId.trim() === '') return draft;
  const learned = chooseSender(sender, sender, answer.senders);
  if (learned.type === sender.type) return draft;
  const save = await services.templates.drafts.save({
    user,
    draft: draft.id,
    seen: draft.revision,
    change: (form) => ({ ...form, sender: learned }),
  });
  return save.kind === 'saved' ? save.draft : draft;
}

/** Waits for the list of senders, then shows it where the person has not gone on meanwhile. @param shown as it stands on the screen */
export async function completeStep(
  call: BuilderCall,
  viewId: string,
  shown: BuilderFacts,
  before: ModalView,
): Promise<void> {
  const { templates } = call.services;
  const { draft, spot } = shown;
  const answer = await templates.senders();
  const now = await templates.drafts.read({ user: call.user, draft: draft.id });
  if (now?.revision !== draft.revision) return;
  const learned = await learnSender(call, now, answer);
  const view = builderView({
    ...shown,
    draft: learned,
    senders: answer,
    spot: { ...spot, since: spot.since ?? draft.revision },
  });
  if (JSON.stringify(view) !== JSON.stringify(before)) await putView(call.services, viewId, view);
}

/** @returns false when the view is closed */
export async function showStep(
  call: BuilderCall,
  viewId: string,
  draft: TemplateDraft,
  { note, ...spot }: BuilderSpot & { readonly note?: string },
): Promise<boolean> {
  if (isClosed(draft)) return putView(call.services, viewId, standingView(draft, spot.channel));
  const facts: BuilderFacts = {
    draft,
    spot,
    senders: await sendersNow(call, spot),
    ...(note === undefined ? {} : { note }),
  };
  const view = builderView(facts);
  if (!(await putView(call.services, viewId, view))) return false;
  if (facts.senders.kind === 'loading') await completeStep(call, viewId, facts, view);
  return true;
}

/** In the view; to the person alone where that is closed, or can't be changed. */
export async function showMessage(
  call: Pick<ActionCall, 'services' | 'answer'>,
  viewId: string,
  view: ModalView,
  message: Message,
): Promise<void> {
  const { services } = call;
  try {
    if (await putView(services, viewId, view)) return;
  } catch (thrown) {
    services.log.warn('could not show the result of a template in a modal', { error: asError(thrown) });
  }
  await call.answer(message);
}
