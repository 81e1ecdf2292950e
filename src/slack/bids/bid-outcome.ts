/** The result of a bid, for its sender: in the modal, or as a message if that was closed. Pure. */
import type { Button } from '@slack/types';
import type {
  BidDraft,
  BidEvidence,
  BidSubmissionResult,
  BidWithJob,
  TooSoon,
} from '../../bidding/bidding.ts';
import { isUncertainBid } from '../../bidding/decide-bid.ts';
import { isJobForOtherProject } from '../../bidding/decide-job.ts';
import { SECOND } from '../../clock.ts';
import type { ChannelId, DraftId, JobId } from '../../ids.ts';
import type { ListedProject } from '../../marketplace/schema.ts';
import { findMissingApprovals } from '../../spending/hold.ts';
import type { CapExceeded } from '../../spending/spending.ts';
import type { Message } from '../core/routes.ts';
import { buttonElement, capitalize, joinFacts, joinLines, textMessage } from '../kit/block-builders.ts';
import { messageWithButtons } from '../kit/command-button.ts';
import { actionIds } from '../kit/ids.ts';
import { codeText, formatDate, safeLine } from '../kit/mrkdwn.ts';
import { formatCount, formatDuration, formatMoney } from '../kit/numbers.ts';
import { projectLink } from '../kit/project/project-lines.ts';
import { isWaitingForReview, jobLabel, jobStateText, setupNameText } from '../kit/words/job-text.ts';
import {
  refusalAdviceText,
  refusalReasonText,
  unclearResponseText,
} from '../kit/words/marketplace-failure.ts';
import { bidLine, otherBidLine, unclearOutcomeText } from './bid-lines.ts';
import { bidWarningText } from './bid-warnings.ts';
import { capExceededText, holdSentence, secondReasonsText } from './hold-text.ts';

type Budget = ListedProject['budget'];

/** The draft with the person's input; without one, a new form starts from the bid. */
type Kept = DraftId | undefined;

const MOST_NOT_SHOWN = 5;
const DRAFT_SAVED = 'Your draft is saved.';

function button(id: string, label: string, value: string, title: string): Button {
  return buttonElement({ id, label, value, accessibilityLabel: `${label}: ${title}` });
}

function again(label: string, { bid }: BidWithJob, draft: Kept): Button {
  return draft === undefined
    ? button(actionIds.bid, label, bid.id, bid.title)
    : button(actionIds.bidReopen, label, draft, bid.title);
}

function check(label: string, { bid }: BidWithJob): Button {
  return button(actionIds.bidCheck, label, bid.id, bid.title);
}

function projectOf({ bid }: BidWithJob): string {
  return projectLink({ title: bid.title, url: bid.url ?? '' });
}

/** `Night shift`, or `setup 7`. mrkdwn. */
function setupOf({ bid }: BidWithJob): string {
  const { request, setupName } = bid;
  return setupNameText({ setup: request.setup, setupName }) ?? `setup ${request.setup}`;
}

function jobIdOf({ bid, job }: BidWithJob): JobId | undefined {
  return job?.id ?? bid.job;
}

function jobCommand(job: number): string {
  return codeText(`/gig job ${job}`);
}

/** What the form sent, with warnings, so that a mistake shows at once. mrkdwn. */
function sentAmounts({ bid }: BidWithJob, budget: Budget): string {
  const { bidAmount, boostConnects } = bid.request;
  return joinLines(
    joinFacts(
      bidAmount === undefined ? undefined : `Bid: ${formatMoney(bidAmount)}`,
      boostConnects ? `Boost: ${formatCount(boostConnects, 'connect')}` : undefined,
    ),
    bidWarningText(bid, budget),
  );
}

function reviewText({ job }: BidWithJob): string | undefined {
  if (!job || !isWaitingForReview(job)) return undefined;
  return `Nothing is sent until someone approves it in the card's thread, or with ${jobCommand(job.id)}.`;
}

function messageText({ bid }: BidWithJob): string | undefined {
  const message = safeLine(bid.message ?? '', 300);
  return message ? `The marketplace says: “${message}”` : undefined;
}

/** Why the marketplace skipped a job. Source of the reasons: docs/marketplace-api.md, States. */
function skipText(view: BidWithJob): string {
  const reason = safeLine(view.job?.reason ?? '', 300);
  if (reason) return `Reason: ${reason}`;
  return (
    messageText(view) ??
    'It gave no reason. Possible reasons: the location, a daily, monthly, or trial limit, ' +
      'or another bid on the same project.'
  );
}

function elsewhereText({ bid, job }: BidWithJob): string | undefined {
  if (!isJobForOtherProject(bid, job)) return undefined;
  const project = safeLine(job?.project ?? '', 60);
  return `:warning: The marketplace says this bid is for a different project: ${project}.`;
}

