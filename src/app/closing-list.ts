/** Opened parts, which are closed in reverse order. */
import { asError } from '../errors.ts';
import type { Log } from '../log.ts';

export class ClosingList {
  readonly #log: Log;
  readonly #opened: { readonly name: string; readonly close: () => Promise<void> }[] = [];

  constructor(log: Log) {
    this.#log = log;
  }

  add(name: string, close: () => Promise<void>): void {
    this.#opened.push({ name, close });
  }

  /** Closes all that is open. A part that fails is logged, and the others close nevertheless. */
  async closeAll(): Promise<void> {
    for (let part = this.#opened.pop(); part; part = this.#opened.pop()) {
      const { name, close } = part;
      await close().catch((thrown) =>
        this.#log.error('Component failed to close', { name, error: asError(thrown) }),
      );
    }
  }
}
