/**
 * Button presses in the bid modal: each saves the typed values and redraws the form. Follow-ups to a bid
 * look for traces of an unanswered one, and reopen the form as it was.
 */

import { hasRoleAtLeast } from '../../access/access.ts';
import { findProjectAliases } from '../../aliases/project-aliases.ts';
import {
  changeDraft,
  type DraftOwner,
  findDraftOfBid,
  hasOutdatedQuestions,
  insertDraftLetter,
  readBidDraft,
  recreateDraftInputs,
  resetBidDraft,
  saveBidForm,
  splitLongTextInputs,
  swapDraftLetter,
  withProjectInfo,
} from '../../bidding/bid-drafts.ts';
import type { Bid, BidDraft } from '../../bidding/bidding.ts';
import { readBidWithJob } from '../../bidding/project-bidding.ts';
import type { Instant } from '../../clock.ts';
import { BidId, type ChannelId, type DraftId, ProposalId } from '../../ids.ts';
import type { LookupOutcome } from '../../projects/projects.ts';
import { wasAnswered } from '../../proposals/index-proposals.ts';
import type { Transaction } from '../../storage/store.ts';
import { logAndDescribeFailure, updateViewIfOpen } from '../core/handler-steps.ts';
import type {
  ActionCall,
  ActionRoute,
  Message,
  PressedView,
  Services,
  ViewInteraction,
} from '../core/routes.ts';
import { CHECK_REQUEST_LABEL, withSlowNotice } from '../core/slow-reply.ts';
import { checkChannelVisibility } from '../core/user-channels.ts';
import { joinLines } from '../kit/block-builders.ts';
import { actionIds, viewIds } from '../kit/ids.ts';
import { safeLine } from '../kit/mrkdwn.ts';
import { projectNotFoundMessage } from '../kit/project/project-lines.ts';
import { chargedCreditsText, insufficientCreditsText } from '../kit/words/credits-text.ts';
import { parseBidForm, shouldRebuildInputs } from './bid-fields.ts';
import { bidCheckingView, bidLoadingView, bidMessageView } from './bid-form.ts';
import { draftProjectReference, isOtherProject, readBidFormFacts } from './bid-form-facts.ts';
import { findPressedBidProject, toCallOrigin } from './bid-open.ts';
import { BID_FORM_GONE, BID_GONE, bidCheckResultMessage, bidNotSentMessage } from './bid-outcome.ts';
import {
  type BidModalContext,
  loadBidForm,
  openBidForm,
  showFormWithTemplate,
  showStoredBidForm,
} from './bid-show.ts';

export function toBidModalContext({ services, person }: Pick<ActionCall, 'services' | 'person'>) {
  return { services, owner: { user: person.user } };
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
  if (!shouldRebuildInputs(before, draft)) return { before, draft };
  return { before, draft: (await changeDraft(tx, owner, mark, recreateDraftInputs)) ?? draft };
}

/** Saves the form's current values; undefined when its draft is gone or belongs to another person. */
export async function saveBidFormInput(
  { services, owner }: BidModalContext,
  view: PressedView,
): Promise<BidDraft | undefined> {
  const { store, clock } = services;
  return (await store.transact((tx) => updateDraftFromView(tx, owner, view, clock.now())))?.draft;
}

const ofDraft = {
  needs: 'bidder',
  findChannel: async ({ user, view, services }: ViewInteraction) =>
    (await services.store.read((tx) => readBidDraft(tx, { user }, view.privateMetadata)))?.channel,
} as const;

/** A press in the form. @param then extra work after saving the typed values. @returns a note for the form */
function inForm(
  id: string,
  then: (
    call: BidModalContext,
    draft: BidDraft,
    viewId: string,
    value: string,
  ) => Promise<string | undefined> = async () => undefined,
): ActionRoute {
  return {
    id,
    ...ofDraft,
    isInForm: true,
    async run(call) {
      const { view } = call;
      const context = toBidModalContext(call);
      const draft = view && (await saveBidFormInput(context, view));
      if (!draft) return call.answer(BID_FORM_GONE);
      const note = await then(context, draft, view.id, call.value);
      await showFormWithTemplate(context, view.id, draft.id, { note, since: draft });
    },
  };
}

