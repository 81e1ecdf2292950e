/**
 * Marks claims left open by the previous process as unknown. They may have taken effect: nothing is sent
 * again.
 */
import { type Instant, MINUTE } from '../clock.ts';
import type { TeamId } from '../ids.ts';
import type { ListPosition, Transaction } from '../storage/store.ts';
import type { BiddingContext, WithAttempts } from './context.ts';
import { bidRequestKey, type InFlightRequests, type WithInFlightRequests } from './in-flight-requests.ts';
import { recordApprovalResponse } from './record-approval-response.ts';
import { recordBidResponse } from './record-bid-response.ts';
import { bids, jobs } from './records.ts';

/** Far longer than any of our requests can take. */
export const MAX_BIDDING_CLAIM_AGE_MS = 10 * MINUTE;

const UNKNOWN = { kind: 'unknown' } as const;

/**
 * Marks unanswered claims as unknown and posts each once. Skips in-flight requests of this process.
 * @param before only claims older than this; missing: all
 * @throws StorageError
 */
export async function resolveAbandonedClaims(
  context: BiddingContext & WithInFlightRequests & WithAttempts,
  before: Instant | undefined,
): Promise<void> {
  const { store, team, clock, inFlight, attempts } = context;
  let after: ListPosition | undefined;
  do {
    const range = { to: before, after };
    after = await store.transact((tx) => resolveAbandonedBids(tx, team, inFlight, range, clock.now()));
  } while (after);
  await attempts.approvals.settleAbandoned(
    {
      collection: jobs,
      index: 'approving',
      prefix: [team],
      nameOf: ({ id }) => id,
      settle: async (tx, job, at) =>
        job.approval && recordApprovalResponse(tx, job, job.approval, UNKNOWN, at),
    },
    before,
  );
}

const BATCH = 20;
interface Range {
  readonly to: Instant | undefined;
  readonly after: ListPosition | undefined;
}

function listing(team: TeamId, index: string, { to, after }: Range) {
  const bounds = { ...(to === undefined ? {} : { to: [to] }), ...(after ? { after } : {}) };
  return { index, prefix: [team] as const, limit: BATCH, ...bounds };
}

/** @returns where to continue; undefined at the end */
function nextOf(entries: readonly { readonly position: ListPosition }[]): ListPosition | undefined {
  return entries.length < BATCH ? undefined : entries.at(-1)?.position;
}

async function resolveAbandonedBids(
  tx: Transaction,
  team: TeamId,
  inFlight: InFlightRequests,
  range: Range,
  at: Instant,
): Promise<ListPosition | undefined> {
  const open = await tx.list(bids, listing(team, 'sending', range));
  for (const { value } of open)
    if (!inFlight.has(bidRequestKey(value.id))) await recordBidResponse(tx, value, UNKNOWN, at);
  return nextOf(open);
}
