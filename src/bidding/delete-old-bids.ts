/** Deletes old bids and jobs, except open ones. */
import { DAY, type Instant } from '../clock.ts';
import type { TeamId } from '../ids.ts';
import { deleteOldRecords } from '../storage/delete-old-records.ts';
import type { Transaction } from '../storage/store.ts';
import { bids, type Job, jobs } from './records.ts';

/** Older bids and jobs are deleted. */
export const BID_RETENTION_MS = 180 * DAY;
const CLEARED_AT_ONCE = 20;

function isOpen({ follow, approval }: Job): boolean {
  return follow.state === 'following' || approval?.state === 'sending';
}

/** Deletes at most a few per call. */
export async function deleteOldBidsAndJobs(tx: Transaction, team: TeamId, at: Instant): Promise<void> {
  const old = {
    index: 'byAge',
    prefix: [team],
    at,
    keptMs: BID_RETENTION_MS,
    limit: CLEARED_AT_ONCE,
  } as const;
  await deleteOldRecords(tx, bids, { ...old, keeps: ({ state }) => state === 'sending' });
  await deleteOldRecords(tx, jobs, { ...old, keeps: isOpen });
}
