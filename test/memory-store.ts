/** The storage port in memory, for tests: small, and as strict as an engine on disk. */
import type {
  Collection,
  Key,
  KeyPart,
  ListOptions,
  ListPosition,
  ReadTransaction,
  Store,
  StoredEntry,
  Transaction,
} from '../src/storage/store.ts';
import { StorageError } from '../src/storage/store.ts';

interface Stored {
  readonly key: Key;
  readonly value: unknown;
}
type Records = ReadonlyMap<string, Stored>;
type State = ReadonlyMap<string, Records>;
type Changes = Map<string, Map<string, Stored | undefined>>;

function comparePart(a: KeyPart, b: KeyPart): number {
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Numbers before strings, a shorter key before its extensions. */
function compareKeys(a: readonly KeyPart[], b: readonly KeyPart[]): number {
  for (const [place, part] of a.entries()) {
    const other = b[place];
    if (other === undefined) return 1;
    const order = comparePart(part, other);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function freezeDeeply<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) freezeDeeply(part);
  }
  return value;
}

function keyText(key: Key): string {
  for (const part of key) {
    if (typeof part === 'number' && !Number.isFinite(part)) throw new TypeError(`not a key part: ${part}`);
  }
  return JSON.stringify(key);
}

interface Placed {
  readonly order: readonly (readonly KeyPart[])[];
  readonly stored: Stored;
}

/** A record's position in an index: by the index's key, then by its own. */
function comparePlaces(a: Placed['order'], b: Placed['order']): number {
  return compareKeys(a[0] ?? [], b[0] ?? []) || compareKeys(a[1] ?? [], b[1] ?? []);
}

function inRange(key: readonly KeyPart[], options: ListOptions): boolean {
  const { prefix, from, to } = options;
  if (compareKeys(key.slice(0, prefix.length), prefix) !== 0) return false;
  const rest = key.slice(prefix.length);
  return (!from || compareKeys(rest, from) >= 0) && (!to || compareKeys(rest, to) < 0);
}

function placedIn<T>(
  collection: Collection<T>,
  records: Iterable<Stored>,
  index: string | undefined,
): Placed[] {
  if (index === undefined) return [...records].map((stored) => ({ order: [stored.key, stored.key], stored }));
  const indexKey = collection.indexes[index];
  if (!indexKey) throw new RangeError(`${collection.name} has no index ${index}`);
  return [...records].flatMap((stored) => {
    const key = indexKey(stored.value as T);
    return key ? [{ order: [key, stored.key], stored }] : [];
  });
}

function listed<T>(
  collection: Collection<T>,
  records: Iterable<Stored>,
  options: ListOptions,
): StoredEntry<T>[] {
  const { limit } = options;
  if (!Number.isInteger(limit) || limit < 0) throw new RangeError(`not a limit: ${limit}`);
  const direction = options.reverse ? -1 : 1;
  const after: Placed['order'] | undefined = options.after && JSON.parse(options.after);
  return placedIn(collection, records, options.index)
    .filter(({ order }) => inRange(order[0] ?? [], options))
    .filter(({ order }) => !after || direction * comparePlaces(order, after) > 0)
    .sort((a, b) => direction * comparePlaces(a.order, b.order))
    .slice(0, limit)
    .map(({ order, stored }) => ({
      key: stored.key,
      value: stored.value as T,
      position: JSON.stringify(order) as ListPosition,
    }));
}

class MemoryTransaction implements Transaction {
  readonly changes: Changes = new Map();
  readonly #state: State;
  #over = false;

  readonly trustedNow: ReadTransaction['trustedNow'];

  constructor(state: State, trustedNow: ReadTransaction['trustedNow']) {
    this.trustedNow = trustedNow;
    this.#state = state;
  }

  end(): void {
    this.#over = true;
  }

