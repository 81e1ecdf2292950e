/** What cards and messages show of bidding. */
import type { BidId, ProjectKey, TeamId } from '../ids.ts';
import { known } from '../marketplace/wire-values.ts';
import type { ReadTransaction } from '../storage/store.ts';
import type { BidView } from './bidding.ts';
import { jobOf } from './link-job.ts';
import { type Bid, bidKey, bids, type Job, jobs } from './records.ts';

/** At most so many bids, and as many jobs, are shown of a project. */
const MOST = 20;

export interface ProjectBidding {
  /** The newest first. */
  readonly bids: readonly BidView[];
  /** Jobs of the project that came of no bid of ours, and that no bid shows. */
  readonly others: readonly Job[];
}

export async function viewOf(tx: ReadTransaction, bid: Bid): Promise<BidView> {
  return known({ bid, job: await jobOf(tx, bid) });
}

/** undefined: there is none, or it was cleared out. */
export async function readBidView(
  tx: ReadTransaction,
  team: TeamId,
  id: BidId,
): Promise<BidView | undefined> {
  const bid = await tx.get(bids, bidKey(team, id));
  return bid && viewOf(tx, bid);
}

export async function readProjectBidding(
  tx: ReadTransaction,
  team: TeamId,
  project: ProjectKey,
): Promise<ProjectBidding> {
  const range = { index: 'byProject', prefix: [team, project] as const };
  const found = await tx.list(bids, { ...range, limit: MOST });
  const views: BidView[] = [];
  for (const { value } of found) views.push(await viewOf(tx, value));
  const shown = new Set(views.map(({ job }) => job?.id));
  // Each bid shows one job, so that enough of the others are among these.
  const all = await tx.list(jobs, { ...range, limit: 2 * MOST });
  const others = all.map(({ value }) => value).filter((job) => job.bid === undefined && !shown.has(job.id));
  return { bids: views.sort((a, b) => b.bid.at - a.bid.at), others: others.slice(0, MOST) };
}
