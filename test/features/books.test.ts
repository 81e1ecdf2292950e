import { describe, it, onTestFinished } from 'vitest';
import type { MarketplaceModes } from '../../src/workbench/marketplace/faults.ts';
import { seedsToPlay } from '../fuzz/fuzz.ts';
import { startDesk } from '../kit/start-desk.ts';
import { Dice } from '../soak/dice.ts';
import { BooksGame } from './books-game.ts';

const STEPS = 30;
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
      const requestsPerMinute = seed % 3 === 0 ? 5 : 30;
      const desk = await startDesk({
        seed,
        empty: true,
        requestsPerMinute,
        env: { MARKETPLACE_REQUESTS_PER_MINUTE: String(requestsPerMinute), DEFAULT_CHANNEL_BUDGET: '40' },
      });
      onTestFinished(desk.stop);
      const dice = new Dice(seed, desk.app.clock);
      const modes = MODES[seed % MODES.length] ?? {};
      desk.market.service.setModes(modes);
      const game = await BooksGame.join(desk, dice, {
        requestsPerMinute,
        outside: seed % 4 === 1,
        poor: seed % 6 === 5,
        claims: true,
        modes,
      });
      try {
        for (let step = 0; step < STEPS; step++) await game.step();
        await game.calm();
        await game.judge();
      } catch (thrown) {
        throw new Error(`after these steps:\n${dice.steps.join('\n')}`, { cause: thrown });
      }
    },
    60_000,
  );
});