function changing(id: string, change: (draft: BidDraft) => BidDraft): ActionRoute {
  return inForm(id, async ({ services, owner }, draft) => {
    await services.store.transact((tx) => changeDraft(tx, owner, draft.id, change));
    return undefined;
  });
}

const LETTER_GONE = "Couldn't find this proposal anymore, so its letter wasn't inserted. Choose another one.";

/** @param value the proposal's ID, untrusted input: only a letter that the form may offer is inserted */
async function useLetter(
  { services, owner }: BidModalContext,
  { id }: BidDraft,
  _viewId: string,
  value: string,
): Promise<string | undefined> {
  const found = ProposalId.safeParse(Number(value)).data;
  const proposal = found === undefined ? undefined : services.proposals.mirror.get(found);
  if (!proposal || !wasAnswered(proposal)) return LETTER_GONE;
  const insert = (draft: BidDraft) => insertDraftLetter(draft, proposal.coverLetter);
  await services.store.transact((tx) => changeDraft(tx, owner, id, insert));
  return undefined;
}

export const LOOKING_UP_PROJECT_TEXT =
  ':hourglass_flowing_sand: Looking up this project. This can take a moment.';

function lookUpPatiently(call: BidModalContext, draft: BidDraft, viewId: string) {
  const showWaiting = async () => {
    await showStoredBidForm(call, viewId, draft.id, { note: LOOKING_UP_PROJECT_TEXT, since: draft });
  };
  return withSlowNotice(call.services, call.owner.user, showWaiting, () => lookUp(call, draft));
}

/** Buys missing project details, for at most 1 credit of the draft's channel. */
async function lookUp(call: BidModalContext, draft: BidDraft): Promise<string | undefined> {
  const { services, owner } = call;
  const reference = draftProjectReference(draft);
  if (!reference) return "The marketplace can't identify this project yet. Enter its ~ID, then look it up.";
  const buyer = { channel: draft.channel, user: owner.user };
  const outcome = await services.projects.lookUp(buyer, reference);
  if (outcome.kind === 'found') {
    if (await services.store.read((tx) => isOtherProject(tx, draft)))
      return joinLines(
        `:warning: *This is another project's ~ID: ${safeLine(outcome.project.title, 150)}.* Correct it.`,
        chargedCreditsText(outcome),
      );
    const { title, url, questions, connectsPrice, usOnly, ukOnly } = outcome.project;
    const news = { title, url, questions, connectsPrice, usOnly, ukOnly };
    const add = (stored: BidDraft) => withProjectInfo(stored, news);
    await services.store.transact((tx) => changeDraft(tx, owner, draft.id, add));
  }
  return lookUpNote(services, outcome, 'could not look up a project for a bid');
}

/** What a lookup cost, or why it found nothing. @param failed for the log */
export function lookUpNote(services: Services, outcome: LookupOutcome, failed: string): string {
  switch (outcome.kind) {
    case 'found':
      return chargedCreditsText(outcome);
    case 'no-budget':
    case 'account-spent':
      return insufficientCreditsText(outcome);
    case 'failed':
      return outcome.error.code === 'not-found'
        ? projectNotFoundMessage(outcome.askedAt).text
        : logAndDescribeFailure(services, failed, outcome.error).text;
  }
}

async function readViewDraft({ services, owner }: BidModalContext, { privateMetadata }: PressedView) {
  return services.store.read((tx) => readBidDraft(tx, owner, privateMetadata));
}

async function reload(call: ActionCall): Promise<void> {
  const { view } = call;
  const context = toBidModalContext(call);
  const draft = view && (await readViewDraft(context, view));
  if (!draft) return call.answer(BID_FORM_GONE);
  await updateViewIfOpen(call.services, view.id, bidLoadingView(draft.id));
  await loadBidForm(context, view.id, draft.id, { maxAgeMs: 0 });
}

