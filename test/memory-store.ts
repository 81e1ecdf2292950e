/**
 * The storage port in memory, for tests: the program's own records, without a log. A commit takes no turn of
 * the event loop.
 */
import { allCollections } from '../src/app/collections.ts';
import type { AnyCollection } from '../src/storage/memory/records.ts';
import { StateLoader, type StoreState } from '../src/storage/memory/state.ts';
import { RecordTransaction } from '../src/storage/memory/transaction.ts';
import {
  type Collection,
  type ReadTransaction,
  StorageError,
  type Store,
  type Transaction,
} from '../src/storage/store.ts';

/** `failNext` makes the next commit fail like a full disk. */
export interface MemoryStore extends Store {
  failNext(): void;
}

/** Refuses what the next start couldn't read. */
class CheckedTransaction extends RecordTransaction {
  override async put<T>(collection: Collection<T>, value: T): Promise<void> {
    collection.schema.parse(JSON.parse(JSON.stringify(value)));
    await super.put(collection, value);
  }
}

export function createMemoryStore({
  trustedNow = () => Number.POSITIVE_INFINITY,
  collections: declared = allCollections as readonly AnyCollection[],
} = {}): MemoryStore {
  let state: StoreState = new StateLoader(declared).finish(0);
  let failing = false;
  let queue: Promise<unknown> = Promise.resolve();
  const listeners: { readonly names: ReadonlySet<string>; readonly call: () => void }[] = [];

  async function run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const tx = new CheckedTransaction(state, trustedNow);
    let isKept = false;
    try {
      const result = await work(tx);
      const { changes, collections } = tx.endTransaction();
      if (failing) {
        failing = false;
        throw new StorageError('full', 'no space left');
      }
      state = { collections, sequence: state.sequence + 1 };
      isKept = true;
      for (const { names, call } of listeners)
        if (changes.some(({ collection }) => names.has(collection))) call();
      return result;
    } finally {
      tx.endTransaction();
      tx.applyOrDiscardChanges(isKept);
    }
  }

  return {
    transact(work) {
      const turn = queue.then(() => run(work));
      queue = turn.catch(() => undefined);
      return turn;
    },
    async read<T>(work: (tx: ReadTransaction) => Promise<T>): Promise<T> {
      const tx = new RecordTransaction(state, trustedNow);
      try {
        return await work(tx);
      } finally {
        tx.endTransaction();
      }
    },
    onCommit(collections, call) {
      listeners.push({ names: new Set(collections.map(({ name }) => name)), call });
    },
    close: async () => {},
    failNext() {
      failing = true;
    },
  };
}
