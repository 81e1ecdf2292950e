/** The template builder, submitted: Next checks one step, and the review sends the template off. */
import { checkStep } from '../../templates/check-template.ts';
import type { TemplateDraft } from '../../templates/records.ts';
import { viewIds } from '../blocks/ids.ts';
import { TEMPLATE_GONE } from '../messages/template-outcome.ts';
import type { PressedView, SubmissionAnswer, ViewCall, ViewPlace, ViewRoute } from '../routes.ts';
import { type BuilderFacts, builderView, nextStep } from '../views/template-form.ts';
import { creatingView, TEXTS_TOO_LONG, templateMessageView } from '../views/template-notices.ts';
import { type BuilderPlace, nameOfBlock } from '../views/template-place.ts';
import { canCreate } from '../views/template-step-review.ts';
import { errorsOf } from '../views/template-values.ts';
import { create } from './template-create.ts';
import { type Keeping, keepFilled } from './template-keep.ts';
import { builderCall, completeStep, learnSender, spotOfDraft, standingView } from './template-show.ts';

/** Words at the first input, so that what was typed stays; in the view's place where it has no input. */
function refuse(view: PressedView, words: string): SubmissionAnswer {
  const first = [...view.values.keys()].find((id) => nameOfBlock(id) !== undefined);
  return first === undefined
    ? { kind: 'update', view: templateMessageView({ text: words }, undefined) }
    : { kind: 'errors', errors: { [first]: words } };
}

async function submit({ user, view, services }: ViewPlace): Promise<SubmissionAnswer> {
  const kept = await keepFilled({ services, user }, view);
  switch (kept.kind) {
    case 'gone':
      return refuse(view, TEMPLATE_GONE.text);
    case 'too-large':
      return refuse(view, TEXTS_TOO_LONG);
    case 'closed': {
      const { channel } = kept.place;
      return { kind: 'update', channel, view: standingView(kept.draft, channel) };
    }
    case 'kept':
      return kept.place.step === 'review' ? sendOff(kept) : goOn(kept);
  }
}

type Kept = Extract<Keeping, { kind: 'kept' }>;

/** The list of senders has not come to the screen yet: nothing there could bear a mistake about them. */
function awaitsSenders({ step, inputs }: BuilderPlace): boolean {
  return step === 'sender' && !inputs.some((name) => /\borganization/u.test(name));
}

/** The mistakes stand as words in the view, which then goes on to wait for the list. */
function waitOn({ draft, place, typing }: Kept): SubmissionAnswer {
  const { channel } = place;
  const { facts, view } = shown(draft, { ...place, typing, marks: true });
  const after = (call: ViewCall) => completeStep(builderCall(call), call.view.id, facts, view);
  return { kind: 'update', channel, view, after };
}

function goOn(kept: Kept): SubmissionAnswer {
  const { draft, place, typing } = kept;
  const { channel, step } = place;
  const mistakes = checkStep(draft.form, step);
  if (mistakes.length > 0) {
    if (awaitsSenders(place)) return waitOn(kept);
    const errors = errorsOf(mistakes, place);
    if (errors) return { kind: 'errors', channel, errors };
    return { kind: 'update', channel, view: shown(draft, { ...place, typing, marks: true }).view };
  }
  const next = shown(draft, { channel, step: nextStep(step) });
  return {
    kind: 'update',
    channel,
    view: next.view,
    ...(next.facts.spot.step === 'rates' || next.facts.spot.step === 'review'
      ? { after: (call) => complete(call, next) }
      : {}),
  };
}

function shown(draft: TemplateDraft, spot: BuilderFacts['spot']) {
  const facts: BuilderFacts = { draft, spot, senders: { kind: 'unasked' } };
  return { facts, view: builderView(facts) };
}

/** The acknowledgement asked nobody: what the list of senders tells comes behind it. */
async function complete(call: ViewCall, { facts, view }: ReturnType<typeof shown>): Promise<void> {
  const { services } = call;
  if (facts.spot.step === 'review') return completeStep(builderCall(call), call.view.id, facts, view);
  await learnSender(builderCall(call), facts.draft, await services.templates.senders());
}

function sendOff({ draft, place }: Kept): SubmissionAnswer {
  const { channel } = place;
  if (!canCreate(draft))
    return { kind: 'update', channel, view: shown(draft, { channel, step: 'review' }).view };
  const spot = spotOfDraft(draft, channel);
  return {
    kind: 'update',
    channel,
    view: creatingView(spot),
    after: (call) => create(call, call.view.id, { ...spot, revision: place.revision }),
  };
}

/** Slack may tell nothing of what was typed; then the last press kept the most. */
function tellsTyped({ values }: PressedView): boolean {
  return [...values.values()].some(({ text }) => text !== undefined);
}

export const templateView: ViewRoute = {
  id: viewIds.template,
  needs: 'bidder',
  submit,
  async closed({ user, view, services }) {
    if (tellsTyped(view)) await keepFilled({ services, user }, view);
  },
};
