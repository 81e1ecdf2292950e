/** Budgets in other notations and currencies, for rules, the warning of unusual amounts, and forms. */
import { expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { appTest } from '../kit/app-test.ts';
import { FILTER, SHOP } from '../kit/start-desk.ts';

const priced = (label: string, type: 'fixed' | 'hourly' = 'fixed') => ({
  ...SHOP,
  title: `Shop for ${label.replaceAll('$', 'USD').replaceAll('\u202f', ' ')}`,
  budget: { type, label },
});

appTest(
  'a rule reads every notation, and other currencies and 0 are unknown',
  async ({ ada, market, pass }) => {
    await ada.type(`/gig subscribe filter ${FILTER.id} budget:>=1'000`, 'data');
    await pass(MINUTE);
    const wanted = [
      '1 500 $',
      '1\u202f500,00 USD',
      '$1.500',
      '$1’500',
      '$1–1.5K',
      '500 to 1 000 $',
      'US$1,000',
    ];
    const unwanted = [
      '1 500 €',
      'C$1,500',
      '$1,500 CAD',
      'INR 50,000',
      '$0.00',
      '$500 (2000 words)',
      '$500 for 1000+ hours',
      '1000 hrs/week',
      '999,99 $',
    ];
    const titles = [...wanted, ...unwanted].map((label) => market.publish(priced(label)).project.title);
    await pass(5 * MINUTE);
    const shown = ada
      .reads('data')
      .map((it) => it.text)
      .join('\n');
    expect(titles.filter((title) => shown.includes(title))).toEqual(titles.slice(0, wanted.length));
  },
);

appTest('an amount is never compared with another currency', async ({ ben, market }) => {
  const card = await market.publish(priced('€20–€40/hr', 'hourly')).cardIn('web');
  const form = await ben.press(card, 'Bid');
  const sent = await form.send({ 'Bidding setup': 'Fast setup', 'Hourly rate': 130 });
  expect(sent.text).toContain('Bid created');
  expect(sent.text).not.toMatch(/far (?:above|below)/u);
  expect(market.jobs.map((it) => it.bidAmount)).toEqual([130]);
});

appTest('hours a week are no rate', async ({ ben, market }) => {
  const card = await market.publish(priced('$100 - $150 /hr, 10 hrs/week', 'hourly')).cardIn('web');
  const form = await ben.press(card, 'Bid');
  const sent = await form.send({ 'Bidding setup': 'Fast setup', 'Hourly rate': 9 });
  expect(sent.text).toContain("far below the client's budget");
});

appTest('a bid may have a decimal comma', async ({ ben, market }) => {
  const card = await market.publish(SHOP).cardIn('web');
  const form = await ben.press(card, 'Bid');
  expect((await form.send({ 'Bidding setup': 'Fast setup', 'Fixed-price': '1.500' })).text).toContain(
    '2 decimals',
  );
  await form.send({ 'Bidding setup': 'Fast setup', 'Fixed-price': '1.500,50' });
  expect(market.jobs.map((it) => it.bidAmount)).toEqual([1_500.5]);
});

appTest('an amount of 0 is not shown as a budget', async ({ market }) => {
  const card = await market.publish(priced('$0.00')).cardIn('web');
  expect(card.text).not.toMatch(/\$0/u);
});
