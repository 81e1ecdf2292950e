/**
 * The log in a folder: lowdb's snapshots, and a journal of the transactions since the last one. A snapshot is
 * written when reading the journal would take as long as reading the data.
 */
import { basename } from 'node:path';
import { Low } from 'lowdb';
import type { Instant } from '../../clock.ts';
import { asError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { CommitLog, CommittedRecords, LoggedTransaction, RecordLoader } from '../commit-log.ts';
import type { DataVersion } from '../data-version.ts';
import type { Disk } from '../disk.ts';
import { StorageError, toStorageError } from '../store.ts';
import { storeFilePath } from './file-names.ts';
import { formatJournalTransaction, Journal } from './journal.ts';
import type { Lock } from './lock.ts';
import { FileQuarantine } from './quarantine.ts';
import { type ReplayedJournal, replayJournal } from './replay.ts';
import type { Snapshot } from './snapshot-file.ts';
import { EMPTY_SNAPSHOT, SnapshotAdapter } from './snapshots.ts';

const LEAST_JOURNAL_BYTES = 8 * 1024 * 1024;

export interface JournalLogOptions {
  readonly disk: Disk;
  readonly folder: string;
  /** Of the folder; released by `close`. */
  readonly lock: Lock;
  readonly log: Log;
  /** The data version that this program reads and writes. */
  readonly version: DataVersion;
  readonly now: Instant;
  /**
   * In bytes. A snapshot follows this much journal, but never before the journal is as large as the last
   * snapshot.
   */
  readonly snapshotAfterBytes?: number;
}

/**
 * Loads the last run's snapshot and journal; sets aside and reports unusable data.
 * @throws StorageError `damaged` when there was data and none of it is usable, `newer` when this version must
 * not use it. Nothing is changed then.
 */
export async function openJournalLog(options: JournalLogOptions, loader: RecordLoader): Promise<CommitLog> {
  const { disk, folder, log, now } = options;
  const snapshots = new SnapshotAdapter(disk, folder, loader, options.version);
  const low = new Low<Snapshot>(snapshots, EMPTY_SNAPSHOT);
  await low.read();
  const replayed = await replayJournal(disk, folder, loader, low.data, options.version);
  refuseToStartEmpty(folder, snapshots, replayed);
  low.data = { ...loader.finish(replayed.sequence), segment: low.data.segment };
  await snapshots.removeUnfinishedSnapshots();
  const quarantine = new FileQuarantine(disk, folder, now);
  await quarantine.quarantineSnapshots(snapshots, replayed.sequence);
  const last = await quarantine.truncateJournal(replayed);
  const { segment, bytes } = last ?? { segment: low.data.segment, bytes: 0 };
  const journal = await Journal.open(disk, folder, segment, bytes);
  const { notices } = quarantine;
  for (const notice of notices) log.error('Set aside damaged data', { folder, notice });
  const version = replayed.version ?? snapshots.version;
  return new JournalLog(options, { low, snapshots, journal, journalBytes: replayed.bytes, notices, version });
}

/** An emptied store would post and buy everything again. */
function refuseToStartEmpty(folder: string, snapshots: SnapshotAdapter, replayed: ReplayedJournal): void {
  const bad = snapshots.damaged.map(({ name, why }) => `${name} (${why})`);
  if (replayed.broken?.kind === 'damaged')
    bad.push(basename(storeFilePath(folder, 'journal', replayed.broken.segment)));
  if (replayed.sequence > 0 || bad.length === 0) return;
  throw new StorageError(
    'damaged',
    `All data in ${folder} is damaged: ${bad.join(', ')}. Nothing was changed. ` +
      'Restore a backup, or move the folder away to start from scratch.',
  );
}

interface Recovered {
  /** Holds the last durable records. */
  readonly low: Low<Snapshot>;
  readonly snapshots: SnapshotAdapter;
  readonly journal: Journal;
  /** Bytes of journal on top of the snapshot. */
  readonly journalBytes: number;
  readonly notices: readonly string[];
  readonly version: DataVersion;
}

class JournalLog implements CommitLog {
  readonly version: DataVersion;
  readonly notices: readonly string[];
  readonly #options: JournalLogOptions;
  readonly #low: Low<Snapshot>;
  readonly #snapshots: SnapshotAdapter;
  readonly #journal: Journal;
  /** Journal bytes since the last good snapshot's state. */
  #journalBytes: number;
  /** Journal bytes at which the next snapshot is written. */
  #dueBytes: number;
  #running: Promise<void> | undefined;

  constructor(options: JournalLogOptions, recovered: Recovered) {
    this.version = recovered.version;
    this.notices = recovered.notices;
    this.#options = options;
    this.#low = recovered.low;
    this.#snapshots = recovered.snapshots;
    this.#journal = recovered.journal;
    this.#journalBytes = recovered.journalBytes;
    this.#dueBytes = this.#leastBytes();
  }

  /** Begins a due snapshot in the background; waits only for the new segment. */
  async append(batch: readonly LoggedTransaction[], after: CommittedRecords): Promise<void> {
    try {
      const bytes = this.#format(batch);
      await this.#options.lock.assertHeld();
      await this.#journal.append(bytes);
      this.#journalBytes += bytes.length;
    } catch (thrown) {
      throw toStorageError(thrown, 'write a change');
    }
    this.#low.data = { ...after, segment: this.#low.data.segment };
    if (this.#journalBytes >= this.#dueBytes && !this.#running) await this.#beginSnapshot();
  }

  async close(): Promise<void> {
    await this.#running;
    if (this.#journalBytes > 0) await this.#beginSnapshot();
    await this.#running;
    await this.#journal.close().catch((thrown) => this.#warn("Couldn't close the journal", thrown));
    await this.#options.lock.release().catch((thrown) => this.#warn("Couldn't remove the lock", thrown));
  }

  #format(batch: readonly LoggedTransaction[]): Buffer {
    const durable = this.#low.data.sequence;
    const { version } = this.#options;
    return Buffer.from(
      batch.map((transaction) => formatJournalTransaction(transaction, durable, version)).join(''),
    );
  }

  async #beginSnapshot(): Promise<void> {
    const covered = this.#journalBytes;
    try {
      await this.#options.lock.assertHeld();
      this.#low.data = { ...this.#low.data, segment: await this.#journal.rotate() };
      this.#running = this.#writeSnapshot(covered);
    } catch (thrown) {
      this.#postpone(thrown);
    }
  }

  async #writeSnapshot(covered: number): Promise<void> {
    try {
      await this.#low.write();
      this.#journalBytes -= covered;
      this.#dueBytes = this.#leastBytes();
    } catch (thrown) {
      this.#postpone(thrown);
    } finally {
      this.#running = undefined;
    }
  }

  #postpone(thrown: unknown): void {
    this.#dueBytes = this.#journalBytes + this.#leastBytes();
    this.#warn("Couldn't write a snapshot; changes still go to the journal", thrown);
  }

  #leastBytes(): number {
    return Math.max(this.#options.snapshotAfterBytes ?? LEAST_JOURNAL_BYTES, this.#snapshots.bytes);
  }

  #warn(message: string, thrown: unknown): void {
    this.#options.log.warn(message, { error: asError(thrown).message });
  }
}
