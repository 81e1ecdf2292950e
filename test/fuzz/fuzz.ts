/** Checks a property on a fixed number of inputs. `npm run fuzz -- --inputs 5000 --seed 3` tries others. */
import * as fc from 'fast-check';
import { inject, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';

export interface FuzzSettings {
  readonly seed: number;
  /** For each property. */
  readonly inputs: number;
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** Absent in the whole suite. */
    fuzz: FuzzSettings | undefined;
  }
}

/** Seeds for tests that play whole days: `few` in the suite, twenty others with `npm run fuzz`. */
export function seedsToPlay(few: readonly number[]): readonly number[] {
  const settings = inject('fuzz');
  return settings ? Array.from({ length: 20 }, (_, at) => settings.seed * 100 + at) : few;
}

/** A failure names the seed and the smallest failing input found. @param few inputs in the whole suite */
export function fuzz<T>(
  promise: string,
  inputs: fc.Arbitrary<T>,
  few: number,
  holds: (input: T) => Promise<void>,
): void {
  const { seed, inputs: numRuns } = inject('fuzz') ?? { seed: 1, inputs: few };
  it(
    promise,
    () => fc.assert(fc.asyncProperty(inputs, holds), { seed, numRuns }),
    numRuns * 20 * SECOND + MINUTE,
  );
}
