/** Everything stored, in memory: as of one transaction, and while a log loads it. */
import type { RecordLoader } from '../commit-log.ts';
import { type Key, StorageError } from '../store.ts';
import { type AnyCollection, CollectionRecords } from './records.ts';

/** As of one committed transaction. Immutable. */
export interface StoreState {
  readonly collections: ReadonlyMap<string, CollectionRecords>;
  /** How many transactions the store ever committed. */
  readonly sequence: number;
}

/**
 * Invalid records that a transaction overwrote or deleted; never removed. Key: the collection, the number of
 * the transaction that the writing one began on, and the record's key.
 */
export const REPLACED_INVALID_COLLECTION = 'replaced-unfit';

export class StateLoader implements RecordLoader {
  readonly #declared: readonly AnyCollection[];
  #collections: Map<string, CollectionRecords>;
  #sequence = 0;
  /** By collection: how many are invalid, and why the first was refused. */
  invalidRecords: ReturnType<typeof findInvalidRecords> = [];

  constructor(declared: readonly AnyCollection[]) {
    this.#declared = declared;
    this.#collections = createEmptyCollections(declared);
  }

  get state(): StoreState {
    return { collections: this.#collections, sequence: this.#sequence };
  }

  restart(): void {
    this.#collections = createEmptyCollections(this.#declared);
  }

  load(collection: string, key: Key, value: unknown): void {
    const records = this.#collections.get(collection) ?? CollectionRecords.forUnknownCollection(collection);
    this.#collections.set(collection, records);
    records.load(key, value);
  }

  finish(sequence: number): StoreState {
    this.invalidRecords = findInvalidRecords(this.#collections.values());
    this.#sequence = sequence;
    return this.state;
  }
}

function createEmptyCollections(declared: readonly AnyCollection[]): Map<string, CollectionRecords> {
  const empty = new Map(
    declared.map((collection) => [collection.name, CollectionRecords.forCollection(collection)]),
  );
  empty.set(REPLACED_INVALID_COLLECTION, CollectionRecords.forUnknownCollection(REPLACED_INVALID_COLLECTION));
  if (empty.size !== declared.length + 1) throw new RangeError('Two collections have the same name');
  return empty;
}

/** @throws StorageError for an invalid record that Gigdesk can't run safely without. */
function findInvalidRecords(collections: Iterable<CollectionRecords>) {
  const found: { readonly collection: string; readonly records: number; readonly problem: string }[] = [];
  for (const all of collections) {
    const { records, problem = '', unusable } = all.measureInvalid();
    if (unusable)
      throw new StorageError(
        'newer',
        `This version of Gigdesk can't read record ${JSON.stringify(unusable)} of ${all.name}. ` +
          'Without it, money could be spent twice. If a newer version wrote it, start that version. ' +
          'Otherwise, restore a backup. Nothing was changed.',
      );
    if (records > 0) found.push({ collection: all.name, records, problem });
  }
  return found;
}
