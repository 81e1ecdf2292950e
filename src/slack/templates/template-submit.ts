/** Handles the submitted template builder: Next checks one step, the review submits the template. */
import { checkTemplateStep } from '../../templates/check-template.ts';
import type { TemplateDraft } from '../../templates/records.ts';
import type {
  PressedView,
  SubmissionResponse,
  ViewInteraction,
  ViewRoute,
  ViewSubmissionCall,
} from '../core/routes.ts';
import { viewIds } from '../kit/ids.ts';
import { submitTemplateAndShowResult } from './template-create.ts';
import { type BuilderFacts, builderView, nextTemplateStep } from './template-form.ts';
import { type BuilderMetadata, parseTemplateInputName } from './template-metadata.ts';
import { TEMPLATE_TEXTS_TOO_LONG, templateCreatingView, templateMessageView } from './template-notices.ts';
import { TEMPLATE_DRAFT_GONE } from './template-outcome.ts';
import { canCreateTemplate } from './template-review.ts';
import { type BuilderSaveResult, saveBuilderInput } from './template-save.ts';
import {
  lockedDraftView,
  refreshStepWithSenders,
  toDraftViewLocation,
  toTemplateBuilderContext,
  updateDraftSenderType,
} from './template-show.ts';
import { templateFormErrors } from './template-values.ts';

/** Shows an error at the first input, so that typed values stay; without inputs, in place of the view. */
function refuse(view: PressedView, words: string): SubmissionResponse {
  const first = [...view.values.keys()].find((id) => parseTemplateInputName(id) !== undefined);
  return first === undefined
    ? { kind: 'update', view: templateMessageView({ text: words }, undefined) }
    : { kind: 'errors', errors: { [first]: words } };
}

async function submit({ user, view, services }: ViewInteraction): Promise<SubmissionResponse> {
  const kept = await saveBuilderInput({ services, user }, view);
  switch (kept.kind) {
    case 'gone':
      return refuse(view, TEMPLATE_DRAFT_GONE.text);
    case 'too-large':
      return refuse(view, TEMPLATE_TEXTS_TOO_LONG);
    case 'closed': {
      const { channel } = kept.place;
      return { kind: 'update', channel, view: lockedDraftView(kept.draft, channel) };
    }
    case 'kept':
      return kept.place.step === 'review' ? sendOff(kept) : goOn(kept);
  }
}

type Kept = Extract<BuilderSaveResult, { kind: 'kept' }>;

/** The list of senders isn't on the screen yet: no input could show an error about it. */
function awaitsSenders({ step, inputs }: BuilderMetadata): boolean {
  return step === 'sender' && !inputs.some((name) => /\borganization/u.test(name));
}

/** Shows the errors as text in the view, which then waits for the list. */
function waitOn({ draft, place, typing }: Kept): SubmissionResponse {
  const { channel } = place;
  const { facts, view } = shown(draft, { ...place, typing, marks: true });
  const after = (call: ViewSubmissionCall) =>
    refreshStepWithSenders(toTemplateBuilderContext(call), call.view.id, facts, view);
  return { kind: 'update', channel, view, after };
}

function goOn(kept: Kept): SubmissionResponse {
  const { draft, place, typing } = kept;
  const { channel, step } = place;
  const mistakes = checkTemplateStep(draft.form, step);
  if (mistakes.length > 0) {
    if (awaitsSenders(place)) return waitOn(kept);
    const errors = templateFormErrors(mistakes, place);
    if (errors) return { kind: 'errors', channel, errors };
    return { kind: 'update', channel, view: shown(draft, { ...place, typing, marks: true }).view };
  }
  const next = shown(draft, { channel, step: nextTemplateStep(step) });
  return {
    kind: 'update',
    channel,
    view: next.view,
    ...(next.facts.location.step === 'rates' || next.facts.location.step === 'review'
      ? { after: (call) => complete(call, next) }
      : {}),
  };
}

function shown(draft: TemplateDraft, spot: BuilderFacts['location']) {
  const facts: BuilderFacts = { draft, location: spot, senders: { kind: 'unasked' } };
  return { facts, view: builderView(facts) };
}

/** The acknowledgement made no requests: the list of senders follows it. */
async function complete(call: ViewSubmissionCall, { facts, view }: ReturnType<typeof shown>): Promise<void> {
  const { services } = call;
  if (facts.location.step === 'review')
    return refreshStepWithSenders(toTemplateBuilderContext(call), call.view.id, facts, view);
  await updateDraftSenderType(
    toTemplateBuilderContext(call),
    facts.draft,
    await services.templates.fetchSenders(),
  );
}

function sendOff({ draft, place }: Kept): SubmissionResponse {
  const { channel } = place;
  if (!canCreateTemplate(draft))
    return { kind: 'update', channel, view: shown(draft, { channel, step: 'review' }).view };
  const spot = toDraftViewLocation(draft, channel);
  return {
    kind: 'update',
    channel,
    view: templateCreatingView(spot),
    after: (call) => submitTemplateAndShowResult(call, call.view.id, { ...spot, revision: place.revision }),
  };
}

/** Slack may not send the typed values; the last press has saved the most then. */
function tellsTyped({ values }: PressedView): boolean {
  return [...values.values()].some(({ text }) => text !== undefined);
}

export const templateView: ViewRoute = {
  id: viewIds.template,
  needs: 'bidder',
  submit,
  async closed({ user, view, services }) {
    if (tellsTyped(view)) await saveBuilderInput({ services, user }, view);
  },
};
