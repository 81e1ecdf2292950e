import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DigestFacts } from '../../src/digests/facts.ts';
import {
  MAX_DIGEST_LIST_ROWS,
  ROWS_PER_THREAD_MESSAGE,
  splitDigestThread,
} from '../../src/digests/split-digest.ts';
import { ProjectKey } from '../../src/ids.ts';

/** A quiet day, but for a change. */
function digestFacts(change: Partial<DigestFacts> = {}): DigestFacts {
  const quiet: Partial<DigestFacts> = {
    projects: { told: 0, best: [], unclaimed: 0, unclaimedList: [] },
    invitations: { came: 0, waiting: 0, list: [] },
    bids: { made: 0, open: 0, list: [] },
    outcomes: { counts: [], list: [] },
  };
  return { ...quiet, ...change } as DigestFacts;
}

function unclaimed(many: number): Partial<DigestFacts> {
  const project = { project: ProjectKey.parse('~1'), title: 'A shop', url: '' };
  const unclaimedList = Array.from({ length: many }, () => project);
  return { projects: { told: many, best: [], unclaimed: many, unclaimedList } };
}

describe('the thread of a digest', () => {
  it('holds nothing that the digest itself shows in full', () => {
    expect(splitDigestThread(digestFacts())).toEqual([]);
  });

  it('lists what nobody claimed, however little: the digest itself only counts it', () => {
    const facts = digestFacts(unclaimed(1));
    expect(splitDigestThread(facts)).toEqual([{ list: 'unclaimed', from: 0, to: 1, total: 1, isLast: true }]);
  });

  it('of a full day is many messages, and tells how many stand nowhere', () => {
    const facts = digestFacts(unclaimed(2_000));
    const parts = splitDigestThread(facts);
    expect(parts).toHaveLength(MAX_DIGEST_LIST_ROWS / ROWS_PER_THREAD_MESSAGE);
    expect(parts.at(-1)).toEqual({ list: 'unclaimed', from: 270, to: 300, total: 2_000, isLast: true });
  });

  it('ends with the charts that there are, at most two in a message', () => {
    const charts = {
      burn: [],
      stages: { days: 30, sent: 1, viewed: 1, interviewed: 0, hired: 0, invited: { sent: 0, hired: 0 } },
      arrivals: { days: 30, byTime: [], byWeekday: [] },
    };
    expect(splitDigestThread(digestFacts({ charts }))).toEqual([
      { charts: ['burn', 'stages'] },
      { charts: ['arrivals'] },
    ]);
    const { stages } = charts;
    expect(splitDigestThread(digestFacts({ charts: { stages } }))).toEqual([{ charts: ['stages'] }]);
  });

  it('leaves out no row and repeats none', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), (many) => {
        const facts = digestFacts(unclaimed(many));
        const parts = splitDigestThread(facts).filter((part) => 'list' in part);
        const rows = parts.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at));
        expect(rows).toEqual(Array.from({ length: Math.min(many, MAX_DIGEST_LIST_ROWS) }, (_, at) => at));
        expect(parts.filter(({ isLast }) => isLast)).toHaveLength(1);
        for (const { from, to } of parts) expect(to - from).toBeLessThanOrEqual(ROWS_PER_THREAD_MESSAGE);
      }),
    );
  });
});
