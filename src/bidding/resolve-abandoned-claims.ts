/**
 * Marks claims left open by the previous process as unknown. They may have taken effect: nothing is sent
 * again.
 */
import { type Instant, MINUTE } from '../clock.ts';
import type { BiddingContext, WithAttempts } from './context.ts';
import { recordApprovalResponse } from './record-approval-response.ts';
import { recordBidResponse } from './record-bid-response.ts';
import { bids, jobs } from './records.ts';

/** Far longer than any of our requests can take. */
export const MAX_BIDDING_CLAIM_AGE_MS = 10 * MINUTE;

const UNKNOWN = { kind: 'unknown' } as const;

/**
 * Marks unanswered claims as unknown and posts each once. Skips those that this process still runs.
 * @param before only claims older than this; missing: all
 * @throws StorageError
 */
export async function resolveAbandonedClaims(
  { team, attempts }: BiddingContext & WithAttempts,
  before: Instant | undefined,
): Promise<void> {
  const prefix = [team] as const;
  await attempts.bids.settleAbandoned(
    {
      collection: bids,
      index: 'sending',
      prefix,
      nameOf: ({ id }) => id,
      settle: (tx, bid, at) => recordBidResponse(tx, bid, UNKNOWN, at),
    },
    before,
  );
  await attempts.approvals.settleAbandoned(
    {
      collection: jobs,
      index: 'approving',
      prefix,
      nameOf: ({ id }) => id,
      settle: async (tx, job, at) =>
        job.approval && recordApprovalResponse(tx, job, job.approval, UNKNOWN, at),
    },
    before,
  );
}
