/** Keeps unusable data in files with the time in their names. They are never deleted, and always reported. */
import { basename, join } from 'node:path';
import type { Instant } from '../../clock.ts';
import type { Disk } from '../disk.ts';
import { listFileNumbers, quarantineFileName, storeFilePath } from './file-names.ts';
import type { JournalBreak, ReplayedJournal } from './replay.ts';
import type { SnapshotAdapter } from './snapshots.ts';

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
      await this.#write(aside, this.#disk.read(path));
      const lost =
        broken.kind === 'damaged' ? 'Later changes are lost' : 'The lost changes were never confirmed';
      this.notices.push(
        `The journal ${basename(path)} is damaged or follows a damaged one. A copy is saved as ${aside}. ` +
          `Gigdesk loaded everything up to change ${sequence}. ${lost}.`,
      );
    }
  }

  async #write(name: string, pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    const file = await this.#disk.openForAppend(join(this.#folder, name));
    try {
      for await (const piece of pieces) await file.write(piece);
      await file.sync();
    } finally {
      await file.close();
    }
    await this.#disk.syncFolder(this.#folder);
  }
}
