/** The store in PostgreSQL, on a real server. */
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Clock, machineClock } from '../../src/clock.ts';
import { silentLog } from '../../src/log.ts';
import { WORKSPACE_LOCK } from '../../src/storage/postgres/leases.ts';
import { KNOWN_MIGRATIONS, migrateDatabase } from '../../src/storage/postgres/migrations.ts';
import { createDatabaseCache } from '../../src/storage/shelves/database-cache.ts';
import type { ItemCache } from '../../src/storage/shelves/item-cache.ts';
import type { Store } from '../../src/storage/store.ts';
import { type CuttingProxy, startCuttingProxy } from '../../src/workbench/database/cutting-proxy.ts';
import { type LocalDatabase, startLocalDatabase } from '../../src/workbench/database/start-database.ts';
import { allNotes, counts, putNote, team } from './collections.ts';
import { Replica } from './database-replica.ts';

let server: LocalDatabase;
beforeAll(async () => {
  server = await startLocalDatabase({ fsync: 'off' });
});
afterAll(() => server.close());

let url: string;
let proxy: CuttingProxy;
let first: Replica;
let second: Replica;

beforeEach(async () => {
  url = await server.createDatabase();
  proxy = await startCuttingProxy(url);
  first = new Replica(proxy.url);
  second = new Replica(url);
  await migrateDatabase(second.database);
});
afterEach(async () => {
  await Promise.all([first.end(), second.end()]);
  await proxy.close();
});

const texts = async (store: Store) => (await allNotes(store)).map(([, { text }]) => text);

describe('a batch whose answer is lost', () => {
  it('is stored once, whether or not the server got it', async () => {
    const store = await first.open();
    await putNote(store, 'a', 'first');
    proxy.dropNextAnswer();
    await putNote(store, 'b', 'answer dropped');
    proxy.dropNextQuestion();
    await putNote(store, 'c', 'question dropped');
    proxy.cut();
    await putNote(store, 'd', 'cut before');
    const add = (tx: Parameters<Parameters<Store['transact']>[0]>[0]) =>
      tx
        .get(counts, [team, 'n'])
        .then((n) => tx.put(counts, { key: [team, 'n'], count: (n?.count ?? 0) + 1 }));
    for (let round = 0; round < 10; round++) {
      if (round % 2 === 0) proxy.dropNextAnswer();
      await Promise.all([store.transact(add), store.transact(add)]);
    }
    await first.end();
    const again = await second.open();
    expect(await texts(again)).toEqual(['first', 'answer dropped', 'question dropped', 'cut before']);
    expect(await again.read((tx) => tx.get(counts, [team, 'n']))).toEqual({ key: [team, 'n'], count: 20 });
    const [row] = await second.database<{ sequence: string }[]>`select sequence from workspaces`;
    expect(Number(row?.sequence)).toBe(24);
  });

  it('survives a crash of the server', async () => {
    const store = await first.open();
    await putNote(store, 'a', 'before');
    await server.stop('crash');
    const waiting = putNote(store, 'b', 'meanwhile');
    await server.start();
    await waiting;
    expect(await texts(store)).toEqual(['before', 'meanwhile']);
  });

  it('makes the store useless when nobody can say how it ended', async () => {
    const hurried = new Replica(proxy.url, createHurriedClock());
    const store = await hurried.open();
    await putNote(store, 'a', 'kept');
    proxy.silence();
    const unknown = putNote(store, 'b', 'unknown');
    await expect(unknown).rejects.toMatchObject({ code: 'lost' });
    await expect(putNote(store, 'c', 'after')).rejects.toMatchObject({ code: 'lost' });
    await expect(texts(store)).rejects.toMatchObject({ code: 'lost' });
    await hurried.end();
    proxy.cut();
    await expect.poll(() => second.leases.acquire(WORKSPACE_LOCK, team)).toBe(true);
    await second.leases.release(WORKSPACE_LOCK, team);
    expect(await texts(await second.open())).toEqual(['kept']);
  });
});

/** Waits of seconds end at once. */
function createHurriedClock(): Clock {
  let passed = 0;
  return {
    ...machineClock,
    now: () => machineClock.now() + passed,
    runAfter: (ms, run) =>
      machineClock.runAfter(Math.min(ms, 50), () => {
        passed += ms;
        run();
      }),
  };
}

describe('two processes', () => {
  it("can't own a workspace together", async () => {
    await first.open();
    await expect(second.open()).rejects.toMatchObject({ code: 'locked' });
  });

  it('hand it over with all that was stored', async () => {
    const store = await first.open();
    await putNote(store, 'a', 'handed over');
    await store.close();
    expect(await texts(await second.open())).toEqual(['handed over']);
  });

  it('never write both: the earlier owner is told, and stores nothing more', async () => {
    const store = await first.open();
    await putNote(store, 'a', 'before');
    proxy.cut();
    await expect.poll(() => first.isLost).toBe(true);
    const owner = await second.open();
    await putNote(owner, 'b', 'of the new owner');
    await expect(putNote(store, 'c', 'of the old one')).rejects.toMatchObject({ code: 'lost' });
    expect(await texts(owner)).toEqual(['before', 'of the new owner']);
  });

  it('prepare an empty database once when they start together', async () => {
    const empty = await server.createDatabase();
    const one = new Replica(empty);
    const replicas = [one, new Replica(empty), new Replica(empty)];
    await Promise.all(replicas.map(({ database }) => migrateDatabase(database)));
    const steps = await one.database<{ name: string }[]>`select name from migrations`;
    expect(new Set(steps.map(({ name }) => name)).size).toBe(steps.length);
    expect(await one.database`select from records`).toEqual([]);
    await Promise.all(replicas.map((each) => each.end()));
  });
});

