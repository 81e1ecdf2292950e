/** Shows the template builder, and completes it when the list of senders has loaded. */

import type { ModalView } from '@slack/types';
import { asError } from '../../errors.ts';
import type { ChannelId, UserId } from '../../ids.ts';
import type { TemplateForm } from '../../templates/form.ts';
import { applySenderChoice } from '../../templates/prefill-form.ts';
import {
  isTemplateDraftLocked,
  type MultiInputTextField,
  type SendersResult,
  type TemplateDraft,
} from '../../templates/templates.ts';
import { updateViewIfOpen } from '../core/handler-steps.ts';
import type {
  ActionCall,
  Message,
  PressedView,
  Services,
  SubmissionResponse,
  ViewInteraction,
} from '../core/routes.ts';
import { type BuilderFacts, type BuilderLocation, builderView } from './template-form.ts';
import { CLEAR_TEXT_PREFIX, nextInputCount, type SendersState } from './template-inputs.ts';
import { templateMessageView, templateStateMessage } from './template-outcome.ts';
import { firstInputId, parseAnswerMetadata, parseBuilderMetadata } from './template-values.ts';

/** Of a call, or of a view that a person submitted or closed. */
export interface TemplateBuilderContext {
  readonly services: Services;
  readonly person: { readonly user: UserId };
}

/**
 * The channel where the view was opened. It grants nothing: the role there is looked up for each press, and
 * the draft must be the person's own.
 */
export async function readTemplateChannel({
  view,
}: Pick<ViewInteraction, 'view'>): Promise<ChannelId | undefined> {
  const { privateMetadata } = view;
  return (parseBuilderMetadata(privateMetadata) ?? parseAnswerMetadata(privateMetadata))?.channel;
}

/** The view of a draft that is created or being sent. */
export function lockedDraftView(draft: TemplateDraft, channel: ChannelId): ModalView {
  const { id, revision } = draft;
  return templateMessageView(templateStateMessage(draft), { draft: id, channel, revision });
}

/** The cached senders; starts loading missing ones without waiting. */
export async function readSendersOrStartLoading(
  { services }: TemplateBuilderContext,
  spot: BuilderLocation,
): Promise<SendersState> {
  if (spot.step !== 'sender' && spot.step !== 'review') return { kind: 'unasked' };
  const asked = services.templates.fetchSenders();
  asked.catch(() => undefined);
  return Promise.race([asked, Promise.resolve({ kind: 'loading' } as const)]);
}

/**
 * Saves what the list says about the sender. Returns the same draft if that's nothing new or the draft
 * changed meanwhile.
 */
export async function updateDraftSenderType(
  { services, person }: TemplateBuilderContext,
  draft: TemplateDraft,
  answer: SendersResult,
): Promise<TemplateDraft> {
  const { sender } = draft.form;
  if (answer.kind !== 'known' || isTemplateDraftLocked(draft) || sender.organizationId.trim() === '')
    return draft;
  const learned = applySenderChoice(sender, sender, answer.senders);
  if (learned.type === sender.type) return draft;
  const save = await services.templates.drafts.save({
    user: person.user,
    draft: draft.id,
    seen: draft.revision,
    change: (form) => ({ ...form, sender: learned }),
  });
  return save.kind === 'saved' ? save.draft : draft;
}

/**
 * Waits for the list of senders, then shows it unless the draft changed. @param shown the content on the
 * screen
 */
export async function refreshStepWithSenders(
  call: TemplateBuilderContext,
  viewId: string,
  shown: BuilderFacts,
  before: ModalView,
): Promise<void> {
  const { templates } = call.services;
  const { draft, location } = shown;
  const answer = await templates.fetchSenders();
  const now = await templates.drafts.read({ user: call.person.user, draft: draft.id });
  if (now?.revision !== draft.revision) return;
  const learned = await updateDraftSenderType(call, now, answer);
  const view = builderView({
    ...shown,
    draft: learned,
    senders: answer,
    location: { ...location, since: location.since ?? draft.revision },
  });
  if (JSON.stringify(view) !== JSON.stringify(before)) await updateViewIfOpen(call.services, viewId, view);
}

/** @returns false when the view is closed */
export async function showTemplateStep(
  call: TemplateBuilderContext,
  viewId: string,
  draft: TemplateDraft,
  { note, ...spot }: BuilderLocation & { readonly note?: string },
): Promise<boolean> {
  if (isTemplateDraftLocked(draft))
    return updateViewIfOpen(call.services, viewId, lockedDraftView(draft, spot.channel));
  const senders = await readSendersOrStartLoading(call, spot);
  const facts: BuilderFacts = { draft, location: spot, senders, note };
  const view = builderView(facts);
  if (!(await updateViewIfOpen(call.services, viewId, view))) return false;
  if (senders.kind === 'loading') await refreshStepWithSenders(call, viewId, facts, view);
  return true;
}

/** Shows the message in the view; if it is closed or can't change, as an ephemeral message. */
export async function showMessageInView(
  call: Pick<ActionCall, 'services' | 'answer'>,
  viewId: string,
  view: ModalView,
  message: Message,
): Promise<void> {
  const { services } = call;
  try {
    if (await updateViewIfOpen(services, viewId, view)) return;
  } catch (thrown) {
    services.log.warn('could not show the result of a template in a modal', { error: asError(thrown) });
  }
  await call.answer(message);
}

/** Shows an error at the first input, so that typed values stay; without inputs, in place of the view. */
export function refuseSubmission({ values }: PressedView, words: string): SubmissionResponse {
  const first = firstInputId(values);
  return first === undefined
    ? { kind: 'update', view: templateMessageView({ text: words }, undefined) }
    : { kind: 'errors', errors: { [first]: words } };
}

/** Adds an input for a long text; clears the text if its button says so. */
export async function makeRoom(
  { services, person, value }: ActionCall,
  draft: TemplateDraft,
  [field, text]: readonly [field: MultiInputTextField, text: string],
  clear: (form: TemplateForm) => TemplateForm,
): Promise<TemplateDraft> {
  const more = nextInputCount(field, text, draft.room);
  const room = more === undefined ? undefined : { room: { [field]: more } };
  const press = value.startsWith(CLEAR_TEXT_PREFIX) ? { change: clear } : room;
  if (!press) return draft;
  const save = await services.templates.drafts.save({ user: person.user, draft: draft.id, ...press });
  return save.kind === 'saved' ? save.draft : draft;
}
