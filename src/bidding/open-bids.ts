/** Whether the team is bidding on a project, or has done so. */
import type { ProjectKey, TeamId } from '../ids.ts';
import type { ReadTransaction } from '../storage/store.ts';
import { isJobForBidProject } from './decide-job.ts';
import { hasJobFailed, isBidInPlay } from './decide-sent.ts';
import { type ProjectBidsAndJobs, readProjectBidsAndJobs } from './project-bidding.ts';
import type { Bid } from './records.ts';

function isWaiting({ state, doubtSince }: Bid): boolean {
  return doubtSince === undefined && (state === 'sending' || state === 'held');
}

/**
 * made: a bid was created, its result is unknown, or there is a job from elsewhere · sending: one is on its
 * way, or waits for an approval or the end of its cancel window · none: no bid, or only canceled, refused,
 * skipped, failed and rejected ones.
 */
function decideOpenBid({ bids, otherJobs }: ProjectBidsAndJobs): 'none' | 'sending' | 'made' {
  // A refusal can name the job from elsewhere that blocks the bid.
  const blocking = bids.flatMap(({ bid, job }) =>
    job && job.bid === undefined && isJobForBidProject(bid, job) ? [job] : [],
  );
  if ([...otherJobs, ...blocking].some((job) => !hasJobFailed(job))) return 'made';
  const open = bids.filter(({ bid, job }) => isBidInPlay(bid, job));
  if (open.length === 0) return 'none';
  return open.every(({ bid }) => isWaiting(bid)) ? 'sending' : 'made';
}

/** Whether a project is bid on, or was. Canceled, refused and failed bids don't count. */
export function isProjectBidOn(bidding: ProjectBidsAndJobs): boolean {
  return decideOpenBid(bidding) !== 'none';
}

export async function findOpenBid(
  tx: ReadTransaction,
  team: TeamId,
  project: ProjectKey,
): Promise<'none' | 'sending' | 'made'> {
  return decideOpenBid(await readProjectBidsAndJobs(tx, team, project));
}

export async function hasBidOnProject(
  tx: ReadTransaction,
  team: TeamId,
  project: ProjectKey,
): Promise<boolean> {
  return isProjectBidOn(await readProjectBidsAndJobs(tx, team, project));
}
