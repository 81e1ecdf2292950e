/** Settles an uncertain bid when a job of its project appears. */
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

/** Limit of uncertain bids to read per project id; even two are too many to tell apart. */
const MOST = 20;

/**
 * The bid that created the job; undefined if there is none or several are possible. The job must be unknown
 * before the bid, without another bid, and, if its setup is known, of the same setup.
 * @param doubtful bids with an unanswered attempt, the newest or an earlier one
 */
export function findBidThatCreatedJob(doubtful: readonly Bid[], known: Job | undefined): Bid | undefined {
  if (known?.bid !== undefined) return undefined;
  const possible = doubtful.filter(
    (bid) =>
      (known?.setup === undefined || known.setup === bid.request.setup) &&
      (known === undefined || known.knownAt >= (bid.doubtSince ?? bid.at)),
  );
  const [only, ...others] = possible;
  return only && isUncertainBid(only) && others.length === 0 ? only : undefined;
}

/** Whether at most one attempt can have created the job. */
function hasOneDoubt({ state, attempt, at, doubtSince = at }: Bid): boolean {
  return state === 'unknown' ? doubtSince === at : attempt === 2;
}

/** The bid once its job is known. If only one attempt was in doubt, no doubt remains. */
function settled(found: Bid, { id, ...status }: JobStatusReport): Bid {
  const { doubtSince, doubtAudit: _audit, refusal: _refusal, httpStatus: _status, ...rest } = found;
  const bid = { ...rest, state: isJobSkipped(status) ? 'skipped' : 'created', job: id } as const;
  return doubtSince === undefined || hasOneDoubt(found) ? bid : { ...bid, doubtSince };
}

/**
 * Settles the uncertain bid that created the job, stores and links the job, and posts it. The end of the job
 * isn't stored here: job tracking does that.
 * @returns the stored bid and job; undefined when no bid matches
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
  const found = findBidThatCreatedJob(doubtful, before);
  if (!found) return undefined;
  const bid = settled(found, status);
  const job = await linkJobToBid(tx, bid, status, at);
  // A refused attempt stays refused in the log: the attempt before it took effect.
  const audit = found.state === 'unknown' ? found.audit : found.doubtAudit;
  await recordResolvedBid(tx, bid, audit, job, at);
  return { bid, job };
}
