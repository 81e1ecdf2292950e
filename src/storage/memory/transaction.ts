/** One transaction's view: the state it began on, and forks of the collections it changes. */
import type { Instant } from '../../clock.ts';
import type { RecordChange } from '../commit-log.ts';
import type { Collection, Key, KeyPart, ListOptions, StoredEntry, Transaction } from '../store.ts';
import {
  createListPosition,
  decodeListPosition,
  encodeKey,
  getPrefixUpperBound,
  type KeyBounds,
  nextKeyAfter,
} from './keys.ts';
import type { CollectionRecords } from './records.ts';
import { REPLACED_INVALID_COLLECTION, type StoreState } from './state.ts';
import { deepFreeze } from './stored-record.ts';

export class RecordTransaction implements Transaction {
  readonly #state: StoreState;
  readonly #forks = new Map<string, CollectionRecords>();
  /** The last change of each record. */
  readonly #changes = new Map<string, RecordChange>();
  #over = false;

  readonly trustedNow: () => Instant;

  constructor(state: StoreState, trustedNow: () => Instant) {
    this.#state = state;
    this.trustedNow = trustedNow;
  }

  async get<T>(collection: Collection<T>, key: Key): Promise<T | undefined> {
    return this.#records(collection.name).get(encodeKey(key))?.value as T | undefined;
  }

  async getMany<T>(collection: Collection<T>, keys: readonly Key[]): Promise<(T | undefined)[]> {
    const records = this.#records(collection.name);
    return keys.map((key) => records.get(encodeKey(key))?.value as T | undefined);
  }

  async has<T>(collection: Collection<T>, key: Key): Promise<boolean> {
    const records = this.#records(collection.name);
    const encodedKey = encodeKey(key);
    return records.get(encodedKey) !== undefined || records.findInvalid(encodedKey) !== undefined;
  }

  async list<T>(collection: Collection<T>, options: ListOptions): Promise<StoredEntry<T>[]> {
    const { index, limit, reverse = false } = options;
    if (!Number.isSafeInteger(limit) || limit < 0) throw new RangeError(`Not a valid limit: ${limit}`);
    const records = this.#records(collection.name);
    const found = records.list(index, boundsOf(options), limit, reverse);
    return found.map(({ key, value }) => {
      const indexKey = index === undefined ? undefined : records.computeIndexKey(index, value);
      return { key, value: value as T, position: createListPosition(key, indexKey) };
    });
  }

  async put<T>(collection: Collection<T>, value: T): Promise<void> {
    const json: string | undefined = JSON.stringify(value);
    if (json === undefined) throw new TypeError(`Can't store this value in ${collection.name}`);
    // A copy, as a restart would load it: memory and disk can't differ.
    const stored = deepFreeze(JSON.parse(json) as T);
    const key = copyKey(collection.key(stored));
    this.#keepUnfit(collection.name, encodeKey(key));
    this.#write(collection.name, key, stored, json);
  }

  async delete<T>(collection: Collection<T>, key: Key): Promise<void> {
    const encodedKey = encodeKey(key);
    if (!(await this.has(collection, key))) return;
    this.#keepUnfit(collection.name, encodedKey);
    this.#fork(collection.name).delete(encodedKey);
    this.#note(collection.name, copyKey(key), encodedKey, undefined);
  }

  /** Ends the transaction: later calls are refused. Resolves to the changes; none if it only read. */
  endTransaction() {
    this.#over = true;
    if (this.#forks.size === 0) return { changes: [], collections: this.#state.collections };
    const collections = new Map(this.#state.collections);
    for (const [name, fork] of this.#forks) collections.set(name, fork);
    return { changes: [...this.#changes.values()], collections };
  }

  /** Its changes are durable, or discarded. */
  applyOrDiscardChanges(isKept: boolean): void {
    for (const fork of this.#forks.values()) fork.applyOrDiscardChanges(isKept);
  }

  #write(collection: string, key: Key, stored: unknown, json: string): void {
    const encodedKey = encodeKey(key);
    this.#fork(collection).put(encodedKey, stored);
    this.#note(collection, key, encodedKey, json);
  }

  /** Saves a record that this version can't read before it is replaced or deleted. */
  #keepUnfit(collection: string, encodedKey: string): void {
    const unfit = this.#records(collection).findInvalid(encodedKey);
    if (!unfit) return;
    const key: Key = Object.freeze([collection, this.#state.sequence, ...unfit.key]);
    const value = { key: unfit.key, value: unfit.onDisk };
    this.#write(REPLACED_INVALID_COLLECTION, key, deepFreeze(value), JSON.stringify(value));
  }

  #note(collection: string, key: Key, encodedKey: string, json: string | undefined): void {
    this.#changes.set(`${collection}\u0000${encodedKey}`, { collection, key, json });
  }

  #records(collection: string): CollectionRecords {
    if (this.#over) throw new Error('The transaction has ended');
    const records = this.#forks.get(collection) ?? this.#state.collections.get(collection);
    if (!records) throw new Error(`The store was opened without collection ${collection}`);
    return records;
  }

  #fork(collection: string): CollectionRecords {
    const records = this.#records(collection);
    const forked = this.#forks.get(collection);
    if (forked) return forked;
    const fork = records.fork();
    this.#forks.set(collection, fork);
    return fork;
  }
}

/** The caller may change its own. */
function copyKey(key: Key): Key {
  return Object.freeze([...key] as const);
}

function boundsOf(options: ListOptions): KeyBounds {
  const { prefix = [], from, to, after, reverse = false } = options;
  const at = (parts: readonly KeyPart[]) => encodeKey([...prefix, ...parts]);
  const low = at(from ?? []);
  const high = to ? at(to) : getPrefixUpperBound(at([]));
  if (after === undefined) return { low, high };
  const place = decodeListPosition(after, options.index !== undefined);
  if (reverse) return { low, high: place < high ? place : high };
  const next = nextKeyAfter(place);
  return { low: next > low ? next : low, high };
}
