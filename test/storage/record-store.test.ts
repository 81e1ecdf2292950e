/** The records in memory over a log without files: a sorted map, whose log keeps its own. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../src/log.ts';
import type { CommittedRecords, OpenCommitLog, RecordChange } from '../../src/storage/commit-log.ts';
import { openRecordStore } from '../../src/storage/memory/record-store.ts';
import {
  type Key,
  type KeyPart,
  StorageError,
  type Store,
  type StoredEntry,
  scanCollection,
} from '../../src/storage/store.ts';
import { allNotes, type NoteText, notes, putNote, team } from './collections.ts';

/** What a log stores: the records by collection and key, with their texts. */
class Stored {
  sequence = 0;
  readonly records = new Map<string, RecordChange>();
  /** The sequence numbers of each batch. */
  readonly batches: number[][] = [];
  isRefusing = false;

  readonly open: OpenCommitLog = async (loader) => {
    loader.load('notes', [team, 'found to be damaged'], { key: ['x'], text: 'x' });
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
    const key = [team, 'a'];
    const recordOf = (text: string) => [key, JSON.stringify({ key, text })];
    expect(texts).toEqual([[recordOf('first')], [recordOf('second')], []]);
  });
});

/** The store as a plain map, sorted for each listing. */
interface ModelRecord {
  readonly key: Key;
  readonly value: unknown;
}

/** Numbers before strings, by value; strings by UTF-16 code units; a shorter key before its extensions. */
function compareKeys(a: readonly KeyPart[], b: readonly KeyPart[]): number {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const order = compareParts(a[at] ?? '', b[at] ?? '');
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareParts(a: KeyPart, b: KeyPart): number {
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** What `getMany` finds. */
function getManyModel(records: readonly ModelRecord[], keys: readonly Key[]): unknown[] {
  return keys.map((key) => records.find((record) => compareKeys(record.key, key) === 0)?.value);
}

interface ModelListing {
  readonly prefix: Key;
  readonly from?: readonly KeyPart[] | undefined;
  readonly to?: readonly KeyPart[] | undefined;
  readonly limit: number;
  readonly reverse?: boolean | undefined;
}

/** `records` in the order of `orderOf`, equal ones in the order of their keys. */
function listModel(
  records: readonly ModelRecord[],
  orderOf: (record: ModelRecord) => Key | undefined,
  { prefix, from, to, limit, reverse }: ModelListing,
): ModelRecord[] {
  const found = records
    .flatMap((record) => {
      const at = orderOf(record);
      return at ? [{ at, record }] : [];
    })
    .filter(({ at }) => compareKeys(at.slice(0, prefix.length), prefix) === 0)
    .filter(({ at }) => !from || compareKeys(at, [...prefix, ...from]) >= 0)
    .filter(({ at }) => !to || compareKeys(at, [...prefix, ...to]) < 0)
    .sort((a, b) => compareKeys(a.at, b.at) || compareKeys(a.record.key, b.record.key))
    .map(({ record }) => record);
  if (reverse) found.reverse();
  return found.slice(0, limit);
}

const part: fc.Arbitrary<KeyPart> = fc.oneof(
  fc.constantFrom<KeyPart>('', 'a', 'b', 'a\u0000', 'a\u0001', '\uffff', 0, 1, -1, 2.5, 1e300, -1e-300),
  fc.string({ unit: 'binary', maxLength: 3 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (n === 0 ? 0 : n)),
);
const parts = fc.array(part, { maxLength: 2 });
const noteRecord = fc.record({
  key: parts.map((rest): Key => [team, ...rest]),
  value: fc.record({ text: fc.constantFrom('', 'a', 'b', 'ab'), rank: fc.integer({ min: -2, max: 2 }) }),
});
const listing = fc.record({
  index: fc.constantFrom(undefined, 'rank', 'text'),
  prefix: fc.oneof(
    { weight: 3, arbitrary: fc.constant<Key>([team]) },
    { weight: 1, arbitrary: parts.map((rest): Key => [team, ...rest]) },
  ),
  from: fc.option(parts, { nil: undefined }),
  to: fc.option(parts, { nil: undefined }),
  limit: fc.integer({ min: 1, max: 12 }),
  reverse: fc.boolean(),
});
type Listing = typeof listing extends fc.Arbitrary<infer T> ? T : never;

function orderOf(index: string | undefined): (record: ModelRecord) => Key | undefined {
  if (index === undefined) return ({ key }) => key;
  return ({ key, value }) => notes.indexes[index]?.({ key: [...key], ...(value as NoteText) });
}

/** The listing, fetched in pages of 3, each one after the last. */
async function listInPages(
  store: Store,
  { index, from, to, limit, ...rest }: Listing,
): Promise<StoredEntry<unknown>[]> {
  const options = { ...rest, ...(index ? { index } : {}), ...(from ? { from } : {}), ...(to ? { to } : {}) };
  const found: StoredEntry<unknown>[] = [];
  for (;;) {
    const after = found.at(-1)?.position;
    const page = await store.read((tx) =>
      tx.list(notes, { ...options, limit: Math.min(3, limit - found.length), ...(after ? { after } : {}) }),
    );
    found.push(...page);
    if (page.length === 0 || found.length >= limit) return found;
  }
}

function keysOf(entries: readonly StoredEntry<unknown>[]): Key[] {
  return entries.map(({ key }) => key);
}

it('lists and reads as a sorted map would, for any keys, bounds, orders and pages', async () => {
  const store = await openRecordStore(new Stored().open, { collections: [notes], log: silentLog });
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(noteRecord, { selector: (r) => JSON.stringify(r.key) }),
      listing,
      fc.array(
        parts.map((rest): Key => [team, ...rest]),
        { maxLength: 3 },
      ),
      async (records, query, others) => {
        await store.transact(async (tx) => {
          for await (const { key } of scanCollection(tx, notes, { prefix: [team] }))
            await tx.delete(notes, key);
          for (const { key, value } of records) await tx.put(notes, { key: [...key], ...value });
        });
        const { index, ...range } = query;
        const expected = listModel(records, orderOf(index), range);
        expect(keysOf(await listInPages(store, query))).toEqual(expected.map(({ key }) => key));
        const keys = [...others, ...records.map(({ key }) => key).reverse(), ...others];
        const many = await store.read((tx) => tx.getMany(notes, keys));
        expect(many.map((note) => note && { text: note.text, rank: note.rank })).toEqual(
          getManyModel(records, keys),
        );
      },
    ),
    { numRuns: 60 },
  );
});
