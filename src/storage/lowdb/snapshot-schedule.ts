/** Decides when to write a snapshot: when reading the journal would take as long as reading the data. */
import type { Low } from 'lowdb';
import { asError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { StoreData } from './data.ts';
import type { Journal } from './journal.ts';
import type { Lock } from './lock.ts';
import type { RecoveredStore } from './recover.ts';
import type { SnapshotAdapter } from './snapshots.ts';

const LEAST_JOURNAL_BYTES = 8 * 1024 * 1024;

export class SnapshotSchedule {
  readonly #low: Low<StoreData>;
  readonly #journal: Journal;
  readonly #snapshots: SnapshotAdapter;
  readonly #lock: Lock;
  readonly #log: Log;
  readonly #afterBytes: number;
  /** Journal bytes since the last good snapshot's state. */
  #journalBytes: number;
  /** Journal bytes at which the next snapshot is written. */
  #dueBytes: number;
  #running: Promise<void> | undefined;

  constructor(recovered: RecoveredStore, lock: Lock, log: Log, afterBytes = LEAST_JOURNAL_BYTES) {
    this.#low = recovered.low;
    this.#journal = recovered.journal;
    this.#snapshots = recovered.snapshots;
    this.#lock = lock;
    this.#log = log;
    this.#afterBytes = afterBytes;
    this.#journalBytes = recovered.journalBytes;
    this.#dueBytes = this.#bound();
  }

  /** Counts committed bytes; begins a due snapshot in the background. Waits only for the new segment. */
  async recordCommit(data: StoreData, bytes: number): Promise<void> {
    this.#low.data = { ...data, segment: this.#low.data.segment };
    this.#journalBytes += bytes;
    if (this.#journalBytes < this.#dueBytes || this.#running) return;
    await this.#begin();
  }

  /** Only logs an error: the journal has all changes. */
  async writeFinalSnapshot(data: StoreData): Promise<void> {
    await this.#running;
    if (this.#journalBytes === 0) return;
    this.#low.data = { ...data, segment: this.#low.data.segment };
    await this.#begin();
    await this.#running;
  }

  async #begin(): Promise<void> {
    const covered = this.#journalBytes;
    try {
      await this.#lock.assertHeld();
      this.#low.data = { ...this.#low.data, segment: await this.#journal.rotate() };
      this.#running = this.#write(covered);
    } catch (thrown) {
      this.#postpone(thrown);
    }
  }

  async #write(covered: number): Promise<void> {
    try {
      await this.#low.write();
      this.#journalBytes -= covered;
      this.#dueBytes = this.#bound();
    } catch (thrown) {
      this.#postpone(thrown);
    } finally {
      this.#running = undefined;
    }
  }

  #postpone(thrown: unknown): void {
    this.#dueBytes = this.#journalBytes + this.#bound();
    this.#log.warn("Couldn't write a snapshot; changes still go to the journal", {
      error: asError(thrown).message,
    });
  }

  #bound(): number {
    return Math.max(this.#afterBytes, this.#snapshots.bytes);
  }
}
