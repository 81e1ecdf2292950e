import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProposalId } from '../../src/ids.ts';
import type { Proposal } from '../../src/marketplace/schema.ts';
import { chooseOutcomesToPost, countOutcomes, listNewOutcomes } from '../../src/proposals/outcomes.ts';
import { plainProposal } from '../plain-proposal.ts';

const SINCE = Date.UTC(2026, 0, 5, 9);
const flags = fc.record({
  viewed: fc.boolean(),
  interviewed: fc.boolean(),
  hired: fc.boolean(),
  withdrawn: fc.boolean(),
  boostOutbid: fc.boolean(),
});

describe('what a change brings', () => {
  it('is every outcome that has just become true, and no other change', () => {
    const before = plainProposal(1, { viewed: true, submittedAt: SINCE - 1 });
    expect(
      listNewOutcomes({ before, now: { ...before, interviewed: true, boostOutbid: true } }, SINCE),
    ).toEqual(['interviewed', 'outbid']);
    expect(listNewOutcomes({ before, now: { ...before, position: 7, archived: true } }, SINCE)).toEqual([]);
    expect(listNewOutcomes({ before, now: { ...before, viewed: false, withdrawn: true } }, SINCE)).toEqual([
      'withdrawn',
    ]);
  });

  it('is all that is true of one that was sent since, and nothing of the past', () => {
    const all = { viewed: true, hired: true };
    expect(listNewOutcomes({ now: plainProposal(1, { ...all, submittedAt: SINCE }) }, SINCE)).toEqual([
      'viewed',
      'hired',
    ]);
    expect(listNewOutcomes({ now: plainProposal(1, { ...all, submittedAt: SINCE - 1 }) }, SINCE)).toEqual([]);
    expect(listNewOutcomes({ now: plainProposal(1, all) }, SINCE)).toEqual([]);
  });

  it('counts, over any way from one state to another, each outcome once where none is lost', () => {
    fc.assert(
      fc.property(fc.array(flags, { maxLength: 6 }), (states) => {
        let before: Proposal = plainProposal(1, { submittedAt: SINCE });
        const told: string[] = [];
        for (const each of states) {
          const grown = Object.entries(each).map(([name, is]) => [
            name,
            is || before[name as keyof typeof each],
          ]);
          const now: Proposal = { ...before, ...Object.fromEntries(grown) };
          told.push(...listNewOutcomes({ before, now }, SINCE));
          before = now;
        }
        expect(new Set(told).size).toBe(told.length);
        expect([...told].sort()).toEqual([...listNewOutcomes({ now: before }, SINCE)].sort());
      }),
    );
  });
});

describe('a flood', () => {
  const news = (id: number, ...outcomes: ('viewed' | 'hired' | 'outbid')[]) => ({
    proposal: ProposalId.parse(id),
    outcomes,
    submittedAt: SINCE + id,
  });

  it('tells ten one by one: what matters most, then the newest; oldest first', () => {
    const many = Array.from({ length: 50 }, (_, place) => news(place + 1, 'viewed'));
    const { single, rest } = chooseOutcomesToPost([news(99, 'viewed'), news(60, 'hired'), ...many]);
    expect(single.map((each) => each.proposal)).toEqual([43, 44, 45, 46, 47, 48, 49, 50, 60, 99]);
    expect(rest).toHaveLength(42);
  });

  it('sums up the rest, the commonest first', () => {
    expect(countOutcomes([news(1, 'viewed', 'outbid'), news(2, 'viewed')])).toEqual({
      proposals: 2,
      counts: [
        { outcome: 'viewed', count: 2 },
        { outcome: 'outbid', count: 1 },
      ],
    });
  });
});
