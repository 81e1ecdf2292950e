import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { UserId } from '../../src/ids.ts';
import { LookupRateLimiter } from '../../src/projects/projects.ts';

const ANA = UserId.parse('UANA');
const BEN = UserId.parse('UBEN');

/** Starts this many lookups one after the other. Returns how many were allowed. */
function run(pace: LookupRateLimiter, count: number, limit: number, at = 0, user = ANA): number {
  return Array.from({ length: count }).filter(() => {
    const turn = pace.tryStartLookup(user, limit, at);
    if (turn.kind === 'go') turn.end(true);
    return turn.kind === 'go';
  }).length;
}

describe('the lookups of one person', () => {
  it.each([
    [1, 2],
    [5, 2],
    [12, 6],
    [30, 15],
  ])('at %i requests a minute are %i in a minute at most', (limit, most) => {
    const pace = new LookupRateLimiter();
    expect(run(pace, 40, limit)).toBe(most);
    expect(run(pace, 40, limit, 0, BEN)).toBe(most);
    expect(pace.tryStartLookup(ANA, limit, 10 * SECOND)).toEqual({ kind: 'wait', retryAfterMs: 50 * SECOND });
    expect(run(pace, 40, limit, MINUTE)).toBe(most);
  });

  it('are two at once at most, and go on when one has ended', () => {
    const pace = new LookupRateLimiter();
    const [first] = [pace.tryStartLookup(ANA, 30, 0), pace.tryStartLookup(ANA, 30, 0)];
    expect(pace.tryStartLookup(ANA, 30, 1)).toMatchObject({ kind: 'wait' });
    expect(pace.tryStartLookup(BEN, 30, 1)).toMatchObject({ kind: 'go' });
    if (first?.kind === 'go') first.end(true);
    expect(pace.tryStartLookup(ANA, 30, 2)).toMatchObject({ kind: 'go' });
  });

  it('do not count where nothing was sent', () => {
    const pace = new LookupRateLimiter();
    for (let time = 0; time < 10; time++) {
      const turn = pace.tryStartLookup(ANA, 5, 0);
      expect(turn.kind).toBe('go');
      if (turn.kind === 'go') turn.end(false);
    }
    expect(run(pace, 5, 5)).toBe(2);
  });

  it('that take more than a minute are still in progress', () => {
    const pace = new LookupRateLimiter();
    for (const _ of [1, 2]) pace.tryStartLookup(ANA, 30, 0);
    expect(pace.tryStartLookup(ANA, 30, 2 * MINUTE)).toMatchObject({
      kind: 'wait',
      retryAfterMs: 5 * SECOND,
    });
  });
});
