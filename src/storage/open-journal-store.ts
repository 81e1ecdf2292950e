/** Opens the store in a folder: records in memory, with lowdb's snapshots and a journal as their log. */
import { CURRENT_DATA_VERSION } from './commit-log.ts';
import { fileSystemDisk } from './disk.ts';
import { type JournalLogOptions, openJournalLog } from './journal/journal-log.ts';
import { acquireLock, type LockOptions } from './journal/lock.ts';
import { openRecordStore, type RecordStoreOptions } from './memory/record-store.ts';
import { type OpenedStore, toStorageError } from './store.ts';

/** The folder is created if missing, and readable by the owner only. */
export interface JournalStoreOptions
  extends RecordStoreOptions,
    Omit<LockOptions, 'disk'>,
    Pick<JournalLogOptions, 'team'>,
    Partial<Pick<JournalLogOptions, 'disk' | 'version' | 'snapshotAfterBytes'>> {}

/**
 * Resolves when all committed data is loaded.
 * @throws StorageError `locked` when another process uses the folder, `damaged` when no good state is left,
 * `newer` when this version must not use a newer version's data, `other-team` when the data is another
 * team's, `full` or `io` when the disk refuses.
 */
export async function openJournalStore(options: JournalStoreOptions): Promise<OpenedStore> {
  const { folder, clock, disk = fileSystemDisk, version = CURRENT_DATA_VERSION } = options;
  try {
    await disk.makeFolder(folder);
    const lock = await acquireLock({ ...options, disk });
    try {
      return await openRecordStore(
        (loader) => openJournalLog({ ...options, disk, version, lock, now: clock.now() }, loader),
        options,
      );
    } catch (thrown) {
      await lock.release().catch(() => undefined);
      throw thrown;
    }
  } catch (thrown) {
    options.signal?.throwIfAborted();
    throw toStorageError(thrown, `open the data folder ${folder}`);
  }
}
