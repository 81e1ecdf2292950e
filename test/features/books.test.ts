import { describe, it, onTestFinished } from 'vitest';
import type { MarketplaceModes } from '../../src/workbench/marketplace/faults.ts';
import { seedsToPlay } from '../fuzz/fuzz.ts';
import { playAndJudge } from '../play/judge.ts';
import { Play } from '../play/play.ts';

/** Twice. */
const STEPS = 15;
const MODES: readonly Partial<MarketplaceModes>[] = [
  {},
  { inclusiveLatestPublishedTs: true },
  {},
  { lossyCursor: true },
  { pageWidth: 'limit' },
  { oldestFirst: true },
  {},
  { milliseconds: true },
  { ignoreLatestPublishedTs: true },
  {},
  { pageWidth: 'returned', extraFields: true },
];

describe('whatever people do and whatever fails', () => {
  // Few, since each needs a whole app.
  it.each(seedsToPlay([1, 3, 5]))(
    'each project is told once, and each credit stands on a budget (seed %i)',
    async (seed) => {
      const play = await Play.begin({
        seed,
        about: 'books',
        requestsPerMinute: seed % 3 === 0 ? 5 : 30,
        outside: seed % 4 === 1,
        poor: seed % 6 === 5,
        modes: MODES[seed % MODES.length] ?? {},
      });
      onTestFinished(play.desk.stop);
      await playAndJudge(play, async () => {
        for (let step = 0; step < STEPS; step++) await play.step();
        // In some, the account's credit period ends halfway.
        if (seed % 6 === 3) await play.rollOver();
        for (let step = 0; step < STEPS; step++) await play.step();
      });
    },
    60_000,
  );
});
