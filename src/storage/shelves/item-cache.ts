/** Numbered items outside the store, which can be fetched again at no cost. Files or a database hold them. */
import type { Instant } from '../../clock.ts';

/** The value of a key; within one shelf the last one put counts. */
export interface CachedItem<T> {
  readonly key: number;
  /** When the value was known to be current. */
  readonly at: Instant;
  readonly value: T;
}

/** An item and its shelf; a shelf's name has lowercase letters, digits and hyphens. */
export type ShelvedItem<T> = CachedItem<T> & { readonly shelf: string };

export interface ItemCache<T> {
  /**
   * Passes everything cached to `take`, shelf by shelf in small batches; of a key's values in one shelf, the
   * last one counts. Call it once before anything else, and again if it failed.
   * @returns how many items could not be read.
   * @throws StorageError `io` when the disk or the database fails.
   */
  load(take: (shelf: string, items: readonly CachedItem<T>[]) => void): Promise<number>;
  /**
   * Durable when it resolves.
   * @throws StorageError `full` or `io`: some or all items are not stored, and a later start may find either.
   */
  put(items: readonly ShelvedItem<T>[]): Promise<void>;
  /** Deletes whole shelves. @throws StorageError */
  dropShelves(shelves: readonly string[]): Promise<void>;
  /** Resolves when nothing is being read or written. */
  waitUntilIdle(): Promise<void>;
}

/** @throws RangeError for any other name */
export function assertShelfName(name: string): void {
  if (!/^[a-z0-9-]+$/.test(name)) throw new RangeError(`Not a valid shelf name: ${name}`);
}
