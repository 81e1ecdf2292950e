/**
 * Moves on what waits before it is sent: posts requests for approval, sends what is due, and ends what nobody
 * approved. All state is in the store, so the waiting goes on after a restart.
 */
import { WakeSignal } from '../base/wake-signal.ts';
import { type Instant, MINUTE, SECOND } from '../clock.ts';
import { runLoop } from '../effects/run-loop.ts';
import { asError } from '../errors.ts';
import { findHoldEnd, findHoldMoment, isApproved } from '../spending/hold.ts';
import type { Transaction } from '../storage/store.ts';
import { listAskers } from './approval-request.ts';
import { expireRequests, postApprovalRequest } from './approval-requests.ts';
import type { ApprovalAddressees, BiddingContext, HeldOrder, HeldOrderRef } from './bidding.ts';
import { endHeldOrder, postHeldMessage, readHeldOrder, refOf, storeHold } from './held-order.ts';
import { bids, jobs } from './records.ts';

const LONGEST_SLEEP_MS = 10 * MINUTE;
const AFTER_FAULT_MS = 5 * SECOND;
const LONGEST_PAUSE_MS = MINUTE;
const AT_ONCE = 50;
/** How long a request that is being sent may still take when Gigdesk stops. */
const ENDING_MS = 5 * SECOND;
const NOBODY: ApprovalAddressees = { users: [], groups: [], direct: [] };

/**
 * Until the next try. Each may cost a request, so it comes the more rarely the longer it is due.
 * @param at when it was due
 */
function findPause(at: Instant, now: Instant): number {
  return Math.min(Math.max(now - at, AFTER_FAULT_MS), LONGEST_PAUSE_MS);
}

function nameOf(ref: HeldOrderRef): string {
  return ref.bid === undefined ? `job ${ref.job}` : `bid ${ref.bid}`;
}

/** Stores the people to notify, and posts the request for a second approval to them; once a round. */
async function postRound(
  tx: Transaction,
  seen: HeldOrder,
  to: ApprovalAddressees,
  at: Instant,
): Promise<void> {
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

  async function listWaiting(): Promise<readonly { readonly ref: HeldOrderRef; readonly at: Instant }[]> {
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
    const pause = () => pausedUntil.set(name, clock.now() + findPause(dueAt, clock.now()));
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
