/**
 * Checks a property on as many inputs as fit a time: a second as a test, or any time with `npm run fuzz
 * -- --seconds 600 --seed 3`. The same seed makes the same inputs in the same order.
 */
import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { expect, inject, it } from 'vitest';
import { machineClock, SECOND } from '../../src/clock.ts';

export interface FuzzSettings {
  readonly seed: number;
  /** For each property. */
  readonly seconds: number;
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** Absent in the whole suite. */
    fuzz: FuzzSettings | undefined;
  }
}

const SHORT: FuzzSettings = { seed: 1, seconds: 1 };
/** In the whole suite, so that a faster machine tries no input that another one didn't. */
const MOST_INPUTS = 200;

/** Seeds for tests that play whole days: `few` in the suite, twenty others with `npm run fuzz`. */
export function seedsToPlay(few: readonly number[]): readonly number[] {
  const settings = inject('fuzz');
  return settings ? Array.from({ length: 20 }, (_, at) => settings.seed * 100 + at) : few;
}

/** Inputs between two looks at the clock. */
const ROUND = 10;
/** An input that takes longer hangs. */
const LONGEST_MS = 30 * SECOND;
/** Extra time to search for a smaller failing input. */
const SHRINKING_MS = 20 * SECOND;
const MOST_SHOWN = 4_000;

function shown(value: unknown): string {
  const text = inspect(value, { depth: 12, maxStringLength: 1_000, maxArrayLength: 50, breakLength: 110 });
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)} …` : text;
}

/** Checks a property of any input. A failure names the seed and the smallest failing input found. */
export function fuzz<T>(promise: string, inputs: fc.Arbitrary<T>, holds: (input: T) => Promise<void>): void {
  const settings = inject('fuzz');
  const { seed, seconds } = settings ?? SHORT;
  const most = settings ? Number.POSITIVE_INFINITY : MOST_INPUTS;
  const longestMs = seconds * SECOND + LONGEST_MS + SHRINKING_MS;
  it(promise, () => tryFor({ ms: seconds * SECOND, most, seed }, inputs, holds), longestMs + 30 * SECOND);
}

async function tryFor<T>(
  { ms, most, seed }: { readonly ms: number; readonly most: number; readonly seed: number },
  inputs: fc.Arbitrary<T>,
  holds: (input: T) => Promise<void>,
): Promise<void> {
  const end = machineClock.now() + ms;
  let tried = 0;
  let brokenAt: number | undefined;
  const property = fc.asyncProperty(inputs, async (input) => {
    // Untried inputs count as passed, which ends the round, or the search for a smaller one.
    const until = brokenAt === undefined ? end : brokenAt + SHRINKING_MS;
    if (tried > 0 && machineClock.now() > until) return;
    if (brokenAt === undefined) tried++;
    try {
      await holds(input);
    } catch (broken) {
      brokenAt ??= machineClock.now();
      throw broken;
    }
  });
  for (let round = 0; round === 0 || (tried < most && machineClock.now() < end); round++) {
    const parameters = { seed: seed * 100_003 + round, numRuns: ROUND, timeout: LONGEST_MS };
    const result = await fc.check(property, parameters);
    if (!result.failed) continue;
    const [input] = result.counterexample ?? [];
    const head = `seed ${seed}, input ${tried}, shrunk ${result.numShrinks} times: ${shown(input)}`;
    throw new Error(`${head}\n${shown(result.errorInstance)}`, { cause: result.errorInstance });
  }
  expect(tried).toBeGreaterThan(0);
}
