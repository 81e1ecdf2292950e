/** Whatever people do and whatever fails: each project once, and only from channels that a person is in. */
import { expect, it } from 'vitest';
import { seedsToPlay } from '../fuzz/fuzz.ts';
import { FollowsGame } from './follows-play.ts';

const STEPS = 40;

it.each(seedsToPlay([1, 2, 3]))(
  'a person gets each project once, and only from their channels (seed %i)',
  async (seed) => {
    const game = await FollowsGame.begin(seed);
    try {
      for (let step = 0; step < STEPS; step++) await game.step();
      await game.calm();
      // A game in which nobody gets anything would prove nothing. In some, everyone mutes early.
      expect(await game.expectAllRight()).toBeGreaterThan(5);
    } catch (thrown) {
      throw new Error(`after these steps:\n${game.steps.join('\n')}`, { cause: thrown });
    } finally {
      await game.world.stop();
    }
  },
  60_000,
);
