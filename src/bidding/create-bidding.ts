/** Builds the bidding service. */
import { type Instant, MINUTE, SECOND } from '../clock.ts';
import { Attempts } from '../effects/attempt.ts';
import { runLoop } from '../effects/run-loop.ts';
import { asError } from '../errors.ts';
import type { BidId, JobId } from '../ids.ts';
import { askAgain, recordConnectsPrice } from './approval-requests.ts';
import { approveJob } from './approve-job.ts';
import type {
  ApprovalOrder,
  BiddingContext,
  BidSubmission,
  BidSubmissionResult,
  HeldOrderDecision,
  HeldOrderRef,
  JobApprovalRequest,
  WithAttempts,
} from './bidding.ts';
import { createBid } from './create-bid.ts';
import { approveHeldOrder, rejectRequest, stopHeldOrder } from './decide-held-order.ts';
import { createJobTracker } from './job-tracker.ts';
import { readBidWithJob } from './project-bidding.ts';
import {
  releaseHeldApproval,
  releaseHeldBid,
  runApprovalRequests,
  runHeldOrders,
} from './run-held-orders.ts';
import { checkBidEvidence, MAX_BIDDING_CLAIM_AGE_MS, resolveAbandonedClaims } from './uncertain-bids.ts';

const TIDY_EVERY_MS = MINUTE;

export type BiddingService = ReturnType<typeof createBiddingService>;

/** Create one per store: it keeps its running attempts in memory. */
export function createBiddingService(context: BiddingContext) {
  const { store, clock, log, clockGuard } = context;
  const tracker = createJobTracker(context);
  const attempts = createBiddingAttempts(context);
  const parts = { ...context, attempts };

  /** @returns whether everything was stored */
  async function tidy(before: Instant | undefined): Promise<boolean> {
    try {
      await attempts.bids.retryRecording();
      await attempts.approvals.retryRecording();
      await resolveAbandonedClaims(parts, before);
      return true;
    } catch (thrown) {
      log.error("Couldn't settle open bids", { error: asError(thrown) });
      return false;
    }
  }

  /** Tracks jobs until `signal` aborts; first settles claims left open by the previous process. */
  async function runJobTracking(signal: AbortSignal): Promise<void> {
    // Until this succeeds once, every claim that isn't in flight comes from the previous process.
    let isSettled = await tidy(undefined);
    const keepTidy = async () => {
      await clock.sleep(TIDY_EVERY_MS, signal);
      isSettled = (await tidy(isSettled ? clock.now() - MAX_BIDDING_CLAIM_AGE_MS : undefined)) || isSettled;
    };
    const tidying = { name: 'Bid cleanup', step: keepTidy, retryAfterMs: TIDY_EVERY_MS };
    await Promise.all([
      tracker.runJobTracking(signal),
      runApprovalRequests(context, signal),
      runHeldOrders(context, releaseHeldOrder, signal),
      runLoop(context, tidying, signal),
    ]);
  }

  /** A stored change may be due earlier than the tracker's next check. */
  async function thenWake<T>(outcome: Promise<T>): Promise<T> {
    const value = await outcome;
    tracker.wakeTracker();
    return value;
  }

  /**
   * Only a status check shows why a job was skipped, or which job blocks the bid. If it fails, the bid is
   * returned as it is.
   */
  async function withReading(outcome: BidSubmissionResult): Promise<BidSubmissionResult> {
    if (outcome.kind !== 'asked') return outcome;
    const { bid, job } = outcome.view;
    if (!job || bid.state === 'created') return outcome;
    try {
      const look = await tracker.refreshJob(job.id);
      if (!look.job) return outcome;
      // The blocking job may turn out to be an earlier attempt's own job.
      const found = await store.read((tx) => readBidWithJob(tx, bid.id));
      const isNewer = found?.bid.attempt === bid.attempt && found.bid.state !== 'sending';
      return { ...outcome, view: { bid: isNewer ? found.bid : bid, job: look.job } };
    } catch (thrown) {
      log.warn("Couldn't read the job after its bid", { job: job.id, error: asError(thrown) });
      return outcome;
    }
  }

  async function releaseHeldOrder(ref: HeldOrderRef): Promise<'later' | 'over'> {
    if (ref.bid === undefined) {
      const released = await thenWake(releaseHeldApproval(parts, tracker.refreshJob, ref.job));
      return released === 'later' ? 'later' : 'over';
    }
    const released = await thenWake(releaseHeldBid(parts, ref.bid));
    if (typeof released === 'string') return released;
    await withReading({ kind: 'asked', view: released });
    return 'over';
  }

  return {
    runJobTracking,
    /**
     * Creates a job: stores the claim, sends one request, stores the response, and updates card and thread.
     * Each project, setup and seen attempt gets at most one request. Nothing is sent next to a bid on the
     * project that the person wasn't shown.
     * @throws StorageError when the claim couldn't be stored; nothing was sent then.
     */
    submitBid: async (order: BidSubmission) => {
      await clockGuard?.ensureClockCorrect();
      return withReading(await thenWake(createBid(parts, order)));
    },
    /** Looks for traces of an unanswered bid; a bid settled meanwhile is returned as it is. */
    checkBidEvidence: (id: BidId) => checkBidEvidence(context, id),
    /**
     * Approves a job that waits for review, with the same guarantees as `submitBid`. Reads the job first:
     * approves only what the person was shown. The caller has checked the person's role.
     */
    approveJob: async (order: JobApprovalRequest) => {
      await clockGuard?.ensureClockCorrect();
      return thenWake(approveJob(parts, tracker.refreshJob, order));
    },
    /**
     * Rejects a request for approval here: the marketplace has no such request, so the job stays open there.
     * @param order.reason safe length, a stranger's words
     */
    rejectApproval: (order: ApprovalOrder & { readonly reason: string }) =>
      store.transact((tx) => rejectRequest(tx, order, clock.now())),
    /** Asks again after a rejection, or when nobody answered. Notifies those who may approve. */
    askForApproval: (order: ApprovalOrder) => store.transact((tx) => askAgain(tx, order, clock.now())),
    /** Cancels a bid or an approval that waits, or refuses its second approval: it is never sent. */
    stopHeldOrder: (end: 'canceled' | 'rejected', decision: HeldOrderDecision) =>
      store.transact((tx) => stopHeldOrder(tx, end, decision, clock.now())),
    /** Gives a second approval. @param shown hash of what the person was shown */
    approveHeldOrder: (decision: HeldOrderDecision & { readonly shown: string }) =>
      store.transact((tx) => approveHeldOrder(tx, decision, clock.now())),
    /** Stores a bid's price in connects, from a lookup, for the job's request. */
    recordConnectsPrice: (job: JobId, connects: number) =>
      store.transact((tx) => recordConnectsPrice(tx, job, connects)),
    refreshJob: tracker.refreshJob,
  };
}

/** Create one per store. */
export function createBiddingAttempts(
  context: Pick<BiddingContext, 'store' | 'clock' | 'log'>,
): WithAttempts['attempts'] {
  const { store, clock, log } = context;
  function create<Name extends BidId | JobId, View>(kind: 'bid' | 'approval'): Attempts<Name, View> {
    return new Attempts({
      store,
      clock,
      retriesMs: [SECOND, 5 * SECOND, 15 * SECOND],
      onUnrecorded: (id, error) =>
        log.error("Couldn't store a marketplace response", { matter: `${kind} ${id}`, error }),
    });
  }
  return { bids: create('bid'), approvals: create('approval') };
}
