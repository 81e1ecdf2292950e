/**
 * What presses and submissions do in the template builder: the typed values are saved before any decision
 * about them, then a step shows. Next checks one step; the review submits the template once per shown
 * revision, and shows the outcome in the builder's place.
 */
import { z } from 'zod';
import type { ProposalSender } from '../../marketplace/client.ts';
import { checkTemplateStep } from '../../templates/check-template.ts';
import { templateFieldText, withTemplateFieldValue } from '../../templates/fields.ts';
import { EMPTY_TEMPLATE_FORM, TEMPLATE_STEPS } from '../../templates/form.ts';
import type { SubmitTemplateResult } from '../../templates/submissions.ts';
import {
  isCreationUncertain,
  isTemplateDraftLocked,
  MultiInputTextField,
  type TemplateDraft,
} from '../../templates/templates.ts';
import { logAndDescribeFailure, updateViewIfOpen } from '../core/handler-steps.ts';
import { unknownButtonMessage } from '../core/request-errors.ts';
import type {
  ActionCall,
  ActionRoute,
  Message,
  PressedView,
  SubmissionResponse,
  ViewInteraction,
  ViewRoute,
  ViewSubmissionCall,
} from '../core/routes.ts';
import { actionIds, viewIds } from '../kit/ids.ts';
import { expandAnswerInput, templateAnswerActions, templateAnswerView } from './template-answers.ts';
import { type BuilderFacts, builderView } from './template-form.ts';
import {
  TEMPLATE_DRAFT_GONE,
  TEMPLATE_TEXTS_TOO_LONG,
  type TemplateNoticeLocation,
  templateCreatingView,
  templateMessageView,
  templateNotSentMessage,
  templateStateMessage,
  templateSubmitResultMessage,
} from './template-outcome.ts';
import { canCreateTemplate, isTemplateComplete } from './template-review.ts';
import {
  lockedDraftView,
  makeRoom,
  readSendersOrStartLoading,
  readTemplateChannel,
  refreshStepWithSenders,
  refuseSubmission,
  showMessageInView,
  showTemplateStep,
  type TemplateBuilderContext,
  updateDraftSenderType,
} from './template-show.ts';
import {
  type BuilderMetadata,
  type FilledBuilderStep,
  hasTypedValues,
  parseBuilderMetadata,
  parseManualIdEntry,
  parseTemplateForm,
  templateFormErrors,
} from './template-values.ts';

interface Kept {
  readonly kind: 'kept';
  readonly draft: TemplateDraft;
  readonly place: BuilderMetadata;
  /** The place's value, updated by the choices in the view. */
  readonly typing: BuilderMetadata['typing'];
}

type BuilderSaveResult =
  | Kept
  | { readonly kind: 'closed' | 'too-large'; readonly draft: TemplateDraft; readonly place: BuilderMetadata }
  | { readonly kind: 'gone' };

/**
 * Finds the view's draft under the person's own ID, and saves the view's values.
 * @param senders the marketplace's list, if known
 */
async function saveBuilderInput(
  context: TemplateBuilderContext,
  view: PressedView,
  senders?: readonly ProposalSender[],
): Promise<BuilderSaveResult> {
  const place = parseBuilderMetadata(view.privateMetadata);
  if (!place) return { kind: 'gone' };
  if (place.inputs.length === 0) return keptAsItIs(context, place);
  const filled: FilledBuilderStep = { values: view.values, place, senders };
  let before = EMPTY_TEMPLATE_FORM;
  const save = await context.services.templates.drafts.save({
    user: context.person.user,
    draft: place.draft,
    change(form) {
      before = form;
      return parseTemplateForm(form, filled);
    },
  });
  if (save.kind === 'gone') return save;
  // Without `seen` no draft is stale.
  if (save.kind !== 'saved')
    return { kind: save.kind === 'too-large' ? 'too-large' : 'closed', draft: save.draft, place };
  const { draft } = save;
  const typing = parseManualIdEntry(before.sender, draft.form.sender, filled);
  return { kind: 'kept', draft, place, typing };
}

/** A view without inputs changes nothing, so its revision stays current. */
async function keptAsItIs(
  { services, person }: TemplateBuilderContext,
  place: BuilderMetadata,
): Promise<BuilderSaveResult> {
  const draft = await services.templates.drafts.read({ user: person.user, draft: place.draft });
  if (!draft) return { kind: 'gone' };
  if (isTemplateDraftLocked(draft)) return { kind: 'closed', draft, place };
  return { kind: 'kept', draft, place, typing: place.typing };
}

type Creating = Pick<ActionCall, 'services' | 'person' | 'answer'>;

