/** The log of Web API calls, the listeners for changes, and the number of open requests. */
import type { LoggedApiCall, SlackChange } from './objects.ts';

export class SlackActivityLog {
  readonly #listeners = new Set<(change: SlackChange) => void>();
  #calls: LoggedApiCall[] = [];
  #open = 0;

  get openRequests(): number {
    return this.#open;
  }

  /** Counts a request as open until the returned function is called. */
  trackRequest(): () => void {
    this.#open += 1;
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      this.#open -= 1;
      if (this.#open === 0) this.emitChange({ kind: 'quiet' });
    };
  }

  recordCall(call: LoggedApiCall): void {
    this.#calls.push(call);
    this.emitChange({ kind: 'called', call });
  }

  calls(): readonly LoggedApiCall[] {
    return this.#calls;
  }

  clear(): void {
    this.#calls = [];
  }

  onChange(listener: (change: SlackChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emitChange(change: SlackChange): void {
    for (const listener of this.#listeners) listener(change);
  }

  waitForCondition(condition: () => boolean): Promise<void> {
    if (condition()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const stop = this.onChange(() => {
        try {
          if (!condition()) return;
          stop();
          resolve();
        } catch (thrown) {
          stop();
          reject(thrown);
        }
      });
    });
  }

  /** A response still has to reach the app, which may then call again: hence the extra turns. */
  async waitUntilQuiet(): Promise<void> {
    let calm = 0;
    while (calm < 5) {
      await this.waitForCondition(() => this.#open === 0);
      await new Promise((resolve) => setImmediate(resolve));
      calm = this.#open === 0 ? calm + 1 : 0;
    }
  }
}
