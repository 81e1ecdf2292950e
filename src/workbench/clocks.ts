/** Clocks for trying things out: one that is moved by hand, one that can skip ahead, one that runs faster than the machine's. */
import { type Clock, createSleep, type Instant, machineClock, SECOND } from '../clock.ts';

interface Timer {
  readonly due: Instant;
  readonly order: number;
  readonly run: () => void;
}

/** What is to run, in the order of time, and of setting where the time is the same. */
class Timers {
  #order = 0;
  readonly #set = new Set<Timer>();

  /** The returned function calls it off. */
  add(due: Instant, run: () => void): () => void {
    const timer = { due, order: this.#order++, run };
    this.#set.add(timer);
    return () => this.#set.delete(timer);
  }

  /** What is set from now on has this place or a later one. */
  get nextOrder(): number {
    return this.#order;
  }

  /** Of those set before the place `before`. */
  first(before = Number.POSITIVE_INFINITY): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#set) {
      if (timer.order >= before) continue;
      if (!first || timer.due < first.due || (timer.due === first.due && timer.order < first.order))
        first = timer;
    }
    return first;
  }

  /** The first one that is due by `at`, which is thereby taken out. */
  take(at: Instant, before?: number): Timer | undefined {
    const first = this.first(before);
    if (!first || first.due > at) return undefined;
    this.#set.delete(first);
    return first;
  }
}

/** Stands still until it is moved; timers fire in the order of their time. It can be set, too, which moves no timer. */
export class ManualClock implements Clock {
  /** As if it had never been set: what timers and `steady` go by. */
  #now: Instant;
  /** How far ahead of that the wall clock is set, in ms. */
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

  /** Somebody sets the wall clock, forwards or backwards (below 0): no time goes by. */
  shiftWallClock(ms: number): void {
    this.#setAhead += ms;
  }

  runAfter(ms: number, run: () => void): () => void {
    return this.#timers.add(this.#now + Math.max(ms, 0), run);
  }

  /** When the next timer is due, if one is set. */
  nextTimerDueAt(): Instant | undefined {
    const first = this.#timers.first();
    return first && first.due + this.#setAhead;
  }

  /** Moves to `to` without looking back; timers that fall due on the way fire, each at its own time. */
  moveTo(to: Instant): void {
    this.#passTo(to - this.#setAhead);
  }

  /**
   * Moves to `to` as on a slow machine: what was due by then runs, each at its own time. What that sets runs with the next
   * move at the earliest, so that a time limit never passes before its work had a turn.
   */
  moveInOneStep(to: Instant): void {
    this.#passTo(to - this.#setAhead, this.#timers.nextOrder);
  }

  moveBy(ms: number): void {
    this.#passTo(this.#now + ms);
  }

  /** As over a machine's sleep: what falls due meanwhile runs when it is awake again, and sees that time. */
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

/** While time is skipped, what falls due within so many ms happens together: nobody can tell, and an hour passes in seconds. */
const STEP_MS = SECOND;

/** The machine's time, which can skip ahead: an hour passes in seconds, and everything that was due in it happens. */
export class SkippingClock implements Clock {
  readonly #machine: Clock;
  readonly #timers = new Timers();
  /** How far ahead of the machine's time it is, in ms. */
  #ahead = 0;
  /** By the machine's time. */
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

  /** Time that is skipped has gone by. */
  monotonicNow(): number {
    return this.#machine.monotonicNow() + this.#ahead;
  }

  runAfter(ms: number, run: () => void): () => void {
    const callOff = this.#timers.add(this.now() + Math.max(ms, 0), run);
    this.#arm();
    return callOff;
  }

  /**
   * Lets `ms` go by, in steps. What falls due on the way runs in its order, a second late at the most; `settle` is awaited after
   * each step, so that whoever was woken gets something done before the next. @throws Error while another skip is under way
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

  /** Lands on whole milliseconds, as the machine's time does: timers may be set for a part of one. */
  #jumpTo(moment: Instant): void {
    this.#ahead += Math.max(0, Math.ceil(moment) - this.now());
  }

  #runDue(): void {
    const now = this.now();
    for (let next = this.#timers.take(now); next; next = this.#timers.take(now)) next.run();
  }

  /** One timer of the machine, for the first of ours: a skip need not move them all. */
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

/** The machine's time, `speed` times as fast, beginning at `start`. */
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
