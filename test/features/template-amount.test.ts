/** A second approval above an amount, for bids that leave their amount to the setup's template. */
import { expect } from 'vitest';
import { HOUR, MINUTE } from '../../src/clock.ts';
import { appTest } from '../kit/app-test.ts';
import type { Person } from '../kit/person.ts';
import { type Desk, FAST_SETUP, SHOP, setRules } from '../kit/start-desk.ts';

const TEMPLATE = { id: 61, name: 'Shops' };

function bidPercent({ market }: Desk, client_budget_percent: number): void {
  const fixed_price = { type: 'by-job-terms', price: null, min_price: null, client_budget_percent } as const;
  market.service.addTemplate({ ...TEMPLATE, fixed_price });
}

/** Of a project of $700. @returns what the thread says while it waits; empty when it was sent */
async function bid({ market, pass }: Desk, by: Person, title: string, waits = 0): Promise<string> {
  const card = await market.publish({ ...SHOP, title }).cardIn('web');
  const form = await by.press(card, 'Bid');
  await pass(waits);
  await form.send({ 'Bidding setup': FAST_SETUP.name });
  await by.close();
  return card.replies().find((it) => it.offers('Reject'))?.text ?? '';
}

appTest('the amount follows from the template and the budget', async ({ desk, market, ben, pass }) => {
  market.service.updateSetup(FAST_SETUP.id, { biddingTemplate: TEMPLATE });
  await setRules(desk.person('ada'), { 'Second approval above this amount': '500' });
  await pass(6 * MINUTE);
  expect(await bid(desk, ben, 'No template')).toContain("the amount isn't known");
  await pass(6 * MINUTE);
  bidPercent(desk, 80);
  expect(await bid(desk, ben, 'For $560')).toContain('the amount is above the limit');
  expect(market.jobs).toHaveLength(0);
  await pass(6 * MINUTE);
  bidPercent(desk, 60);
  expect(await bid(desk, ben, 'For $420')).toBe('');
  expect(market.jobs).toHaveLength(1);
  expect(await bid(desk, ben, 'Left open', 2 * HOUR)).toContain("the amount isn't known");
});
