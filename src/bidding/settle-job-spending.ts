/** What a job's news mean for the week's connects, and for an approval of it that waits. */
import type { Instant } from '../clock.ts';
import { correctConnects } from '../spending/weekly-connects.ts';
import type { Transaction } from '../storage/store.ts';
import { endHeldOrder, readHeldOrder } from './held-order.ts';
import { parseReviewState } from './job-status-text.ts';
import { connectsRef, type Job } from './records.ts';
import { releaseUnspentConnects } from './release-unspent.ts';

/** The proposal says what it spent; a job that failed, or isn't approved, spent nothing. */
export async function settleJobConnects(tx: Transaction, before: Job, now: Job, at: Instant): Promise<void> {
  const spent = now.proposal?.connects;
  if (spent !== undefined && spent !== before.proposal?.connects)
    await correctConnects(tx, now.team, connectsRef(now), spent, at);
  else await releaseUnspentConnects(tx, now, at);
}

/** An approval that waits for a job that needs none any more is never sent. @param job as stored */
export async function closeHeldApproval(tx: Transaction, job: Job, at: Instant): Promise<Job> {
  if (job.approval?.state !== 'held') return job;
  if (parseReviewState(job) !== 'over' && job.follow.state !== 'gone') return job;
  const order = await readHeldOrder(tx, job.team, { job: job.id });
  if (!order?.isHeld) return job;
  const { of } = await endHeldOrder(tx, order, 'closed', at);
  return 'job' in of ? of.job : job;
}
