/**
 * The version of the stored data, in each snapshot's head and each journal line.
 * Raise `minor` for a value that the previous version's schema refuses, such as a new enum value: that
 * version skips such records and keeps them. Raise `major` when an older version would spend, bid or post
 * wrongly on the data: it refuses to start. Data from before data versions is 1.0. Why:
 * docs/decisions/0001-storage.md.
 */
import { z } from 'zod';
import { StorageError } from './store.ts';

export interface DataVersion {
  readonly major: number;
  readonly minor: number;
}

export const CURRENT_DATA_VERSION: DataVersion = { major: 1, minor: 1 };
export const FIRST_DATA_VERSION: DataVersion = { major: 1, minor: 0 };

/** For example "1.1". */
export const WrittenDataVersion = z
  .string()
  .regex(/^\d{1,6}\.\d{1,6}$/u)
  .transform((text): DataVersion => {
    const [major, minor] = text.split('.').map(Number);
    return { major: major ?? 0, minor: minor ?? 0 };
  });

export function formatDataVersion({ major, minor }: DataVersion): string {
  return `${major}.${minor}`;
}

/** @throws StorageError `newer` when a version that knows `known` must not open the data. */
export function assertDataNotNewer(written: DataVersion | undefined, known: DataVersion): void {
  if (!written || written.major <= known.major) return;
  throw new StorageError(
    'newer',
    `A newer version of Gigdesk wrote this data (data version ${formatDataVersion(written)}; ` +
      `this version reads ${known.major}.x). ` +
      'Start the newer version, or restore a backup from before the upgrade. Nothing was changed.',
  );
}
