import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  MAX_DIGEST_LIST_ROWS,
  ROWS_PER_THREAD_MESSAGE,
  splitDigestThread,
} from '../../src/digests/split-digest.ts';
import { busyDay, digestFacts, unclaimed } from './digest-samples.ts';

describe('the thread of a digest', () => {
  it('holds nothing that the digest itself shows in full', () => {
    expect(splitDigestThread(digestFacts())).toEqual([]);
  });

  it('lists what nobody claimed, however little: the digest itself only counts it', () => {
    const facts = digestFacts({ projects: { told: 2, best: [], ...unclaimed(1) } });
    expect(splitDigestThread(facts)).toEqual([{ list: 'unclaimed', from: 0, to: 1, total: 1, isLast: true }]);
  });

  it('of a full day is many messages, and tells how many stand nowhere', () => {
    const facts = digestFacts({ projects: { told: 2_000, best: [], ...unclaimed(2_000) } });
    const parts = splitDigestThread(facts);
    expect(parts).toHaveLength(MAX_DIGEST_LIST_ROWS / ROWS_PER_THREAD_MESSAGE);
    expect(parts.at(-1)).toEqual({ list: 'unclaimed', from: 270, to: 300, total: 2_000, isLast: true });
  });

  it('ends with the charts that there are, at most two in a message', () => {
    const { charts } = busyDay();
    expect(splitDigestThread(digestFacts({ charts }))).toEqual([
      { charts: ['burn', 'stages'] },
      { charts: ['arrivals'] },
    ]);
    const { stages } = charts ?? {};
    expect(splitDigestThread(digestFacts({ charts: { stages } }))).toEqual([{ charts: ['stages'] }]);
  });

  it('leaves out no row and repeats none', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), (many) => {
        const facts = digestFacts({ projects: { told: many, best: [], ...unclaimed(many) } });
        const parts = splitDigestThread(facts).filter((part) => 'list' in part);
        const rows = parts.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at));
        expect(rows).toEqual(Array.from({ length: Math.min(many, MAX_DIGEST_LIST_ROWS) }, (_, at) => at));
        expect(parts.filter(({ isLast }) => isLast)).toHaveLength(1);
        for (const { from, to } of parts) expect(to - from).toBeLessThanOrEqual(ROWS_PER_THREAD_MESSAGE);
      }),
    );
  });
});
