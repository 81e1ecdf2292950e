import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Proposal } from '../../src/marketplace/schema.ts';
import { countFunnel } from '../../src/statistics/funnel.ts';
import { proposal, proposalId } from '../slack/fake-proposals.ts';

const STRETCH = { from: 1_000, to: 2_000 };

function sent(change: Partial<Proposal> = {}): Proposal {
  return proposal({ submittedAt: 1_500, viewed: false, ...change });
}

describe('the funnel of a stretch', () => {
  it('counts what was submitted from its first moment on, up to its end', () => {
    const at = (submittedAt: number) => sent({ submittedAt });
    expect(countFunnel([at(2_000), at(1_999), at(1_000), at(999)], STRETCH).sent).toBe(2);
  });

  it('leaves out what has no moment of submission, and answers to invitations', () => {
    const { submittedAt: _none, ...undated } = sent();
    expect(countFunnel([sent(), sent({ fromInvitation: true }), undated], STRETCH).sent).toBe(1);
  });

  it('counts withdrawn proposals: they were sent and paid for', () => {
    expect(countFunnel([sent({ withdrawn: true, viewed: true })], STRETCH)).toEqual({
      sent: 1,
      viewed: 1,
      interviewed: 0,
      hired: 0,
    });
  });

  it('takes a later stage for the earlier ones, whatever flags are missing', () => {
    expect(countFunnel([sent({ hired: true }), sent({ interviewed: true })], STRETCH)).toEqual({
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
        const funnel = countFunnel(
          fates.map((fate, index) => sent({ id: proposalId(index + 1), ...fate })),
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
    countFunnel(newestFirst(), STRETCH);
    expect(walked).toEqual([1_900, 900]);
  });
});
