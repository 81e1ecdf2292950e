/** The records in memory, without files: they keep the contract with any log that keeps its own. */
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../src/log.ts';
import type { CommittedRecords, OpenCommitLog, RecordChange } from '../../src/storage/commit-log.ts';
import { openRecordStore } from '../../src/storage/memory/record-store.ts';
import { StorageError } from '../../src/storage/store.ts';
import { allNotes, counts, notes, putNote, team } from './collections.ts';
import { storeContract } from './store-contract.ts';

/** What a log stores: the records by collection and key, with their texts. */
class Stored {
  sequence = 0;
  readonly records = new Map<string, RecordChange>();
  /** The sequence numbers of each batch. */
  readonly batches: number[][] = [];
  isRefusing = false;

  readonly open: OpenCommitLog = async (loader) => {
    loader.load('notes', [team, 'found to be damaged'], { text: 'x' });
    loader.restart();
    for (const { collection, key, json = '' } of this.records.values())
      loader.load(collection, [...key], JSON.parse(json));
    this.#expectSame(loader.finish(this.sequence));
    return {
      notices: [],
      append: async (batch, after) => {
        this.batches.push(batch.map(({ sequence }) => sequence));
        if (this.isRefusing) throw new StorageError('io', 'refused');
        for (const { sequence, changes } of batch) {
          expect(sequence).toBe(this.sequence + 1);
          this.sequence = sequence;
          for (const change of changes) this.#change(change);
        }
        this.#expectSame(after);
      },
      close: async () => {},
    };
  };

  #change(change: RecordChange): void {
    const place = JSON.stringify([change.collection, change.key]);
    if (change.json === undefined) this.records.delete(place);
    else this.records.set(place, change);
  }

  #expectSame({ sequence, collections }: CommittedRecords): void {
    const found: string[] = [];
    for (const [collection, records] of collections) {
      const entries = [...records.entries()];
      expect(entries).toHaveLength(records.size);
      for (const [key, json] of entries) found.push(JSON.stringify({ collection, key, json }));
    }
    expect(sequence).toBe(this.sequence);
    expect(found.sort()).toEqual([...this.records.values()].map((it) => JSON.stringify(it)).sort());
  }
}

storeContract('records on a log without files', async () => {
  const stored = new Stored();
  return {
    open: (collections = [notes, counts]) => openRecordStore(stored.open, { collections, log: silentLog }),
    remove: async () => {},
  };
});

describe('a log', () => {
  const open = (stored: Stored) => openRecordStore(stored.open, { collections: [notes], log: silentLog });

  it('gets what commits together as one batch, and nothing from a transaction without changes', async () => {
    const stored = new Stored();
    const store = await open(stored);
    await Promise.all(['a', 'b', 'c'].map((name) => putNote(store, name, 'x')));
    await store.transact((tx) => tx.get(notes, [team, 'a']));
    await putNote(store, 'd', 'x');
    expect(stored.batches).toEqual([[1, 2, 3], [4]]);
  });

  it('gets the same numbers again after it refused a batch', async () => {
    const stored = new Stored();
    const store = await open(stored);
    await putNote(store, 'a', 'x');
    stored.isRefusing = true;
    await expect(putNote(store, 'b', 'x')).rejects.toMatchObject({ code: 'io', message: 'refused' });
    stored.isRefusing = false;
    await putNote(store, 'c', 'x');
    expect(stored.batches).toEqual([[1], [2], [2]]);
    expect((await allNotes(store)).map(([key]) => key[1])).toEqual(['a', 'c']);
  });

  it('may read the records it got while others commit', async () => {
    const stored = new Stored();
    const seen: CommittedRecords[] = [];
    const store = await openRecordStore(
      async (loader) => {
        const log = await stored.open(loader);
        return {
          ...log,
          append: (batch, after) => log.append(batch, after).then(() => void seen.push(after)),
        };
      },
      { collections: [notes], log: silentLog },
    );
    await putNote(store, 'a', 'first');
    await putNote(store, 'a', 'second');
    await store.transact((tx) => tx.delete(notes, [team, 'a']));
    const texts = seen.map(({ collections }) => [...(collections.get('notes')?.entries() ?? [])]);
    expect(texts).toEqual([[[[team, 'a'], '{"text":"first"}']], [[[team, 'a'], '{"text":"second"}']], []]);
  });
});
