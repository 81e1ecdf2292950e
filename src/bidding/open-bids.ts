/** Whether the team is bidding on a project, or has done so. */
import type { ProjectKey, TeamId } from '../ids.ts';
import type { ReadTransaction } from '../storage/store.ts';
import { readProjectBidsAndJobs } from './project-bidding.ts';

/**
 * made: a bid was created, its result is unknown, or there is a job from elsewhere · sending: one is on its
 * way, or waits for a second approval or its cancel window · none: no bid, or only refused and skipped ones.
 */
export async function findOpenBid(
  tx: ReadTransaction,
  team: TeamId,
  project: ProjectKey,
): Promise<'none' | 'sending' | 'made'> {
  const { bids, otherJobs } = await readProjectBidsAndJobs(tx, team, project);
  const states = bids.map(({ bid }) => bid.state);
  if (otherJobs.length > 0 || states.includes('created') || states.includes('unknown')) return 'made';
  return states.includes('sending') || states.includes('held') ? 'sending' : 'none';
}
