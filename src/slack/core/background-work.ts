/**
 * Counts the work that continues after an acknowledgement, so that a stop can wait for it. Each turn of the
 * event loop starts one piece of work, so that requests that arrived meanwhile are acknowledged first.
 */
import { type Clock, runOnNextEventLoopTurn } from '../../clock.ts';
import { asError } from '../../errors.ts';
import type { Log } from '../../log.ts';

export class BackgroundWork {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #work = new Set<Promise<void>>();
  /** Not started yet, in order of arrival. */
  readonly #waiting: (() => void)[] = [];

  constructor({ clock, log }: { readonly clock: Clock; readonly log: Log }) {
    this.#clock = clock;
    this.#log = log;
  }

  get count(): number {
    return this.#work.size;
  }

  /** @param work reports its own failures; errors that escape it are only logged. */
  start(work: () => Promise<void>): void {
    const done = new Promise<void>((begin) => this.#begin(begin))
      .then(work)
      .catch((thrown: unknown) => this.#log.error('background work failed', { error: asError(thrown) }))
      .finally(() => this.#work.delete(done));
    this.#work.add(done);
  }

  #begin(begin: () => void): void {
    this.#waiting.push(begin);
    if (this.#waiting.length === 1) runOnNextEventLoopTurn(() => this.#beginFirst());
  }

  #beginFirst(): void {
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) runOnNextEventLoopTurn(() => this.#beginFirst());
  }

  /** Resolves when no work is left, but at the latest after `deadlineMs`. @returns how much was left. */
  async drain(deadlineMs: number): Promise<number> {
    let isOver = false;
    let giveUp: () => void = () => undefined;
    const deadline = new Promise<void>((resolve) => {
      giveUp = resolve;
    });
    const cancel = this.#clock.runAfter(deadlineMs, () => {
      isOver = true;
      giveUp();
    });
    while (this.#work.size > 0 && !isOver) await Promise.race([Promise.allSettled(this.#work), deadline]);
    cancel();
    return this.#work.size;
  }
}
