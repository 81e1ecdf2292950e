import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Proposal } from '../../src/marketplace/schema.ts';
import { countStages, wilsonRate } from '../../src/statistics/stages.ts';
import { plainProposal } from '../plain-proposal.ts';

const STRETCH = { from: 1_000, to: 2_000 };

function sent(change: Partial<Proposal> = {}): Proposal {
  return plainProposal(1, { submittedAt: 1_500, ...change });
}

describe('the funnel of a stretch', () => {
  it('counts what was submitted from its first moment on, up to its end', () => {
    const at = (submittedAt: number) => sent({ submittedAt });
    expect(countStages([at(2_000), at(1_999), at(1_000), at(999)], STRETCH).own.sent).toBe(2);
  });

  it('leaves out what has no moment of submission, and answers to invitations', () => {
    const { submittedAt: _none, ...undated } = sent();
    expect(countStages([sent(), sent({ fromInvitation: true }), undated], STRETCH).own.sent).toBe(1);
  });

  it('counts withdrawn proposals: they were sent and paid for', () => {
    expect(countStages([sent({ withdrawn: true, viewed: true })], STRETCH).own).toEqual({
      sent: 1,
      viewed: 1,
      interviewed: 0,
      hired: 0,
    });
  });

  it('takes a later stage for the earlier ones, whatever flags are missing', () => {
    expect(countStages([sent({ hired: true }), sent({ interviewed: true })], STRETCH).own).toEqual({
      sent: 2,
      viewed: 2,
      interviewed: 2,
      hired: 1,
    });
  });

  it('never widens', () => {
    const any = fc.record({ viewed: fc.boolean(), interviewed: fc.boolean(), hired: fc.boolean() });
    fc.assert(
      fc.property(fc.array(any), (fates) => {
        const { own: funnel } = countStages(
          fates.map((fate) => sent(fate)),
          STRETCH,
        );
        expect(funnel.sent).toBe(fates.length);
        expect(funnel.viewed).toBeLessThanOrEqual(funnel.sent);
        expect(funnel.interviewed).toBeLessThanOrEqual(funnel.viewed);
        expect(funnel.hired).toBeLessThanOrEqual(funnel.interviewed);
      }),
    );
  });

  it('does not look behind the stretch', () => {
    const walked: number[] = [];
    function* newestFirst() {
      for (const submittedAt of [1_900, 900, 800]) {
        walked.push(submittedAt);
        yield sent({ submittedAt });
      }
    }
    countStages(newestFirst(), STRETCH);
    expect(walked).toEqual([1_900, 900]);
  });
});

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
