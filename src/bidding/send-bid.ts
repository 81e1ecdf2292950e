/** Sends the one request of a claimed bid, and stores its answer. */
import { omitUndefined } from '../base/omit-undefined.ts';
import { asError } from '../errors.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import { setupsStates, storedSetups } from '../setups/setups.ts';
import type { ReadTransaction } from '../storage/store.ts';
import type { BiddingContext, BidWithJob, WithAttempts } from './bidding.ts';
import { type BidResponse, classifyBidFailure, toBidResponse, toCreateJobRequest } from './decide-bid.ts';
import { recordBidResponse, viewWithoutRecord } from './record-bid-response.ts';
import type { Bid } from './records.ts';

/** @param bid as claimed, in state `sending`, within `attempts.bids.run` */
export function sendClaimedBid(
  { attempts, marketplace, log }: BiddingContext & WithAttempts,
  bid: Bid,
): Promise<BidWithJob> {
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
export async function readSetupOfBid(
  tx: ReadTransaction,
  team: Bid['team'],
  id: Bid['request']['setup'],
): Promise<{ readonly name: string | undefined; readonly before: Bid['before'] }> {
  const stored = await tx.get(storedSetups, [team, id]);
  const state = await tx.get(setupsStates, [team]);
  const { name, totalSent, sentToday } = stored?.setup ?? {};
  const before = stored && state && { at: state.readAt, ...omitUndefined({ totalSent, sentToday }) };
  return { name, before };
}
