/** Implements the storage port: one transaction at a time, group commits, snapshots in the background. */
import type { Instant } from '../../clock.ts';
import { asError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { DataVersion } from '../data-version.ts';
import {
  type CollectionName,
  type ReadTransaction,
  StorageError,
  type Store,
  type Transaction,
} from '../store.ts';
import { CommitQueue } from './commit-queue.ts';
import type { Journal } from './journal.ts';
import type { Lock } from './lock.ts';
import type { RecoveredStore } from './recover.ts';
import { SnapshotSchedule } from './snapshot-schedule.ts';
import { LowdbTransaction } from './transaction.ts';

interface StoreParts {
  readonly lock: Lock;
  readonly log: Log;
  readonly version: DataVersion;
  readonly snapshotAfterBytes: number | undefined;
  readonly trustedNow: () => Instant;
}

export class LowdbStore implements Store {
  readonly notices: readonly string[];
  readonly invalidRecords: number;
  readonly #trustedNow: () => Instant;
  readonly #journal: Journal;
  readonly #lock: Lock;
  readonly #log: Log;
  readonly #commits: CommitQueue;
  readonly #snapshots: SnapshotSchedule;
  /** Resolves when all earlier transactions have run. */
  #turn: Promise<void> = Promise.resolve();
  #closed: Promise<void> | undefined;

  constructor(recovered: RecoveredStore, { lock, log, version, snapshotAfterBytes, trustedNow }: StoreParts) {
    this.#trustedNow = trustedNow;
    const { low, journal } = recovered;
    this.notices = recovered.notices;
    this.invalidRecords = recovered.invalidRecords.reduce((sum, { records }) => sum + records, 0);
    this.#journal = journal;
    this.#lock = lock;
    this.#log = log;
    this.#snapshots = new SnapshotSchedule(recovered, lock, log, snapshotAfterBytes);
    this.#commits = new CommitQueue(low.data, version, {
      appendToJournal: async (bytes) => {
        await lock.assertHeld();
        await journal.append(bytes);
      },
      onCommitted: (data, bytes) => this.#snapshots.recordCommit(data, bytes),
    });
  }

  async transact<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    this.#refuseWhenClosed();
    const { promise: turn, end } = this.#takeTurn();
    await turn;
    const base = this.#commits.beginTransaction();
    const tx = new LowdbTransaction(base.data, this.#trustedNow);
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
    return work(new LowdbTransaction(this.#commits.durableData, this.#trustedNow));
  }

  revisionOf({ name }: CollectionName): number {
    return this.#commits.durableData.collections.get(name)?.revision ?? 0;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.#turn;
    await this.#commits.waitUntilIdle();
    await this.#snapshots.writeFinalSnapshot(this.#commits.durableData);
    await this.#journal.close().catch((thrown) => this.#warn("Couldn't close the journal", thrown));
    await this.#lock.release().catch((thrown) => this.#warn("Couldn't remove the lock", thrown));
  }

  #takeTurn(): { readonly promise: Promise<void>; readonly end: () => void } {
    const promise = this.#turn;
    let end = () => {};
    this.#turn = new Promise((resolve) => {
      end = resolve;
    });
    return { promise, end };
  }

  #refuseWhenClosed(): void {
    if (this.#closed) throw new StorageError('closed', 'The store is closed.');
  }

  #warn(message: string, thrown: unknown): void {
    this.#log.warn(message, { error: asError(thrown).message });
  }
}

type Settled<T> = { readonly value: T } | { readonly error: unknown };

async function settle<T>(work: (tx: Transaction) => Promise<T>, tx: Transaction): Promise<Settled<T>> {
  try {
    return { value: await work(tx) };
  } catch (error) {
    return { error };
  }
}
