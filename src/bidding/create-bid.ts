/**
 * Creating a job: a claim that is stored, one request, and its answer on record. Nothing here is ever repeated by itself.
 * Why: docs/decisions/0009-bidding.md.
 */

import { sameProject } from '../aliases/project-aliases.ts';
import type { Instant } from '../clock.ts';
import { asError } from '../errors.ts';
import type { BidId, TeamId } from '../ids.ts';
import type { JobRequest } from '../marketplace/client.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import { known } from '../marketplace/wire-values.ts';
import { setupsStates, storedSetups } from '../setups/setups.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import { auditBid } from './audit-bid.ts';
import type { BidOrder, BidOutcome, BidView } from './bidding.ts';
import type { BiddingContext } from './context.ts';
import {
  type BidAnswer,
  bidsNotShown,
  decideBid,
  doubtOf,
  findBid,
  jobRequestOf,
  readBidAnswer,
  readBidFailure,
  settleBid,
} from './decide-bid.ts';
import { homeOfBid } from './homes.ts';
import { jobOfBid, namedJob } from './link-job.ts';
import { bidsOnProject, viewOf } from './project-bidding.ts';
import { recordBidAnswer } from './record-bid-answer.ts';
import { type Bid, bidId, bidKey, bids } from './records.ts';
import { showAnew } from './tell.ts';
import { bidMatter, type WithUnderWay } from './under-way.ts';

export async function createBid(
  context: BiddingContext & WithUnderWay,
  order: BidOrder,
): Promise<BidOutcome> {
  const { store, underWay, team } = context;
  const request = jobRequestOf(order.request);
  for (;;) {
    // What is in flight is known by the bid's id before it is claimed.
    const { id } = await store.read((tx) => findTarget(tx, team, order));
    const outcome = await underWay.during(bidMatter(id), () => claimAndAsk(context, order, request, id));
    if (outcome !== 'moved') return outcome;
  }
}

/** @returns `moved` when the order is about another bid meanwhile: two names of its project were linked */
async function claimAndAsk(
  context: BiddingContext & WithUnderWay,
  order: BidOrder,
  request: JobRequest,
  id: BidId,
): Promise<BidOutcome | 'moved'> {
  const { store, clock, underWay } = context;
  const claim = await store.transact((tx) => claimBid(tx, context, order, id, clock.now()));
  if (claim === 'moved' || claim.kind !== 'claimed') return claim;
  const answer = await ask(context, request);
  const at = clock.now();
  const recorded = await underWay.record(bidMatter(id), (tx) => recordBidAnswer(tx, claim.bid, answer, at));
  return { kind: 'asked', view: recorded ?? viewWithoutRecord(claim.bid, answer, at) };
}

interface Target {
  readonly id: BidId;
  /** The bid of the project and the setup, where there is one. */
  readonly there: Bid | undefined;
  /** Every bid on the project. */
  readonly all: readonly Bid[];
}

/** The bid that the order is about, under whatever name its project is known. */
async function findTarget(
  tx: ReadTransaction,
  team: TeamId,
  { project, request }: Pick<BidOrder, 'project' | 'request'>,
): Promise<Target> {
  const { marketplaceJobId, setup } = request;
  const all = await bidsOnProject(tx, team, { project, marketplaceJobId });
  const { jobIds } = await sameProject(tx, team, { marketplaceJobId });
  const there = findBid(all, jobIds, setup);
  return { id: there?.id ?? bidId(marketplaceJobId, setup), there, all };
}

type Claimed = { readonly kind: 'claimed'; readonly bid: Bid } | Exclude<BidOutcome, { kind: 'asked' }>;

async function claimBid(
  tx: Transaction,
  { team }: BiddingContext,
  order: BidOrder,
  expected: BidId,
  at: Instant,
): Promise<Claimed | 'moved'> {
  const { request, project, title, url, channel, by, seen, shown } = order;
  // In the claim's own transaction: of two people who press at once, the second finds the first one's claim.
  const { id, there, all } = await findTarget(tx, team, order);
  if (id !== expected) return 'moved';
  const decision = decideBid(there, seen[id] ?? 0);
  if (decision.kind === 'taken') {
    if (there) return { kind: 'taken', view: await viewOf(tx, there) };
    // What the person saw is on record no longer: whether it was sent can't be told any more, so nothing is.
    throw new Error(`Bid ${id} was shown but is no longer stored`);
  }
  const notShown = bidsNotShown(all, id, shown);
  if (notShown.length > 0)
    return { kind: 'not-shown', views: await Promise.all(notShown.map((bid) => viewOf(tx, bid))) };
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
    ...known({ url, setupName: setup.name }),
    ...(doubtOf(there) ?? known({ before: setup.before })),
  };
  const audit = await auditBid(tx, bid);
  const home = await homeOfBid(tx, bid, at);
  const claimed = { ...bid, audit, home };
  await tx.put(bids, bidKey(team, id), claimed);
  await showAnew(tx, claimed);
  return { kind: 'claimed', bid: claimed };
}

/** What the stored list tells of a setup: its name, and what it had sent by then. */
async function readSetup(tx: ReadTransaction, team: Bid['team'], id: Bid['request']['setup']) {
  const stored = await tx.get(storedSetups, [team, id]);
  const state = await tx.get(setupsStates, [team]);
  const { name, totalSent, sentToday } = stored?.setup ?? {};
  const before = stored && state && { at: state.readAt, ...known({ totalSent, sentToday }) };
  return { name, before };
}

/** Asks exactly once. The marketplace's client repeats it after a 429 alone, which proves that nothing was done. */
async function ask({ marketplace, log }: BiddingContext, request: JobRequest): Promise<BidAnswer> {
  try {
    const { job, message } = await marketplace.createJob(request, { lane: 'bid' });
    return readBidAnswer(job, message);
  } catch (thrown) {
    if (!(thrown instanceof MarketplaceError))
      log.error('Bid failed because of an internal error', { setup: request.setup, error: asError(thrown) });
    return readBidFailure(thrown);
  }
}

/** What the person is shown when the disk refuses the answer. */
function viewWithoutRecord(claimed: Bid, answer: BidAnswer, at: Instant): BidView {
  const bid = settleBid(claimed, answer, at);
  switch (answer.kind) {
    case 'created':
    case 'skipped':
      return { bid, job: jobOfBid(bid, answer.job, at) };
    case 'refused':
      return answer.job === undefined ? { bid } : { bid, job: namedJob(bid, answer.job, at) };
    case 'unknown':
      return { bid };
  }
}
