/** Opens the embedded store: lowdb with a journal. */
import type { Clock, Instant } from '../../clock.ts';
import type { Log } from '../../log.ts';
import { CURRENT_DATA_VERSION, type DataVersion, formatDataVersion } from '../data-version.ts';
import type { StorageError, Store } from '../store.ts';
import { type Disk, fileSystemDisk } from './disk.ts';
import { acquireLock } from './lock.ts';
import { LowdbStore } from './lowdb-store.ts';
import type { AnyCollection } from './records.ts';
import { recoverStore } from './recover.ts';
import { toStorageError } from './storage-errors.ts';

export interface LowdbOptions {
  /** Created if missing; readable by the owner only. */
  readonly folder: string;
  /** All collections of the program. Records of unknown collections are kept as they are. */
  readonly collections: readonly AnyCollection[];
  readonly log: Log;
  readonly clock: Clock;
  readonly disk?: Disk;
  /** The data version that this program reads and writes. */
  readonly version?: DataVersion;
  /** For each transaction, see the port; without it the wall clock is trusted. */
  readonly trustedNow?: () => Instant;
  /**
   * In bytes. A snapshot follows this much journal, but never before the journal is as large as the last
   * snapshot.
   */
  readonly snapshotAfterBytes?: number;
  /** Stops waiting for a lock that may be abandoned. */
  readonly signal?: AbortSignal;
  /** Called once when another process took over the folder: no more writes are possible. */
  readonly onTakenOver?: (error: StorageError) => void;
}

export interface OpenedStore extends Store {
  /** What was damaged and where it was saved, in sentences. */
  readonly notices: readonly string[];
  /** Records from a newer version that this version can't read: kept as they are. */
  readonly invalidRecords: number;
}

/**
 * Resolves when all committed data is loaded.
 * @throws StorageError `locked` when another process uses the folder, `damaged` when no good state is left,
 * `newer` when this version must not use a newer version's data, `full` or `io` when the disk refuses.
 */
export async function openLowdbStore(options: LowdbOptions): Promise<OpenedStore> {
  const { folder, collections, log, clock, disk = fileSystemDisk, snapshotAfterBytes } = options;
  const { version = CURRENT_DATA_VERSION, trustedNow = () => Number.POSITIVE_INFINITY } = options;
  try {
    await disk.makeFolder(folder);
    const lock = await acquireLock({ disk, ...options });
    try {
      const recovered = await recoverStore({ disk, folder, collections, version, now: clock.now() });
      for (const notice of recovered.notices) log.error('Set aside damaged data', { folder, notice });
      const dataVersion = formatDataVersion(recovered.version);
      for (const unfit of recovered.invalidRecords)
        log.error("This version can't read some records; they stay unchanged", {
          ...unfit,
          dataVersion,
        });
      return new LowdbStore(recovered, { lock, log, version, snapshotAfterBytes, trustedNow });
    } catch (thrown) {
      await lock.release().catch(() => undefined);
      throw thrown;
    }
  } catch (thrown) {
    options.signal?.throwIfAborted();
    throw toStorageError(thrown, `open the data folder ${folder}`);
  }
}
