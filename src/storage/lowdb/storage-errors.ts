/** Converts disk errors to the storage port's errors. */
import { asError } from '../../errors.ts';
import { StorageError } from '../store.ts';

const NO_ROOM = new Set(['ENOSPC', 'EDQUOT']);

/** Node's code of a system error, for example ENOENT. */
export function systemErrorCode(thrown: unknown): string | undefined {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** `doing` completes the sentence "Couldn't …". */
export function toStorageError(thrown: unknown, doing: string): StorageError {
  if (thrown instanceof StorageError) return thrown;
  const cause = asError(thrown);
  const code = systemErrorCode(thrown);
  if (code !== undefined && NO_ROOM.has(code))
    return new StorageError('full', `Couldn't ${doing}: the disk is full.`, { cause });
  return new StorageError('io', `Couldn't ${doing}: ${cause.message}`, { cause });
}