describe('a database of a newer version', () => {
  it('lets a program that already runs go on: steps only add', async () => {
    const running = await first.open();
    const sql = readFileSync('src/storage/postgres/migrations.ts', 'utf8');
    expect(sql).not.toMatch(/drop (?:table|column)|rename |set not null|alter column \w+ type/iu);
    const extra = Array.from({ length: KNOWN_MIGRATIONS + 1 }, () => ({
      name: 'of the future',
      sql: 'alter table records add column later text; create table later (id text primary key);',
    }));
    await migrateDatabase(second.database, extra);
    await putNote(running, 'a', 'stored all the same');
    await running.close();
    await expect(migrateDatabase(second.database)).rejects.toMatchObject({ code: 'newer' });
  });

  it('is refused with its tables, and left alone', async () => {
    await second.database`insert into migrations (number, name) values (99, 'of the future')`;
    const before = await second.database`select * from migrations order by number`;
    await expect(migrateDatabase(second.database)).rejects.toMatchObject({ code: 'newer' });
    expect(await second.database`select * from migrations order by number`).toEqual(before);
  });

  it('is refused with its data, and stays with its owner', async () => {
    const store = await first.open({ version: 7 });
    await putNote(store, 'a', 'of the future');
    await store.close();
    const before = await second.database`select epoch from workspaces`;
    await expect(second.open()).rejects.toMatchObject({ code: 'newer' });
    expect(await second.database`select epoch from workspaces`).toEqual(before);
  });
});

it('keeps every character that strangers can write', async () => {
  const strange = ['\u0000', '\ud800', 'a\\u0000b', '"', "'); drop table records; --", '\u2028', '💶'];
  const store = await first.open();
  for (const [index, text] of strange.entries()) await putNote(store, `${index} ${text}`, text);
  await store.close();
  const again = await second.open();
  expect((await allNotes(again)).map(([key, { text }]) => [key[1], text])).toEqual(
    strange.map((text, index) => [`${index} ${text}`, text]),
  );
});

it('tells nobody the password, or what was to be stored', async () => {
  const wrong = new URL(url);
  wrong.username = 'nobody';
  wrong.password = 'hunter2';
  const stranger = new Replica(wrong.href);
  const thrown = await stranger.open().catch((error: unknown) => error);
  expect(thrown).toMatchObject({ code: 'io' });
  expect(JSON.stringify(thrown, Object.getOwnPropertyNames(thrown))).not.toContain('hunter2');
  await stranger.end();
});

describe('copies of proposals', () => {
  const Copy = z.object({ text: z.string() });
  type Copy = z.infer<typeof Copy>;
  const copy = (shelf: string, key: number, text: string) => ({ shelf, key, at: key, value: { text } });
  const cacheOf = ({ database, epoch }: Replica) =>
    createDatabaseCache<Copy>({ database, team, epoch, schema: Copy, log: silentLog });
  const contents = async (cache: ItemCache<Copy>) => {
    const found: string[] = [];
    const damaged = await cache.load((shelf, items) => {
      for (const { key, value } of items) found.push(`${shelf} ${key} ${value.text}`);
    });
    return { found, damaged };
  };

  it('come back, the last value of each key, and not those of deleted shelves', async () => {
    await first.open();
    const cache = cacheOf(first);
    await Promise.all([
      cache.put([copy('a', 1, 'first'), copy('a', 1, 'second'), copy('b', 2, '\u0000 \ud800')]),
      cache.put([copy('a', 1, 'third'), copy('c', 3, 'deleted')]),
      cache.dropShelves(['c', 'never there']),
    ]);
    await cache.waitUntilIdle();
    await second.database`update cached_items set value = '{"text":7}' where shelf = 'b'`;
    expect(await contents(cacheOf(first))).toEqual({ found: ['a 1 third'], damaged: 1 });
  });

  it("aren't changed by an earlier owner", async () => {
    await first.open();
    const cache = cacheOf(first);
    await cache.put([copy('a', 1, 'before')]);
    proxy.cut();
    await expect.poll(() => first.isLost).toBe(true);
    await second.open();
    await expect(cache.put([copy('a', 1, 'late')])).rejects.toMatchObject({ code: 'lost' });
    await cache.dropShelves(['a']);
    expect(await contents(cacheOf(second))).toEqual({ found: ['a 1 before'], damaged: 0 });
  });
});
