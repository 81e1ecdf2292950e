import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wilsonRate } from '../../src/statistics/wilson.ts';

/** A sample's size and count. */
const sample = fc
  .integer({ min: 1, max: 100_000 })
  .chain((of) => fc.record({ of: fc.constant(of), count: fc.integer({ min: 0, max: of }) }));

describe('the interval of a share', () => {
  // R. G. Newcombe, Statist. Med. 17 (1998), 857, table I, method 3.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('of %i in %i is as published: %f to %f', (count, of, low, high) => {
    const interval = wilsonRate(count, of);
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });

  it('contains the share, and lies within 0 and 1', () => {
    fc.assert(
      fc.property(sample, ({ count, of }) => {
        const { low, rate, high } = wilsonRate(count, of);
        expect(rate).toBe(count / of);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(low).toBeLessThanOrEqual(rate);
        expect(high).toBeGreaterThanOrEqual(rate);
        expect(high).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('shrinks as the sample grows', () => {
    fc.assert(
      fc.property(sample, fc.integer({ min: 2, max: 50 }), ({ count, of }, times) => {
        const small = wilsonRate(count, of);
        const large = wilsonRate(count * times, of * times);
        expect(large.high - large.low).toBeLessThan(small.high - small.low);
      }),
    );
  });

  it('is the same from the other side', () => {
    fc.assert(
      fc.property(sample, ({ count, of }) => {
        expect(wilsonRate(of - count, of).high).toBeCloseTo(1 - wilsonRate(count, of).low, 10);
      }),
    );
  });

  it('says nothing of no sample', () => {
    expect(wilsonRate(0, 0)).toEqual({ count: 0, of: 0, rate: 0, low: 0, high: 1 });
  });
});
