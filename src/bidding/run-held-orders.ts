/**
 * Moves on what waits before it is sent: posts requests for approval, sends what is due, and ends what nobody
 * approved. Each is sent once: the transaction that claims it also checks that nobody canceled it, and that
 * all that was true when it began to wait still is. All state is in the store, so it goes on after a restart.
 */
import { WakeSignal } from '../base/wake-signal.ts';
import { type Instant, MINUTE, SECOND } from '../clock.ts';
import { runLoop } from '../effects/run-loop.ts';
import { asError } from '../errors.ts';
import type { BidId, JobId, UserId } from '../ids.ts';
import { decideRelease, findHoldEnd, findHoldMoment, type HoldEnd, isApproved } from '../spending/hold.ts';
import type { Transaction } from '../storage/store.ts';
import { listApprovalFacts, listAskers } from './approval-request.ts';
import { expireRequests, postApprovalRequest } from './approval-requests.ts';
import { sendClaimedApproval } from './approve-job.ts';
import type {
  ApprovalAddressees,
  BiddingContext,
  BidWithJob,
  HeldOrder,
  HeldOrderRef,
  WithAttempts,
} from './bidding.ts';
import { readSetupOfBid, sendClaimedBid } from './create-bid.ts';
import { findUnshownBids } from './decide-bid.ts';
import { endHeldOrder, hashOrder, postHeldMessage, readHeldOrder, refOf, storeHold } from './held-order.ts';
import { parseReviewState } from './job-status-text.ts';
import type { JobTracker } from './job-tracker.ts';
import { readOrderRules, reserveOrder } from './plan-order.ts';
import { refreshMessages } from './post-bid-news.ts';
import { listBidsOnProject } from './project-bidding.ts';
import { type Bid, bids, type Job, type JobApproval, jobs } from './records.ts';

/** `later`: it still waits, so it is tried again. */
export type Released<T> = T | 'over' | 'later';

/** Of the person who sends it, and of those who approved: who may still bid. undefined: Slack doesn't say. */
async function findAllowed({ mayBid }: BiddingContext, { sender, channel, hold }: HeldOrder) {
  const people = [...new Set([sender, ...(hold.second?.given ?? []).map(({ by }) => by)])];
  const may = await Promise.all(people.map(async (user) => (mayBid ? mayBid(user, channel) : true)));
  if (may.includes(undefined)) return undefined;
  return new Set(people.filter((_, place) => may[place]));
}

