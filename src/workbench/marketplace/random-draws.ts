/** Random values from a given source of randomness. */
import type { RandomSource } from '../../clock.ts';

/** A whole number from `least` to `most`, both included. */
export function randomInteger(random: RandomSource, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1));
}

/** @throws RangeError for an empty list */
export function pickRandom<T>(random: RandomSource, list: readonly T[]): T {
  const at = Math.floor(random() * list.length);
  if (at >= list.length) throw new RangeError('Nothing to pick from');
  return list[at] as T;
}

/** `count` different items of the list, or all of them, in random order. */
export function pickRandomSubset<T>(random: RandomSource, list: readonly T[], count: number): T[] {
  const rest = [...list];
  const picked: T[] = [];
  while (picked.length < count && rest.length > 0)
    picked.push(...rest.splice(randomInteger(random, 0, rest.length - 1), 1));
  return picked;
}

export function randomBoolean(random: RandomSource, probability: number): boolean {
  return random() < probability;
}

/** An exponentially distributed pause, as between the events of a Poisson stream. */
export function randomExponentialPause(random: RandomSource, mean: number): number {
  return -Math.log(1 - random()) * mean;
}

/** Log-uniform between the bounds and rounded to a step, like prices. */
export function randomLogUniformAmount(
  random: RandomSource,
  least: number,
  most: number,
  step: number,
): number {
  const value = Math.exp(Math.log(least) + random() * (Math.log(most) - Math.log(least)));
  return Math.max(least, Math.round(value / step) * step);
}

/** Rounds to `decimals` places without binary fraction errors. */
export function roundToDecimals(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
