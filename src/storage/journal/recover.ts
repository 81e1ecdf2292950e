/**
 * What a start does with the files of the last run: replays the journal on top of a snapshot, up to its end
 * or its first bad line, and sets aside what is damaged.
 */
import { basename, join } from 'node:path';
import type { Instant } from '../../clock.ts';
import type { TeamId } from '../../ids.ts';
import type { RecordLoader } from '../commit-log.ts';
import {
  type Disk,
  listFileNumbers,
  quarantineFileName,
  readLineBlocks,
  splitLines,
  storeFilePath,
  withFile,
} from '../disk.ts';
import type { Key } from '../store.ts';
import { assertSameTeam, type DataFolder } from './data-folder.ts';
import { type JournalTransaction, parseJournalTransaction } from './journal.ts';
import type { SnapshotPosition } from './snapshot-file.ts';
import type { SnapshotAdapter } from './snapshots.ts';

/** The journal's first bad line. */
interface JournalBreak {
  readonly segment: number;
  /** How many bytes of that segment are good. */
  readonly goodBytes: number;
  /** `torn`: nothing after it was ever acknowledged, as after a crash. `damaged`: such changes are lost. */
  kind: 'torn' | 'damaged';
  /** Whether a whole line is lost, which a crash of this program alone can't cause. */
  wholeLines: boolean;
}

export interface ReplayedJournal {
  /** The last transaction that was loaded. */
  readonly sequence: number;
  /** The Slack team of the snapshot and the journal; undefined when they hold nothing. */
  readonly team: TeamId | undefined;
  /** The newest segment and its good bytes: where the journal continues. */
  readonly last: { readonly segment: number; readonly bytes: number } | undefined;
  /** Bytes of all segments that were read. */
  readonly bytes: number;
  readonly broken: JournalBreak | undefined;
}

/** The snapshot that the journal continues. */
type ReplayStart = SnapshotPosition & Pick<ReplayedJournal, 'team'>;

class Replay {
  sequence: number;
  bytes = 0;
  last: ReplayedJournal['last'];
  broken: JournalBreak | undefined;
  team: ReplayedJournal['team'];
  readonly #place: DataFolder;
  readonly #loader: RecordLoader;

  constructor(place: DataFolder, loader: RecordLoader, since: ReplayStart) {
    this.#place = place;
    this.#loader = loader;
    this.sequence = since.sequence;
    this.team = since.team;
  }

  take(line: Buffer, whole: boolean): void {
    const transaction = whole ? parseJournalTransaction(line, this.#place) : undefined;
    if (transaction) assertSameTeam(this.#place.folder, this.team, transaction.team);
    this.team ??= transaction?.team;
    this.bytes += line.length + 1;
    if (this.broken || transaction?.sequence !== this.sequence + 1) return this.#judge(transaction, whole);
    for (const [collection, key, value] of transaction.changes)
      this.#loader.load(collection as string, key as Key, value);
    this.sequence = transaction.sequence;
    if (this.last) this.last = { ...this.last, bytes: this.last.bytes + line.length + 1 };
  }

  /** A good line written after the lost one became durable proves that the lost one was acknowledged. */
  #judge(transaction: JournalTransaction | undefined, whole: boolean): void {
    const { segment, bytes } = this.last ?? { segment: 0, bytes: 0 };
    this.broken ??= { segment, goodBytes: bytes, kind: 'torn', wholeLines: false };
    if (whole) this.broken.wholeLines = true;
    if (transaction && transaction.durable > this.sequence) this.broken.kind = 'damaged';
  }
}

/**
 * Passes the changes since the snapshot to `loader`.
 * @throws StorageError `newer`, or `damaged` when the files name two teams
 */
export async function replayJournal(
  place: DataFolder,
  loader: RecordLoader,
  snapshot: ReplayStart,
): Promise<ReplayedJournal> {
  const { disk, folder } = place;
  const replay = new Replay(place, loader, snapshot);
  for (const segment of listFileNumbers('journal', await disk.list(folder))) {
    if (segment < snapshot.segment) continue;
    replay.last = { segment, bytes: 0 };
    for await (const block of readLineBlocks(disk.read(storeFilePath(folder, 'journal', segment))))
      for (const line of splitLines(block)) replay.take(line, block.whole);
  }
  const { sequence, team, last, bytes, broken } = replay;
  return { sequence, team, last, bytes, broken };
}

/** Keeps unusable data in files with the time in their names. They are never deleted, and always reported. */
export class FileQuarantine {
  readonly #disk: Disk;
  readonly #folder: string;
  readonly #now: Instant;
  /** What was set aside and why, in sentences. */
  readonly notices: string[] = [];

  constructor(disk: Disk, folder: string, now: Instant) {
    this.#disk = disk;
    this.#folder = folder;
    this.#now = now;
  }

  async quarantineSnapshots(snapshots: SnapshotAdapter, sequence: number): Promise<void> {
    for (const { name, why } of snapshots.damaged) {
      const aside = quarantineFileName(`${name}.damaged`, this.#now);
      await this.#disk.rename(join(this.#folder, name), join(this.#folder, aside));
      await this.#disk.syncFolder(this.#folder);
      this.notices.push(
        `The snapshot ${name} is damaged (${why}) and was renamed to ${aside}. ` +
          `Gigdesk loaded the previous snapshot and the journal instead, up to change ${sequence}.`,
      );
    }
  }

  /**
   * Cuts the journal at its first bad line, so that good lines can follow. Copies the journal first if it
   * loses more than the torn end of one line. Resolves to where the journal continues.
   */
  async truncateJournal(replayed: ReplayedJournal): Promise<ReplayedJournal['last']> {
    const { broken } = replayed;
    if (!broken) return replayed.last;
    const names = await this.#disk.list(this.#folder);
    const later = listFileNumbers('journal', names).filter((segment) => segment > broken.segment);
    if (broken.wholeLines) await this.#copyJournal(broken, [broken.segment, ...later], replayed.sequence);
    // Newest first: a crash in between leaves a journal that is cut again, at the same position.
    for (const segment of later.reverse())
      await this.#disk.remove(storeFilePath(this.#folder, 'journal', segment));
    await this.#disk.truncate(storeFilePath(this.#folder, 'journal', broken.segment), broken.goodBytes);
    return { segment: broken.segment, bytes: broken.goodBytes };
  }

  async #copyJournal(broken: JournalBreak, segments: readonly number[], sequence: number): Promise<void> {
    for (const segment of segments) {
      const path = storeFilePath(this.#folder, 'journal', segment);
      const aside = quarantineFileName(`${basename(path)}.damaged`, this.#now);
      await withFile(await this.#disk.openForAppend(join(this.#folder, aside)), async (file) => {
        for await (const piece of this.#disk.read(path)) await file.write(piece);
        await file.sync();
      });
      await this.#disk.syncFolder(this.#folder);
      const lost =
        broken.kind === 'damaged' ? 'Later changes are lost' : 'The lost changes were never confirmed';
      this.notices.push(
        `The journal ${basename(path)} is damaged or follows a damaged one. A copy is saved as ${aside}. ` +
          `Gigdesk loaded everything up to change ${sequence}. ${lost}.`,
      );
    }
  }
}