  async get<T>(collection: Collection<T>, key: Key): Promise<T | undefined> {
    this.#checkOpen();
    const text = keyText(key);
    const changed = this.changes.get(collection.name);
    const stored = changed?.has(text) ? changed.get(text) : this.#state.get(collection.name)?.get(text);
    return stored?.value as T | undefined;
  }

  async getMany<T>(collection: Collection<T>, keys: readonly Key[]): Promise<(T | undefined)[]> {
    this.#checkOpen();
    return Promise.all(keys.map((key) => this.get(collection, key)));
  }

  async has<T>(collection: Collection<T>, key: Key): Promise<boolean> {
    return (await this.get(collection, key)) !== undefined;
  }

  async list<T>(collection: Collection<T>, options: ListOptions): Promise<StoredEntry<T>[]> {
    this.#checkOpen();
    return listed(collection, this.#records(collection.name), options);
  }

  async put<T>(collection: Collection<T>, key: Key, value: T): Promise<void> {
    this.#checkOpen();
    const text = keyText(key);
    const kept: unknown = JSON.parse(JSON.stringify(value));
    collection.schema.parse(kept);
    this.#change(collection.name).set(text, freezeDeeply({ key: [...key] as Key, value: kept }));
  }

  async delete<T>(collection: Collection<T>, key: Key): Promise<void> {
    this.#checkOpen();
    this.#change(collection.name).set(keyText(key), undefined);
  }

  #checkOpen(): void {
    if (this.#over) throw new Error('The transaction has ended');
  }

  #change(name: string): Map<string, Stored | undefined> {
    const found = this.changes.get(name) ?? new Map<string, Stored | undefined>();
    this.changes.set(name, found);
    return found;
  }

  *#records(name: string): Generator<Stored> {
    const changed = this.changes.get(name);
    for (const [text, stored] of this.#state.get(name) ?? []) if (!changed?.has(text)) yield stored;
    for (const stored of changed?.values() ?? []) if (stored) yield stored;
  }
}

function applied(state: State, changes: Changes): State {
  const next = new Map(state);
  for (const [name, changed] of changes) {
    const records = new Map(next.get(name));
    for (const [text, stored] of changed) {
      if (stored) records.set(text, stored);
      else records.delete(text);
    }
    next.set(name, records);
  }
  return next;
}

/** A store without a disk. `failNext` makes the next commit fail like a full disk. */
export interface MemoryStore extends Store {
  failNext(): void;
}

export function createMemoryStore(
  { trustedNow }: Pick<ReadTransaction, 'trustedNow'> = { trustedNow: () => Number.POSITIVE_INFINITY },
): MemoryStore {
  let state: State = new Map();
  let closed = false;
  let failing = false;
  let queue: Promise<unknown> = Promise.resolve();
  const listeners: { readonly names: ReadonlySet<string>; readonly call: () => void }[] = [];

  function checkOpen(): void {
    if (closed) throw new StorageError('closed', 'the store is closed');
  }

  async function run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    checkOpen();
    const tx = new MemoryTransaction(state, trustedNow);
    try {
      const result = await work(tx);
      if (failing) {
        failing = false;
        throw new StorageError('full', 'no space left');
      }
      state = applied(state, tx.changes);
      for (const { names, call } of listeners) {
        if ([...tx.changes.keys()].some((name) => names.has(name))) call();
      }
      return result;
    } finally {
      tx.end();
    }
  }

  return {
    transact(work) {
      const turn = queue.then(() => run(work));
      queue = turn.catch(() => undefined);
      return turn;
    },
    async read<T>(work: (tx: ReadTransaction) => Promise<T>): Promise<T> {
      checkOpen();
      const tx = new MemoryTransaction(state, trustedNow);
      try {
        return await work(tx);
      } finally {
        tx.end();
      }
    },
    onCommit(collections, call) {
      listeners.push({ names: new Set(collections.map(({ name }) => name)), call });
    },
    async close() {
      await queue;
      closed = true;
    },
    failNext() {
      failing = true;
    },
  };
}
