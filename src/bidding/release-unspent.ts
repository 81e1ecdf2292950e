/** Releases a week's connects once it is certain that nothing was spent. */
import type { Instant } from '../clock.ts';
import { releaseConnects } from '../spending/weekly-connects.ts';
import type { Transaction } from '../storage/store.ts';
import { hasSpentNothing } from './decide-sent.ts';
import { bidKey, bids, connectsRef, type Job } from './records.ts';

/** @param job its bid as stored; a job of an earlier attempt changes nothing */
export async function releaseUnspentConnects(tx: Transaction, job: Job, at: Instant): Promise<void> {
  const bid = job.bid === undefined ? undefined : await tx.get(bids, bidKey(job.team, job.bid));
  if (bid && bid.job !== job.id) return;
  if (hasSpentNothing(bid, job)) await releaseConnects(tx, job.team, connectsRef(job), at);
}
