import { describe, it } from 'vitest';
import type { MarketplaceModes } from '../../src/workbench/marketplace/faults.ts';
import { seedsToPlay } from '../fuzz/fuzz.ts';
import { Game, type GameOptions } from './books-play.ts';

async function play(options: GameOptions): Promise<void> {
  const game = await Game.begin(options);
  try {
    await game.play();
    await game.calm();
    await game.expectAllRight();
  } catch (thrown) {
    throw new Error(`after these steps:\n${game.steps.join('\n')}`, { cause: thrown });
  } finally {
    await game.end();
  }
}

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

/** Few, since each needs a whole world. */
const SEEDS = seedsToPlay([1, 3, 5]);

describe('whatever people do and whatever fails', () => {
  it.each(SEEDS)(
    'each project is told once, and each credit stands on a budget (seed %i)',
    async (seed) => {
      await play({
        seed,
        steps: 30,
        requestsPerMinute: seed % 3 === 0 ? 5 : 30,
        outside: seed % 4 === 1,
        rollover: seed % 5 === 4,
        poor: seed % 6 === 5,
        modes: MODES[seed % MODES.length] ?? {},
      });
    },
    60_000,
  );
});
