/** What happened, who wants to know, and how much is still under way. */
import type { Call, Change } from './objects.ts';

export class Journal {
  readonly #listeners = new Set<(change: Change) => void>();
  #calls: Call[] = [];
  #open = 0;

  get openRequests(): number {
    return this.#open;
  }

  /** Counts something as under way until the returned function is called. */
  begin(): () => void {
    this.#open += 1;
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      this.#open -= 1;
      if (this.#open === 0) this.tell({ kind: 'quiet' });
    };
  }

  log(call: Call): void {
    this.#calls.push(call);
    this.tell({ kind: 'called', call });
  }

  calls(): readonly Call[] {
    return this.#calls;
  }

  clear(): void {
    this.#calls = [];
  }

  listen(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(change: Change): void {
    for (const listener of this.#listeners) listener(change);
  }

  until(condition: () => boolean): Promise<void> {
    if (condition()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const stop = this.listen(() => {
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

  /** An answer that was just written still has to reach the app, which may then call again: hence the extra turns. */
  async quiet(): Promise<void> {
    let calm = 0;
    while (calm < 5) {
      await this.until(() => this.#open === 0);
      await new Promise((resolve) => setImmediate(resolve));
      calm = this.#open === 0 ? calm + 1 : 0;
    }
  }
}
