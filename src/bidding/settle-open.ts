/** What a former life left without an answer: it may have taken effect, so it is unknown, and nothing is sent again. */
import { type Instant, MINUTE } from '../clock.ts';
import type { TeamId } from '../ids.ts';
import type { Position, Transaction } from '../storage/store.ts';
import type { BiddingContext } from './context.ts';
import { recordApprovalAnswer } from './record-approval-answer.ts';
import { recordBidAnswer } from './record-bid-answer.ts';
import { bids, jobs } from './records.ts';
import { approvalMatter, bidMatter, type UnderWay, type WithUnderWay } from './under-way.ts';

/** Far longer than any request of ours may take. */
export const OPEN_FOR_MS = 10 * MINUTE;

const BATCH = 20;
const UNKNOWN = { kind: 'unknown' } as const;

/**
 * Makes claims without an answer unknown, and tells so, once each. What this process has under way is left alone.
 * @param before only claims older than this; missing: all
 * @throws StorageError
 */
export async function settleOpen(
  context: BiddingContext & WithUnderWay,
  before: Instant | undefined,
): Promise<void> {
  const { store, team, clock, underWay } = context;
  for (const settle of [settleBids, settleApprovals]) {
    let after: Position | undefined;
    do {
      const range = { to: before, after };
      after = await store.transact((tx) => settle(tx, team, underWay, range, clock.now()));
    } while (after);
  }
}

interface Range {
  readonly to: Instant | undefined;
  readonly after: Position | undefined;
}

function listing(team: TeamId, index: string, { to, after }: Range) {
  const bounds = { ...(to === undefined ? {} : { to: [to] }), ...(after ? { after } : {}) };
  return { index, prefix: [team] as const, limit: BATCH, ...bounds };
}

/** @returns where to go on; undefined at the end */
function nextOf(entries: readonly { readonly position: Position }[]): Position | undefined {
  return entries.length < BATCH ? undefined : entries.at(-1)?.position;
}

async function settleBids(
  tx: Transaction,
  team: TeamId,
  underWay: UnderWay,
  range: Range,
  at: Instant,
): Promise<Position | undefined> {
  const open = await tx.list(bids, listing(team, 'sending', range));
  for (const { value } of open)
    if (!underWay.has(bidMatter(value.id))) await recordBidAnswer(tx, value, UNKNOWN, at);
  return nextOf(open);
}

async function settleApprovals(
  tx: Transaction,
  team: TeamId,
  underWay: UnderWay,
  range: Range,
  at: Instant,
): Promise<Position | undefined> {
  const open = await tx.list(jobs, listing(team, 'approving', range));
  for (const { value } of open)
    if (value.approval && !underWay.has(approvalMatter(value.id)))
      await recordApprovalAnswer(tx, value, value.approval, UNKNOWN, at);
  return nextOf(open);
}
