/** Writes the gate's memory to its journal. Waiting saves share one write, and journal errors never throw. */
import { backoffMs } from '../../base/backoff.ts';
import { withTimeLimit } from '../../base/time-limit.ts';
import { type Clock, SECOND } from '../../clock.ts';
import { asError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { GateJournal, GateMemory } from './gate.ts';

/** A person waits for this, so a slower journal counts as failing. */
const SAVED_WITHIN_MS = 2 * SECOND;
const LOADED_WITHIN_MS = 5 * SECOND;
/** Saves that nothing waits for may be batched for this long. */
const LATER_MS = SECOND;

interface GateRecorderParts {
  readonly journal: GateJournal;
  readonly clock: Clock;
  readonly log: Log;
  /** Returns what to save; called at the last moment. */
  readonly memory: () => GateMemory;
  readonly onRecovered: () => void;
}

export class GateRecorder {
  readonly #parts: GateRecorderParts;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #callOffLater: (() => void) | undefined;
  #callOffRetry: (() => void) | undefined;
  #failures = 0;
  #closed = false;

  constructor(parts: GateRecorderParts) {
    this.#parts = parts;
  }

  /** While true, records aren't durable, and saving is retried. */
  get isFailing(): boolean {
    return this.#failures > 0;
  }

  /** Resolves once the present state is durable, or once the journal has failed. Never rejects. */
  saveNow(): Promise<void> {
    if (this.isFailing || this.#closed) return Promise.resolve();
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      this.#running = this.#save();
      return this.#running;
    });
    return this.#next;
  }

  saveSoon(): void {
    if (this.#closed) return;
    this.#callOffLater ??= this.#parts.clock.runAfter(LATER_MS, () => {
      this.#callOffLater = undefined;
      void this.saveNow();
    });
  }

  /** Saves the present state for the last time, so the caller may close the journal. Never rejects. */
  async close(): Promise<void> {
    const last = this.saveNow();
    this.#closed = true;
    this.#callOffLater?.();
    this.#callOffRetry?.();
    await last;
    await this.#running;
  }

  async #save(): Promise<void> {
    this.#callOffLater?.();
    this.#callOffLater = undefined;
    const { clock, journal, log, memory } = this.#parts;
    try {
      await withinMs(clock, SAVED_WITHIN_MS, journal.save(memory()));
    } catch (thrown) {
      if (!this.isFailing)
        log.error("Couldn't save the request gate's state, retrying", { error: asError(thrown) });
      this.#failures++;
      if (this.#closed) return;
      this.#callOffRetry = clock.runAfter(backoffMs(this.#failures, SECOND, 30 * SECOND), () => {
        this.#running = this.#save();
      });
      return;
    }
    if (!this.isFailing) return;
    this.#failures = 0;
    log.info("Saved the request gate's state again");
    this.#parts.onRecovered();
  }
}

/** What the previous process saved. `unknown`: any number of requests may have just been sent. */
export async function loadGateMemory(journal: GateJournal, clock: Clock, log: Log) {
  try {
    return (await withinMs(clock, LOADED_WITHIN_MS, journal.load())) ?? 'none';
  } catch (thrown) {
    log.error("Couldn't read the request gate's state, waiting one full window", { error: asError(thrown) });
    return 'unknown';
  }
}

function withinMs<T>(clock: Clock, ms: number, asked: Promise<T>): Promise<T> {
  return withTimeLimit(clock, ms, asked, () => {
    throw new Error(`No response within ${ms} ms`);
  });
}
