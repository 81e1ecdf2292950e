/** What the processes of the storage part are asked. Times in milliseconds. */

export interface Opened {
  readonly tookMs: number;
  readonly stallMs: number;
  /** The longest stall of the same process while it did nothing. */
  readonly idleStallMs: number;
  readonly residentMb: number;
}

export interface Closed {
  readonly tookMs: number;
  readonly stallMs: number;
}

export interface StorageContender {
  readonly [question: string]: (argument: never) => unknown;
  /** Fills a new folder with so many records, and closes it. */
  fill(size: number): Promise<void>;
  open(nothing: undefined): Promise<Opened>;
  /** Changes one record after another, each durable before the next: what each took. */
  commit(count: number): Promise<readonly number[]>;
  /** Changes so many records at once, and waits for all, again and again: what each burst took. */
  commitTogether(plan: { readonly atOnce: number; readonly bursts: number }): Promise<readonly number[]>;
  /** Writes what is left to write: for a store, the snapshot. */
  close(nothing: undefined): Promise<Closed>;
}
