/** Clearing out bids and jobs of which nothing more is expected. */
import { DAY, type Instant } from '../clock.ts';
import type { TeamId } from '../ids.ts';
import { deleteOldRecords } from '../storage/delete-old-records.ts';
import type { Transaction } from '../storage/store.ts';
import { bids, type Job, jobs } from './records.ts';

/** What is older is cleared out. */
export const BID_RETENTION_MS = 180 * DAY;
const CLEARED_AT_ONCE = 20;

function isOpen({ follow, approval }: Job): boolean {
  return follow.state === 'following' || approval?.state === 'sending';
}

/** Clears out a few; what is still open stays. */
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
