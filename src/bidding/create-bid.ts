/**
 * Creates a job: stored claim, one request, stored response, and its news. Never retries on its own. Why:
 * docs/decisions/0005-bids.md.
 */
import { findProjectAliases } from '../aliases/project-aliases.ts';
import type { Instant } from '../clock.ts';
import { asError } from '../errors.ts';
import type { BidId } from '../ids.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import { setupsStates, storedSetups } from '../setups/setups.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import { recordBidAudit } from './audit-bid.ts';
import type {
  BiddingContext,
  BidSubmission,
  BidSubmissionResult,
  BidWithJob,
  WithAttempts,
} from './bidding.ts';
import {
  type BidResponse,
  carryBidUncertainty,
  classifyBidFailure,
  decideBidClaim,
  findBid,
  findUnshownBids,
  toBidResponse,
  toCreateJobRequest,
} from './decide-bid.ts';
import { postHeldMessage } from './held-order.ts';
import { findTooSoon, planOrder, readOrderRules } from './plan-order.ts';
import { findOrPostAnchor, refreshMessages } from './post-bid-news.ts';
import { joinBidWithJob, listBidsOnProject } from './project-bidding.ts';
import { readBidSubject } from './read-approval-subject.ts';
import { recordBidResponse, viewWithoutRecord } from './record-bid-response.ts';
import { type Bid, bidId, bids, connectsRef } from './records.ts';

export async function createBid(context: BiddingContext & WithAttempts, order: BidSubmission) {
  const { store, attempts, clock } = context;
  // Throws for an invalid time, before anything is stored.
  toCreateJobRequest(order.request);
  for (;;) {
    // Attempts are named by their bid, so its id is needed before the claim.
    const { id } = await store.read((tx) => findTarget(tx, order));
    const outcome = await attempts.bids.run<BidSubmissionResult | 'moved'>(id, async () => {
      const claim = await store.transact((tx) => claimBid(tx, context, order, id, clock.now()));
      if (claim === 'moved' || claim.kind !== 'claimed') return claim;
      return { kind: 'asked', view: await sendClaimedBid(context, claim.bid) };
    });
    if (outcome !== 'moved') return outcome;
  }
}

async function findTarget(
  tx: ReadTransaction,
  { project, request }: Pick<BidSubmission, 'project' | 'request'>,
) {
  const { marketplaceJobId, setup } = request;
  const all = await listBidsOnProject(tx, { project, marketplaceJobId });
  const { jobIds } = await findProjectAliases(tx, { marketplaceJobId });
  const there = findBid(all, jobIds, setup);
  return { id: there?.id ?? bidId(marketplaceJobId, setup), there, all };
}

/** @returns `moved` when two names of the project were linked meanwhile, so the order is about another bid */
async function claimBid(
  tx: Transaction,
  { setups, timezone }: BiddingContext,
  order: BidSubmission,
  expected: BidId,
  at: Instant,
): Promise<{ kind: 'claimed'; bid: Bid } | Exclude<BidSubmissionResult, { kind: 'asked' }> | 'moved'> {
  const { seenAttempts, shownAttempts, ...what } = order;
  const { request, channel, by } = what;
  // In the claim's own transaction: if two people press at once, the second finds the first one's claim.
  const { id, there, all } = await findTarget(tx, order);
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
  const setup = await readSetupOfBid(tx, request.setup);
  const doubt = carryBidUncertainty(there) ?? { before: setup.before };
  const bid = { ...what, setupName: setup.name, id, at, attempt: decision.attempt, ...doubt };
  const subject = await readBidSubject(tx, bid);
  const planned = { channel, subject, sender: by, ref: connectsRef({ bid: id }) };
  const rules = await readOrderRules(tx, setups, planned);
  const tooSoon = findTooSoon(rules, request.scheduledAt, at);
  if (tooSoon) return tooSoon;
  const plan = await planOrder(tx, planned, rules, timezone, at);
  if (plan.kind === 'over-cap') return plan;
  const beside = Object.fromEntries(all.map((each) => [each.id, each.attempt]));
  const held = plan.kind === 'hold' ? { hold: plan.hold, shown: plan.shown, beside } : undefined;
  const open = { ...bid, state: held ? ('held' as const) : ('sending' as const), ...held };
  const audit = await recordBidAudit(tx, open);
  const home = await findOrPostAnchor(tx, open, { kind: 'bid', bid: id }, at);
  const claimed: Bid = { ...open, audit, home };
  await tx.put(bids, claimed);
  await refreshMessages(tx, claimed);
  if (!held) return { kind: 'claimed', bid: claimed };
  // For a second approval, Gigdesk first finds the people to notify.
  if (!held.hold.second) await postHeldMessage(tx, { ...claimed, ...held, ref: { bid: id } }, [], at);
  return { kind: 'held', view: await joinBidWithJob(tx, claimed) };
}

/** @param bid as claimed, in state `sending`, within `attempts.bids.run` */
export function sendClaimedBid({ attempts, marketplace, log }: BiddingContext & WithAttempts, bid: Bid) {
  const { setup } = bid.request;
  return attempts.bids.askOnce<BidResponse, BidWithJob>(bid.id, {
    ask: async () => {
      const { job, message } = await marketplace.createJob(toCreateJobRequest(bid.request), { lane: 'bid' });
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
}

/** The setup's name and its sent counters, from the stored list. */
export async function readSetupOfBid(tx: ReadTransaction, id: Bid['request']['setup']) {
  const stored = await tx.get(storedSetups, [id]);
  const state = await tx.get(setupsStates, []);
  const { name, totalSent, sentToday } = stored?.setup ?? {};
  const before = stored && state && { at: state.readAt, totalSent, sentToday };
  return { name, before };
}
