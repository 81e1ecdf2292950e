/** Posts new requests for approval, and ends those that nobody answered. All state is in the store. */
import { WakeSignal } from '../base/wake-signal.ts';
import { MINUTE } from '../clock.ts';
import { runLoop } from '../effects/run-loop.ts';
import { expireRequests, findUnpostedRequest, postApprovalRequest } from './approval-requests.ts';
import type { ApprovalAddressees, BiddingContext } from './bidding.ts';
import { jobs } from './records.ts';

const LONGEST_SLEEP_MS = 10 * MINUTE;
const AFTER_FAULT_MS = MINUTE;
const NOBODY: ApprovalAddressees = { users: [], groups: [], direct: [] };

/** Runs until the signal aborts. Never throws. */
export async function runApprovalRequests(context: BiddingContext, signal: AbortSignal): Promise<void> {
  const { team, store, clock, findAddressees } = context;
  const bell = new WakeSignal();
  store.onCommit([jobs], () => bell.wake());

  async function turn(): Promise<void> {
    const job = await store.read((tx) => findUnpostedRequest(tx, team));
    if (job) {
      const to = (await findAddressees?.(job)) ?? NOBODY;
      return store.transact((tx) => postApprovalRequest(tx, job, to, clock.now()));
    }
    const next = await store.transact((tx) => expireRequests(tx, team, clock.now()));
    const waitMs = next === undefined ? LONGEST_SLEEP_MS : Math.min(LONGEST_SLEEP_MS, next - clock.now());
    if (waitMs > 0) await bell.wait(clock, waitMs, signal);
  }

  await runLoop(context, { name: 'Approval requests', step: turn, retryAfterMs: AFTER_FAULT_MS }, signal);
}
