import { describe, it } from 'vitest';
import { seedsToPlay } from '../fuzz/fuzz.ts';
import { expectAllRight, expectNoneTwice } from './bid-books-check.ts';
import { BidGame, type BidGameOptions } from './bid-play.ts';

async function play(options: BidGameOptions): Promise<void> {
  const game = await BidGame.begin(options);
  try {
    await game.play(() => expectNoneTwice(game));
    await game.calm();
    await expectAllRight(game);
  } catch (thrown) {
    throw new Error(`after these steps:\n${game.steps.join('\n')}`, { cause: thrown });
  } finally {
    await game.world.stop();
  }
}

/** Few, since each needs a whole world. */
const SEEDS = seedsToPlay([4, 43]);
const WINDOW = { 'cancel-window': '10' };
const SECOND_APPROVAL = { 'cancel-window': '10', 'second-connects': '5' };

describe('whatever people press and whatever fails', () => {
  it.each(SEEDS)(
    'each form sent knowing how the last one ended sends one bid, with its true outcome posted (seed %i)',
    (seed) => play({ seed, steps: 40 }),
    60_000,
  );

  it.each(SEEDS)(
    'nothing is sent after Cancel, and everything else once, with a cancel window (seed %i)',
    (seed) => play({ seed: seed + 1_000, steps: 40, rules: WINDOW }),
    60_000,
  );

  it.each(SEEDS)(
    'nothing is sent without its second approval, and everything else once (seed %i)',
    (seed) => play({ seed: seed + 2_000, steps: 50, rules: SECOND_APPROVAL }),
    60_000,
  );
});
