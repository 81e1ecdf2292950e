import type { RandomSource } from '../src/clock.ts';

/** The same sequence for the same seed (a 32-bit linear congruential generator, top bits). */
export function seededRandom(seed: number): RandomSource {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
