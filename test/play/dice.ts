/** A seeded random source that logs its events. */
import type { Clock, Instant } from '../../src/clock.ts';
import { seededRandom } from '../seeded-random.ts';

/** Mixes the bits (the finalizer of MurmurHash3): neighboring seeds would otherwise give similar draws. */
function scatter(seed: number): number {
  const once = Math.imul(seed ^ (seed >>> 16), 0x85_eb_ca_6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2_b2_ae_35);
  return twice ^ (twice >>> 16);
}

export class Dice {
  /** Timed events. */
  readonly steps: string[] = [];
  /** From 0 to 1. */
  readonly share: () => number;
  readonly #clock: Clock;

  constructor(seed: number, clock: Clock) {
    this.share = seededRandom(scatter(seed));
    this.#clock = clock;
  }

  /** Undefined for an empty list. */
  any<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.share() * from.length)];
  }

  /** @throws RangeError for an empty list */
  pick<T>(from: readonly T[]): T {
    if (from.length === 0) throw new RangeError('nothing to pick from');
    return this.any(from) as T;
  }

  /** A whole number from 0. */
  upTo(most: number): number {
    return Math.floor(this.share() * (most + 1));
  }

  /** An exponential pause. Milliseconds. */
  pause(meanMs: number): number {
    return Math.round(-Math.log(1 - this.share()) * meanMs);
  }

  note(what: string): void {
    this.steps.push(`${new Date(this.#clock.now()).toISOString()} ${what}`);
  }

  /** What may fail: nobody can say what faults did to it. */
  async try(what: string, act: () => Promise<unknown>): Promise<void> {
    this.note(what);
    await act().catch((thrown: unknown) => this.note(`${what}: ${String(thrown).slice(0, 300)}`));
  }

  /** Steps logged within `withinMs` of an instant. */
  stepsAround(instant: Instant, withinMs: number): readonly string[] {
    return this.steps.filter((it) => Math.abs(Date.parse(it.split(' ')[0] ?? '') - instant) <= withinMs);
  }
}
