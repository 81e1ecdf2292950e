/** The records of one collection with its indexes, in memory. */
import type { z } from 'zod';
import type { CommittedCollection } from '../commit-log.ts';
import type { Key } from '../store.ts';
import {
  createSortedMap,
  decodeKey,
  encodeIndexEntry,
  encodeKey,
  entriesBetween,
  type KeyBounds,
  type SortedMap,
} from './keys.ts';
import {
  createPlainRecord,
  deepFreeze,
  formatStoredValue,
  packedRecordFactory,
  type StoredRecord,
  type StoredRecordFactory,
  sameJson,
} from './stored-record.ts';

/** A collection of any value type, as the engine needs it. */
export interface AnyCollection {
  readonly name: string;
  readonly schema: z.ZodType;
  readonly indexes: Readonly<Record<string, (value: never) => Key | undefined>>;
  readonly packed?: true;
  readonly essential?: { readonly readInvalid: (onDisk: unknown) => unknown };
}

/** A record that its collection's schema refuses, as it is stored. */
export interface InvalidRecord {
  readonly key: Key;
  readonly onDisk: unknown;
}

interface Index {
  readonly keyOf: (value: never) => Key | undefined;
  /** The records' encoded keys by position. A change touches an index only if it moves a record in it. */
  readonly entries: SortedMap<string>;
}

/** What a change does to an index: the position a record leaves, and the one it gets. */
interface Move {
  readonly index: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** Without a schema: a collection that this version doesn't know; its records are kept as they are. */
type Kind = Pick<AnyCollection, 'name'> & Partial<Pick<AnyCollection, 'schema' | 'essential'>>;

export class CollectionRecords implements CommittedCollection {
  readonly name: string;
  readonly #kind: Kind;
  readonly #hold: StoredRecordFactory;
  readonly #records: SortedMap<StoredRecord>;
  #indexes: ReadonlyMap<string, Index>;
  /** Whether a fork shares the indexes: copy them before the first change that moves a record in one. */
  #sharesIndexes: boolean;
  readonly #isFork: boolean;
  /** In a fork: records to release if the changes are discarded (`#made`) or applied (`#replaced`). */
  #made: StoredRecord[] = [];
  #replaced: StoredRecord[] = [];
  readonly #unreadable: SortedMap<InvalidRecord>;
  /** Why `load` refused the first invalid record. */
  #problem: string | undefined;

  private constructor(
    kind: Kind,
    hold: StoredRecordFactory,
    records: SortedMap<StoredRecord>,
    indexes: ReadonlyMap<string, Index>,
    forkOf?: CollectionRecords,
  ) {
    this.name = kind.name;
    this.#kind = kind;
    this.#hold = hold;
    this.#records = records;
    this.#indexes = indexes;
    this.#sharesIndexes = forkOf !== undefined;
    this.#isFork = forkOf !== undefined;
    this.#unreadable = forkOf ? forkOf.#unreadable.clone() : createSortedMap();
  }

  static forCollection(collection: AnyCollection): CollectionRecords {
    const indexes = Object.entries(collection.indexes).map(
      ([name, keyOf]) => [name, { keyOf, entries: createSortedMap<string>() }] as const,
    );
    const { schema, packed } = collection;
    const hold = packed ? packedRecordFactory(schema) : createPlainRecord;
    return new CollectionRecords(collection, hold, createSortedMap(), new Map(indexes));
  }

  static forUnknownCollection(name: string): CollectionRecords {
    return new CollectionRecords({ name }, createPlainRecord, createSortedMap(), new Map());
  }

