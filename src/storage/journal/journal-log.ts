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
import { storeFilePath } from '../disk.ts';
import { StorageError } from '../store.ts';
import { assertOwnTeam, type TeamFolder } from './data-folder.ts';
import { formatJournalTransaction, Journal } from './journal.ts';
import type { Lock } from './lock.ts';
import { FileQuarantine, type ReplayedJournal, replayJournal } from './recover.ts';
import type { Snapshot } from './snapshot-file.ts';
import { EMPTY_SNAPSHOT, SnapshotAdapter } from './snapshots.ts';

const LEAST_JOURNAL_BYTES = 8 * 1024 * 1024;

export interface JournalLogOptions extends TeamFolder {
  /** Of the folder; released by `close`. */
  readonly lock: Lock;
  readonly log: Log;
  readonly now: Instant;
  /** A snapshot follows this much journal, but never before the journal is as large as the last snapshot. */
  readonly snapshotAfterBytes?: number;
}

/**
 * Loads the last run's snapshot and journal; sets aside and reports unusable data.
 * @throws StorageError `damaged` when there was data and none of it is usable, `newer` when this version must
 * not use it, `other-team` when it is another team's. Nothing is changed then.
 */
export async function openJournalLog(options: JournalLogOptions, loader: RecordLoader): Promise<CommitLog> {
  const { disk, folder, log, now } = options;
  const snapshots = new SnapshotAdapter(options, loader);
  const low = new Low<Snapshot>(snapshots, EMPTY_SNAPSHOT);
  await low.read();
  const replayed = await replayJournal(options, loader, { ...low.data, team: snapshots.team });
  assertOwnTeam(options, replayed.team);
  refuseToStartEmpty(folder, snapshots, replayed);
  low.data = { ...loader.finish(replayed.sequence), segment: low.data.segment };
  await snapshots.removeUnfinishedSnapshots();
  const quarantine = new FileQuarantine(disk, folder, now);
  await quarantine.quarantineSnapshots(snapshots, replayed.sequence);
  const { segment = low.data.segment, bytes = 0 } = (await quarantine.truncateJournal(replayed)) ?? {};
  const journal = await Journal.open(disk, folder, segment, bytes);
  const { notices } = quarantine;
  for (const notice of notices) log.error('Set aside damaged data', { folder, notice });
  return new JournalLog({ ...options, low, snapshots, journal }, notices, replayed.bytes);
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

interface OpenedJournalLog extends JournalLogOptions {
  /** Holds the last durable records. */
  readonly low: Low<Snapshot>;
  readonly snapshots: SnapshotAdapter;
  readonly journal: Journal;
}

class JournalLog implements CommitLog {
  readonly notices: readonly string[];
  readonly #parts: OpenedJournalLog;
  /** Journal bytes since the last good snapshot's state. */
  #journalBytes: number;
  /** Journal bytes at which the next snapshot is written. */
  #dueBytes: number;
  #running: Promise<void> | undefined;

  constructor(parts: OpenedJournalLog, notices: readonly string[], journalBytes: number) {
    this.#parts = parts;
    this.notices = notices;
    this.#journalBytes = journalBytes;
    this.#dueBytes = this.#leastBytes();
  }

  /** Begins a due snapshot in the background; waits only for the new segment. */
  async append(batch: readonly LoggedTransaction[], after: CommittedRecords): Promise<void> {
    const { low, lock, journal } = this.#parts;
    const durable = low.data.sequence;
    let lines = '';
    for (const transaction of batch) lines += formatJournalTransaction(transaction, durable, this.#parts);
    const bytes = Buffer.from(lines);
    await lock.assertHeld();
    await journal.append(bytes);
    low.data = { ...after, segment: low.data.segment };
    this.#journalBytes += bytes.length;
    if (this.#journalBytes >= this.#dueBytes && !this.#running) await this.#beginSnapshot();
  }

  async close(): Promise<void> {
    const { journal, lock } = this.#parts;
    await this.#running;
    if (this.#journalBytes > 0) await this.#beginSnapshot();
    await this.#running;
    await journal.close().catch((thrown) => this.#warn("Couldn't close the journal", thrown));
    await lock.release().catch((thrown) => this.#warn("Couldn't remove the lock", thrown));
  }

  async #beginSnapshot(): Promise<void> {
    const { low, lock, journal } = this.#parts;
    const covered = this.#journalBytes;
    try {
      await lock.assertHeld();
      low.data = { ...low.data, segment: await journal.rotate() };
      this.#running = this.#writeSnapshot(covered);
    } catch (thrown) {
      this.#postpone(thrown);
    }
  }

  async #writeSnapshot(covered: number): Promise<void> {
    try {
      await this.#parts.low.write();
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
    const { snapshotAfterBytes = LEAST_JOURNAL_BYTES, snapshots } = this.#parts;
    return Math.max(snapshotAfterBytes, snapshots.bytes);
  }

  #warn(message: string, thrown: unknown): void {
    this.#parts.log.warn(message, { error: asError(thrown).message });
  }
}
