/** The sent bid form: checks it before the acknowledgement, then sends the bid and shows the outcome. */

import {
  changeDraft,
  discardBidDraft,
  getShownAttempts,
  hasOutdatedQuestions,
  readBidDraft,
} from '../../bidding/bid-drafts.ts';
import type { BidDraft, BidRequest, BidSubmissionResult, BidWithJob } from '../../bidding/bidding.ts';
import { type BidFormError, validateBidForm } from '../../bidding/validate-bid-form.ts';
import { asError } from '../../errors.ts';
import type { ListedProject } from '../../marketplace/schema.ts';
import { logAndDescribeFailure, updateViewIfOpen } from '../core/handler-steps.ts';
import type {
  Message,
  SubmissionResponse,
  ViewInteraction,
  ViewRoute,
  ViewSubmissionCall,
} from '../core/routes.ts';
import { viewIds } from '../kit/ids.ts';
import { jobLabel } from '../kit/words/job-text.ts';
import { bidFieldBlockId, bidFormErrors, parseFormResetCount, shownQuestions } from './bid-fields.ts';
import { bidLoadingView, bidMessageView, bidSendingView } from './bid-form.ts';
import { saveBidFormInput, toBidModalContext, updateDraftFromView } from './bid-form-actions.ts';
import { findDuplicateBid, isOtherProject, readBidFormFacts } from './bid-form-facts.ts';
import {
  BID_FORM_GONE,
  bidNotSentMessage,
  bidOutcomeMessage,
  bidOverCapMessage,
  bidsMissingFromFormMessage,
  bidTooSoonMessage,
  SCREENING_QUESTIONS_CHANGED,
} from './bid-outcome.ts';
import { findRepeatedLetter, showFormWithTemplate } from './bid-show.ts';

/** Saves the typed values before any check; `other-questions`: the answers belong to outdated questions. */
function keep({ user, view, services }: ViewInteraction) {
  const { store, clock } = services;
  const owner = { user };
  return store.transact(async (tx) => {
    const shown = await readBidDraft(tx, owner, view.privateMetadata);
    if (shown && hasOutdatedQuestions(shown, view.privateMetadata)) return 'other-questions' as const;
    const kept = await updateDraftFromView(tx, owner, view, clock.now());
    if (!kept) return undefined;
    const facts = await readBidFormFacts(tx, kept.draft, clock.now());
    return {
      ...kept,
      isOtherProject: await isOtherProject(tx, kept.draft),
      bid: findDuplicateBid(facts),
      budget: facts.budget,
    };
  });
}

const OTHER_JOB_ID =
  ':hand: *Nothing was sent yet: you changed the ~ID.* The price and the screening questions were for ' +
  'the earlier ID. Check the form, then press *Send Bid*.';

/** One project and setup allow only one job. */
function standingMistake({ bid, job }: BidWithJob): BidFormError | undefined {
  const id = job?.id ?? bid.job;
  const sentence = {
    held: 'A bid with this setup is waiting to be sent. Cancel it in its thread, or choose another setup.',
    sending: 'A bid with this setup is being sent right now. Wait for the result, or choose another setup.',
    created:
      `This setup already bid on this project${id === undefined ? '' : `: ${jobLabel(id)}`}. ` +
      'Choose another setup.',
    skipped: undefined,
    refused: undefined,
    unknown: undefined,
  }[bid.state];
  return sentence === undefined ? undefined : { field: 'setup', message: sentence };
}

