/** Bidding data for cards and messages. */
import {
  findProjectAliases,
  type ProjectAliasSet,
  type ProjectIdentifiers,
} from '../aliases/project-aliases.ts';
import { listCardClaims } from '../feed/cards.ts';
import type { BidId, ChannelId, JobId, ProjectKey } from '../ids.ts';
import { listInvitationClaims } from '../invitations/invitations.ts';
import type { PlacedClaim, ProjectClaims } from '../sources/claims.ts';
import { type ReadTransaction, scanCollection } from '../storage/store.ts';
import type { BidWithJob } from './bidding.ts';
import { hasJobFailed, isBidInPlay } from './decide-bid.ts';
import { isJobForBidProject } from './decide-job.ts';
import { readJobOfBid } from './link-job.ts';
import { refreshProjectCards } from './post-bid-news.ts';
import { type Bid, bids, type Job, jobs } from './records.ts';

/** Most bids, and most other jobs, to show of a project. */
const MOST = 20;

export interface ProjectBidsAndJobs {
  /** Newest first. */
  readonly bids: readonly BidWithJob[];
  /** Jobs of the project that no bid of ours created and no bid shows. */
  readonly otherJobs: readonly Job[];
  /** On all its cards. */
  readonly claims?: readonly PlacedClaim[];
}

export async function readBid(tx: ReadTransaction, id: BidId): Promise<Bid | undefined> {
  return tx.get(bids, [id]);
}

/** A channel's jobs that wait for review, newest first. */
export async function listWaitingJobs(tx: ReadTransaction, channel: ChannelId, limit: number) {
  const range = { index: 'waiting', prefix: [channel] as const, limit, reverse: true };
  return (await tx.list(jobs, range)).map(({ value }) => value);
}

/** Jobs from bids in direct messages with Gigdesk that wait for review. @param limit for each kind of key */
export async function listJobsWaitingInDirectMessages(tx: ReadTransaction, limit: number): Promise<Job[]> {
  const found: Job[] = [];
  // Keyed by channel ID (D) or by user ID (U, W).
  for (const range of [
    { from: ['D'], to: ['E'] },
    { from: ['U'], to: ['X'] },
  ]) {
    const listed = await tx.list(jobs, { index: 'waiting', ...range, limit });
    found.push(...listed.map(({ value }) => value));
  }
  return found;
}

export async function readJob(tx: ReadTransaction, id: JobId): Promise<Job | undefined> {
  return tx.get(jobs, [id]);
}

export async function joinBidWithJob(tx: ReadTransaction, bid: Bid): Promise<BidWithJob> {
  return { bid, job: await readJobOfBid(tx, bid) };
}

/** undefined: unknown or deleted. */
export async function readBidWithJob(tx: ReadTransaction, id: BidId): Promise<BidWithJob | undefined> {
  const bid = await readBid(tx, id);
  return bid && joinBidWithJob(tx, bid);
}

/** All bids on a project under all its names, newest first. There is at most one per setup and name. */
export async function listBidsOnProject(tx: ReadTransaction, names: ProjectIdentifiers) {
  return listBidsUnderNames(tx, await findProjectAliases(tx, names));
}

async function listBidsUnderNames(tx: ReadTransaction, { keys, jobIds }: ProjectAliasSet) {
  const found = new Map<BidId, Bid>();
  const collect = async (index: string, key: string) => {
    for await (const { value } of scanCollection(tx, bids, { index, prefix: [key] }))
      found.set(value.id, value);
  };
  for (const key of keys) await collect('byProject', key);
  for (const jobId of jobIds) await collect('bySubject', jobId);
  return [...found.values()].sort((a, b) => b.at - a.at);
}

export async function readProjectBidsAndJobs(
  tx: ReadTransaction,
  project: ProjectKey,
): Promise<ProjectBidsAndJobs> {
  const names = await findProjectAliases(tx, { project });
  const found = (await listBidsUnderNames(tx, names)).slice(0, MOST);
  const jobKeys = found.flatMap(({ job }) => (job === undefined ? [] : [[job]]));
  const linked = jobKeys.length > 0 ? await tx.getMany(jobs, jobKeys) : [];
  const views = found.map((bid) => ({ bid, job: linked.find((job) => job?.id === bid.job) }));
  const shown = new Set(views.map(({ job }) => job?.id));
  const others: Job[] = [];
  for (const key of names.keys) {
    // Each bid shows one job, so enough other jobs are left among these.
    const all = await tx.list(jobs, { index: 'byProject', prefix: [key], limit: 2 * MOST });
    for (const { value } of all) if (value.bid === undefined && !shown.has(value.id)) others.push(value);
  }
  const claims = await listClaimsUnderNames(tx, names.keys);
  return { bids: views, otherJobs: others.slice(0, MOST), claims };
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
  const isWaiting = open.every(
    ({ bid: { state, doubtSince } }) => doubtSince === undefined && (state === 'sending' || state === 'held'),
  );
  return isWaiting ? 'sending' : 'made';
}

/** Whether a project is bid on, or was. Canceled, refused and failed bids don't count. */
export function isProjectBidOn(bidding: ProjectBidsAndJobs): boolean {
  return decideOpenBid(bidding) !== 'none';
}

export async function findOpenBid(tx: ReadTransaction, project: ProjectKey) {
  return decideOpenBid(await readProjectBidsAndJobs(tx, project));
}

export async function hasBidOnProject(tx: ReadTransaction, project: ProjectKey): Promise<boolean> {
  return isProjectBidOn(await readProjectBidsAndJobs(tx, project));
}

async function listClaimsUnderNames(tx: ReadTransaction, keys: readonly ProjectKey[]) {
  const found: PlacedClaim[] = [];
  for (const key of keys)
    found.push(...(await listCardClaims(tx, key)), ...(await listInvitationClaims(tx, key)));
  return found;
}

export function createProjectClaims(): ProjectClaims {
  return {
    list: async (tx, project) => listClaimsUnderNames(tx, (await findProjectAliases(tx, { project })).keys),
    markChanged: (tx, project) => refreshProjectCards(tx, { project }),
  };
}
