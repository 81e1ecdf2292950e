/**
 * Bounds the memory that all bodies hold together before their signatures are checked (decision 0017).
 * When it runs out, the body that came first gives up its place: Slack sends a body whole within milliseconds, so what is
 * still unfinished after others came is most likely a stranger's.
 */

/** Sixteen bodies of the largest size. Slack's are a few kB, so a burst of a thousand fits. */
const MOST_HELD_BYTES = 16 * 2 ** 20;

export interface BodyMemorySlot {
  /** Holds `bytes` from now on. @returns false when it has lost its place. */
  resizeTo(bytes: number): boolean;
  release(): void;
}

interface Holder {
  bytes: number;
  readonly onDisplaced: () => void;
}

export class BodyMemoryLimit {
  #held = 0;
  /** In the order in which they came. */
  readonly #holders = new Set<Holder>();

  /** @param onDisplaced runs when others need the room; the place is released by then. */
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

  /** Displaces those that came first, `growing` itself when it is one of them. */
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