async function submitBidForm(submitted: ViewInteraction): Promise<SubmissionResponse> {
  const { services } = submitted;
  const beginning = parseFormResetCount(submitted.view.values);
  const kept = await keep(submitted);
  const refuse = (words: string): SubmissionResponse => ({
    kind: 'errors',
    errors: { [bidFieldBlockId('setup', beginning)]: words },
  });
  if (!kept) return refuse(BID_FORM_GONE.text);
  if (kept === 'other-questions') return refuse(SCREENING_QUESTIONS_CHANGED);
  const { before, draft, bid, budget, isOtherProject: isOther } = kept;
  const { channel, project } = draft;
  const { setups } = await services.setups.readStoredSetups();
  const questions = shownQuestions(draft);
  const now = services.clock.now();
  const checked = validateBidForm(draft.form, { project, questions, setups, now, isOtherProject: isOther });
  const standing = bid && standingMistake(bid);
  if (checked.kind === 'mistakes' || standing) {
    const mistakes = checked.kind === 'mistakes' ? checked.mistakes : [];
    return {
      kind: 'errors',
      channel,
      errors: bidFormErrors([...mistakes, ...(standing ? [standing] : [])], before, submitted.view.values),
    };
  }
  const isForgotten = (field: 'questions' | 'connectsPrice') =>
    before[field] !== undefined && draft[field] === undefined;
  if (isForgotten('questions') || isForgotten('connectsPrice'))
    return {
      kind: 'update',
      channel,
      view: bidLoadingView(draft.id),
      after: (call) =>
        showAgain(call, draft, { note: OTHER_JOB_ID }, bidNotSentMessage({ text: OTHER_JOB_ID }, draft.id)),
    };
  const { request } = checked;
  const owner = { user: submitted.user };
  const asSent = (stored: BidDraft) => ({ ...stored, sentAt: services.clock.now() });
  await services.store.transact((tx) => changeDraft(tx, owner, draft.id, asSent));
  return {
    kind: 'update',
    channel,
    view: bidSendingView(draft.id),
    after: (call) => send(call, draft, request, budget),
  };
}

async function showAgain(
  call: ViewSubmissionCall,
  draft: BidDraft,
  why: Parameters<typeof showFormWithTemplate>[3],
  closed: Message,
): Promise<void> {
  const { services, view } = call;
  try {
    if (await showFormWithTemplate(toBidModalContext(call), view.id, draft.id, why)) return;
  } catch (thrown) {
    services.log.warn('could not show a bid form again', { error: asError(thrown) });
  }
  await show(call, draft, closed);
}

/** @param draft as it was when the form was submitted: the bids that the submitted view showed */
async function send(
  call: ViewSubmissionCall,
  draft: BidDraft,
  request: BidRequest,
  budget: ListedProject['budget'],
): Promise<void> {
  const { services, person, view } = call;
  const { id, project, title, url, channel, connectsPrice } = draft;
  const similarLetter = await findRepeatedLetter(services, draft);
  const { seen, shownBids } = getShownAttempts(draft, view.privateMetadata);
  let outcome: BidSubmissionResult;
  try {
    outcome = await services.bidding.submitBid({
      request,
      project,
      title,
      url,
      connectsPrice,
      similarLetter,
      channel,
      by: person.user,
      seenAttempts: seen,
      shownAttempts: shownBids,
    });
  } catch (thrown) {
    const failure = logAndDescribeFailure(services, 'could not send a bid', thrown);
    return show(call, draft, bidNotSentMessage(failure, id));
  }
  if (outcome.kind === 'over-cap') return show(call, draft, bidOverCapMessage(outcome, draft));
  if (outcome.kind === 'too-soon') return show(call, draft, bidTooSoonMessage(outcome, draft));
  if (outcome.kind === 'not-shown') {
    const { views } = outcome;
    const closed = bidsMissingFromFormMessage(views, channel, id);
    return showAgain(call, draft, { news: new Set(views.map(({ bid }) => bid.id)) }, closed);
  }
  if (outcome.kind === 'asked' && outcome.view.bid.state === 'created') await discard(call, draft);
  await show(call, draft, bidOutcomeMessage(outcome, id, budget));
}

/** If discarding fails, the draft only reopens, and then says that its bid was created. */
async function discard(call: ViewSubmissionCall, { id }: BidDraft): Promise<void> {
  const { store, log } = call.services;
  try {
    await store.transact((tx) => discardBidDraft(tx, toBidModalContext(call).owner, id));
  } catch (thrown) {
    log.warn('could not discard a draft', { error: asError(thrown) });
  }
}

/** Shows it in the modal; if that is closed or can't change, as an ephemeral message in the channel. */
async function show(call: ViewSubmissionCall, draft: BidDraft, message: Message): Promise<void> {
  const { services, view } = call;
  try {
    if (await updateViewIfOpen(services, view.id, bidMessageView(message, draft.id))) return;
  } catch (thrown) {
    services.log.warn('could not show the result of a bid in a modal', { error: asError(thrown) });
  }
  await call.answer(message);
}

export const bidView: ViewRoute = {
  id: viewIds.bid,
  needs: 'bidder',
  submit: submitBidForm,
  /** Slack may not send the typed values; the last press has saved the most then. */
  async closed({ user, view, services }) {
    if (view.values.size > 0) await saveBidFormInput({ services, owner: { user } }, view);
  },
};