  /** A copy that can change without changing this one. Costs the same for any number of records. */
  fork(): CollectionRecords {
    this.#sharesIndexes = true;
    return new CollectionRecords(this.#kind, this.#hold, this.#records.clone(), this.#indexes, this);
  }

  get size(): number {
    return this.#records.size + this.#unreadable.size;
  }

  get(encodedKey: string): StoredRecord | undefined {
    return this.#records.get(encodedKey);
  }

  /** In key order; unreadable records come last. */
  *entries(): Generator<readonly [key: Key, json: string]> {
    for (const [encodedKey, record] of this.#records.entries())
      yield [decodeKey(encodedKey), formatStoredValue(record)];
    for (const { key, onDisk } of this.#unreadable.values()) yield [key, JSON.stringify(onDisk)];
  }

  /** The record of that key if the schema refuses it. */
  findInvalid(encodedKey: string): InvalidRecord | undefined {
    const record = this.#records.get(encodedKey);
    if (record?.isInvalid) return { key: decodeKey(encodedKey), onDisk: record.onDisk };
    return this.#unreadable.get(encodedKey);
  }

  /**
   * The invalid records that there are now, and why loading refused the first. `unusable`: an essential one
   * without even a safe reading.
   */
  measureInvalid() {
    if (this.#problem === undefined) return { records: 0 };
    let readable = 0;
    for (const { isInvalid } of this.#records.values()) if (isInvalid) readable += 1;
    const first = this.#unreadable.minKey();
    const unusable =
      this.#kind.essential && first !== undefined ? this.#unreadable.get(first)?.key : undefined;
    return { records: readable + this.#unreadable.size, problem: this.#problem, unusable };
  }

  /** In key order, or in the order of an index; deeply frozen. @throws RangeError for an undeclared index. */
  list(index: string | undefined, bounds: KeyBounds, limit: number, reverse: boolean) {
    if (index === undefined)
      return entriesBetween(this.#records, bounds, limit, reverse).map(([encodedKey, { value }]) => ({
        key: decodeKey(encodedKey),
        value,
      }));
    return entriesBetween(this.#index(index).entries, bounds, limit, reverse).map(([, encodedKey]) => {
      const record = this.#records.get(encodedKey);
      if (!record) throw new Error(`Index ${index} of ${this.name} points to a missing record`);
      return { key: decodeKey(encodedKey), value: record.value };
    });
  }

  computeIndexKey(index: string, value: unknown): Key | undefined {
    return this.#index(index).keyOf(value as never);
  }

  /** @param value deeply frozen. @param onDisk the stored value, if it differs from `value`. */
  put(encodedKey: string, value: unknown, onDisk?: unknown): void {
    const moves = this.#findMoves(encodedKey, this.#records.get(encodedKey)?.value, value);
    this.#set(encodedKey, this.#hold(value, onDisk), moves);
  }

  delete(encodedKey: string): void {
    if (this.#unreadable.size > 0) this.#unreadable.delete(encodedKey);
    const before = this.#records.get(encodedKey);
    if (!before) return;
    this.#move(this.#findMoves(encodedKey, before.value, undefined), encodedKey);
    this.#records.delete(encodedKey);
    this.#replace(before);
  }

  /** In a fork: applies its changes or discards them. */
  applyOrDiscardChanges(isKept: boolean): void {
    for (const record of isKept ? this.#replaced : this.#made) record.releaseMemory?.();
    this.#made = [];
    this.#replaced = [];
  }

  #set(encodedKey: string, record: StoredRecord, moves: readonly Move[]): void {
    const before = this.#records.get(encodedKey);
    this.#move(moves, encodedKey);
    this.#records.set(encodedKey, record);
    if (this.#unreadable.size > 0) this.#unreadable.delete(encodedKey);
    if (this.#isFork && record.releaseMemory) this.#made.push(record);
    this.#replace(before);
  }

  #replace(before: StoredRecord | undefined): void {
    if (!before?.releaseMemory) return;
    if (this.#isFork) this.#replaced.push(before);
    else before.releaseMemory();
  }

  /** Takes over the stored value for `key`; undefined if it was deleted. */
  load(key: Key, onDisk: unknown): void {
    const encodedKey = encodeKey(key);
    try {
      if (onDisk === undefined) return this.delete(encodedKey);
      const value = this.#kind.schema ? this.#kind.schema.parse(onDisk) : onDisk;
      if (sameJson(value, onDisk)) this.put(encodedKey, deepFreeze(onDisk));
      else this.put(encodedKey, deepFreeze(value), onDisk);
    } catch (thrown) {
      this.#problem ??= String(thrown);
      this.#loadInvalid(encodedKey, Object.freeze(key), deepFreeze(onDisk));
    }
  }

  #loadInvalid(encodedKey: string, key: Key, onDisk: unknown): void {
    this.delete(encodedKey);
    const value = deepFreeze(this.#kind.essential?.readInvalid(onDisk));
    if (value === undefined) {
      this.#unreadable.set(encodedKey, { key, onDisk });
    } else {
      const moves = this.#findMoves(encodedKey, undefined, value);
      this.#set(encodedKey, { value, onDisk, isInvalid: true }, moves);
    }
  }

  /** Finds all positions before taking any: an index that throws must leave nothing half done. */
  #findMoves(encodedKey: string, before: unknown, after: unknown): readonly Move[] {
    const moves: Move[] = [];
    for (const [index, { keyOf }] of this.#indexes) {
      const from = before === undefined ? undefined : keyOf(before as never);
      const to = after === undefined ? undefined : keyOf(after as never);
      if (isSameKey(from, to)) continue;
      moves.push({
        index,
        from: from && encodeIndexEntry(from, encodedKey),
        to: to && encodeIndexEntry(to, encodedKey),
      });
    }
    return moves;
  }

  #move(moves: readonly Move[], encodedKey: string): void {
    if (moves.length > 0 && this.#sharesIndexes) {
      const copies = [...this.#indexes].map(
        ([name, { keyOf, entries }]) => [name, { keyOf, entries: entries.clone() }] as const,
      );
      this.#indexes = new Map(copies);
      this.#sharesIndexes = false;
    }
    for (const { index, from, to } of moves) {
      const { entries } = this.#index(index);
      if (from !== undefined) entries.delete(from);
      if (to !== undefined) entries.set(to, encodedKey);
    }
  }

  #index(name: string): Index {
    const index = this.#indexes.get(name);
    if (!index) throw new RangeError(`Collection ${this.name} has no index ${name}`);
    return index;
  }
}

function isSameKey(a: Key | undefined, b: Key | undefined): boolean {
  if (!a || !b) return a === b;
  return a.length === b.length && a.every((part, at) => part === b[at]);
}
