/** Button presses in the bid modal: each saves the typed values and redraws the form. */
import { omitUndefined } from '../../base/omit-undefined.ts';
import {
  addProjectInfo,
  type DraftOwner,
  hasOutdatedQuestions,
  readBidDraft,
  recreateDraftInputs,
  saveBidForm,
  splitLongTextInputs,
} from '../../bidding/bid-drafts.ts';
import type { BidDraft } from '../../bidding/records.ts';
import { resetBidDraft } from '../../bidding/resume-bid-draft.ts';
import type { Instant } from '../../clock.ts';
import type { ChannelId } from '../../ids.ts';
import type { LookupOutcome } from '../../projects/project-service.ts';
import type { Transaction } from '../../storage/store.ts';
import { logAndDescribeFailure, updateViewIfOpen } from '../core/handler-steps.ts';
import type { ActionCall, ActionRoute, PressedView, ViewInteraction } from '../core/routes.ts';
import { withSlowNotice } from '../core/slow-reply.ts';
import { actionIds } from '../kit/ids.ts';
import { projectNotFoundMessage } from '../kit/project/project-lines.ts';
import { chargedCreditsText, insufficientCreditsText } from '../kit/words/credits-text.ts';
import { parseBidForm, shouldRebuildInputs } from './bid-fields.ts';
import { draftProjectReference } from './bid-form-top.ts';
import { bidLoadingView } from './bid-notices.ts';
import { BID_FORM_GONE } from './bid-outcome.ts';
import {
  type BidModalContext,
  loadBidForm,
  showFormWithTemplateWarning,
  showStoredBidForm,
} from './bid-show.ts';

/** The channel of this person's own draft. */
export async function findDraftChannel({
  user,
  view,
  services,
}: ViewInteraction): Promise<ChannelId | undefined> {
  const { store, team } = services;
  const draft = await store.read((tx) => readBidDraft(tx, { team, user }, view.privateMetadata));
  return draft?.channel;
}

export function toBidModalContext({
  services,
  person,
}: Pick<ActionCall, 'services' | 'person'>): BidModalContext {
  return { services, owner: { team: services.team, user: person.user } };
}

/** Saves a form's values. @returns the draft before and after; undefined when it is gone */
export async function updateDraftFromView(
  tx: Transaction,
  owner: DraftOwner,
  view: PressedView,
  at: Instant,
): Promise<{ readonly before: BidDraft; readonly draft: BidDraft } | undefined> {
  const mark = view.privateMetadata;
  const before = await readBidDraft(tx, owner, mark);
  const fill = (draft: BidDraft) => {
    const typed = parseBidForm(view.values, draft);
    return hasOutdatedQuestions(draft, mark) ? { ...typed, answers: draft.form.answers } : typed;
  };
  const draft = before && (await saveBidForm(tx, owner, mark, fill, at));
  if (!draft) return undefined;
  const laidOut = shouldRebuildInputs(before, draft) ? await recreateDraftInputs(tx, owner, mark) : draft;
  return { before, draft: laidOut ?? draft };
}

/** Saves the form's current values; undefined when its draft is gone or belongs to another person. */
export async function saveBidFormInput(
  { services, owner }: BidModalContext,
  view: PressedView,
): Promise<BidDraft | undefined> {
  const { store, clock } = services;
  return (await store.transact((tx) => updateDraftFromView(tx, owner, view, clock.now())))?.draft;
}

/** A press in the form. @param then extra work after saving the typed values. @returns a note for the form */
function inForm(
  id: string,
  then: (call: BidModalContext, draft: BidDraft, viewId: string) => Promise<string | undefined> = async () =>
    undefined,
): ActionRoute {
  return {
    id,
    needs: 'bidder',
    findChannel: findDraftChannel,
    isInForm: true,
    async run(call) {
      const { view } = call;
      const draft = view && (await saveBidFormInput(toBidModalContext(call), view));
      if (!draft) return call.answer(BID_FORM_GONE);
      const note = await then(toBidModalContext(call), draft, view.id);
      await showFormWithTemplateWarning(toBidModalContext(call), view.id, draft.id, { note, since: draft });
    },
  };
}

async function moreRoom({ services, owner }: BidModalContext, { id }: BidDraft): Promise<undefined> {
  await services.store.transact((tx) => splitLongTextInputs(tx, owner, id));
}

async function startAfresh({ services, owner }: BidModalContext, { id }: BidDraft): Promise<undefined> {
  await services.store.transact((tx) => resetBidDraft(tx, owner, id));
}

export const LOOKING_UP_PROJECT_TEXT =
  ':hourglass_flowing_sand: Looking up this project. This can take a moment.';

/** As `lookUp`; shows a waiting note in the form if it is slow. */
function lookUpPatiently(
  call: BidModalContext,
  draft: BidDraft,
  viewId: string,
): Promise<string | undefined> {
  const { services, owner } = call;
  const showWaiting = async () => {
    await showStoredBidForm(call, viewId, draft.id, { note: LOOKING_UP_PROJECT_TEXT, since: draft });
  };
  return withSlowNotice(services, owner.user, showWaiting, () => lookUp(call, draft));
}

/** Buys missing project details, for at most 1 credit of the draft's channel. */
async function lookUp(call: BidModalContext, draft: BidDraft): Promise<string | undefined> {
  const { services, owner } = call;
  const reference = draftProjectReference(draft);
  if (!reference)
    return "The marketplace can't identify this project yet. Enter its job ID, then look it up.";
  const buyer = { channel: draft.channel, user: owner.user };
  const outcome = await services.projects.lookUp(buyer, reference);
  if (outcome.kind === 'found') {
    const { title, url, questions, connectsPrice, usOnly, ukOnly } = outcome.project;
    const news = omitUndefined({ title, url, questions, connectsPrice, usOnly, ukOnly });
    await services.store.transact((tx) => addProjectInfo(tx, owner, draft.id, news));
  }
  return lookUpNote(call, outcome);
}

function lookUpNote({ services }: BidModalContext, outcome: LookupOutcome): string {
  switch (outcome.kind) {
    case 'found':
      return chargedCreditsText(outcome);
    case 'no-budget':
    case 'account-spent':
      return insufficientCreditsText(outcome);
    case 'failed':
      return outcome.error.code === 'not-found'
        ? projectNotFoundMessage(outcome.askedAt).text
        : logAndDescribeFailure(services, 'could not look up a project for a bid', outcome.error).text;
  }
}

/** In a view that couldn't show the form: loads the setups again. */
const reload: ActionRoute = {
  id: actionIds.bidReload,
  needs: 'bidder',
  findChannel: findDraftChannel,
  async run(call) {
    const { view, services } = call;
    const { owner } = toBidModalContext(call);
    const draft = view && (await services.store.read((tx) => readBidDraft(tx, owner, view.privateMetadata)));
    if (!draft) return call.answer(BID_FORM_GONE);
    await updateViewIfOpen(services, view.id, bidLoadingView(draft.id));
    await loadBidForm(toBidModalContext(call), view.id, draft.id, { maxAgeMs: 0 });
  },
};

export const bidFormActions: readonly ActionRoute[] = [
  inForm(actionIds.bidSetup),
  inForm(actionIds.bidWhen),
  inForm(actionIds.bidMoreSpace, moreRoom),
  inForm(actionIds.bidLookUp, lookUpPatiently),
  inForm(actionIds.bidStartOver, startAfresh),
  reload,
];
