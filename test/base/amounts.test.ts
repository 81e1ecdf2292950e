import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { listDollarAmounts } from '../../src/base/amounts.ts';

test.each<readonly [label: string, amounts: readonly number[]]>([
  ['$500 - $1,000', [500, 1_000]],
  ['$15.00-$30.00 /hr', [15, 30]],
  ['1 500 $', [1_500]],
  ['1\u202f500,50 USD', [1_500.5]],
  ['US$1’500', [1_500]],
  ['$1.500,00', [1_500]],
  ['$1.500', [1_500]],
  ['$1,50,000', [150_000]],
  ['＄５００', [500]],
  ['15–30 USD /hr', [15, 30]],
  ['1000−2000', [1_000, 2_000]],
  ['5 to 10 $', [5, 10]],
  ['$5-10K', [5_000, 10_000]],
  ['$500 - 1K', [500, 1_000]],
  ['12,5K', [12_500]],
  ['1.25k', [1_250]],
  ['up to $1 million', [1_000_000]],
  ['$15.00 /hr – $30.00 /hr', [15, 30]],
  ['30/hr', [30]],
  ['of $500', [500]],
  ['2000', [2_000]],
  ['$0.00', [0]],
])('%s', (label, amounts) => expect(listDollarAmounts(label)).toEqual(amounts));

test.each<readonly [label: string, amounts: readonly number[]]>([
  ['30+ hrs/week', []],
  ['20 – 40 hours a week', []],
  ['1 to 3 months', []],
  ['3 milestones', []],
  ['since 2019', []],
  ['2026-11-20', []],
  ['100%', []],
  ['$20-$40/hr, 30+ hrs/week', [20, 40]],
  ['in 2024: $500', [500]],
  ['$500 (3 milestones)', [500]],
  ['$100 per 1000 words', [100]],
])('%s counts more than money', (label, amounts) => expect(listDollarAmounts(label)).toEqual(amounts));

test.each([
  ['€500'],
  ['500 €'],
  ['500 EUR'],
  ['£20-£40/hr'],
  ['500 - 1000 kr'],
  ['Rs. 500'],
  ['CHF 1’500'],
  ['C$500'],
  ['AU$ 500'],
  ['R$ 500'],
  ['500 $ CA'],
  ['$500 CAD'],
  ['$500 - $1,000 CAD'],
  ['$500 (CAD 700)'],
])('%s is in another currency', (label) => expect(listDollarAmounts(label)).toEqual([]));

test('a dollar amount beside another currency counts', () =>
  expect(listDollarAmounts('$500 (€460)')).toEqual([500]));

test('any text gives finite amounts, quickly', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...Array.from('019.,$€-kM to\u202f’')), maxLength: 400 }),
      (label) => {
        for (const amount of listDollarAmounts(label)) expect(Number.isFinite(amount)).toBe(true);
      },
    ),
  );
});
