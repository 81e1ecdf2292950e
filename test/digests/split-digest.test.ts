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

function unclaimed(listed: number, counted = listed): Partial<DigestFacts> {
  const project = { project: ProjectKey.parse('~1'), title: 'A shop', url: '' };
  const unclaimedList = Array.from({ length: listed }, () => project);
  return { projects: { told: counted, best: [], unclaimed: counted, unclaimedList } };
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
    const facts = digestFacts(unclaimed(400, 2_000));
    const parts = splitDigestThread(facts);
    expect(parts).toHaveLength(MAX_DIGEST_LIST_ROWS / ROWS_PER_THREAD_MESSAGE);
    expect(parts.at(-1)).toEqual({ list: 'unclaimed', from: 270, to: 300, total: 2_000, isLast: true });
  });

  it.each<[string, object]>([
    ['invitations', { came: 9, waiting: 8, list: [1, 2, 3, 4] }],
    ['bids', { made: 5, open: 3, list: [1, 2, 3, 4] }],
    ['outcomes', { counts: [{ count: 6 }, { count: 2 }], list: [1, 2, 3, 4] }],
  ])('tells how many %s there are, listed or not', (list, facts) => {
    expect(splitDigestThread(digestFacts({ [list]: facts }))).toMatchObject([{ list, to: 4, total: 8 }]);
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