function earlierText({ bid }: BidWithJob): string | undefined {
  if (!isUncertainBid(bid)) return undefined;
  return (
    "An earlier attempt's outcome is unknown: it may have created a bid. " +
    '*Check* looks for it and sends nothing.'
  );
}

function goOn(view: BidWithJob, draft: Kept): Button[] {
  const reopen = again('Open Again', view, draft);
  return isUncertainBid(view.bid) ? [check('Check', view), reopen] : [reopen];
}

function created(view: BidWithJob, budget: Budget): Message {
  const { job } = view;
  const id = jobIdOf(view);
  const review = reviewText(view);
  const look = review || id === undefined ? '' : ` To check this bid, use ${jobCommand(id)}.`;
  return textMessage(
    joinLines(
      `:white_check_mark: *Bid created${id === undefined ? '' : ` (${jobLabel(id)})`}*`,
      projectOf(view),
      `${capitalize(setupOf(view))}${job ? `: ${jobStateText(job)}` : ''}`,
      sentAmounts(view, budget),
      // It repeats that the job waits for review.
      review ? undefined : messageText(view),
      elsewhereText(view),
      review,
      `We'll post updates in the project card's thread.${look}`,
    ),
  );
}

function skipped(view: BidWithJob, draft: Kept): Message {
  const id = jobIdOf(view);
  const words = joinLines(
    `:no_entry_sign: *The marketplace skipped this bid${id === undefined ? '' : ` (${jobLabel(id)})`}: ` +
      'no proposal will be sent*',
    projectOf(view),
    skipText(view),
    earlierText(view),
    DRAFT_SAVED,
  );
  return messageWithButtons(words, ...goOn(view, draft));
}

function refused(view: BidWithJob, draft: Kept): Message {
  const { bid } = view;
  const refusal = bid.refusal ?? { code: '' };
  const words = joinLines(
    `:no_entry_sign: *The bid was rejected:* ${refusalReasonText(refusal)}.`,
    projectOf(view),
    bid.job === undefined
      ? refusalAdviceText(refusal)
      : `It's blocked by ${jobLabel(bid.job)}. See ${jobCommand(bid.job)}.`,
    elsewhereText(view),
    earlierText(view),
    DRAFT_SAVED,
  );
  return messageWithButtons(words, ...goOn(view, draft));
}

function unknown(view: BidWithJob, draft: Kept): Message {
  const words = joinLines(
    unclearOutcomeText(view.bid, 'the bid was created'),
    projectOf(view),
    '*Check* first. It only looks for the bid and sends nothing. ' +
      '*Try Again* opens the form with the same values. ' +
      "If the bid already exists, only the marketplace's own duplicate check prevents a second one. " +
      'Nothing is retried automatically.',
  );
  return messageWithButtons(words, check('Check', view), again('Try Again', view, draft));
}

function taken(view: BidWithJob, draft: Kept): Message {
  const words = joinLines(
    ":hand: *Nothing was sent: there's a newer bid on this project with this setup.*",
    projectOf(view),
    bidLine(view),
    `Sent ${formatDate(view.bid.at)}.`,
    reviewText(view),
    `${DRAFT_SAVED} Open the form again to see that bid's status.`,
  );
  return messageWithButtons(words, again('Open Again', view, draft));
}

/** Why the form was not sent at first. mrkdwn. */
export function bidsMissingFromFormText(howMany: number): string {
  const bids = howMany === 1 ? "a bid that your form didn't show" : "bids that your form didn't show";
  return `:hand: *Nothing was sent yet. This project has ${bids}:*`;
}

/** The same, when the form can't be shown again. @param channel of the form */
export function bidsMissingFromFormMessage(
  views: readonly BidWithJob[],
  channel: ChannelId,
  draft: DraftId,
): Message {
  const [first] = views;
  const more = views.length - MOST_NOT_SHOWN;
  const words = joinLines(
    bidsMissingFromFormText(views.length),
    ...views.slice(0, MOST_NOT_SHOWN).map((view) => otherBidLine(view, channel)),
    more > 0 ? `…and ${formatCount(more, 'more bid')}` : undefined,
    `${DRAFT_SAVED} To bid as well, open the form again and send it.`,
  );
  return messageWithButtons(words, ...(first ? [again('Open Again', first, draft)] : []));
}

function held(view: BidWithJob, budget: Budget): Message {
  const { hold } = view.bid;
  const asking = findMissingApprovals(hold);
  return textMessage(
    joinLines(
      asking
        ? `:hourglass_flowing_sand: *This bid needs ${formatCount(asking.needed, 'more approval')}*`
        : ':hourglass_flowing_sand: *This bid will be sent soon*',
      projectOf(view),
      asking ? `Why: ${secondReasonsText(asking.reasons)}.` : holdSentence('It', hold),
      sentAmounts(view, budget),
      "Nothing is sent yet. To cancel it, press *Cancel* on the message in the project card's thread.",
    ),
  );
}

