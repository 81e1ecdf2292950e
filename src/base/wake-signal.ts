/** Wakes a waiting loop. A signal without a waiting loop wakes the next wait at once. */
import type { Clock } from '../clock.ts';

export class WakeSignal {
  #rung = false;
  #wakeUp: (() => void) | undefined;

  wake(): void {
    this.#rung = true;
    this.#wakeUp?.();
  }

  /** Resolves on `wake`, after `ms`, or when the signal is aborted. */
  wait(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
    if (this.#rung || signal.aborted) {
      this.#rung = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const end = () => {
        callOff();
        signal.removeEventListener('abort', end);
        this.#wakeUp = undefined;
        this.#rung = false;
        resolve();
      };
      const callOff = clock.runAfter(ms, end);
      signal.addEventListener('abort', end, { once: true });
      this.#wakeUp = end;
    });
  }
}
