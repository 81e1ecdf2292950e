/** Elapsed time for the gate: a wall clock that is set forwards or backwards must not open it early or keep it shut. */
import { type Clock, type Instant, SECOND } from '../clock.ts';

/** Timers are not moved by setting the clock, so each beat proves that this much time has passed. */
const BEAT_MS = 5 * SECOND;

/** A beat may be late by this much on a busy machine; the clock going further than that was set, or the machine slept. */
const LATE_AT_MOST_MS = 10 * SECOND;

/**
 * Counts milliseconds since its making. While it `runs`, a step of the wall clock that its own timer does not confirm
 * is left out, which can only make the gate wait longer; while it rests, the wall clock is believed, forwards only.
 */
export class SteadyTime {
  readonly #clock: Clock;
  #wall: Instant;
  #elapsedMs = 0;
  #stopBeat: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#wall = clock.now();
  }

  now(): number {
    const isTold = this.#count();
    if (!isTold && this.#stopBeat !== undefined) {
      // What went by since the last beat can't be told any more. A beat that proved it later would make all that was noted meanwhile
      // look older than it is, so it is left out for good.
      this.#stopBeat();
      this.#beat(this.#elapsedMs);
    }
    return this.#elapsedMs;
  }

  /** @returns false when the wall clock was set */
  #count(): boolean {
    const wall = this.#clock.now();
    const stepMs = wall - this.#wall;
    this.#wall = wall;
    const believed = this.#stopBeat === undefined || stepMs <= BEAT_MS + LATE_AT_MOST_MS;
    if (stepMs < 0 || !believed) return false;
    this.#elapsedMs += stepMs;
    return true;
  }

  run(): void {
    if (this.#stopBeat === undefined) this.#beat(this.now());
  }

  rest(): void {
    this.now();
    this.#stopBeat?.();
    this.#stopBeat = undefined;
  }

  toWall(elapsedMs: number): Instant {
    return this.#clock.now() + (elapsedMs - this.now());
  }

  /** A wall clock's instant on this scale; one in the future is taken for now, because the clock was set back since. */
  fromWallPast(instant: Instant): number {
    return this.now() - Math.max(this.#clock.now() - instant, 0);
  }

  #beat(from: number): void {
    this.#stopBeat = this.#clock.after(BEAT_MS, () => {
      this.#count();
      this.#elapsedMs = Math.max(this.#elapsedMs, from + BEAT_MS);
      this.#beat(this.#elapsedMs);
    });
  }
}
