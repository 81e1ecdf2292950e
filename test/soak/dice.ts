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
  readonly #random: () => number;
  readonly #clock: Clock;

  constructor(seed: number, clock: Clock) {
    this.#random = seededRandom(scatter(seed));
    this.#clock = clock;
  }

  /** From 0 to 1. */
  share(): number {
    return this.#random();
  }

  /** Undefined for an empty list. */
  any<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.#random() * from.length)];
  }

  /** @throws RangeError for an empty list */
  pick<T>(from: readonly T[]): T {
    if (from.length === 0) throw new RangeError('nothing to pick from');
    return this.any(from) as T;
  }

  /** An exponential pause. Milliseconds. */
  pause(meanMs: number): number {
    return Math.round(-Math.log(1 - this.#random()) * meanMs);
  }

  note(what: string): void {
    this.steps.push(`${new Date(this.#clock.now()).toISOString()} ${what}`);
  }

  /** Steps logged within `withinMs` of an instant; those of the simulations begin with a number. */
  stepsAround(instant: Instant, withinMs: number): readonly string[] {
    return this.steps.filter((step) => {
      const [at = ''] = step.split(' ');
      return Math.abs((/^\d+$/u.test(at) ? Number(at) : Date.parse(at)) - instant) <= withinMs;
    });
  }

  /** Starts work that may fail, or may need the clock to move to finish: nothing awaits it. */
  act(what: string, act: () => Promise<unknown>): void {
    this.note(what);
    void Promise.resolve()
      .then(act)
      .catch((thrown: unknown) => this.note(`${what}: ${thrown instanceof Error ? thrown.message : ''}`));
  }
}
