/**
 * Sends a bid or an approval that has waited long enough, once: the transaction that claims it also checks
 * that nobody canceled it, and that all that was true when it began to wait still is.
 */

import type { Instant } from '../clock.ts';
import type { BidId, JobId, UserId } from '../ids.ts';
import { decideRelease, type HoldEnd } from '../spending/hold.ts';
import type { Transaction } from '../storage/store.ts';
import { listApprovalFacts } from './approval-request.ts';
import { sendClaimedApproval } from './approve-job.ts';
import type { BiddingContext, BidWithJob, HeldOrder, HeldOrderRef, WithAttempts } from './bidding.ts';
import { readSetupOfBid, sendClaimedBid } from './create-bid.ts';
import { findUnshownBids } from './decide-bid.ts';
import { endHeldOrder, hashOrder, readHeldOrder, storeHold } from './held-order.ts';
import { parseReviewState } from './job-status-text.ts';
import type { JobTracker } from './job-tracker.ts';
import { readOrderRules, reserveOrder } from './plan-order.ts';
import { refreshMessages } from './post-bid-news.ts';
import { listBidsOnProject } from './project-bidding.ts';
import { type Bid, bidKey, bids, type Job, type JobApproval, jobKey, jobs } from './records.ts';

/** `later`: it still waits, so it is tried again. */
export type Released<T> = T | 'over' | 'later';

/** Of the person who sends it, and of those who approved: who may still bid. undefined: Slack doesn't say. */
async function findAllowed(
  { mayBid }: BiddingContext,
  { sender, channel, hold }: HeldOrder,
): Promise<ReadonlySet<UserId> | undefined> {
  const people = [...new Set([sender, ...(hold.second?.given ?? []).map(({ by }) => by)])];
  const may = await Promise.all(people.map(async (user) => (mayBid ? mayBid(user, channel) : true)));
  if (may.includes(undefined)) return undefined;
  return new Set(people.filter((_, place) => may[place]));
}

/**
 * Decides in the claim's transaction. @returns the order to send now, which the caller claims; else it was
 * ended, asked again, or waits
 */
async function decideInTransaction(
  tx: Transaction,
  { setups, timezone = 'UTC' }: BiddingContext,
  ref: HeldOrderRef,
  allowed: ReadonlySet<UserId> | undefined,
  at: Instant,
): Promise<HeldOrder | 'over' | 'later'> {
  const order = await readHeldOrder(tx, ref);
  if (!order?.isHeld) return 'over';
  const { need, hours } = await readOrderRules(tx, setups, order);
  const { sender, hold, sendAt, subject } = order;
  const end = async (as: Exclude<HoldEnd, 'sent'>) => {
    await endHeldOrder(tx, order, as, at);
    return 'over' as const;
  };
  if (subject.doubt?.kind === 'other') return end('changed');
  const decision = decideRelease(hold, { at, now: hashOrder(order), need, allowed, sender, hours, sendAt });
  switch (decision.kind) {
    case 'wait':
      return 'later';
    case 'ask':
      await storeHold(tx, order, decision.hold, listApprovalFacts(order.subject));
      return 'over';
    case 'end':
      return decision.as === 'sent' ? 'over' : end(decision.as);
    case 'send':
      if (await reserveOrder(tx, order, timezone, at)) return end('over-cap');
      return storeHold(tx, order, { ...hold, ended: { kind: 'sent', at } });
  }
}

/** Whether a bid on the project, which the held bid's form didn't show, was sent since. */
async function hasOtherBid(tx: Transaction, { id, project, request, beside = {} }: Bid): Promise<boolean> {
  const { marketplaceJobId } = request;
  const all = await listBidsOnProject(tx, { project, marketplaceJobId });
  return findUnshownBids(all, id, beside).some(({ state }) => state !== 'held');
}

async function claimHeldBid(
  tx: Transaction,
  context: BiddingContext,
  id: BidId,
  allowed: ReadonlySet<UserId> | undefined,
  at: Instant,
): Promise<Released<Bid>> {
  const order = await decideInTransaction(tx, context, { bid: id }, allowed, at);
  if (typeof order === 'string' || !('bid' in order.of)) return typeof order === 'string' ? order : 'over';
  const { bid } = order.of;
  if (await hasOtherBid(tx, bid)) {
    await endHeldOrder(tx, order, 'other-bid', at);
    return 'over';
  }
  const { before } = await readSetupOfBid(tx, bid.request.setup);
  // A bid that was uncertain before keeps what was known then.
  const known = bid.doubtSince === undefined ? (before ?? bid.before) : bid.before;
  const claimed: Bid = { ...bid, state: 'sending', at, before: known };
  await tx.put(bids, bidKey(id), claimed);
  await refreshMessages(tx, claimed);
  return claimed;
}

/** Sends a bid whose time has come. */
export function releaseHeldBid(
  context: BiddingContext & WithAttempts,
  id: BidId,
): Promise<Released<BidWithJob>> {
  const { store, clock, attempts } = context;
  return attempts.bids.run(id, async () => {
    const order = await store.read((tx) => readHeldOrder(tx, { bid: id }));
    if (!order?.isHeld) return 'over';
    const allowed = await findAllowed(context, order);
    const claim = await store.transact((tx) => claimHeldBid(tx, context, id, allowed, clock.now()));
    return typeof claim === 'string' ? claim : sendClaimedBid(context, claim);
  });
}

async function claimHeldApproval(
  tx: Transaction,
  context: BiddingContext,
  id: JobId,
  { allowed, isGone }: { readonly allowed: ReadonlySet<UserId> | undefined; readonly isGone: boolean },
  at: Instant,
): Promise<Released<{ readonly job: Job; readonly approval: JobApproval }>> {
  const held = await readHeldOrder(tx, { job: id });
  const job = held && 'job' in held.of ? held.of.job : undefined;
  if (!held?.isHeld || !job) return 'over';
  const isReviewOver = job.review?.ended !== undefined || parseReviewState(job) === 'over';
  if (isGone || isReviewOver) {
    await endHeldOrder(tx, held, 'closed', at);
    return 'over';
  }
  const order = await decideInTransaction(tx, context, { job: id }, allowed, at);
  if (typeof order === 'string' || !('job' in order.of)) return typeof order === 'string' ? order : 'over';
  const { approval } = order.of.job;
  if (!approval) return 'over';
  const sending: JobApproval = { ...approval, state: 'sending', at };
  const claimed: Job = { ...order.of.job, approval: sending };
  await tx.put(jobs, jobKey(id), claimed);
  await refreshMessages(tx, claimed);
  return { job: claimed, approval: sending };
}

/** Sends an approval whose time has come, after reading the job: it must be what people were shown. */
export function releaseHeldApproval(
  context: BiddingContext & WithAttempts,
  look: JobTracker['refreshJob'],
  id: JobId,
): Promise<Released<Job>> {
  const { store, clock, attempts } = context;
  return attempts.approvals.run(id, async () => {
    const order = await store.read((tx) => readHeldOrder(tx, { job: id }));
    if (!order?.isHeld) return 'over';
    const allowed = await findAllowed(context, order);
    const looked = await look(id);
    const isUnread = looked.kind === 'failed';
    const isGone = isUnread && looked.error.code === 'not-found';
    // Not read, so not sent; `decideRelease` gives up once it's too late.
    const facts = { allowed: isUnread ? undefined : allowed, isGone };
    const claim = await store.transact((tx) => claimHeldApproval(tx, context, id, facts, clock.now()));
    return typeof claim === 'string' ? claim : sendClaimedApproval(context, claim.job, claim.approval);
  });
}
