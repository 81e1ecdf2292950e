/** The contract of every engine; each is reopened in the same place. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { machineClock } from '../../src/clock.ts';
import { silentLog } from '../../src/log.ts';
import { Secret } from '../../src/secret.ts';
import type { AnyCollection } from '../../src/storage/memory/records.ts';
import { openJournalStore } from '../../src/storage/open-journal-store.ts';
import { connectDatabase } from '../../src/storage/postgres/database.ts';
import { migrateDatabase } from '../../src/storage/postgres/migrations.ts';
import type {
  Key,
  KeyPart,
  ListOptions,
  ReadTransaction,
  Store,
  StoredEntry,
} from '../../src/storage/store.ts';
import { readWhenChanged, scanCollection } from '../../src/storage/store.ts';
import { type LocalDatabase, startLocalDatabase } from '../../src/workbench/database/start-database.ts';
import { MemoryDisk } from '../kit/memory-disk.ts';
import { allNotes, counts, loose, notes, packedNotes, putNote, team } from './collections.ts';
import { Replica } from './database-replica.ts';

/** A place where a store can be reopened. */
interface Ground {
  /** @param collections replace the usual ones: another version of the program */
  open(collections?: readonly AnyCollection[]): Promise<Store>;
  remove(): Promise<void>;
}

const journal = { team, log: silentLog, clock: machineClock, snapshotAfterBytes: 500 };

async function prepareFolder(usual: readonly AnyCollection[]): Promise<Ground> {
  const parent = await mkdtemp(join(tmpdir(), 'gigdesk-store-'));
  const folder = join(parent, 'data');
  return {
    open: (collections = usual) => openJournalStore({ ...journal, folder, collections }),
    remove: () => rm(parent, { recursive: true }),
  };
}

async function prepareMemory(): Promise<Ground> {
  const disk = new MemoryDisk();
  return {
    open: (collections = [notes, counts]) =>
      openJournalStore({ ...journal, folder: '/data', disk, collections }),
    remove: async () => {},
  };
}

/** Creating a database takes as long as testing one: it is emptied for each promise. */
let server: LocalDatabase | undefined;
let url = '';
afterAll(() => server?.close());

async function prepareDatabase(): Promise<Ground> {
  if (!server) {
    server = await startLocalDatabase({ fsync: 'off' });
    url = await server.createDatabase();
    const preparing = connectDatabase({ url: new Secret(url) });
    await migrateDatabase(preparing);
    await preparing.end();
  }
  const replica = new Replica(url);
  await replica.database`truncate workspaces, records`;
  return {
    open: (collections) => replica.open(collections ? { collections } : {}),
    remove: () => replica.end(),
  };
}

const ENGINES: Readonly<Record<string, () => Promise<Ground>>> = {
  'a folder': () => prepareFolder([notes, counts]),
  'a folder with packed records': () => prepareFolder([packedNotes, counts]),
  'a folder on the disk in memory': prepareMemory,
  PostgreSQL: prepareDatabase,
};

function namesOf(entries: readonly StoredEntry<unknown>[]): (KeyPart | undefined)[] {
  return entries.map(({ key }) => key[1]);
}

