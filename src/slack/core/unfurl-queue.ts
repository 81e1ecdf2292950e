/**
 * Which message may look up its links: one per channel, a few overall, the newest of a channel first. In
 * memory.
 */
import type { ChannelId } from '../../ids.ts';

const MOST_AT_ONCE = 3;
/** Each waiting message uses memory; beyond this limit, the one that waited longest is dropped. */
const MOST_WAITING = 20;

export interface ActiveUnfurl {
  /** A newer message of the channel waits: stop looking up links. */
  isOvertaken(): boolean;
  end(): void;
}

type Answer = (turn: ActiveUnfurl | undefined) => void;

export class UnfurlQueue {
  readonly #inTurn = new Set<ChannelId>();
  /** The newest message of each channel, in order of arrival. */
  readonly #waiting = new Map<ChannelId, Answer>();

  /**
   * Waits for the channel's turn. @returns undefined when a newer message took its place, or too many wait
   */
  waitForTurn(channel: ChannelId): Promise<ActiveUnfurl | undefined> {
    return new Promise((answer) => {
      this.#giveUp(channel);
      this.#waiting.set(channel, answer);
      this.#startNext();
      const [longest] = this.#waiting.keys();
      if (longest !== undefined && this.#waiting.size > MOST_WAITING) this.#giveUp(longest);
    });
  }

  #giveUp(channel: ChannelId): void {
    const answer = this.#waiting.get(channel);
    this.#waiting.delete(channel);
    answer?.(undefined);
  }

  #startNext(): void {
    for (const [channel, answer] of this.#waiting) {
      if (this.#inTurn.size >= MOST_AT_ONCE) return;
      if (this.#inTurn.has(channel)) continue;
      this.#waiting.delete(channel);
      this.#inTurn.add(channel);
      answer({ isOvertaken: () => this.#waiting.has(channel), end: () => this.#end(channel) });
    }
  }

  #end(channel: ChannelId): void {
    this.#inTurn.delete(channel);
    this.#startNext();
  }
}
