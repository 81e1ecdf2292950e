/** Buttons for a project's bids and jobs, most urgent first; at most one is primary. Pure. */
import type { Button, KnownBlock } from '@slack/types';
import { isReviewEnded } from '../../bidding/approval-request.ts';
import type { Job } from '../../bidding/bidding.ts';
import { isApprovalOpen, isBidStanding, isUncertainBid } from '../../bidding/decide-bid.ts';
import { isJobForBidProject } from '../../bidding/decide-job.ts';
import type { ProjectBidsAndJobs } from '../../bidding/project-bidding.ts';
import type { JobId } from '../../ids.ts';
import type { Verdict } from '../../marketplace/schema.ts';
import { buttonElement, plainTextSection } from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import { excerptText } from '../kit/long-text.ts';
import {
  findDisqualificationReason,
  isPossiblyWaitingForReview,
  isWaitingForReview,
  type JobStatusFields,
} from '../kit/words/job-text.ts';
import { listExternalJobs } from './bid-lines.ts';

interface BidButtonFacts {
  readonly title: string;
  /** The value of a first bid's button; missing: no Bid button. */
  readonly project?: string;
}

/** More would leave no room for the card's own buttons. */
const MOST = 2;

/** All jobs known to be for the project, newest last. A bid's refusal may name another project's job. */
function listProjectJobs(bidding: ProjectBidsAndJobs): readonly Job[] {
  const own = bidding.bids.flatMap(({ bid, job }) => (job && isJobForBidProject(bid, job) ? [job] : []));
  return [...own, ...listExternalJobs(bidding)].sort((a, b) => a.knownAt - b.knownAt);
}

export function jobActionButton(id: string, label: string, job: JobId): Button {
  return buttonElement({ id, label, value: String(job), accessibilityLabel: `${label}: bid ${job}` });
}

/** The job waits for review, and its approval is still open. */
export function canApproveJob(job: JobStatusFields): boolean {
  return isWaitingForReview(job) && isApprovalOpen(job) && !isReviewEnded(job);
}

/** The status doesn't say whether the job waits for review, and its approval is still open. */
export function canTryApproval(job: JobStatusFields): boolean {
  return isPossiblyWaitingForReview(job) && isApprovalOpen(job) && !isReviewEnded(job);
}

function review(jobs: readonly Job[], may: (job: Job) => boolean): Button[] {
  const job = jobs.findLast(may);
  return job ? [jobActionButton(actionIds.jobReview, 'Review', job.id)] : [];
}

/** Bid, or Check and Try Again for the newest unsuccessful bid. */
function bid(bidding: ProjectBidsAndJobs, { title, project }: BidButtonFacts): Button[] {
  const button = (id: string, label: string, value: string, what: string) =>
    buttonElement({ id, label, value, accessibilityLabel: `${what}: ${title}` });
  const bids = [...bidding.bids].sort((a, b) => a.bid.at - b.bid.at);
  const isStanding = bids.some((view) => isBidStanding(view.bid));
  const doubtful = bids.findLast((view) => isUncertainBid(view.bid))?.bid;
  const last = doubtful ?? bids.at(-1)?.bid;
  const first = project !== undefined && button(actionIds.bid, 'Bid', project, 'Bid');
  const again = last ? button(actionIds.bid, 'Try Again', last.id, 'Try again to bid') : first;
  return [
    ...(doubtful ? [button(actionIds.bidCheck, 'Check', doubtful.id, 'Check the bid')] : []),
    ...(again && !isStanding ? [again] : []),
  ];
}

/** In order of use. */
export function bidButtons(bidding: ProjectBidsAndJobs, subject: BidButtonFacts): readonly Button[] {
  const jobs = listProjectJobs(bidding);
  const left = jobs.findLast((job) => job.follow.state === 'left');
  const linked = jobs.findLast((job) => job.proposal);
  const waiting = review(jobs, canApproveJob);
  const [first, ...rest] = [...waiting, ...bid(bidding, subject)];
  return [
    ...(first ? [{ ...first, style: 'primary' } as const] : []),
    ...rest,
    ...(left ? [jobActionButton(actionIds.jobRefresh, 'Refresh', left.id)] : []),
    ...(linked ? [jobActionButton(actionIds.proposalShow, 'Proposal', linked.id)] : []),
    ...(waiting.length > 0 ? [] : review(jobs, canTryApproval)),
  ].slice(0, MOST);
}

/** Shows the newest job's current state to the person; undefined if there is none, or a button shows it. */
export function openBidButton(bidding: ProjectBidsAndJobs, shown: readonly Button[]): Button | undefined {
  const ids: readonly (string | undefined)[] = [actionIds.jobRefresh, actionIds.proposalShow];
  const job = listProjectJobs(bidding).at(-1);
  if (!job || shown.some(({ action_id: id }) => ids.includes(id))) return undefined;
  return jobActionButton(actionIds.jobRefresh, 'Open Bid', job.id);
}

const LONGEST_REASON = 1_500;

/** Plain text, in full; a longer one is clipped, with `[1,500 of 3,000 characters]`. */
export function disqualifiedBlock(reason: string): KnownBlock {
  const why = excerptText(reason, LONGEST_REASON);
  return plainTextSection(`🚫 The AI disqualified this project${why ? `: ${why}` : ' without a reason.'}`);
}

/**
 * Empty unless a job waits for review, or may.
 * @param shown how many characters of the verdict's reason the message already shows
 */
export function disqualificationBlocks(
  bidding: ProjectBidsAndJobs,
  verdict: Verdict | undefined,
  shown: number,
): KnownBlock[] {
  const job = listProjectJobs(bidding).findLast(
    (each) => isWaitingForReview(each) || isPossiblyWaitingForReview(each),
  );
  const reason = job && findDisqualificationReason(job, verdict);
  if (reason === undefined) return [];
  return reason === verdict?.reason && reason.length <= shown ? [] : [disqualifiedBlock(reason)];
}
