/** Everything the bid modal shows. */
import type { BidWithJob } from '../../bidding/bidding.ts';
import { findBid } from '../../bidding/decide-bid.ts';
import type { BidDraft } from '../../bidding/records.ts';
import type { Card } from '../../feed/records.ts';
import type { BidId } from '../../ids.ts';
import type { BiddingSetup, ListedProject } from '../../marketplace/schema.ts';
import type { SetupList } from '../../setups/setup-service.ts';

/** A problem with a setup's template. */
export type SetupTemplateWarning = 'freelancer-sender' | 'not-found';

export interface BidFormFacts {
  readonly draft: BidDraft;
  readonly setups: SetupList;
  readonly claim?: Card['claim'];
  /** The project's bids, newest first, including the one of the chosen setup and job ID. */
  readonly bids: readonly BidWithJob[];
  /** All IDs equal to the form's job ID, without tildes. */
  readonly jobIds: readonly string[];
  readonly budget?: ListedProject['budget'];
  /** For the chosen setup, once it was looked up. */
  readonly template?: SetupTemplateWarning;
  /** The result of an action in the modal; safe mrkdwn. */
  readonly note?: string;
  /** Bids that blocked the form from being sent, since it had not shown them. */
  readonly bidsNotShownBefore?: ReadonlySet<BidId>;
}

/**
 * The bid that sending would repeat; undefined if there is none, or while the setup or the job ID is not
 * chosen.
 */
export function findDuplicateBid({
  draft,
  bids,
  jobIds,
}: Pick<BidFormFacts, 'draft' | 'bids' | 'jobIds'>): BidWithJob | undefined {
  const { setup } = draft.form;
  if (setup === undefined) return undefined;
  const all = bids.map(({ bid }) => bid);
  const found = findBid(all, jobIds, setup);
  return bids.find(({ bid }) => bid === found);
}

export function chosenSetup({ draft, setups }: BidFormFacts): BiddingSetup | undefined {
  return setups.setups.find(({ id }) => id === draft.form.setup);
}
