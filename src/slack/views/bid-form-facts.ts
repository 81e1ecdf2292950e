/** All that the bid modal shows. */
import type { BidView } from '../../bidding/bidding.ts';
import { readMarketplaceJobId } from '../../bidding/read-job-id.ts';
import { type BidDraft, bidId } from '../../bidding/records.ts';
import type { Card } from '../../feed/records.ts';
import type { BidId } from '../../ids.ts';
import type { BiddingSetup, ListedProject } from '../../marketplace/schema.ts';
import type { SetupList } from '../../setups/setups.ts';

/** What is the matter with a setup's template, where something is. */
export type TemplateNote = 'freelancer-sender' | 'not-found';

export interface BidFormFacts {
  readonly draft: BidDraft;
  readonly setups: SetupList;
  readonly claim?: Card['claim'];
  /** Of this project, newest first; that of the chosen setup and job id is among them. */
  readonly bids: readonly BidView[];
  readonly budget?: ListedProject['budget'];
  /** Of the chosen setup, where it was learned. */
  readonly template?: TemplateNote;
  /** What came of a press in the modal; harmless mrkdwn. */
  readonly note?: string;
  /** Bids that kept the form from being sent, since it had not shown them. */
  readonly news?: ReadonlySet<BidId>;
}

/** The bid that sending would make, or repeat; undefined while setup or job id are not chosen. */
export function chosenBidId({ form }: BidDraft): BidId | undefined {
  const job = readMarketplaceJobId(form.marketplaceJobId);
  return job === undefined || form.setup === undefined ? undefined : bidId(job, form.setup);
}

export function chosenBid({ draft, bids }: BidFormFacts): BidView | undefined {
  const id = chosenBidId(draft);
  return id === undefined ? undefined : bids.find(({ bid }) => bid.id === id);
}

export function chosenSetup({ draft, setups }: BidFormFacts): BiddingSetup | undefined {
  return setups.setups.find(({ id }) => id === draft.form.setup);
}
