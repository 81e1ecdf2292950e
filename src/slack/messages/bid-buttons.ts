/** What can be done about a project's bids and jobs, the most urgent first; at most one is the primary one. */
import type { Button } from '@slack/types';
import { isApprovalOpen } from '../../bidding/decide-approval.ts';
import { isInDoubt } from '../../bidding/decide-bid.ts';
import { isForSameProject } from '../../bidding/job-project.ts';
import type { ProjectBidding } from '../../bidding/project-bidding.ts';
import type { Job } from '../../bidding/records.ts';
import type { JobId } from '../../ids.ts';
import type { Verdict } from '../../marketplace/schema.ts';
import { actionIds } from '../blocks/ids.ts';
import { type Approvable, approveButton } from './approve-button.ts';
import { otherJobs } from './bid-lines.ts';
import { disqualification, type JobState, mayWaitForReview, waitsForReview } from './job-words.ts';
import { button } from './parts.ts';

export interface BidSubject {
  readonly title: string;
  /** What a first bid names; missing where none is offered. */
  readonly project?: string;
  readonly verdict?: Verdict | undefined;
}

/** More would leave no room for the card's own. */
const MOST = 2;

/** Every job that is known to be for the project, the newest last. A bid's refusal may name a job of another project. */
export function jobsOf(bidding: ProjectBidding): readonly Job[] {
  const own = bidding.bids.flatMap(({ bid, job }) => (job && isForSameProject(bid, job) ? [job] : []));
  return [...own, ...otherJobs(bidding)].sort((a, b) => a.knownAt - b.knownAt);
}

/** A press that names a job. */
export function jobButton(id: string, label: string, job: JobId): Button {
  return button({ id, label, value: String(job), spoken: `${label}: job ${job}` });
}

/** Nobody has approved it, may have, or is about to. */
export function mayBeApproved(job: JobState): boolean {
  return waitsForReview(job) && isApprovalOpen(job);
}

/** Nothing says that it waits, and nothing that it doesn't; nobody has approved it. */
export function mayTryApproval(job: JobState): boolean {
  return mayWaitForReview(job) && isApprovalOpen(job);
}

/** What the marketplace says of a job that `mayTryApproval`, for the question before. Plain text. */
export function saysInstead(job: JobState): Pick<Approvable, 'says'> {
  return waitsForReview(job) ? {} : { says: job.statusTitle || job.status };
}

/** Approve, for a job that `mayBeApproved` or `mayTryApproval`. */
export function approveOf(job: Job, { title, verdict }: Pick<BidSubject, 'title' | 'verdict'>): Button {
  const setup = job.setupName ?? (job.setup === undefined ? undefined : `setup ${job.setup}`);
  const disqualified = disqualification(job, verdict);
  const { id, approval } = job;
  return approveButton({ job: id, title, setup, approval, disqualified, ...saysInstead(job) });
}

function approve(jobs: readonly Job[], may: (job: Job) => boolean, subject: BidSubject): Button[] {
  const job = jobs.findLast(may);
  return job ? [approveOf(job, subject)] : [];
}

/** Bid, or Check and Try again of the newest bid that came to nothing. */
function bid(bidding: ProjectBidding, { title, project }: BidSubject): Button[] {
  const bids = [...bidding.bids].sort((a, b) => a.bid.at - b.bid.at);
  const standing = bids.some((view) => view.bid.state === 'sending' || view.bid.state === 'created');
  const doubtful = bids.findLast((view) => isInDoubt(view.bid))?.bid;
  const last = doubtful ?? bids.at(-1)?.bid;
  const check =
    doubtful &&
    button({ id: actionIds.bidCheck, label: 'Check', value: doubtful.id, spoken: `Check the bid: ${title}` });
  const first =
    project !== undefined &&
    button({ id: actionIds.bid, label: 'Bid', value: project, spoken: `Bid: ${title}` });
  const again = last
    ? button({ id: actionIds.bid, label: 'Try Again', value: last.id, spoken: `Try again to bid: ${title}` })
    : first;
  return [...(check ? [check] : []), ...(again && !standing ? [again] : [])];
}

/** In the order of use. */
export function bidButtons(bidding: ProjectBidding, subject: BidSubject): readonly Button[] {
  const jobs = jobsOf(bidding);
  const left = jobs.findLast((job) => job.follow.state === 'left');
  const linked = jobs.findLast((job) => job.proposal);
  const waiting = approve(jobs, mayBeApproved, subject);
  const [first, ...rest] = [...waiting, ...bid(bidding, subject)];
  return [
    ...(first ? [{ ...first, style: 'primary' } as const] : []),
    ...rest,
    ...(left ? [jobButton(actionIds.jobRefresh, 'Refresh', left.id)] : []),
    ...(linked ? [jobButton(actionIds.proposalShow, 'Proposal', linked.id)] : []),
    ...(waiting.length > 0 ? [] : approve(jobs, mayTryApproval, subject)),
  ].slice(0, MOST);
}
