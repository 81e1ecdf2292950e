/**
 * Creates a job: stored claim, one request, stored response. Never retries on its own. Why:
 * docs/decisions/0009-bidding.md.
 */

import { findProjectAliases } from '../aliases/project-aliases.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Instant } from '../clock.ts';
import { asError } from '../errors.ts';
import type { BidId, TeamId } from '../ids.ts';
import type { CreateJobRequest } from '../marketplace/client.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import { setupsStates, storedSetups } from '../setups/setup-service.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import { recordBidAudit } from './audit-bid.ts';
import type { BidSubmission, BidSubmissionResult, BidWithJob } from './bidding.ts';
import type { BiddingContext, WithAttempts } from './context.ts';
import {
  applyBidResponse,
  type BidResponse,
  carryBidUncertainty,
  classifyBidFailure,
  decideBidClaim,
  findBid,
  findUnshownBids,
  toBidResponse,
  toCreateJobRequest,
} from './decide-bid.ts';
import { buildJobForBid, buildJobFromId } from './link-job.ts';
import { refreshMessages } from './post-bid-news.ts';
import { joinBidWithJob, listBidsOnProject } from './project-bidding.ts';
import { recordBidResponse } from './record-bid-response.ts';
import { type Bid, bidId, bidKey, bids } from './records.ts';
import { anchorForBid } from './thread-anchors.ts';

export async function createBid(
  context: BiddingContext & WithAttempts,
  order: BidSubmission,
): Promise<BidSubmissionResult> {
  const { store, attempts, team } = context;
  const request = toCreateJobRequest(order.request);
  for (;;) {
    // Attempts are named by their bid, so its id is needed before the claim.
    const { id } = await store.read((tx) => findTarget(tx, team, order));
    const outcome = await attempts.bids.run(id, () => claimAndAsk(context, order, request, id));
    if (outcome !== 'moved') return outcome;
  }
}

/** @returns `moved` when two names of the project were linked meanwhile, so the order is about another bid */
async function claimAndAsk(
  context: BiddingContext & WithAttempts,
  order: BidSubmission,
  request: CreateJobRequest,
  id: BidId,
): Promise<BidSubmissionResult | 'moved'> {
  const { store, clock, attempts, marketplace, log } = context;
  const claim = await store.transact((tx) => claimBid(tx, context, order, id, clock.now()));
  if (claim === 'moved' || claim.kind !== 'claimed') return claim;
  const { bid } = claim;
  const { setup } = request;
  const view = await attempts.bids.askOnce<BidResponse, BidWithJob>(id, {
    ask: async () => {
      const { job, message } = await marketplace.createJob(request, { lane: 'bid' });
      return toBidResponse(job, message);
    },
    classify: (thrown) => {
      if (!(thrown instanceof MarketplaceError))
        log.error('Bid failed because of an internal error', { setup, error: asError(thrown) });
      return classifyBidFailure(thrown);
    },
    record: (tx, answer, at) => recordBidResponse(tx, bid, answer, at),
    apply: (answer, at) => viewWithoutRecord(bid, answer, at),
  });
  return { kind: 'asked', view };
}

interface Target {
  readonly id: BidId;
  /** The existing bid of the project and the setup. */
  readonly there: Bid | undefined;
  readonly all: readonly Bid[];
}

/** Finds the bid of an order under any name of its project. */
async function findTarget(
  tx: ReadTransaction,
  team: TeamId,
  { project, request }: Pick<BidSubmission, 'project' | 'request'>,
): Promise<Target> {
  const { marketplaceJobId, setup } = request;
  const all = await listBidsOnProject(tx, team, { project, marketplaceJobId });
  const { jobIds } = await findProjectAliases(tx, team, { marketplaceJobId });
  const there = findBid(all, jobIds, setup);
  return { id: there?.id ?? bidId(marketplaceJobId, setup), there, all };
}

type Claimed =
  | { readonly kind: 'claimed'; readonly bid: Bid }
  | Exclude<BidSubmissionResult, { kind: 'asked' }>;

async function claimBid(
  tx: Transaction,
  { team }: BiddingContext,
  order: BidSubmission,
  expected: BidId,
  at: Instant,
): Promise<Claimed | 'moved'> {
  const { request, project, title, url, channel, by, seenAttempts, shownAttempts } = order;
  // In the claim's own transaction: if two people press at once, the second finds the first one's claim.
  const { id, there, all } = await findTarget(tx, team, order);
  if (id !== expected) return 'moved';
  const decision = decideBidClaim(there, seenAttempts[id] ?? 0);
  if (decision.kind === 'taken') {
    if (there) return { kind: 'taken', view: await joinBidWithJob(tx, there) };
    // The bid that the person saw was deleted, so nobody knows whether it was sent: send nothing.
    throw new Error(`Bid ${id} was shown but is no longer stored`);
  }
  const notShown = findUnshownBids(all, id, shownAttempts);
  if (notShown.length > 0)
    return { kind: 'not-shown', views: await Promise.all(notShown.map((bid) => joinBidWithJob(tx, bid))) };
  const { attempt } = decision;
  const setup = await readSetup(tx, team, request.setup);
  const bid = {
    team,
    id,
    project,
    title,
    channel,
    by,
    at,
    request,
    attempt,
    state: 'sending' as const,
    ...omitUndefined({ url, setupName: setup.name }),
    ...(carryBidUncertainty(there) ?? omitUndefined({ before: setup.before })),
  };
  const audit = await recordBidAudit(tx, bid);
  const home = await anchorForBid(tx, bid, at);
  const claimed = { ...bid, audit, home };
  await tx.put(bids, bidKey(team, id), claimed);
  await refreshMessages(tx, claimed);
  return { kind: 'claimed', bid: claimed };
}

/** The setup's name and its sent counters, from the stored list. */
async function readSetup(tx: ReadTransaction, team: Bid['team'], id: Bid['request']['setup']) {
  const stored = await tx.get(storedSetups, [team, id]);
  const state = await tx.get(setupsStates, [team]);
  const { name, totalSent, sentToday } = stored?.setup ?? {};
  const before = stored && state && { at: state.readAt, ...omitUndefined({ totalSent, sentToday }) };
  return { name, before };
}

/** Shown to the person when the response can't be stored. */
function viewWithoutRecord(claimed: Bid, answer: BidResponse, at: Instant): BidWithJob {
  const bid = applyBidResponse(claimed, answer, at);
  switch (answer.kind) {
    case 'created':
    case 'skipped':
      return { bid, job: buildJobForBid(bid, answer.job, at) };
    case 'refused':
      return answer.job === undefined ? { bid } : { bid, job: buildJobFromId(bid, answer.job, at) };
    case 'unknown':
      return { bid };
  }
}
