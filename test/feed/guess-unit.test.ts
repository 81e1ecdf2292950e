/** The feed learns the server's unit from free pages, and skips no project while it does. */
import { describe, expect, it } from 'vitest';
import {
  buildTimestampUnitProbe,
  chooseTimestampUnitGuess,
  countTimestampUnitGuess,
  detectTimestampUnitFromProbe,
} from '../../src/feed/guess-timestamp-unit.ts';
import type { FetchedPage } from '../../src/feed/page-continuation.ts';
import type { TimestampUnitGuess } from '../../src/feed/timestamps.ts';

const NOW = 1_800_000_000_500;
const SECOND = 1_800_000_000;
const empty: FetchedPage = { items: [], unreadable: 0 };
const one: FetchedPage = { items: [{ publishedAt: NOW, known: false }], unreadable: 0 };
/** How many guesses came before the first read of each. */
const TRIED = { milliseconds: 0, seconds: 1, 'seconds-rising': 11 } as const;
const asked = (guess: TimestampUnitGuess) => buildTimestampUnitProbe(TRIED[guess], NOW, NOW);

describe('a guess at the unit', () => {
  it('asks from the second before the beginning, and bounds seconds by a cursor', () => {
    expect(asked('milliseconds')).toMatchObject({ latestPublishedTs: SECOND * 1_000 - 1 });
    expect(asked('milliseconds').nextCursor).toBeUndefined();
    expect(asked('seconds')).toMatchObject({ latestPublishedTs: SECOND - 1, nextCursor: SECOND + 86_400 });
    expect(asked('seconds-rising')).toMatchObject({
      latestPublishedTs: SECOND - 1,
      nextCursor: SECOND - 1,
    });
  });

  it('begins with milliseconds, and goes on with what is likely; each has its turn', () => {
    const made = Array.from({ length: 24 }, (_, tried) => chooseTimestampUnitGuess(tried));
    expect(made.slice(0, 3)).toEqual(['milliseconds', 'seconds', 'seconds']);
    expect(made.filter((each) => each === 'milliseconds')).toHaveLength(3);
    expect(made.filter((each) => each === 'seconds-rising')).toHaveLength(2);
  });

  it('tries another unit at once while a hint waits', () => {
    const made = [0];
    while (made.length < 6) made.push(countTimestampUnitGuess(made.at(-1) ?? 0, true));
    expect(made.map(chooseTimestampUnitGuess)).toEqual([
      'milliseconds',
      'seconds',
      'milliseconds',
      'seconds',
      'seconds-rising',
      'seconds',
    ]);
    expect(countTimestampUnitGuess(1, false)).toBe(2);
  });

  it('is of the past the first time alone: what a repeated one finds has come since', () => {
    const first = Array.from({ length: 24 }, (_, tried) => tried).filter(
      (tried) => buildTimestampUnitProbe(tried, NOW, NOW).first,
    );
    expect(first).toEqual([0, 1, 11]);
  });

  it.each<readonly [string, TimestampUnitGuess, FetchedPage, 1 | 1_000 | undefined]>([
    ['an empty page with its own time', 'milliseconds', { ...empty, latestPublishedTs: SECOND }, 1],
    ['an empty page with its own cursor', 'seconds', { ...empty, nextCursor: NOW }, 1_000],
    ['not an empty page without', 'milliseconds', { ...empty, latestPublishedTs: 0 }, undefined],
    [
      'not an empty page that repeats what was passed',
      'milliseconds',
      { ...empty, latestPublishedTs: SECOND * 1_000 - 1 },
      undefined,
    ],
    ['nor one that repeats the cursor', 'seconds', { ...empty, nextCursor: SECOND + 86_400 }, undefined],
    ['a page with projects, by what it shows', 'milliseconds', { ...one, nextCursor: SECOND }, 1],
    ['a page with projects, by the guess that found them', 'milliseconds', one, 1_000],
  ])('is proved right or wrong by %s', (_, guess, page, unit) => {
    expect(detectTimestampUnitFromProbe(asked(guess), page)).toBe(unit);
  });
});