/** The value may name another channel's draft: the role in the current channel doesn't apply to it. */
async function mayBidIn(call: ActionCall, channel: ChannelId): Promise<boolean> {
  if (channel === call.channel) return true;
  const { role } = await call.services.resolvePerson(call.person.user, channel);
  return hasRoleAtLeast(role, 'bidder') && (await checkChannelVisibility(call, channel)) === 'open';
}

async function reopen(call: ActionCall): Promise<void> {
  const { services, view } = call;
  const context = toBidModalContext(call);
  const setups = await services.setups.readStoredSetups();
  const stored = await services.store.read(async (tx) => {
    const draft = await readBidDraft(tx, context.owner, call.value);
    return draft && readBidFormFacts(tx, draft, services.clock.now());
  });
  if (!stored || !(await mayBidIn(call, stored.draft.channel))) return call.answer(BID_FORM_GONE);
  if (view) await showFormWithTemplate(context, view.id, stored.draft.id, { setups });
  else await openBidForm(context, call.triggerId, { stored, setups });
}

/** Whether the person could see this bid: it belongs to the current channel, or to the pressed project. */
async function isInSight(call: ActionCall, id: BidId): Promise<boolean> {
  const { store } = call.services;
  return store.read(async (tx) => {
    const found = await readBidWithJob(tx, id);
    if (!found || found.bid.channel === call.channel) return found !== undefined;
    const subject = await findPressedBidProject(tx, toCallOrigin(call), call.message?.ts, call.value);
    const { owner } = toBidModalContext(call);
    const draft = call.view && (await readBidDraft(tx, owner, call.view.privateMetadata));
    const { keys } = await findProjectAliases(tx, { project: found.bid.project });
    return [subject?.project, draft?.project].some((project) => project && keys.includes(project));
  });
}

async function evidenceMessage(services: Services, id: BidId, draft: DraftId | undefined): Promise<Message> {
  try {
    const evidence = await services.bidding.checkBidEvidence(id);
    return evidence ? bidCheckResultMessage(evidence, draft) : BID_GONE;
  } catch (thrown) {
    const failure = logAndDescribeFailure(services, 'could not check a bid', thrown);
    return draft === undefined ? failure : bidNotSentMessage(failure, draft);
  }
}

/** Checks a bid in a window of its own. The caller has seen to the person's rights. */
export async function openBidCheck(call: ActionCall, bid: Bid): Promise<void> {
  const { services, triggerId } = call;
  const draft = (await services.store.read((tx) => findDraftOfBid(tx, bid)))?.id;
  const viewId = await services.slack.openView(triggerId, bidCheckingView(draft));
  const message = await evidenceMessage(services, bid.id, draft);
  await updateViewIfOpen(services, viewId, bidMessageView(message, draft));
}

async function check(call: ActionCall): Promise<void> {
  const { services, view } = call;
  // The view changes below: a form's values are saved first.
  const read = view?.callbackId === viewIds.bid ? saveBidFormInput : readViewDraft;
  const draft = view && (await read(toBidModalContext(call), view))?.id;
  const id = BidId.safeParse(call.value).data;
  if (id === undefined || !(await isInSight(call, id))) return call.answer(BID_GONE);
  if (view) await updateViewIfOpen(services, view.id, bidCheckingView(draft));
  const message = await evidenceMessage(services, id, draft);
  if (view && (await updateViewIfOpen(services, view.id, bidMessageView(message, draft)))) return;
  await call.answer(message);
}

export const bidFormActions: readonly ActionRoute[] = [
  inForm(actionIds.bidSetup),
  inForm(actionIds.bidWhen),
  changing(actionIds.bidMoreSpace, splitLongTextInputs),
  inForm(actionIds.bidLookUp, lookUpPatiently),
  changing(actionIds.bidStartOver, resetBidDraft),
  inForm(actionIds.bidUseLetter, useLetter),
  changing(actionIds.bidSwapLetter, swapDraftLetter),
  { id: actionIds.bidReload, ...ofDraft, run: reload },
  { id: actionIds.bidReopen, ...ofDraft, run: reopen },
  {
    id: actionIds.bidCheck,
    ...ofDraft,
    pendingLabel: CHECK_REQUEST_LABEL,
    showsOwnWaitNotice: true,
    run: check,
  },
];
