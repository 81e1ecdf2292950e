/** Stores how an approval ended: job, audit entry, connects and news together. */
import { keepKnown } from '../base/keep-known.ts';
import type { Instant } from '../clock.ts';
import type { BidNews } from '../outbox/news.ts';
import { releaseConnects } from '../spending/weekly-connects.ts';
import type { Transaction } from '../storage/store.ts';
import { recordApprovalAuditResult } from './audit-bid.ts';
import {
  type ApprovalResponse,
  applyApprovalResponse,
  hasSpentNothing,
  resolveApproval,
} from './decide-bid.ts';
import { decideFirstStatusCheck, pickJobStateFields } from './decide-job.ts';
import { postBidNews, refreshMessages } from './post-bid-news.ts';
import { bids, connectsRef, type Job, type JobApproval, jobs } from './records.ts';

/** The job was probably approved, cancelled or deleted elsewhere. */
const REFUSED_FOR_ITS_STATE: ReadonlySet<string> = new Set(['bad-request', 'not-found']);

/**
 * The job after the response. It is checked again soon if it was approved, may have been, or has another
 * state than expected.
 */
export function applyApprovalToJob(
  job: Job,
  claimed: JobApproval,
  answer: ApprovalResponse,
  at: Instant,
): Job {
  const approval = resolveApproval(claimed, answer);
  switch (answer.kind) {
    case 'approved': {
      const { status, statusTitle, scheduledAt, setup, setupName } = answer.job;
      const { statusTitle: _before, ...rest } = job;
      const follow = decideFirstStatusCheck(scheduledAt, at);
      const answered = { status, statusTitle, scheduledAt, setup, setupName };
      return { ...keepKnown<Job>(rest, answered), readAt: at, approval, follow };
    }
    case 'refused': {
      const isOther = approval.state === 'unknown' || REFUSED_FOR_ITS_STATE.has(answer.refusal.code);
      return isOther
        ? { ...job, approval, follow: decideFirstStatusCheck(undefined, at) }
        : { ...job, approval };
    }
    case 'unknown':
      return { ...job, approval, follow: decideFirstStatusCheck(undefined, at) };
  }
}

/**
 * Settles an approval's claim with its response: job, audit entry and news together. A closed claim stays as
 * it is. @returns the stored job
 */
export async function recordApprovalResponse(
  tx: Transaction,
  { id }: Job,
  claimed: JobApproval,
  answer: ApprovalResponse,
  at: Instant,
): Promise<Job | undefined> {
  const there = await tx.get(jobs, [id]);
  const open = there?.approval;
  if (!open || open.attempt !== claimed.attempt || open.state !== 'sending') return there;
  return settleApproval(tx, there, open, answer, at);
}

/**
 * Settles an approval that waits or is being sent.
 * @param there as stored, with the approval `open`
 * @param isQuiet changes its messages in place, without news
 */
export async function settleApproval(
  tx: Transaction,
  there: Job,
  open: JobApproval,
  answer: ApprovalResponse,
  at: Instant,
  isQuiet = false,
): Promise<Job> {
  const { id } = there;
  const job = applyApprovalToJob(there, open, answer, at);
  await tx.put(jobs, job);
  await releaseUnspentConnects(tx, job, at);
  await recordApprovalAuditResult(tx, applyApprovalResponse(open, answer), job, at);
  if (isQuiet) await refreshMessages(tx, job);
  else await postBidNews(tx, job, `approval:${id}:${open.attempt}`, newsOf(job, open, answer), at);
  return job;
}

function newsOf(job: Job, { by, doubt, hold }: JobApproval, answer: ApprovalResponse): BidNews {
  switch (answer.kind) {
    case 'approved': {
      const { approvedBy, overrode } = job.approval ?? {};
      return { about: 'job-approved', by, approvedBy, overrode, ...pickJobStateFields(job) };
    }
    case 'refused': {
      const { code, serverMessage, fields } = answer.refusal;
      const endedBy = hold?.ended?.by;
      const refused = { by, job: job.id, code, serverMessage, fields, endedBy };
      return { about: 'approval-refused', ...refused, doubt: doubt && true };
    }
    case 'unknown':
      return { about: 'approval-unknown', by, job: job.id, httpStatus: answer.httpStatus };
  }
}

/** @param job its bid as stored; a job of an earlier attempt changes nothing */
export async function releaseUnspentConnects(tx: Transaction, job: Job, at: Instant): Promise<void> {
  const bid = job.bid === undefined ? undefined : await tx.get(bids, [job.bid]);
  if (bid && bid.job !== job.id) return;
  if (hasSpentNothing(bid, job)) await releaseConnects(tx, connectsRef(job), at);
}
