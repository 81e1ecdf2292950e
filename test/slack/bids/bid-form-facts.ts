/** The input of a bid form: a draft, its setup, and the existing bids. */
import { type BidDraft, type BidForm, EMPTY_BID_FORM } from '../../../src/bidding/draft-records.ts';
import type { Bid } from '../../../src/bidding/records.ts';
import { DraftId } from '../../../src/ids.ts';
import type { BiddingSetup } from '../../../src/marketplace/schema.ts';
import type { BidFormFacts } from '../../../src/slack/bids/bid-form-facts.ts';
import { ANA, BEN, CHANNEL, listed, NOW, TEAM } from '../samples.ts';
import { bid as bidOfAna, NIGHT as SETUP } from './bidding-samples.ts';

export const NIGHT: BiddingSetup = {
  ...SETUP,
  scheduleLabel: 'Mon–Fri 9–17',
  timezone: 'Europe/Oslo',
  delayMinutes: 5,
};

export function bid(change: Partial<Bid> = {}): Bid {
  return bidOfAna({ by: BEN, ...change });
}

export function draft(change: Partial<BidDraft> = {}, form: Partial<BidForm> = {}): BidDraft {
  const { key, title, url, questions } = listed();
  return {
    team: TEAM,
    user: ANA,
    id: DraftId.parse('abcdefghijklmnop12345678'),
    channel: CHANNEL,
    project: key,
    title,
    url,
    questions,
    connectsPrice: 16,
    form: { ...EMPTY_BID_FORM, setup: NIGHT.id, marketplaceJobId: '~0123456789', ...form },
    parts: 1,
    seen: {},
    shownBids: {},
    shown: 0,
    asks: 0,
    at: NOW,
    ...change,
  };
}

export function facts(change: Partial<BidFormFacts> = {}): BidFormFacts {
  return {
    draft: draft(),
    setups: { setups: [NIGHT], readAt: NOW },
    bids: [],
    jobIds: ['0123456789'],
    ...change,
  };
}

export const FULL: Partial<BidForm> = {
  projectId: '12',
  bidAmount: '$1,500',
  boostConnects: '10',
  when: 'at',
  at: NOW + 7_200_000,
  coverLetter: ' Hello\n\nthere ',
  answers: ['Tomorrow', ' Three\n'],
};
