/** Buttons for a project's bids and jobs, most urgent first; at most one is primary. Pure. */
import type { Button } from '@slack/types';
import { isApprovalOpen } from '../../bidding/decide-approval.ts';
import { isUncertainBid } from '../../bidding/decide-bid.ts';
import { isJobForBidProject } from '../../bidding/job-project.ts';
import type { ProjectBidsAndJobs } from '../../bidding/project-bidding.ts';
import type { Job } from '../../bidding/records.ts';
import type { JobId } from '../../ids.ts';
import type { Verdict } from '../../marketplace/schema.ts';
import { buttonElement } from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import {
  findDisqualificationReason,
  isPossiblyWaitingForReview,
  isWaitingForReview,
  type JobStatusFields,
} from '../kit/words/job-text.ts';
import { type ApproveButtonFacts, approveButton } from './approve-button.ts';
import { listExternalJobs } from './bid-lines.ts';

export interface BidButtonFacts {
  readonly title: string;
  /** The value of a first bid's button; missing: no Bid button. */
  readonly project?: string;
  readonly verdict?: Verdict | undefined;
}

/** More would leave no room for the card's own buttons. */
const MOST = 2;

/** All jobs known to be for the project, newest last. A bid's refusal may name another project's job. */
export function listProjectJobs(bidding: ProjectBidsAndJobs): readonly Job[] {
  const own = bidding.bids.flatMap(({ bid, job }) => (job && isJobForBidProject(bid, job) ? [job] : []));
  return [...own, ...listExternalJobs(bidding)].sort((a, b) => a.knownAt - b.knownAt);
}

export function jobActionButton(id: string, label: string, job: JobId): Button {
  return buttonElement({ id, label, value: String(job), accessibilityLabel: `${label}: job ${job}` });
}

/** The job waits for review, and its approval is still open. */
export function canApproveJob(job: JobStatusFields): boolean {
  return isWaitingForReview(job) && isApprovalOpen(job);
}

/** The status doesn't say whether the job waits for review, and its approval is still open. */
export function canTryApproval(job: JobStatusFields): boolean {
  return isPossiblyWaitingForReview(job) && isApprovalOpen(job);
}

/** The marketplace's status of a job that `canTryApproval`, for the confirmation. Plain text. */
export function unclearStatusButtonFacts(job: JobStatusFields): Pick<ApproveButtonFacts, 'says'> {
  return isWaitingForReview(job) ? {} : { says: job.statusTitle || job.status };
}

/** Use only for a job that `canApproveJob` or `canTryApproval`. */
export function approveJobButton(
  job: Job,
  { title, verdict }: Pick<BidButtonFacts, 'title' | 'verdict'>,
): Button {
  const setup = job.setupName ?? (job.setup === undefined ? undefined : `setup ${job.setup}`);
  const disqualified = findDisqualificationReason(job, verdict);
  const { id, approval } = job;
  return approveButton({ job: id, title, setup, approval, disqualified, ...unclearStatusButtonFacts(job) });
}

function approve(jobs: readonly Job[], may: (job: Job) => boolean, subject: BidButtonFacts): Button[] {
  const job = jobs.findLast(may);
  return job ? [approveJobButton(job, subject)] : [];
}

/** Bid, or Check and Try Again for the newest unsuccessful bid. */
function bid(bidding: ProjectBidsAndJobs, { title, project }: BidButtonFacts): Button[] {
  const bids = [...bidding.bids].sort((a, b) => a.bid.at - b.bid.at);
  const standing = bids.some((view) => view.bid.state === 'sending' || view.bid.state === 'created');
  const doubtful = bids.findLast((view) => isUncertainBid(view.bid))?.bid;
  const last = doubtful ?? bids.at(-1)?.bid;
  const check =
    doubtful &&
    buttonElement({
      id: actionIds.bidCheck,
      label: 'Check',
      value: doubtful.id,
      accessibilityLabel: `Check the bid: ${title}`,
    });
  const first =
    project !== undefined &&
    buttonElement({ id: actionIds.bid, label: 'Bid', value: project, accessibilityLabel: `Bid: ${title}` });
  const again = last
    ? buttonElement({
        id: actionIds.bid,
        label: 'Try Again',
        value: last.id,
        accessibilityLabel: `Try again to bid: ${title}`,
      })
    : first;
  return [...(check ? [check] : []), ...(again && !standing ? [again] : [])];
}

/** In order of use. */
export function bidButtons(bidding: ProjectBidsAndJobs, subject: BidButtonFacts): readonly Button[] {
  const jobs = listProjectJobs(bidding);
  const left = jobs.findLast((job) => job.follow.state === 'left');
  const linked = jobs.findLast((job) => job.proposal);
  const waiting = approve(jobs, canApproveJob, subject);
  const [first, ...rest] = [...waiting, ...bid(bidding, subject)];
  return [
    ...(first ? [{ ...first, style: 'primary' } as const] : []),
    ...rest,
    ...(left ? [jobActionButton(actionIds.jobRefresh, 'Refresh', left.id)] : []),
    ...(linked ? [jobActionButton(actionIds.proposalShow, 'Proposal', linked.id)] : []),
    ...(waiting.length > 0 ? [] : approve(jobs, canTryApproval, subject)),
  ].slice(0, MOST);
}