/** Nothing was sent: it would exceed a weekly cap. */
export function bidOverCapMessage(exceeded: CapExceeded, { id, title }: BidDraft): Message {
  const words = joinLines(capExceededText(exceeded), DRAFT_SAVED);
  return messageWithButtons(words, button(actionIds.bidReopen, 'Open Again', id, title));
}

/** Nothing was sent: there would be no time to cancel it. */
export function bidTooSoonMessage({ seconds }: TooSoon, { id, title }: BidDraft): Message {
  const words = joinLines(
    ":hourglass: *Nothing was sent: the bid's time is too soon.*",
    seconds > 0
      ? `Bids on this project wait ${formatDuration(seconds * SECOND)}, so that people can cancel them.`
      : 'This bid needs a second approval first.',
    `Choose a later time. ${DRAFT_SAVED}`,
  );
  return messageWithButtons(words, button(actionIds.bidReopen, 'Open Again', id, title));
}

/**
 * The outcome of the bid, or why none was sent.
 * @param draft saved for another attempt
 * @param budget of the client, as far as known
 */
export function bidOutcomeMessage(
  { kind, view }: Extract<BidSubmissionResult, { view: BidWithJob }>,
  draft: DraftId,
  budget?: Budget,
): Message {
  if (kind === 'taken') return taken(view, draft);
  switch (view.bid.state) {
    case 'created':
      return created(view, budget);
    case 'skipped':
      return skipped(view, draft);
    case 'refused':
      return refused(view, draft);
    case 'held':
      return held(view, budget);
    case 'sending':
    case 'unknown':
      return unknown(view, draft);
  }
}

/** A failure on our side before anything was sent. @param failure the error message */
export function bidNotSentMessage(failure: Message, draft: DraftId): Message {
  const words = joinLines(failure.text, `Nothing was sent. ${DRAFT_SAVED}`);
  const reopen = buttonElement({ id: actionIds.bidReopen, label: 'Open Again', value: draft });
  return messageWithButtons(words, reopen);
}

function evidenceText({ view, sentSince }: BidEvidence): string {
  const setup = capitalize(setupOf(view));
  if (sentSince === undefined) return `We don't know how many proposals ${setupOf(view)} has sent since.`;
  if (sentSince > 0)
    return (
      `${setup} has sent ${formatCount(sentSince, 'proposal')} since. ` +
      `${sentSince === 1 ? 'It' : 'One of them'} may be this bid.`
    );
  return `${setup} has sent no proposals since. A bid that's still scheduled wouldn't show yet.`;
}

function stillUnknown(evidence: BidEvidence, draft: Kept): Message {
  const { view } = evidence;
  const isNewest = view.bid.state === 'unknown';
  const nothingCame = isNewest && unclearResponseText(view.bid) === undefined;
  const words = joinLines(
    nothingCame
      ? ':mag: *Still no response from the marketplace for this bid*'
      : `:mag: *We still don't know if ${isNewest ? 'this bid' : 'an earlier attempt'} went through*`,
    projectOf(view),
    isNewest ? undefined : bidLine(view),
    evidenceText(evidence),
    "Look for the bid in the marketplace's dashboard. " +
      `If it's there, type ${codeText('/gig job <id>')}. If it isn't, press *Try Again*.`,
  );
  return messageWithButtons(words, check('Check Again', view), again('Try Again', view, draft));
}

/** The result of a check. @param draft of the person who checked, if they have one */
export function bidCheckResultMessage(evidence: BidEvidence, draft: Kept): Message {
  const { view } = evidence;
  const id = jobIdOf(view);
  const words = (then: string | undefined): string =>
    joinLines(':mag: *Status of this bid*', projectOf(view), bidLine(view), then);
  switch (view.bid.state) {
    case 'unknown':
      return stillUnknown(evidence, draft);
    case 'held':
      return textMessage(words('Its message in the thread has *Cancel*.'));
    case 'sending':
      return messageWithButtons(
        words("Gigdesk is sending it now. We'll post the result in its thread."),
        check('Check Again', view),
      );
    case 'created':
      return textMessage(
        words(reviewText(view) ?? (id === undefined ? undefined : `For details, use ${jobCommand(id)}.`)),
      );
    case 'refused':
    case 'skipped':
      if (isUncertainBid(view.bid)) return stillUnknown(evidence, draft);
      return messageWithButtons(words(undefined), again('Open Again', view, draft));
  }
}

export const BID_GONE: Message = {
  text: "Couldn't find this bid. It may be too old. Press Bid again on its card, or use `/gig bid`.",
};

export const BID_FORM_GONE: Message = { text: "This form isn't yours, or it's too old. Press Bid again." };

/** Shown at a field of the form, which stays open. */
export const SCREENING_QUESTIONS_CHANGED =
  "The project's screening questions changed after you opened this form. " +
  'Copy your answers, close the form, and press Bid again.';
