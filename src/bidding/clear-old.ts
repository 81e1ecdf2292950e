/** Clearing out bids and jobs of which nothing more is expected. */
import { DAY, type Instant } from '../clock.ts';
import type { TeamId } from '../ids.ts';
import type { Transaction } from '../storage/store.ts';
import { bidKey, bids, type Job, jobKey, jobs } from './records.ts';

/** What is older is cleared out. */
export const BID_KEPT_MS = 180 * DAY;
const CLEARED_AT_ONCE = 20;

function isOpen({ follow, approval }: Job): boolean {
  return follow.state === 'following' || approval?.state === 'sending';
}

/** Clears out a few; what is still open stays. */
export async function clearOld(tx: Transaction, team: TeamId, at: Instant): Promise<void> {
  const prefix = [team] as const;
  const old = { index: 'byAge', prefix, to: [at - BID_KEPT_MS], limit: CLEARED_AT_ONCE };
  for (const { value } of await tx.list(bids, old))
    if (value.state !== 'sending') await tx.delete(bids, bidKey(team, value.id));
  for (const { value } of await tx.list(jobs, old))
    if (!isOpen(value)) await tx.delete(jobs, jobKey(team, value.id));
}
