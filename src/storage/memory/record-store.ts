/** The storage port on records in memory: one transaction at a time, commits in groups to a log. */
import type { Instant } from '../../clock.ts';
import type { Log } from '../../log.ts';
import type { CommitLog, OpenCommitLog } from '../commit-log.ts';
import {
  type CollectionName,
  type OpenedStore,
  type ReadTransaction,
  StorageError,
  type Transaction,
} from '../store.ts';
import { CommitQueue } from './commit-queue.ts';
import type { AnyCollection } from './records.ts';
import { StateLoader } from './state.ts';
import { RecordTransaction } from './transaction.ts';

export interface RecordStoreOptions {
  /** All collections of the program. Records of unknown collections are kept as they are. */
  readonly collections: readonly AnyCollection[];
  readonly log: Log;
  /** For each transaction, see the port; without it the wall clock is trusted. */
  readonly trustedNow?: () => Instant;
}

/** Resolves when all records are loaded. @throws what `openLog` throws */
export async function openRecordStore(
  openLog: OpenCommitLog,
  { collections, log, trustedNow = () => Number.POSITIVE_INFINITY }: RecordStoreOptions,
): Promise<OpenedStore> {
  const loader = new StateLoader(collections);
  const commitLog = await openLog(loader);
  for (const invalid of loader.invalidRecords)
    log.error("This version can't read some records; they stay unchanged", { ...invalid });
  return new RecordStore(loader, commitLog, trustedNow);
}

class RecordStore implements OpenedStore {
  readonly notices: readonly string[];
  readonly invalidRecords: number;
  readonly #log: CommitLog;
  readonly #trustedNow: () => Instant;
  readonly #commits: CommitQueue;
  /** Resolves when all earlier transactions have run. */
  #turn: Promise<void> = Promise.resolve();
  #closed: Promise<void> | undefined;

  constructor(loaded: StateLoader, log: CommitLog, trustedNow: () => Instant) {
    this.notices = log.notices;
    this.invalidRecords = loaded.invalidRecords.reduce((sum, { records }) => sum + records, 0);
    this.#log = log;
    this.#trustedNow = trustedNow;
    this.#commits = new CommitQueue(log, loaded.state);
  }

  async transact<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    this.#refuseWhenClosed();
    const earlier = this.#turn;
    let end = () => {};
    this.#turn = new Promise((resolve) => {
      end = resolve;
    });
    await earlier;
    const base = this.#commits.beginTransaction();
    const tx = new RecordTransaction(base.state, this.#trustedNow);
    const result = await settle(work, tx);
    const { changes, collections } = tx.endTransaction();
    // What a transaction saw may not be durable yet: its error waits as its value does.
    const committed = this.#commits.commitChanges(base, 'error' in result ? [] : changes, collections);
    end();
    let isKept = false;
    try {
      await committed;
      isKept = !('error' in result);
    } finally {
      tx.applyOrDiscardChanges(isKept);
    }
    if ('error' in result) throw result.error;
    return result.value;
  }

  async read<T>(work: (tx: ReadTransaction) => Promise<T>): Promise<T> {
    this.#refuseWhenClosed();
    return work(new RecordTransaction(this.#commits.durableState, this.#trustedNow));
  }

  onCommit(collections: readonly CollectionName[], listener: () => void): void {
    this.#commits.onCommit(new Set(collections.map(({ name }) => name)), listener);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.#turn;
    await this.#commits.waitUntilIdle();
    await this.#log.close();
  }

  #refuseWhenClosed(): void {
    if (this.#closed) throw new StorageError('closed', 'The store is closed.');
    if (this.#commits.ended) throw this.#commits.ended;
  }
}

async function settle<T>(work: (tx: Transaction) => Promise<T>, tx: Transaction) {
  try {
    return { value: await work(tx) };
  } catch (error) {
    return { error };
  }
}