describe.each(Object.entries(ENGINES))('%s keeps the promises of the store', (_, prepare) => {
  let ground: Ground;
  let store: Store;

  beforeEach(async () => {
    ground = await prepare();
    store = await ground.open();
  });

  afterEach(async () => {
    await store.close();
    await ground.remove();
  });

  async function reopen(): Promise<void> {
    await store.close();
    store = await ground.open();
  }

  const listNames = (options: Omit<ListOptions, 'prefix' | 'limit'> & Partial<ListOptions>) =>
    store.read(async (tx) => namesOf(await tx.list(notes, { prefix: [team], limit: 100, ...options })));

  it('gives back what was put, now and after a restart', async () => {
    await putNote(store, 'a', 'first', 3);
    expect(await store.read((tx) => tx.get(notes, [team, 'a']))).toEqual({
      key: [team, 'a'],
      text: 'first',
      rank: 3,
    });
    await reopen();
    expect(await store.read((tx) => tx.get(notes, [team, 'a']))).toEqual({
      key: [team, 'a'],
      text: 'first',
      rank: 3,
    });
    expect(await listNames({ index: 'rank' })).toEqual(['a']);
  });

  it('forgets what was deleted, now and after a restart', async () => {
    await putNote(store, 'a', 'first');
    await store.transact((tx) => tx.delete(notes, [team, 'a']));
    expect(await store.read((tx) => tx.get(notes, [team, 'a']))).toBeUndefined();
    await reopen();
    expect(await allNotes(store)).toEqual([]);
    expect(await listNames({ index: 'text' })).toEqual([]);
  });

  it('writes nothing of a transaction that throws, and hands its error on', async () => {
    await putNote(store, 'a', 'before');
    const failing = store.transact(async (tx) => {
      await tx.put(notes, { key: [team, 'a'], text: 'after' });
      await tx.put(notes, { key: [team, 'b'], text: 'new' });
      await tx.delete(notes, [team, 'a']);
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await allNotes(store)).toEqual([[[team, 'a'], { text: 'before' }]]);
    await reopen();
    expect(await allNotes(store)).toEqual([[[team, 'a'], { text: 'before' }]]);
  });

  it('runs each transaction alone: no addition is lost among many at once', async () => {
    const add = () =>
      store.transact(async (tx) => {
        const before = await tx.get(counts, [team, 'n']);
        await Promise.resolve();
        await tx.put(counts, { key: [team, 'n'], count: (before?.count ?? 0) + 1 });
      });
    await Promise.all(Array.from({ length: 50 }, add));
    expect(await store.read((tx) => tx.get(counts, [team, 'n']))).toEqual({ key: [team, 'n'], count: 50 });
  });

  it('shows a transaction its own changes, in lists too, and nobody else before the end', async () => {
    await putNote(store, 'a', 'first', 1);
    await store.transact(async (tx) => {
      await tx.put(notes, { key: [team, 'b'], text: 'second', rank: 2 });
      await tx.delete(notes, [team, 'a']);
      expect(await tx.get(notes, [team, 'a'])).toBeUndefined();
      expect(namesOf(await tx.list(notes, { prefix: [team], limit: 9 }))).toEqual(['b']);
      expect(namesOf(await tx.list(notes, { index: 'rank', prefix: [team], limit: 9 }))).toEqual(['b']);
      expect(await listNames({})).toEqual(['a']);
    });
    expect(await listNames({})).toEqual(['b']);
  });

  it('gives a reader one state from beginning to end', async () => {
    await putNote(store, 'a', 'first');
    await store.read(async (tx) => {
      await putNote(store, 'b', 'second');
      expect(namesOf(await tx.list(notes, { prefix: [team], limit: 9 }))).toEqual(['a']);
    });
    expect(await listNames({})).toEqual(['a', 'b']);
  });

  it('repeats a read only after a commit has changed one of its collections', async () => {
    let reads = 0;
    const list = readWhenChanged(store, [notes], async (tx) => {
      reads++;
      return namesOf(await tx.list(notes, { prefix: [team], limit: 9 }));
    });
    expect([await list(), await list(), reads]).toEqual([[], [], 1]);
    await putNote(store, 'a', 'first');
    expect([await list(), await list(), reads]).toEqual([['a'], ['a'], 2]);
    await store.transact((tx) => tx.put(counts, { key: [team, 'other'], count: 1 }));
    await expect(
      store.transact(async (tx) => {
        await tx.put(notes, { key: [team, 'b'], text: 'never' });
        throw new Error('not this time');
      }),
    ).rejects.toThrow('not this time');
    expect([await list(), reads]).toEqual([['a'], 2]);
    await Promise.all([putNote(store, 'b', 'second'), store.transact((tx) => tx.delete(notes, [team, 'a']))]);
    expect([await list(), reads]).toEqual([['b'], 3]);
  });

  it('hands out values that cannot be changed and keeps none that can', async () => {
    const mine = { key: [team, 'a'], text: 'mine', rank: 1 };
    await store.transact(async (tx) => {
      await tx.put(notes, mine);
      mine.text = 'changed later';
      mine.key[1] = 'moved';
    });
    const entries = await store.read((tx) => tx.list(notes, { prefix: [team], limit: 1 }));
    expect(entries[0]?.value).toEqual({ key: [team, 'a'], text: 'mine', rank: 1 });
    expect(entries[0]?.key).toEqual([team, 'a']);
    expect(Object.isFrozen(entries[0]?.value)).toBe(true);
    expect(Object.isFrozen(mine)).toBe(false);
  });

  it('keeps teams and longer names apart under a prefix', async () => {
    const other = `${team}0` as typeof team;
    await store.transact(async (tx) => {
      for (const key of [
        [team, 'a'],
        [team, 'a', 1],
        [team, 'ab'],
        [other, 'a'],
      ])
        await tx.put(notes, { key, text: 'x' });
    });
    const listed = await store.read((tx) => tx.list(notes, { prefix: [team, 'a'], limit: 9 }));
    expect(listed.map(({ key }) => key)).toEqual([
      [team, 'a'],
      [team, 'a', 1],
    ]);
  });

  it('reads many records at once, in the order asked, as reading each alone would', async () => {
    await putNote(store, 'a', 'first');
    await putNote(store, 'b', 'second');
    const keys: Key[] = [
      [team, 'b'],
      [team, 'missing'],
      [team, 'a'],
      [team, 'b'],
    ];
    const texts = async (tx: ReadTransaction) => (await tx.getMany(notes, keys)).map((note) => note?.text);
    expect(await store.read(texts)).toEqual(['second', undefined, 'first', 'second']);
    expect(await store.read((tx) => tx.getMany(notes, []))).toEqual([]);
    await store.transact(async (tx) => {
      await tx.put(notes, { key: [team, 'a'], text: 'changed' });
      await tx.delete(notes, [team, 'b']);
      expect(await texts(tx)).toEqual([undefined, undefined, 'changed', undefined]);
      expect(await store.read(texts)).toEqual(['second', undefined, 'first', 'second']);
    });
    await reopen();
    expect(await store.read(texts)).toEqual([undefined, undefined, 'changed', undefined]);
    const [, , note] = await store.read((tx) => tx.getMany(notes, keys));
    expect(Object.isFrozen(note)).toBe(true);
  });

  it('moves a changed record in its indexes, and omits it where the index says so', async () => {
    await putNote(store, 'a', 'x', 1);
    await putNote(store, 'b', 'x', 2);
    await putNote(store, 'c', 'x', 1);
    expect(await listNames({ index: 'rank' })).toEqual(['a', 'c', 'b']);
    await putNote(store, 'a', 'x', 3);
    await putNote(store, 'c', 'x');
    expect(await listNames({ index: 'rank' })).toEqual(['b', 'a']);
    expect(await listNames({ index: 'rank', from: [2], to: [3] })).toEqual(['b']);
    expect(await listNames({ index: 'rank', reverse: true })).toEqual(['a', 'b']);
  });

  it('lists current records by index, even in the same place; a reader sees the old ones', async () => {
    const texts = async (tx: ReadTransaction) =>
      (await tx.list(notes, { index: 'rank', prefix: [team], limit: 9 })).map(({ value }) => value.text);
    await putNote(store, 'a', 'kept', 1);
    await putNote(store, 'b', 'moved', 0);
    await store.read(async (tx) => {
      await putNote(store, 'a', 'kept, but new', 1);
      await putNote(store, 'b', 'moved behind', 2);
      expect(await texts(tx)).toEqual(['moved', 'kept']);
    });
    expect(await store.read(texts)).toEqual(['kept, but new', 'moved behind']);
    expect(await store.transact(texts)).toEqual(['kept, but new', 'moved behind']);
  });

  it('goes on behind a position also when its record is gone or moved, and after a restart', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await putNote(store, name, name, 1);
    const page = await store.read((tx) => tx.list(notes, { index: 'rank', prefix: [team], limit: 2 }));
    const after = page[1]?.position;
    if (after === undefined) throw new Error('no position came back');
    await store.transact((tx) => tx.delete(notes, [team, 'b']));
    expect(await listNames({ index: 'rank', after })).toEqual(['c', 'd']);
    expect(await listNames({ index: 'rank', after, reverse: true })).toEqual(['a']);
    await reopen();
    expect(await listNames({ index: 'rank', after })).toEqual(['c', 'd']);
  });

  it('refuses a position of another order, an unknown index, and a limit that is none', async () => {
    await putNote(store, 'a', 'a', 1);
    const [entry] = await store.read((tx) => tx.list(notes, { index: 'rank', prefix: [team], limit: 1 }));
    await expect(listNames(entry ? { after: entry.position } : {})).rejects.toThrow('position');
    await expect(listNames({ index: 'color' })).rejects.toThrow('color');
    await expect(listNames({ limit: Number.POSITIVE_INFINITY })).rejects.toThrow('limit');
  });

  it('scans a range in batches, each record once', async () => {
    await store.transact(async (tx) => {
      for (let n = 0; n < 25; n++) await tx.put(notes, { key: [team, n], text: String(n) });
    });
    const seen = await store.read(async (tx) => {
      const texts: string[] = [];
      for await (const { value } of scanCollection(
        tx,
        notes,
        { prefix: [team], from: [3], to: [20], reverse: true },
        5,
      ))
        texts.push(value.text);
      return texts;
    });
    expect(seen).toEqual(Array.from({ length: 17 }, (_, n) => String(19 - n)));
  });

  it('finishes what was begun before closing and refuses what comes after', async () => {
    const begun = putNote(store, 'a', 'first');
    const closing = store.close();
    await expect(putNote(store, 'b', 'second')).rejects.toMatchObject({ code: 'closed' });
    await expect(store.read(() => Promise.resolve())).rejects.toMatchObject({ code: 'closed' });
    await Promise.all([begun, closing]);
    store = await ground.open();
    expect(await listNames({})).toEqual(['a']);
  });

  describe('records of a newer version, which this schema refuses', () => {
    const key = [team, 'strange'];
    const strange = { key, text: { words: ['a', 'b'] }, rank: 'high', more: [1, null] };
    const readStrange = () => store.read((tx) => tx.get(loose, key));

    beforeEach(async () => {
      await store.close();
      store = await ground.open([loose, counts]);
      await store.transact((tx) => tx.put(loose, strange));
      await reopen();
    });

    it('are no records to who reads or lists, but something stands there', async () => {
      await putNote(store, 'a', 'first', 1);
      expect(await store.read((tx) => tx.get(notes, key))).toBeUndefined();
      const many = await store.read((tx) => tx.getMany(notes, [key, [team, 'a']]));
      expect(many).toEqual([undefined, { key: [team, 'a'], text: 'first', rank: 1 }]);
      expect(await store.read((tx) => tx.has(notes, key))).toBe(true);
      expect(await store.read((tx) => tx.has(notes, [team, 'nothing']))).toBe(false);
      expect(await listNames({})).toEqual(['a']);
      expect(await listNames({ index: 'text' })).toEqual(['a']);
    });

    it('survive what is written beside them, and restarts without end', async () => {
      for (let life = 0; life < 4; life++) {
        for (let n = 0; n < 20; n++) await putNote(store, `n${n}`, `text ${life} ${n}`);
        await store.transact((tx) => tx.delete(notes, [team, 'n3']));
        await reopen();
        expect(await store.read((tx) => tx.has(notes, key))).toBe(true);
      }
      await store.close();
      store = await ground.open([loose, counts]);
      expect(JSON.stringify(await readStrange())).toBe(JSON.stringify(strange));
      expect(JSON.stringify(await store.read((tx) => tx.get(loose, [team, 'n4'])))).toContain('text 3 4');
    });

    it('make way for what is put or deleted in their place, in a transaction that counts', async () => {
      const given = store.transact(async (tx) => {
        await tx.put(notes, { key, text: 'mine' });
        throw new Error('given up');
      });
      await expect(given).rejects.toThrow('given up');
      expect(await store.read((tx) => tx.get(notes, key))).toBeUndefined();
      expect(await store.read((tx) => tx.has(notes, key))).toBe(true);
      await store.transact((tx) => tx.put(notes, { key, text: 'mine' }));
      await reopen();
      expect(await store.read((tx) => tx.get(notes, key))).toEqual({ key, text: 'mine' });
      await store.transact((tx) => tx.delete(notes, key));
      await reopen();
      expect(await store.read((tx) => tx.has(notes, key))).toBe(false);
    });
  });

  it('refuses a transaction that is used after its end', async () => {
    const leaked = await store.transact((tx) => Promise.resolve(tx));
    await expect(leaked.put(notes, { key: [team, 'a'], text: 'late' })).rejects.toThrow('ended');
    await expect(leaked.getMany(notes, [])).rejects.toThrow('ended');
  });
});
