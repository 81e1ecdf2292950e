import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { ChannelId } from '../../src/ids.ts';
import { Play, steps } from './book-play.ts';
import { openedBook } from './books.ts';

/** Small budgets for a few lookups, and one for pages. */
const BUDGETS = [1, 2, 12, 120];

describe('whatever happens, in whatever order', () => {
  test('no budget is exceeded, and our books agree with the server’s', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.constantFrom(...BUDGETS), fc.boolean(), async (played, budget, retries) => {
        const game = new Play(budget, retries);
        await game.begin();
        await game.check();
        await game.check();
        for (const each of played) {
          await game.play(each);
          await game.expectWithinBudgets();
        }
        for (const flight of game.flights) game.serve(flight, 3, false);
        for (const flight of game.flights) await game.deliver(flight);
        game.wait(10 * MINUTE);
        await game.check();
        await game.expectWithinBudgets();
      }),
      { numRuns: 300 },
    );
  });

  test('equal channels pay the same, within one credit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 5 }),
        fc.array(fc.nat(30), { minLength: 1, maxLength: 40 }),
        async (size, pages) => {
          const book = openedBook(100_000);
          const channels = Array.from({ length: size }, (_, place) => ChannelId.parse(`C${place}`));
          let remaining = 10_000;
          await book.buy(0, remaining, { channels });
          for (const consumed of pages) {
            remaining -= consumed;
            await book.buy(consumed, remaining, { channels, maxCredits: 30 });
            const settled: number[] = [];
            for (const channel of channels) settled.push((await book.budget(channel)).settled);
            expect(Math.max(...settled) - Math.min(...settled)).toBeLessThanOrEqual(1);
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});
