/** All that the bid modal shows. */
import type { BidWithJob } from '../../bidding/bidding.ts';
import { findBid } from '../../bidding/decide-bid.ts';
import type { BidDraft } from '../../bidding/records.ts';
import type { Card } from '../../feed/records.ts';
import type { BidId } from '../../ids.ts';
import type { BiddingSetup, ListedProject } from '../../marketplace/schema.ts';
import type { SetupList } from '../../setups/setup-service.ts';

/** What is the matter with a setup's template, where something is. */
export type SetupTemplateWarning = 'freelancer-sender' | 'not-found';

export interface BidFormFacts {
  readonly draft: BidDraft;
  readonly setups: SetupList;
  readonly claim?: Card['claim'];
  /** Of this project, newest first; that of the chosen setup and job id is among them. */
  readonly bids: readonly BidWithJob[];
  /** All that mean the job id of the form, without tildes. */
  readonly jobIds: readonly string[];
  readonly budget?: ListedProject['budget'];
  /** Of the chosen setup, where it was learned. */
  readonly template?: SetupTemplateWarning;
  /** What came of a press in the modal; harmless mrkdwn. */
  readonly note?: string;
  /** Bids that kept the form from being sent, since it had not shown them. */
  readonly bidsNotShownBefore?: ReadonlySet<BidId>;
}

/** The bid that sending would repeat; undefined where there is none, or while setup or job id are not chosen. */
export function chosenBid({
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
