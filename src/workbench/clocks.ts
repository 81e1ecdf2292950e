/** Clocks for tests and the sandbox: one moves by hand, one can skip ahead, one runs fast. */
import { type Clock, createSleep, type Instant, machineClock, SECOND } from '../clock.ts';

interface Timer {
  readonly due: Instant;
  readonly order: number;
  readonly run: () => void;
}

/** Pending timers, ordered by due time, then by when they were set. */
class Timers {
  #order = 0;
  readonly #set = new Set<Timer>();

  /** The returned function cancels the timer. */
  add(due: Instant, run: () => void): () => void {
    const timer = { due, order: this.#order++, run };
    this.#set.add(timer);
    return () => this.#set.delete(timer);
  }

  /** The order number of the next timer. */
  get nextOrder(): number {
    return this.#order;
  }

  /** Only timers with an order number below `before`. */
  first(before = Number.POSITIVE_INFINITY): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#set) {
      if (timer.order >= before) continue;
      if (!first || timer.due < first.due || (timer.due === first.due && timer.order < first.order))
        first = timer;
    }
    return first;
  }

  /** Removes and returns the first timer due by `at`. */
  take(at: Instant, before?: number): Timer | undefined {
    const first = this.first(before);
    if (!first || first.due > at) return undefined;
    this.#set.delete(first);
    return first;
  }
}

/** Stopped until it is moved; timers fire in order. Setting its wall clock moves no timer. */
export class ManualClock implements Clock {
  /** The time without `shiftWallClock`: timers and `monotonicNow` use it. */
  #now: Instant;
  /** How far the wall clock is set ahead of `#now`, in ms. */
  #setAhead = 0;
  readonly #timers = new Timers();
  readonly sleep: Clock['sleep'];

  constructor(start: Instant = Date.UTC(2026, 0, 5, 9)) {
    this.#now = start;
    this.sleep = createSleep((ms, run) => this.runAfter(ms, run));
  }

  now(): Instant {
    return this.#now + this.#setAhead;
  }

  monotonicNow(): number {
    return this.#now;
  }

  /** Sets the wall clock forward, or backward (below 0). No time passes. */
  shiftWallClock(ms: number): void {
    this.#setAhead += ms;
  }

  runAfter(ms: number, run: () => void): () => void {
    return this.#timers.add(this.#now + Math.max(ms, 0), run);
  }

  nextTimerDueAt(): Instant | undefined {
    const first = this.#timers.first();
    return first && first.due + this.#setAhead;
  }

  /** Moves to `to`; timers due on the way fire at their own time. */
  moveTo(to: Instant): void {
    this.#passTo(to - this.#setAhead);
  }

  /**
   * Moves to `to` as on a slow machine: timers due by then fire at their own time. Timers that they set fire
   * with the next move at the earliest, so a timeout never fires before its work had a turn.
   */
  moveInOneStep(to: Instant): void {
    this.#passTo(to - this.#setAhead, this.#timers.nextOrder);
  }

  moveBy(ms: number): void {
    this.#passTo(this.#now + ms);
  }

  /** Simulates a machine's sleep: timers due meanwhile fire after it, at the time of waking up. */
  simulateMachineSleep(ms: number): void {
    this.#now += ms;
    this.#passTo(this.#now);
  }

  #passTo(to: Instant, before?: number): void {
    for (let next = this.#timers.take(to, before); next; next = this.#timers.take(to, before)) {
      this.#now = Math.max(this.#now, next.due);
      next.run();
    }
    this.#now = Math.max(this.#now, to);
  }
}

/** While time is skipped, timers due within this many ms fire together, so an hour passes in seconds. */
const STEP_MS = SECOND;

/** The machine's time, which can skip ahead: an hour passes in seconds, and all its timers fire. */
export class SkippingClock implements Clock {
  readonly #machine: Clock;
  readonly #timers = new Timers();
  /** How far ahead of the machine's time it is, in ms. */
  #ahead = 0;
  /** In the machine's time. */
  #armed: { readonly due: Instant; readonly disarm: () => void } | undefined;
  #isSkipping = false;
  readonly sleep: Clock['sleep'];

  constructor(machine: Clock = machineClock) {
    this.#machine = machine;
    this.sleep = createSleep((ms, run) => this.runAfter(ms, run));
  }

  now(): Instant {
    return this.#machine.now() + this.#ahead;
  }

  /** Includes skipped time. */
  monotonicNow(): number {
    return this.#machine.monotonicNow() + this.#ahead;
  }

  runAfter(ms: number, run: () => void): () => void {
    const callOff = this.#timers.add(this.now() + Math.max(ms, 0), run);
    this.#arm();
    return callOff;
  }

  /**
   * Passes `ms` in steps. Timers fire in order, at most a second late. Each step awaits `settle`, so that
   * woken work can finish before the next step. @throws Error while another skip is running
   */
  async skipAhead(ms: number, settle: () => Promise<void>): Promise<void> {
    if (this.#isSkipping) throw new Error('Time is already being skipped');
    this.#isSkipping = true;
    const end = this.now() + ms;
    try {
      await settle();
      for (let next = this.#timers.first(); next && next.due <= end; next = this.#timers.first()) {
        this.#jumpTo(Math.min(next.due + STEP_MS, end));
        this.#runDue();
        await settle();
      }
      this.#jumpTo(end);
    } finally {
      this.#isSkipping = false;
      this.#arm();
    }
  }

  /** Lands on whole milliseconds, as the machine's time does: timers may have fractional times. */
  #jumpTo(moment: Instant): void {
    this.#ahead += Math.max(0, Math.ceil(moment) - this.now());
  }

  #runDue(): void {
    const now = this.now();
    for (let next = this.#timers.take(now); next; next = this.#timers.take(now)) next.run();
  }

  /** Sets one machine timer, for our first timer only: a skip then needs to move no others. */
  #arm(): void {
    const first = this.#timers.first();
    if (this.#isSkipping || !first) return;
    const due = first.due - this.#ahead;
    if (this.#armed && this.#armed.due <= due) return;
    this.#armed?.disarm();
    const disarm = this.#machine.runAfter(first.due - this.now(), () => {
      this.#armed = undefined;
      if (this.#isSkipping) return;
      try {
        this.#runDue();
      } finally {
        this.#arm();
      }
    });
    this.#armed = { due, disarm };
  }
}

/** The machine's time, `speed` times as fast, starting at `start`. */
export function fastClock(speed: number, start: Instant = machineClock.now()): Clock {
  const began = machineClock.now();
  const steadyFrom = machineClock.monotonicNow();
  const after: Clock['runAfter'] = (ms, run) => machineClock.runAfter(ms / speed, run);
  return {
    now: () => start + Math.floor((machineClock.now() - began) * speed),
    monotonicNow: () => Math.floor((machineClock.monotonicNow() - steadyFrom) * speed),
    runAfter: after,
    sleep: createSleep(after),
  };
}
