/** All that is stored, as of one committed transaction. Never changed: the next state is another value. */
import { type AnyCollection, CollectionRecords } from './records.ts';

export interface StoreData {
  readonly collections: ReadonlyMap<string, CollectionRecords>;
  /** How many transactions were committed since the store began; the journal's lines are numbered so. */
  readonly sequence: number;
  /** The first segment of the journal whose lines are not contained. */
  readonly segment: number;
}

/**
 * What stood in the place of records that were written or deleted, and that the schema refused. Key: as the record's, behind its
 * first part the collection and the number of the transaction that the writing one began on. Nothing of it is ever removed.
 */
export const REPLACED_INVALID = 'replaced-unfit';

export function emptyData(collections: readonly AnyCollection[]): StoreData {
  const records = new Map(
    collections.map((collection) => [collection.name, CollectionRecords.forCollection(collection)]),
  );
  records.set(REPLACED_INVALID, CollectionRecords.forUnknownCollection(REPLACED_INVALID));
  if (records.size !== collections.length + 1) throw new RangeError('Two collections have the same name');
  return { collections: records, sequence: 0, segment: 1 };
}

/** The records of a collection while loading; one of no known name is kept as it is. */
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
