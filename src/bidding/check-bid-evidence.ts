/** Collects evidence about an unanswered bid. Changes nothing at the marketplace. */

import { omitUndefined } from '../base/omit-undefined.ts';
import { SECOND } from '../clock.ts';
import type { BidId } from '../ids.ts';
import type { BiddingSetup } from '../marketplace/schema.ts';
import type { BidEvidence } from './bidding.ts';
import type { BiddingContext } from './context.ts';
import { isUncertainBid } from './decide-bid.ts';
import { readBidWithJob } from './project-bidding.ts';
import type { Bid } from './records.ts';

/** A double press refreshes the setups once. */
const FRESH_MS = 2 * SECOND;

/**
 * Proposals that a setup has sent since the claim; undefined if its counters prove nothing. The daily counter
 * resets each day, so only an increase is proof.
 */
export function countProposalsSentSinceClaim(
  before: Bid['before'],
  now: Pick<BiddingSetup, 'totalSent' | 'sentToday'> | undefined,
): number | undefined {
  const total = difference(before?.totalSent, now?.totalSent);
  if (total !== undefined) return total >= 0 ? total : undefined;
  const today = difference(before?.sentToday, now?.sentToday) ?? 0;
  return today > 0 ? today : undefined;
}

function difference(before: number | undefined, now: number | undefined): number | undefined {
  return before === undefined || now === undefined ? undefined : now - before;
}

/** @throws MarketplaceError when the setups can't be refreshed */
export async function checkBidEvidence(context: BiddingContext, id: BidId): Promise<BidEvidence | undefined> {
  const { store, team, setups } = context;
  const read = () => store.read((tx) => readBidWithJob(tx, team, id));
  const first = await read();
  if (!first || !isUncertainBid(first.bid)) return first && { view: first };
  const { setups: fresh } = await setups.refreshIfOlderThan(FRESH_MS, 'person');
  const view = await read();
  if (!view || !isUncertainBid(view.bid)) return view && { view };
  const { before, request } = view.bid;
  const setup = fresh.find((each) => each.id === request.setup);
  return { view, ...omitUndefined({ sentSince: countProposalsSentSinceClaim(before, setup) }) };
}
