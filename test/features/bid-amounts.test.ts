/** A warning about an amount that looks like a typing mistake. */
import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import type { ProjectSeed } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { appTestWith } from '../kit/app-test.ts';
import { SHOP } from '../kit/start-desk.ts';
import { BidAtHand } from './begin-bid.ts';
import { startBidWorld } from './bidder.ts';

/** A form that is open on a project with this budget. */
async function openOn(budget: NonNullable<ProjectSeed['budget']>): Promise<BidAtHand> {
  const { world } = await startBidWorld();
  const project = world.marketplace.publishProject(101, { title: 'A shop for lamps', budget });
  await world.until('the card', () => world.told('web').includes(project.ciphertext), MINUTE);
  const bid = new BidAtHand({ world, project });
  await bid.open();
  return bid;
}

const FIXED = { type: 'fixed', fixedAmount: 2_500 } as const;
const HOURLY = { type: 'hourly', hourlyMin: 40, hourlyMax: 60 } as const;

describe('an amount that looks like a mistake', () => {
  it.each([
    ['a bid far above a fixed price', FIXED, { bid_amount: '999999' }, ['$999,999', '$2,500']],
    ['a bid far below it', FIXED, { bid_amount: '250' }, ['$250', '$2,500']],
    ['a rate far above the range', HOURLY, { bid_amount: '650' }, ['$650', '$40', '$60']],
    ['a boost of thousands', FIXED, { boost: '5000' }, ['5,000']],
  ])('%s is named in the result with both numbers', async (_, budget, values, said) => {
    const bid = await openOn(budget);
    await bid.submit('ben', values);
    expect(bid.creates()).toHaveLength(1);
    for (const number of said) expect(bid.screen()).toContain(number);
  });

  it('a usual one is sent without a word', async () => {
    const bid = await openOn(FIXED);
    await bid.submit('ben', { bid_amount: '2400' });
    expect(bid.creates().map(({ body }) => body)).toMatchObject([{ bid_amount: 2_400 }]);
    expect(bid.screen()).not.toContain(':warning:');
  });
});

appTestWith({ reviews: true })(
  'unusual amounts are named in the form, in the result and to the approvers',
  async ({ market, ben }) => {
    const card = await market.publish(SHOP).cardIn('web');
    const form = await ben.press(card, 'Bid');
    expect(form.text).not.toContain('far above');
    const typed = await form.press('Add More Space', { 'Fixed-price bid': '5000', Boost: '150' });
    const sent = await typed.send({ 'Bidding setup': 'Fast setup' });
    await ben.close();
    const request = card.replies().findLast((it) => it.offers('Reject'));
    for (const text of [typed.text, sent.text, request?.text]) {
      expect(text).toContain("far above the client's budget");
      expect(text).toContain('A boost of 150 connects');
    }
    expect(market.jobs.map((it) => it.bidAmount)).toEqual([5_000]);
  },
);
