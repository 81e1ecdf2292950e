/**
 * Limits the memory of all request bodies whose signatures are not checked yet (decision 0016). When it runs
 * out, the oldest body is dropped: Slack sends a whole body within milliseconds, so an older unfinished body
 * is most likely not from Slack.
 */

/** Sixteen bodies of maximum size. Slack's bodies are a few kB, so a burst of a thousand fits. */
const MOST_HELD_BYTES = 16 * 2 ** 20;

export interface BodyMemorySlot {
  /** Changes the reserved size to `bytes`. @returns false when the slot was displaced. */
  resizeTo(bytes: number): boolean;
  release(): void;
}

interface Holder {
  bytes: number;
  readonly onDisplaced: () => void;
}

export class BodyMemoryLimit {
  #held = 0;
  /** In order of arrival. */
  readonly #holders = new Set<Holder>();

  /** @param onDisplaced runs when others need the memory; the slot is already released then. */
  acquireSlot(onDisplaced: () => void): BodyMemorySlot {
    const holder: Holder = { bytes: 0, onDisplaced };
    this.#holders.add(holder);
    return {
      resizeTo: (bytes) => {
        this.#makeRoom(holder, bytes - holder.bytes);
        if (!this.#holders.has(holder)) return false;
        this.#held += bytes - holder.bytes;
        holder.bytes = bytes;
        return true;
      },
      release: () => this.#release(holder),
    };
  }

  /** Displaces the oldest bodies, even `growing` itself. */
  #makeRoom(growing: Holder, more: number): void {
    for (const holder of this.#holders) {
      if (this.#held + more <= MOST_HELD_BYTES || !this.#holders.has(growing)) return;
      this.#release(holder);
      holder.onDisplaced();
    }
  }

  #release(holder: Holder): void {
    if (this.#holders.delete(holder)) this.#held -= holder.bytes;
  }
}