/** @returns the order to send now, which the caller claims; else it was ended, asked again, or waits */
async function decideInTransaction(
  tx: Transaction,
  { setups, timezone }: BiddingContext,
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
  // Whether a bid on the project, which the held bid's form didn't show, was sent since.
  const { project, request, beside = {} } = bid;
  const all = await listBidsOnProject(tx, { project, marketplaceJobId: request.marketplaceJobId });
  if (findUnshownBids(all, id, beside).some(({ state }) => state !== 'held')) {
    await endHeldOrder(tx, order, 'other-bid', at);
    return 'over';
  }
  const { before } = await readSetupOfBid(tx, request.setup);
  // A bid that was uncertain before keeps what was known then.
  const known = bid.doubtSince === undefined ? (before ?? bid.before) : bid.before;
  const claimed: Bid = { ...bid, state: 'sending', at, before: known };
  await tx.put(bids, claimed);
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
  await tx.put(jobs, claimed);
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

const LONGEST_SLEEP_MS = 10 * MINUTE;
const AFTER_FAULT_MS = 5 * SECOND;
const LONGEST_PAUSE_MS = MINUTE;
const AT_ONCE = 50;
/** How long a request that is being sent may still take when Gigdesk stops. */
const ENDING_MS = 5 * SECOND;
const NOBODY: ApprovalAddressees = { users: [], groups: [], direct: [] };

function nameOf(ref: HeldOrderRef): string {
  return ref.bid === undefined ? `job ${ref.job}` : `bid ${ref.bid}`;
}

/** Stores the people to notify, and posts the request for a second approval to them; once a round. */
async function postRound(tx: Transaction, seen: HeldOrder, to: ApprovalAddressees, at: Instant) {
  const order = await readHeldOrder(tx, refOf(seen));
  const { second } = order?.hold ?? {};
  if (!order?.isHeld || !second || second.posted || second.round !== seen.hold.second?.round) return;
  const asked = { ...second, posted: { at, ...to } };
  const stored = await storeHold(tx, order, { ...order.hold, second: asked });
  await postHeldMessage(tx, { ...stored, ref: refOf(stored) }, to.direct, at);
}

/**
 * Runs until the signal aborts and what it sends has ended. Never throws.
 * @param release sends one order that is due. `later`: it still waits
 */
export async function runHeldOrders(
  context: BiddingContext,
  release: (ref: HeldOrderRef) => Promise<'later' | 'over'>,
  signal: AbortSignal,
): Promise<void> {
  const { store, clock, log, findApprovers } = context;
  const bell = new WakeSignal();
  store.onCommit([bids, jobs], () => bell.wake());
  const running = new Map<string, Promise<void>>();
  /** After a failure, or while something can't be checked. */
  const pausedUntil = new Map<string, Instant>();

  async function listWaiting() {
    const range = { index: 'held', limit: AT_ONCE };
    return store.read(async (tx) => {
      const ofBids = (await tx.list(bids, range)).map(({ value: { id, hold, request } }) => ({
        ref: { bid: id },
        at: hold ? findHoldMoment(hold, request.scheduledAt) : Number.MAX_SAFE_INTEGER,
      }));
      const ofJobs = (await tx.list(jobs, range)).map(({ value: { id, approval } }) => ({
        ref: { job: id },
        at: approval?.hold ? findHoldMoment(approval.hold) : Number.MAX_SAFE_INTEGER,
      }));
      return [...ofBids, ...ofJobs];
    });
  }

  async function moveOn(ref: HeldOrderRef): Promise<'later' | 'over'> {
    const order = await store.read((tx) => readHeldOrder(tx, ref));
    if (!order?.isHeld) return 'over';
    const { second } = order.hold;
    if (second && !second.posted) {
      const except = [order.sender, ...second.not, ...second.given.map(({ by }) => by)];
      const to = (await findApprovers?.(order.channel, except)) ?? NOBODY;
      await store.transact((tx) => postRound(tx, order, to, clock.now()));
      return 'over';
    }
    if (isApproved(order.hold)) return release(ref);
    await store.transact(async (tx) => {
      const now = await readHeldOrder(tx, ref);
      const end = now?.isHeld ? findHoldEnd(now.hold, now.sendAt, clock.now()) : undefined;
      if (now && end) await endHeldOrder(tx, now, end, clock.now());
    });
    return 'over';
  }

  /** In the background, so that one request at the gate delays no other. */
  function start(ref: HeldOrderRef, dueAt: Instant): void {
    const name = nameOf(ref);
    // Each try may cost a request, so it comes the more rarely the longer the order is due.
    const pause = () => {
      const now = clock.now();
      pausedUntil.set(name, now + Math.min(Math.max(now - dueAt, AFTER_FAULT_MS), LONGEST_PAUSE_MS));
    };
    const work = moveOn(ref)
      .then((result) => {
        if (result === 'later') pause();
        else pausedUntil.delete(name);
      })
      .catch((thrown: unknown) => {
        pause();
        log.error("Couldn't move on a bid that waits", { of: name, error: asError(thrown) });
      })
      .finally(() => {
        running.delete(name);
        bell.wake();
      });
    running.set(name, work);
  }

  async function turn(): Promise<void> {
    const now = clock.now();
    const all = await listWaiting();
    for (const name of pausedUntil.keys())
      if (!all.some(({ ref }) => nameOf(ref) === name)) pausedUntil.delete(name);
    const waiting = all.filter(({ ref }) => !running.has(nameOf(ref)));
    const due = waiting.map(({ ref, at: dueAt }) => ({
      ref,
      dueAt,
      at: Math.max(dueAt, pausedUntil.get(nameOf(ref)) ?? 0),
    }));
    const ready = due.filter(({ at }) => at <= now);
    for (const { ref, dueAt } of ready) start(ref, dueAt);
    const next = Math.min(...due.filter(({ at }) => at > now).map(({ at }) => at), now + LONGEST_SLEEP_MS);
    await bell.wait(clock, next - now, signal);
  }

  await runLoop(context, { name: 'Held bids', step: turn, retryAfterMs: AFTER_FAULT_MS }, signal);
  await Promise.race([Promise.all(running.values()), clock.sleep(ENDING_MS)]);
}

/** Posts new requests for approval, and ends those that nobody answered. Never throws. */
export async function runApprovalRequests(context: BiddingContext, signal: AbortSignal): Promise<void> {
  const { store, clock, findApprovers } = context;
  const bell = new WakeSignal();
  store.onCommit([jobs], () => bell.wake());

  async function turn(): Promise<void> {
    const [oldest] = await store.read((tx) => tx.list(jobs, { index: 'unposted', limit: 1 }));
    if (oldest) {
      const { value: job } = oldest;
      const to = (await findApprovers?.(job.channel, listAskers(job))) ?? NOBODY;
      return store.transact((tx) => postApprovalRequest(tx, job, to, clock.now()));
    }
    const next = await store.transact((tx) => expireRequests(tx, clock.now()));
    const waitMs = next === undefined ? LONGEST_SLEEP_MS : Math.min(LONGEST_SLEEP_MS, next - clock.now());
    if (waitMs > 0) await bell.wait(clock, waitMs, signal);
  }

  await runLoop(context, { name: 'Approval requests', step: turn, retryAfterMs: MINUTE }, signal);
}
