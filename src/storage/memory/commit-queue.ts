/**
 * Committed transactions that wait to be written to the log.
 * A transaction may begin on a state that isn't durable yet, so that waiting transactions share one write and
 * one sync. No caller sees such a state before it is durable. When a write fails, everything built on it
 * fails too.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CommitLog, LoggedTransaction, RecordChange } from '../commit-log.ts';
import { type StorageError, toStorageError } from '../store.ts';
import type { StoreState } from './state.ts';

/** The state a transaction begins on. */
export interface TransactionBase {
  readonly state: StoreState;
  /** Goes up when a failed write discards states. */
  readonly round: number;
}

interface Waiting {
  readonly state: StoreState;
  readonly changes: readonly RecordChange[];
  readonly resolve: () => void;
  readonly reject: (error: StorageError) => void;
}

export class CommitQueue {
  readonly #log: CommitLog;
  readonly #listeners: { readonly collections: ReadonlySet<string>; readonly call: () => void }[] = [];
  #durable: StoreState;
  #latest: StoreState;
  #round = 0;
  /** Why the last discarded states failed. */
  #lost: StorageError | undefined;
  #ended: StorageError | undefined;
  #waiting: Waiting[] = [];
  #draining: Promise<void> | undefined;

  constructor(log: CommitLog, loaded: StoreState) {
    this.#log = log;
    this.#durable = loaded;
    this.#latest = loaded;
  }

  get durableState(): StoreState {
    return this.#durable;
  }

  /** Set when the log is of no more use: memory may differ from what is stored. */
  get ended(): StorageError | undefined {
    return this.#ended;
  }

  /** Calls `call` after each durable change of one of the collections. */
  onCommit(collections: ReadonlySet<string>, call: () => void): void {
    this.#listeners.push({ collections, call });
  }

  beginTransaction(): TransactionBase {
    return { state: this.#latest, round: this.#round };
  }

  /**
   * Resolves when `changes`, made on top of `base`, are durable; without changes, when `base` is.
   * @throws StorageError when the log refuses them or something that `base` contains.
   */
  commitChanges(
    base: TransactionBase,
    changes: readonly RecordChange[],
    collections: StoreState['collections'],
  ): Promise<void> {
    if (this.#ended) return Promise.reject(this.#ended);
    if (base.round !== this.#round && this.#lost) return Promise.reject(this.#lost);
    if (changes.length === 0 && base.state === this.#durable) return Promise.resolve();
    if (changes.length > 0) this.#latest = { collections, sequence: this.#latest.sequence + 1 };
    const state = this.#latest;
    const written = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ state, changes, resolve, reject });
    });
    this.#draining ??= this.#drain();
    return written;
  }

  /** Resolves when nothing is waiting to be written. */
  async waitUntilIdle(): Promise<void> {
    while (this.#draining) await this.#draining;
  }

  async #drain(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        // All that commits within this turn of the event loop shares the write.
        await nextTurn();
        const batch = this.#waiting;
        this.#waiting = [];
        await this.#write(batch);
      }
    } finally {
      this.#draining = undefined;
    }
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    const after = batch.at(-1)?.state ?? this.#durable;
    const transactions: LoggedTransaction[] = [];
    for (const { state, changes } of batch)
      if (changes.length > 0) transactions.push({ sequence: state.sequence, changes });
    try {
      if (transactions.length > 0) await this.#log.append(transactions, after);
    } catch (thrown) {
      return this.#fail(batch, toStorageError(thrown, 'write a change'));
    }
    this.#durable = after;
    for (const { resolve } of batch) resolve();
    const changed = new Set(transactions.flatMap(({ changes }) => changes.map((each) => each.collection)));
    for (const { collections, call } of this.#listeners)
      if ([...collections].some((name) => changed.has(name))) call();
  }

  /** Goes back to the durable state. Transactions that joined meanwhile build on the lost one, and fail. */
  #fail(batch: readonly Waiting[], error: StorageError): void {
    const lost = [...batch, ...this.#waiting];
    this.#waiting = [];
    this.#latest = this.#durable;
    this.#round += 1;
    this.#lost = error;
    if (error.code === 'lost') this.#ended = error;
    for (const { reject } of lost) reject(error);
  }
}
