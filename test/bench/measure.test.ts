import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitExponent, median, quantile, spread } from '../../bench/measure.ts';

const costs = (exponent: number) =>
  [1_000, 10_000, 100_000, 1_000_000].map((size) => ({ size, cost: 3 * size ** exponent }));

describe('the exponent of growth', () => {
  it('is the one by which the costs were made', () => {
    for (const exponent of [0, 0.1, 1, 2, -0.5]) expect(fitExponent(costs(exponent))).toBeCloseTo(exponent);
  });

  it('does not depend on the unit of the cost or the size', () => {
    const exponent = fc.double({ min: -2, max: 2, noNaN: true });
    const factor = fc.double({ min: 0.001, max: 1_000, noNaN: true });
    fc.assert(
      fc.property(exponent, factor, factor, (by, perSize, perCost) => {
        const points = costs(by).map(({ size, cost }) => ({ size: size * perSize, cost: cost * perCost }));
        expect(fitExponent(points)).toBeCloseTo(by);
      }),
    );
  });

  it('lies between what noisy costs say', () => {
    const noisy = costs(0).map((point, at) => ({ ...point, cost: point.cost * (at % 2 === 0 ? 1.1 : 0.9) }));
    expect(Math.abs(fitExponent(noisy))).toBeLessThan(0.03);
  });

  it('is unknown from one size alone, and so holds no bar', () => {
    expect(fitExponent(costs(1).slice(0, 1))).toBeNaN();
  });
});

describe('the middle of figures', () => {
  it('is the same in whatever order they came', () => {
    expect(median([5, 1, 3])).toBe(3);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([])).toBeNaN();
  });

  it('has at least the share of all figures at or below the quantile, and less below it', () => {
    const figures = fc.array(fc.integer(), { minLength: 1 });
    fc.assert(
      fc.property(figures, fc.double({ min: 0.01, max: 1, noNaN: true }), (all, share) => {
        const found = quantile(all, share);
        expect(all).toContain(found);
        expect(all.filter((it) => it <= found).length).toBeGreaterThanOrEqual(all.length * share);
        expect(all.filter((it) => it < found).length).toBeLessThan(all.length * share);
      }),
    );
  });

  it('tells the spread in words', () => expect(spread([1.2, 1, 1.35])).toBe('1.00 to 1.35'));
});