function show(call: Creating, viewId: string, spot: TemplateNoticeLocation, message: Message): Promise<void> {
  return showMessageInView(call, viewId, templateMessageView(message, spot), message);
}

/** @param spot `revision`: of the pressed review */
async function submitTemplateAndShowResult(
  call: Creating,
  viewId: string,
  spot: TemplateNoticeLocation,
): Promise<void> {
  const { services, person } = call;
  const { draft, channel, revision: seen } = spot;
  let outcome: SubmitTemplateResult;
  try {
    outcome = await services.templates.submitDraft({ user: person.user, draft, seen, channel });
  } catch (thrown) {
    const failure = logAndDescribeFailure(services, 'could not send a proposal template', thrown);
    return show(call, viewId, spot, templateNotSentMessage(failure, draft));
  }
  await show(call, viewId, spot, templateSubmitResultMessage(outcome));
  if (outcome.kind === 'taken') await showLater(call, viewId, spot, outcome.draft);
}

/** The other press may have finished while this one showed that it was waiting. */
async function showLater(
  call: Creating,
  viewId: string,
  spot: TemplateNoticeLocation,
  shown: TemplateDraft,
): Promise<void> {
  const { services, person } = call;
  const now = await services.templates.drafts.read({ user: person.user, draft: spot.draft });
  if (shown.state !== 'sending' || !now || now.revision === shown.revision) return;
  await show(call, viewId, spot, templateStateMessage(now));
}

async function submitTemplate({ user, view, services }: ViewInteraction): Promise<SubmissionResponse> {
  const kept = await saveBuilderInput({ services, person: { user } }, view);
  switch (kept.kind) {
    case 'gone':
      return refuseSubmission(view, TEMPLATE_DRAFT_GONE.text);
    case 'too-large':
      return refuseSubmission(view, TEMPLATE_TEXTS_TOO_LONG);
    case 'closed': {
      const { channel } = kept.place;
      return { kind: 'update', channel, view: lockedDraftView(kept.draft, channel) };
    }
    case 'kept':
      return kept.place.step === 'review' ? sendOff(kept) : goOn(kept);
  }
}

function goOn({ draft, place, typing }: Kept): SubmissionResponse {
  const { channel, step, inputs } = place;
  const mistakes = checkTemplateStep(draft.form, step);
  if (mistakes.length > 0) {
    const { view, showSenders } = shown(draft, { ...place, typing, marks: true });
    // The list of senders isn't on the screen yet: no input could show an error about it.
    if (step === 'sender' && !inputs.some((name) => /\borganization/u.test(name)))
      return { kind: 'update', channel, view, after: showSenders };
    const errors = templateFormErrors(mistakes, place);
    return errors ? { kind: 'errors', channel, errors } : { kind: 'update', channel, view };
  }
  const next = TEMPLATE_STEPS[TEMPLATE_STEPS.indexOf(step) + 1] ?? step;
  const { view, showSenders } = shown(draft, { channel, step: next });
  const learnType = async (call: ViewSubmissionCall) => {
    await updateDraftSenderType(call, draft, await call.services.templates.fetchSenders());
  };
  const after = next === 'review' ? showSenders : next === 'rates' ? learnType : undefined;
  return { kind: 'update', channel, view, after };
}

/** The acknowledgement makes no requests: the list of senders follows it. */
function shown(draft: TemplateDraft, location: BuilderFacts['location']) {
  const facts: BuilderFacts = { draft, location, senders: { kind: 'unasked' } };
  const view = builderView(facts);
  return {
    view,
    showSenders: (call: ViewSubmissionCall) => refreshStepWithSenders(call, call.view.id, facts, view),
  };
}

function sendOff({ draft, place }: Kept): SubmissionResponse {
  const { channel } = place;
  if (!canCreateTemplate(draft))
    return { kind: 'update', channel, view: shown(draft, { channel, step: 'review' }).view };
  const spot = { draft: draft.id, channel, revision: draft.revision };
  return {
    kind: 'update',
    channel,
    view: templateCreatingView(spot),
    after: (call) => submitTemplateAndShowResult(call, call.view.id, { ...spot, revision: place.revision }),
  };
}

const templateView: ViewRoute = {
  id: viewIds.template,
  needs: 'bidder',
  submit: submitTemplate,
  async closed({ user, view, services }) {
    if (hasTypedValues(view.values)) await saveBuilderInput({ services, person: { user } }, view);
  },
};

/** Saves the view's values; if that's impossible, notifies the person and leaves the screen as it is. */
async function keepPress(call: ActionCall, view: PressedView): Promise<Kept | undefined> {
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

async function showAgain(call: ActionCall, view: PressedView, { draft, place, typing }: Kept): Promise<void> {
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
