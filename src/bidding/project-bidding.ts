/** What cards and messages show of bidding. */
import type { BidId, ProjectKey, TeamId } from '../ids.ts';
import { known } from '../marketplace/wire-values.ts';
import { type ReadTransaction, scan } from '../storage/store.ts';
import type { BidView } from './bidding.ts';
import { jobOf } from './link-job.ts';
import { type Bid, bidKey, bidSubject, bids, type Job, jobs } from './records.ts';

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

/**
 * Every bid on a project, the newest first: those under its key, and those for its marketplace job id under another key. There
 * are as many as the setups that bid on it.
 */
export async function bidsOnProject(
  tx: ReadTransaction,
  team: TeamId,
  {
    project,
    marketplaceJobId,
  }: { readonly project: ProjectKey; readonly marketplaceJobId?: string | undefined },
): Promise<readonly Bid[]> {
  const found = new Map<BidId, Bid>();
  const collect = async (index: string, key: string) => {
    for await (const { value } of scan(tx, bids, { index, prefix: [team, key] })) found.set(value.id, value);
  };
  await collect('byProject', project);
  if (marketplaceJobId !== undefined) await collect('bySubject', bidSubject(marketplaceJobId));
  return [...found.values()].sort((a, b) => b.at - a.at);
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
