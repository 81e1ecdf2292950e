/** Everything stored, as of one committed transaction. Immutable. */
import { type AnyCollection, CollectionRecords } from './records.ts';

export interface StoreData {
  readonly collections: ReadonlyMap<string, CollectionRecords>;
  /** How many transactions the store ever committed; the journal numbers its lines this way. */
  readonly sequence: number;
  /** The first journal segment whose lines are not included. */
  readonly segment: number;
}

/**
 * Invalid records that a transaction overwrote or deleted; never removed. Key: the record's key with two more
 * parts after the first one: the collection, and the number of the transaction that the writing transaction
 * began on.
 */
export const REPLACED_INVALID_COLLECTION = 'replaced-unfit';

export function createEmptyStoreData(collections: readonly AnyCollection[]): StoreData {
  const records = new Map(
    collections.map((collection) => [collection.name, CollectionRecords.forCollection(collection)]),
  );
  records.set(
    REPLACED_INVALID_COLLECTION,
    CollectionRecords.forUnknownCollection(REPLACED_INVALID_COLLECTION),
  );
  if (records.size !== collections.length + 1) throw new RangeError('Two collections have the same name');
  return { collections: records, sequence: 0, segment: 1 };
}

/** The records of a collection while loading. Records of an unknown collection are kept as they are. */
export function getOrCreateRecords(
  collections: Map<string, CollectionRecords>,
  name: string,
): CollectionRecords {
  const known = collections.get(name);
  if (known) return known;
  const records = CollectionRecords.forUnknownCollection(name);
  collections.set(name, records);
  return records;
}
