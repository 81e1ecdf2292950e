/**
 * Committed transactions that wait to be written to disk.
 * A transaction may begin on a state that isn't durable yet, so that waiting transactions share one write and
 * one sync. No caller sees such a state before it is durable. When a write fails, everything built on it
 * fails too.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DataVersion } from '../data-version.ts';
import type { StorageError } from '../store.ts';
import type { StoreData } from './data.ts';
import { formatJournalTransaction } from './journal-line.ts';
import { toStorageError } from './storage-errors.ts';

/** The state a transaction begins on. */
export interface TransactionBase {
  readonly data: StoreData;
  /** Goes up when a failed write discards states. */
  readonly round: number;
}

interface Waiting {
  readonly data: StoreData;
  readonly changes: readonly string[];
  readonly resolve: () => void;
  readonly reject: (error: StorageError) => void;
}

export interface CommitEffects {
  /** Durable when it resolves. */
  appendToJournal(bytes: Uint8Array): Promise<void>;
  /** Called with each durable state before its transactions resolve; may begin a new segment. */
  onCommitted(data: StoreData, bytes: number): Promise<void>;
}

export class CommitQueue {
  readonly #effects: CommitEffects;
  readonly #version: DataVersion;
  #durable: StoreData;
  #latest: StoreData;
  #round = 0;
  #lost: StorageError | undefined;
  #waiting: Waiting[] = [];
  #draining: Promise<void> | undefined;

  constructor(data: StoreData, version: DataVersion, effects: CommitEffects) {
    this.#version = version;
    this.#effects = effects;
    this.#durable = data;
    this.#latest = data;
  }

  get durableData(): StoreData {
    return this.#durable;
  }

  beginTransaction(): TransactionBase {
    return { data: this.#latest, round: this.#round };
  }

  /**
   * Resolves when `changes`, made on top of `base`, are durable; without changes, when `base` is.
   * @throws StorageError when the disk refuses them or something that `base` contains.
   */
  commitChanges(
    base: TransactionBase,
    changes: readonly string[],
    collections: StoreData['collections'],
  ): Promise<void> {
    if (base.round !== this.#round && this.#lost) return Promise.reject(this.#lost);
    if (changes.length === 0 && base.data === this.#durable) return Promise.resolve();
    if (changes.length > 0)
      this.#latest = { collections, sequence: this.#latest.sequence + 1, segment: this.#latest.segment };
    const data = this.#latest;
    const written = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ data, changes, resolve, reject });
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
    const data = batch.at(-1)?.data ?? this.#durable;
    const text = batch.map((waiting) => this.#format(waiting)).join('');
    try {
      const bytes = Buffer.from(text);
      if (bytes.length > 0) await this.#effects.appendToJournal(bytes);
      this.#durable = data;
      if (bytes.length > 0) await this.#effects.onCommitted(data, bytes.length);
    } catch (thrown) {
      return this.#fail(batch, toStorageError(thrown, 'write a change'));
    }
    for (const { resolve } of batch) resolve();
  }

  #format({ data, changes }: Waiting): string {
    if (changes.length === 0) return '';
    return formatJournalTransaction(data.sequence, this.#durable.sequence, this.#version, changes);
  }

  /**
   * Goes back to the durable state. Transactions that joined meanwhile build on the lost state and fail as
   * well.
   */
  #fail(batch: readonly Waiting[], error: StorageError): void {
    const lost = [...batch, ...this.#waiting];
    this.#waiting = [];
    this.#latest = this.#durable;
    this.#round += 1;
    this.#lost = error;
    for (const { reject } of lost) reject(error);
  }
}
