/** Clocks for trying things out: one that is moved by hand, one that runs faster than the machine's. */
import { type Clock, type Instant, machineClock, sleepWith } from '../clock.ts';

interface Timer {
  readonly due: Instant;
  readonly order: number;
  readonly run: () => void;
}

/** Stands still until it is moved; timers fire in the order of their time. */
export class ManualClock implements Clock {
  #now: Instant;
  #order = 0;
  readonly #timers = new Set<Timer>();
  readonly sleep: Clock['sleep'];

  constructor(start: Instant = Date.UTC(2026, 0, 5, 9)) {
    this.#now = start;
    this.sleep = sleepWith((ms, run) => this.after(ms, run));
  }

  now(): Instant {
    return this.#now;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { due: this.#now + Math.max(ms, 0), order: this.#order++, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** When the next timer is due, if one is set. */
  nextDue(): Instant | undefined {
    return this.#next()?.due;
  }

  /** Moves to `to` without looking back; timers that fall due on the way fire, each at its own time. */
  moveTo(to: Instant): void {
    for (let next = this.#next(); next && next.due <= to; next = this.#next()) {
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.due);
      next.run();
    }
    this.#now = Math.max(this.#now, to);
  }

  moveBy(ms: number): void {
    this.moveTo(this.#now + ms);
  }

  #next(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) {
      if (!first || timer.due < first.due || (timer.due === first.due && timer.order < first.order))
        first = timer;
    }
    return first;
  }
}

/** The machine's time, `speed` times as fast, beginning at `start`. */
export function fastClock(speed: number, start: Instant = machineClock.now()): Clock {
  const began = machineClock.now();
  const after: Clock['after'] = (ms, run) => machineClock.after(ms / speed, run);
  return {
    now: () => start + Math.floor((machineClock.now() - began) * speed),
    after,
    sleep: sleepWith(after),
  };
}
