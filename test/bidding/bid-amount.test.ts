/** What a bid pays that leaves its amount to its setup, and which amounts are unusual. */
import { describe, expect, it } from 'vitest';
import { findBidAmount, findTemplateAmount } from '../../src/bidding/plan-order.ts';
import { findUnusualAmounts } from '../../src/bidding/validate-bid-form.ts';

const FIXED = { type: 'Fixed-price', amount: '$700' };
const HOURLY = { type: 'Hourly', amount: '$30 - $60' };
const SMART = { mode: 'smart', rate: 40, smartRatePercent: 80 };
const SHARE = { type: 'by-job-terms', clientBudgetPercent: 80 };

describe('the amount by a template', () => {
  it.each([
    ['a part of the budget', { fixedPrice: SHARE }, FIXED, 560],
    ['at least the minimum', { fixedPrice: { ...SHARE, minPrice: 650 } }, FIXED, 650],
    ['one price for all', { fixedPrice: { type: 'by-project', price: 900 } }, FIXED, 900],
    ['of a range, the higher end', { hourlyRate: SMART }, HOURLY, 48],
    ['at most the maximum', { hourlyRate: { ...SMART, smartRateMax: 45 } }, HOURLY, 45],
    ['at least the lowest rate', { hourlyRate: { ...SMART, smartRateMin: 50 } }, HOURLY, 50],
    ['one rate for all', { hourlyRate: { mode: 'fixed', rate: 40 } }, HOURLY, 40],
    ['rules in the dashboard', { hourlyRate: { mode: 'flexible', rate: 40 } }, HOURLY, undefined],
    ['a part without a percentage', { fixedPrice: { type: 'by-job-terms', minPrice: 9 } }, FIXED, undefined],
    ['a price of the other kind', { fixedPrice: SHARE }, HOURLY, undefined],
    ['a kind that no one knows', { fixedPrice: SHARE }, { amount: '$700' }, undefined],
    ['a budget that no one knows', { fixedPrice: { ...SHARE, minPrice: 9 } }, { type: 'Fixed' }, undefined],
    ['another currency', { fixedPrice: SHARE }, { ...FIXED, amount: '€700' }, undefined],
    ['no project', { fixedPrice: SHARE }, undefined, undefined],
  ])('%s', (_, rates, budget, amount) => {
    expect(findTemplateAmount({ hourlyRate: {}, fixedPrice: {}, ...rates }, budget)).toBe(amount);
  });
});

describe('the amount of a bid', () => {
  const template = { hourlyRate: {}, fixedPrice: SHARE };
  it.each([
    ['its own', { ours: 90, template }, 90],
    ['the higher one', { ours: 90, theirs: '$95.00', template }, 95],
    ['a part of the budget at the marketplace', { theirs: '90%', template }, 630],
    ['the template’s', { theirs: '', template }, 560],
    ['none that can be read', { theirs: '€90', template }, undefined],
    ['none without a template', {}, undefined],
  ])('%s', (_, named, amount) => {
    expect(findBidAmount(named, FIXED)).toBe(amount);
  });

  it('of an unknown budget has no part', () => {
    expect(findBidAmount({ theirs: '80%', template }, undefined)).toBeUndefined();
  });
});

describe('an unusual amount', () => {
  it.each([
    ['three times the budget', FIXED, 2_100, undefined],
    ['more than that', FIXED, 2_101, { compared: 'above-budget' }],
    ['more than three times the higher end', HOURLY, 181, { compared: 'above-budget' }],
    ['three times the higher end', HOURLY, 180, undefined],
    ['a tenth of the budget', FIXED, 70, { compared: 'below-budget' }],
    ['more than a tenth', FIXED, 71, undefined],
    ['a tenth of the lower end', HOURLY, 3, { compared: 'below-budget' }],
    ['a tenth of the higher end', HOURLY, 6, undefined],
    ['the highest rate without a budget', { type: 'Hourly' }, 300, undefined],
    ['a higher rate', { type: 'Hourly' }, 301, {}],
    ['the highest price without a budget', undefined, 50_000, undefined],
    ['a higher price', undefined, 50_001, {}],
  ])('%s', (_, budget, bidAmount, unusual) => {
    const found = unusual ? [{ field: 'bidAmount', value: bidAmount, ...unusual }] : [];
    expect(findUnusualAmounts({ bidAmount }, budget)).toEqual(found);
  });

  it('is a boost of more than 100 connects', () => {
    expect(findUnusualAmounts({ boostConnects: 100 }, FIXED)).toEqual([]);
    expect(findUnusualAmounts({ boostConnects: 101 }, FIXED)).toEqual([
      { field: 'boostConnects', value: 101 },
    ]);
    expect(findUnusualAmounts({}, undefined)).toEqual([]);
  });
});
