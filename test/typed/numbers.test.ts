import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  hasMoreThanTwoDecimals,
  parseMoney,
  parseNonNegativeInteger,
  parsePercent,
} from '../../src/typed/numbers.ts';

const THOUSANDS = ['1500', '1,500', '1 500', "1'500", '1’500', '1\u00a0500', '1\u2009500', '1\u202f500'];

describe('money', () => {
  it.each(THOUSANDS)('%j is 1500, however its thousands are written', (typed) =>
    expect(parseMoney(typed)).toBe(1500),
  );

  it.each([
    [' $ 1 500.50 ', 1500.5],
    ['1,234.50 $', 1234.5],
    ['$35.5', 35.5],
    ['0012', 12],
    ['-5', -5],
    ['5.001', 5.001],
    ['1,000,000.00', 1_000_000],
    ['37,50', 37.5],
    ['1,5', 1.5],
    ['.5', 0.5],
    ['1.500,50', 1500.5],
    ['US$ 1.5k', 1500],
    ['1 500 USD', 1500],
  ])('%j is %d', (typed, value) => expect(parseMoney(typed)).toBe(value));

  it.each(['', ' ', '$', '1,50,0', '5 000 00', '5e3', 'NaN', '0x10', '50%', '5.', 'forty', '€5', '5 EUR'])(
    '%j is none',
    (typed) => expect(parseMoney(typed)).toBeUndefined(),
  );
});

describe('percent', () => {
  it.each([
    ['80', 80],
    ['80%', 80],
    [' 7.5 % ', 7.5],
    ['7,5%', 7.5],
    ['1,000 %', 1000],
    ['-0', 0],
  ])('%j is %d', (typed, value) => expect(parsePercent(typed)).toBe(value));

  it.each(['', '%', '$80', '80 $', 'half'])('%j is none', (typed) =>
    expect(parsePercent(typed)).toBeUndefined(),
  );
});

describe('a whole number', () => {
  it.each([
    ['0', 0],
    ['00', 0],
    [' 25 ', 25],
    ['4,711', 4711],
    ['15.0', 15],
    ['1.500', 1500],
  ])('%j is %d', (typed, value) => expect(parseNonNegativeInteger(typed)).toBe(value));

  it.each(['', '-1', '1.5', '$25', '25%', 'ten', '99999999999999999', '99999999999999999999'])(
    '%j is none',
    (typed) => expect(parseNonNegativeInteger(typed)).toBeUndefined(),
  );
});

describe('any number', () => {
  it('is read as it was meant, grouped or not', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999_999 }), (cents) => {
        const value = cents / 100;
        expect(parseMoney(value.toFixed(2))).toBe(value);
        expect(parseMoney(value.toLocaleString('en-US', { minimumFractionDigits: 2 }))).toBe(value);
      }),
    );
  });

  it('is none, or a finite one, whatever was typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (typed) => {
        for (const read of [parseMoney, parsePercent, parseNonNegativeInteger])
          expect(Number.isFinite(read(typed) ?? 0)).toBe(true);
      }),
    );
  });
});

describe('slips that are pointed out', () => {
  it.each([
    ['5.001', true],
    ['1.500', true],
    ['37,505', false],
    ['1.500,50', false],
    ['5.000', true],
    ['5.01', false],
    ['5', false],
  ])('%j is finer than cents: %j', (typed, is) => expect(hasMoreThanTwoDecimals(typed)).toBe(is));
});
