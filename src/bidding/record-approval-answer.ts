/** Putting on record, and telling, what came of an approval. */
import type { Instant } from '../clock.ts';
import { known } from '../marketplace/wire-values.ts';
import type { BidNews } from '../outbox/bid-news.ts';
import type { Transaction } from '../storage/store.ts';
import { auditApprovalAnswer } from './audit-bid.ts';
import { type ApprovalAnswer, settleApproval, standingApproval } from './decide-approval.ts';
import { beginFollowing } from './pauses.ts';
import { stateOf } from './read-status.ts';
import { type Approval, type Job, jobKey, jobs } from './records.ts';
import { tellNews } from './tell.ts';

/** It was approved, cancelled or deleted elsewhere, most likely. */
const REFUSED_FOR_ITS_STATE: ReadonlySet<string> = new Set(['bad-request', 'not-found']);

/** The job as the answer leaves it. One that was approved, may have been, or is not what we took it for, is read again soon. */
export function afterApproval(job: Job, claimed: Approval, answer: ApprovalAnswer, at: Instant): Job {
  const approval = standingApproval(claimed, answer);
  switch (answer.kind) {
    case 'approved': {
      const { status, statusTitle, scheduledAt, setup, setupName } = answer.job;
      const { statusTitle: _before, ...rest } = job;
      const told = known({ statusTitle, scheduledAt, setup, setupName });
      const follow = beginFollowing(scheduledAt, at);
      return { ...rest, status, ...told, readAt: at, approval, follow };
    }
    case 'refused': {
      const isOther = approval.state === 'unknown' || REFUSED_FOR_ITS_STATE.has(answer.refusal.code);
      return isOther ? { ...job, approval, follow: beginFollowing(undefined, at) } : { ...job, approval };
    }
    case 'unknown':
      return { ...job, approval, follow: beginFollowing(undefined, at) };
  }
}

/**
 * Settles the claim of an approval with its answer: job, audit entry and news in one. A claim that is not open any more stays
 * as it is. @returns the job as it is on record afterwards
 */
export async function recordApprovalAnswer(
  tx: Transaction,
  { team, id }: Job,
  claimed: Approval,
  answer: ApprovalAnswer,
  at: Instant,
): Promise<Job | undefined> {
  const there = await tx.get(jobs, jobKey(team, id));
  const open = there?.approval;
  if (!open || open.attempt !== claimed.attempt || open.state !== 'sending') return there;
  const job = afterApproval(there, open, answer, at);
  await tx.put(jobs, jobKey(team, id), job);
  await auditApprovalAnswer(tx, settleApproval(open, answer), job);
  await tellNews(tx, job, `approval:${id}:${open.attempt}`, newsOf(job, open, answer), at);
  return job;
}

function newsOf(job: Job, { by, doubt }: Approval, answer: ApprovalAnswer): BidNews {
  switch (answer.kind) {
    case 'approved': {
      const { approvedBy, overrode } = job.approval ?? {};
      return { about: 'job-approved', by, ...known({ approvedBy, overrode }), ...stateOf(job) };
    }
    case 'refused': {
      const { code, serverMessage, fields } = answer.refusal;
      const refused = { by, job: job.id, code, ...known({ serverMessage, fields }) };
      return { about: 'approval-refused', ...refused, ...(doubt ? { doubt: true } : {}) };
    }
    case 'unknown':
      return { about: 'approval-unknown', by, job: job.id, ...known({ httpStatus: answer.httpStatus }) };
  }
}
