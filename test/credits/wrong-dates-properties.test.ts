import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BUDGET, earlyResets, leaps, WrongDates } from './wrong-dates-play.ts';

/** Fewer than the smallest page. */
const TOO_FEW = 10;
/** Several early resets and wrong dates at once can hide the lookups that asked for proof. */
const HIDDEN = 2;

test('despite clock leaps and wrong dates in single answers, a period bears one budget', async () => {
  await fc.assert(
    fc.asyncProperty(leaps, async (played) => {
      const game = new WrongDates();
      await game.begin();
      for (const step of played) {
        await game.play(step);
        expect(game.charged).toBeLessThanOrEqual(BUDGET);
      }
      expect(await game.buyAfterReset()).toBeLessThanOrEqual(BUDGET);
      // The first period may carry purchases made after a wrong date that no answer contradicted before the
      // reset.
      const charged = await game.buyAfterReset();
      expect(charged).toBeLessThanOrEqual(BUDGET);
      expect(charged).toBeGreaterThan(BUDGET - TOO_FEW);
    }),
    { numRuns: 60 },
  );
});

test('so does one that starts early, except for purchases before an answer names its end', async () => {
  await fc.assert(
    fc.asyncProperty(earlyResets, async (played) => {
      const game = new WrongDates();
      await game.begin();
      for (const step of played) {
        await game.play(step);
        expect(game.charged).toBeLessThanOrEqual(BUDGET + game.unheard + HIDDEN);
      }
      await game.buyAfterReset();
      expect(await game.buyAfterReset()).toBeGreaterThan(BUDGET - TOO_FEW);
    }),
    { numRuns: 60 },
  );
});
