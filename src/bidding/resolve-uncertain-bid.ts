/** A bid in doubt is settled when a job of its project turns up. */
import { findProjectAliases } from '../aliases/project-aliases.ts';
import type { Instant } from '../clock.ts';
import type { TeamId } from '../ids.ts';
import type { JobStatusReport } from '../marketplace/schema.ts';
import type { Transaction } from '../storage/store.ts';
import { isUncertainBid } from './decide-bid.ts';
import { isJobSkipped } from './job-status-text.ts';
import { linkJobToBid } from './link-job.ts';
import { recordResolvedBid } from './record-bid-response.ts';
import { type Bid, bids, type Job, jobKey, jobs } from './records.ts';

/** More such bids of one project than this are never looked through: two are too many to tell apart. */
const MOST = 20;

/**
 * Which bid has become the job; undefined where none can have, or where it is not certain which. The job was not known before
 * the bid, no other bid became it, and its setup, where known, is the bid's.
 * @param doubtful of which some attempt is or went without an answer, the newest or an earlier one
 */
export function chooseBidForJob(doubtful: readonly Bid[], known: Job | undefined): Bid | undefined {
  if (known?.bid !== undefined) return undefined;
  const possible = doubtful.filter(
    (bid) =>
      (known?.setup === undefined || known.setup === bid.request.setup) &&
      (known === undefined || known.knownAt >= (bid.doubtSince ?? bid.at)),
  );
  const [only, ...others] = possible;
  return only && isUncertainBid(only) && others.length === 0 ? only : undefined;
}

/** Whether no more than one attempt can have become the job. */
function hasOneDoubt({ state, attempt, at, doubtSince = at }: Bid): boolean {
  return state === 'unknown' ? doubtSince === at : attempt === 2;
}

/** The bid as the job leaves it. With one attempt in doubt, nothing of it is any more. */
function settled(found: Bid, { id, ...status }: JobStatusReport): Bid {
  const { doubtSince, doubtAudit: _audit, refusal: _refusal, httpStatus: _status, ...rest } = found;
  const bid = { ...rest, state: isJobSkipped(status) ? 'skipped' : 'created', job: id } as const;
  return doubtSince === undefined || hasOneDoubt(found) ? bid : { ...bid, doubtSince };
}

/**
 * Settles the bid in doubt that a job answers, puts the job on record, linked to it, and tells of it. What the reading tells of the
 * job's end is not put on record: that is for whoever follows the job.
 * @returns the bid and its job as stored; undefined when the job answers none
 */
export async function resolveUncertainBid(
  tx: Transaction,
  team: TeamId,
  status: JobStatusReport,
  at: Instant,
): Promise<{ readonly bid: Bid; readonly job: Job } | undefined> {
  if (status.marketplaceJobId === undefined) return undefined;
  const { jobIds } = await findProjectAliases(tx, team, { marketplaceJobId: status.marketplaceJobId });
  const doubtful: Bid[] = [];
  for (const jobId of jobIds) {
    const range = { index: 'doubtful', prefix: [team, jobId] as const, limit: MOST };
    doubtful.push(...(await tx.list(bids, range)).map(({ value }) => value));
  }
  const before = await tx.get(jobs, jobKey(team, status.id));
  const found = chooseBidForJob(doubtful, before);
  if (!found) return undefined;
  const bid = settled(found, status);
  const job = await linkJobToBid(tx, bid, status, at);
  // What was answered with a refusal stays that in the log: the attempt before it took effect.
  const audit = found.state === 'unknown' ? found.audit : found.doubtAudit;
  await recordResolvedBid(tx, bid, audit, job, at);
  return { bid, job };
}
