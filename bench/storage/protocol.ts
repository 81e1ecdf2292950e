/** The questions for the storage part's processes. Times in milliseconds. */

export interface Opened {
  readonly tookMs: number;
  readonly stallMs: number;
  /** The longest stall of the same process while idle. */
  readonly idleStallMs: number;
  readonly residentMb: number;
}

export interface Closed {
  readonly tookMs: number;
  readonly stallMs: number;
}

export interface StorageContender {
  readonly [question: string]: (argument: never) => unknown;
  /** Fills a new folder with `count` records, and closes it. */
  fill(size: number): Promise<void>;
  open(nothing: undefined): Promise<Opened>;
  /** Changes records one after another, each durable before the next. Returns the time of each. */
  commit(count: number): Promise<readonly number[]>;
  /** Changes `width` records at once and waits for all, repeatedly. Returns the time of each burst. */
  commitTogether(plan: { readonly atOnce: number; readonly bursts: number }): Promise<readonly number[]>;
  /** Flushes everything: for a store, writes the snapshot. */
  close(nothing: undefined): Promise<Closed>;
}
