/**
 * Bids and approvals without an answer: finds those that the previous process left, collects evidence for a
 * person, and settles a bid when its job appears. They may have taken effect: nothing is sent again.
 */

import { findProjectAliases } from '../aliases/project-aliases.ts';
import { type Instant, MINUTE, SECOND } from '../clock.ts';
import type { BidId, UserId } from '../ids.ts';
import type { BiddingSetup, JobStatusReport } from '../marketplace/schema.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import type { BiddingContext, BidEvidence, WithAttempts } from './bidding.ts';
import { isUncertainBid } from './decide-bid.ts';
import { endHeldOrder, readHeldOrder } from './held-order.ts';
import { isJobSkipped } from './job-status-text.ts';
import { linkJobToBid } from './link-job.ts';
import { readBidWithJob } from './project-bidding.ts';
import { recordApprovalResponse } from './record-approval-response.ts';
import { recordBidResponse, recordResolvedBid } from './record-bid-response.ts';
import { type Bid, bids, type Job, jobs } from './records.ts';

/** Far longer than any of our requests can take. */
export const MAX_BIDDING_CLAIM_AGE_MS = 10 * MINUTE;

const UNKNOWN = { kind: 'unknown' } as const;

/**
 * Marks unanswered claims as unknown and posts each once. Skips those that this process still runs.
 * @param before only claims older than this; missing: all
 * @throws StorageError
 */
export async function resolveAbandonedClaims(
  { attempts }: BiddingContext & WithAttempts,
  before: Instant | undefined,
): Promise<void> {
  await attempts.bids.settleAbandoned(
    {
      collection: bids,
      index: 'sending',
      prefix: [],
      nameOf: ({ id }) => id,
      settle: (tx, bid, at) => recordBidResponse(tx, bid, UNKNOWN, at),
    },
    before,
  );
  await attempts.approvals.settleAbandoned(
    {
      collection: jobs,
      index: 'approving',
      prefix: [],
      nameOf: ({ id }) => id,
      settle: async (tx, job, at) =>
        job.approval && recordApprovalResponse(tx, job, job.approval, UNKNOWN, at),
    },
    before,
  );
}

/** A person's bids that may or may not exist, and whose job isn't known; at most `limit` are looked at. */
export async function listUncertainBidsOf(tx: ReadTransaction, user: UserId, limit: number) {
  const found = await tx.list(bids, { index: 'doubtful', limit });
  return found
    .map(({ value }) => value)
    .filter((bid) => bid.by === user && bid.job === undefined && isUncertainBid(bid));
}

/** A double press refreshes the setups once. */
const FRESH_MS = 2 * SECOND;

/**
 * Proposals that a setup has sent since the claim; undefined if its counters prove nothing. The daily counter
 * resets each day, so only an increase is proof.
 */
export function countProposalsSentSinceClaim(
  before: Bid['before'],
  now: Pick<BiddingSetup, 'totalSent' | 'sentToday'> | undefined,
): number | undefined {
  const total = difference(before?.totalSent, now?.totalSent);
  if (total !== undefined) return total >= 0 ? total : undefined;
  const today = difference(before?.sentToday, now?.sentToday) ?? 0;
  return today > 0 ? today : undefined;
}

function difference(before: number | undefined, now: number | undefined): number | undefined {
  return before === undefined || now === undefined ? undefined : now - before;
}

/** @throws MarketplaceError when the setups can't be refreshed */
export async function checkBidEvidence(context: BiddingContext, id: BidId): Promise<BidEvidence | undefined> {
  const { store, setups } = context;
  const read = () => store.read((tx) => readBidWithJob(tx, id));
  const first = await read();
  if (!first || !isUncertainBid(first.bid)) return first && { view: first };
  const { setups: fresh } = await setups.refreshIfOlderThan(FRESH_MS, 'person');
  const view = await read();
  if (!view || !isUncertainBid(view.bid)) return view && { view };
  const { before, request } = view.bid;
  const setup = fresh.find((each) => each.id === request.setup);
  return { view, sentSince: countProposalsSentSinceClaim(before, setup) };
}

/** Limit of uncertain bids to read per project id; even two are too many to tell apart. */
const MOST = 20;

/**
 * The bid that created the job; undefined if there is none or several are possible. The job must be unknown
 * before the bid, without another bid, and, if its setup is known, of the same setup.
 * @param doubtful bids with an unanswered attempt, the newest or an earlier one
 */
export function findBidThatCreatedJob(doubtful: readonly Bid[], known: Job | undefined): Bid | undefined {
  if (known?.bid !== undefined) return undefined;
  const [only, ...others] = doubtful.filter(
    (bid) =>
      (known?.setup === undefined || known.setup === bid.request.setup) &&
      (known === undefined || known.knownAt >= (bid.doubtSince ?? bid.at)),
  );
  return only && isUncertainBid(only) && others.length === 0 ? only : undefined;
}

/** The bid once its job is known. If only one attempt was in doubt, no doubt remains. */
function settled(found: Bid, { id, ...status }: JobStatusReport): Bid {
  const { doubtSince, doubtAudit: _audit, refusal: _refusal, httpStatus: _status, ...rest } = found;
  const bid = { ...rest, state: isJobSkipped(status) ? 'skipped' : 'created', job: id } as const;
  const hasOneDoubt = found.state === 'unknown' ? doubtSince === found.at : found.attempt === 2;
  return doubtSince === undefined || hasOneDoubt ? bid : { ...bid, doubtSince };
}

/** An earlier attempt has its job after all: the one that waits is never sent. */
async function dropHeldAttempt(tx: Transaction, bid: Bid, at: Instant): Promise<Bid> {
  if (bid.state !== 'held') return bid;
  const order = await readHeldOrder(tx, { bid: bid.id });
  if (!order?.isHeld) return bid;
  const { of } = await endHeldOrder(tx, order, 'closed', at);
  return 'bid' in of ? of.bid : bid;
}

/**
 * Settles the uncertain bid that created the job, stores and links the job, and posts it. The end of the job
 * isn't stored here: job tracking does that.
 * @returns the stored bid and job; undefined when no bid matches
 */
export async function resolveUncertainBid(tx: Transaction, status: JobStatusReport, at: Instant) {
  if (status.marketplaceJobId === undefined) return undefined;
  const { jobIds } = await findProjectAliases(tx, { marketplaceJobId: status.marketplaceJobId });
  const doubtful: Bid[] = [];
  for (const jobId of jobIds) {
    const range = { index: 'doubtful', prefix: [jobId] as const, limit: MOST };
    doubtful.push(...(await tx.list(bids, range)).map(({ value }) => value));
  }
  const before = await tx.get(jobs, [status.id]);
  const seen = findBidThatCreatedJob(doubtful, before);
  if (!seen) return undefined;
  const found = await dropHeldAttempt(tx, seen, at);
  const bid = settled(found, status);
  const job = await linkJobToBid(tx, bid, status, at);
  // A refused attempt stays refused in the log: the attempt before it took effect.
  const audit = found.state === 'unknown' ? found.audit : found.doubtAudit;
  await recordResolvedBid(tx, bid, audit, job, at);
  return { bid, job };
}
