/** Connections to PostgreSQL that break at any moment: what is asked fails, and nothing else does. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { machineClock } from '../../src/clock.ts';
import { TeamId } from '../../src/ids.ts';
import { Secret } from '../../src/secret.ts';
import { connectDatabase } from '../../src/storage/postgres/database.ts';
import { Leases, WORKSPACE_LOCK } from '../../src/storage/postgres/leases.ts';
import { migrateDatabase } from '../../src/storage/postgres/migrations.ts';
import { loadRecords } from '../../src/storage/postgres/postgres-log.ts';
import { type CuttingProxy, startCuttingProxy } from '../../src/workbench/database/cutting-proxy.ts';
import { type LocalDatabase, startLocalDatabase } from '../../src/workbench/database/start-database.ts';

/** Signing in and the first statement take fewer pieces of the server's data. */
const PIECES = 8;

let server: LocalDatabase;
let proxy: CuttingProxy;
const unhandled: unknown[] = [];
const note = (thrown: unknown) => unhandled.push(thrown);
const KINDS = ['unhandledRejection', 'uncaughtException'] as const;

beforeAll(async () => {
  server = await startLocalDatabase({ fsync: 'off' });
  for (const kind of KINDS) process.on(kind, note);
});
afterAll(async () => {
  for (const kind of KINDS) process.off(kind, note);
  await server.close();
});
beforeEach(async () => {
  proxy = await startCuttingProxy(await server.createDatabase());
  unhandled.length = 0;
});
afterEach(() => proxy.close());

async function isAsleep(): Promise<boolean> {
  const admin = connectDatabase({ url: new Secret(server.adminUrl), max: 1 });
  const asleep = await admin`select from pg_stat_activity where wait_event = 'PgSleep'`;
  await admin.end();
  return asleep.length > 0;
}

/** The server notices only later that nobody waits for them. */
async function endSleepers(): Promise<void> {
  const admin = connectDatabase({ url: new Secret(server.adminUrl), max: 1 });
  await admin`select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep'`;
  await admin.end();
  await expect.poll(isAsleep).toBe(false);
}

/** A rejection without a handler shows one turn later. */
const afterATurn = () => new Promise((resolve) => setImmediate(resolve));

it('fails a query alone, and the next one connects again', async () => {
  const database = connectDatabase({ url: new Secret(proxy.url) });
  for (let pieces = 0; pieces < PIECES; pieces++) {
    proxy.breakNextAfter(pieces);
    await Promise.allSettled([
      database`select 1`,
      database.begin((sql) => sql`select ${['a']}::text[] as it`),
    ]);
    await afterATurn();
    proxy.restore();
    await expect.poll(() => database`select 2 as it`.catch(() => [])).toEqual([{ it: 2 }]);
  }
  await database.end({ timeout: 0 });
  expect(unhandled).toEqual([]);
}, 30_000);

it('sends what comes next, also when a statement was about to be sent', async () => {
  const database = connectDatabase({ url: new Secret(proxy.url), max: 1 });
  let longestMs = 0;
  for (let round = 0; round < 20; round++) {
    await expect.poll(() => database`select 1 as it`.catch(() => [])).toEqual([{ it: 1 }]);
    proxy.cut();
    const asked: Promise<unknown>[] = [];
    // One of them meets the moment when the connection closes.
    for (let turn = 0; turn < 30; turn++) {
      asked.push(database`select 2`.catch(() => undefined));
      await afterATurn();
    }
    const at = machineClock.monotonicNow();
    await Promise.all(asked);
    longestMs = Math.max(longestMs, machineClock.monotonicNow() - at);
  }
  // The driver gives up connecting after 5 s.
  expect(longestMs).toBeLessThan(2_000);
  await database.end({ timeout: 0 });
  expect(unhandled).toEqual([]);
}, 30_000);

it('ends a transaction, and stores nothing of it', async () => {
  const database = connectDatabase({ url: new Secret(proxy.url) });
  const slow = [{ name: 'slow', sql: 'create table slow (id int); select pg_sleep(5)' }];
  for (let round = 0; round < 3; round++) {
    const migrated = migrateDatabase(database, slow);
    await expect.poll(isAsleep).toBe(true);
    proxy.cut();
    await expect(migrated).rejects.toMatchObject({ code: 'io' });
    await endSleepers();
    await afterATurn();
  }
  expect(await database`select to_regclass('slow') as it`).toEqual([{ it: null }]);
  await database.end({ timeout: 0 });
  expect(unhandled).toEqual([]);
}, 30_000);

it('loads nothing in part', async () => {
  const database = connectDatabase({ url: new Secret(proxy.url) });
  await migrateDatabase(database);
  await database`insert into workspaces (team) values ('T1')`;
  await database`
    insert into records (team, collection, key, value)
    select 'T1', 'notes', to_json(number)::text, '1' from generate_series(1, 20000) as number`;
  for (let after = 0; after < 20_000; after += 2_500) {
    let loaded = 0;
    const loading = loadRecords(database, TeamId.parse('T1'), {
      load: () => {
        loaded += 1;
        if (loaded === after + 1) proxy.cut();
      },
      restart: () => expect.fail('nothing is damaged'),
      finish: () => expect.fail('it is not all'),
    });
    await expect(loading).rejects.toBeInstanceOf(Error);
    await afterATurn();
  }
  await database.end({ timeout: 0 });
  expect(unhandled).toEqual([]);
}, 30_000);

it('frees leases, which another process gets', async () => {
  const url = new Secret(proxy.url);
  let lost = 0;
  const leases = new Leases({ url, clock: machineClock, onLost: () => (lost += 1) });
  for (let pieces = 0; pieces < PIECES; pieces++) {
    proxy.breakNextAfter(pieces);
    await leases.acquire(WORKSPACE_LOCK, 'T1').catch(() => false);
    await afterATurn();
    proxy.restore();
    await expect.poll(() => leases.holds(WORKSPACE_LOCK, 'T1')).toBe(false);
    await expect.poll(() => leases.acquire(WORKSPACE_LOCK, 'T1').catch(() => false)).toBe(true);
    const other = new Leases({ url, clock: machineClock, onLost: () => undefined });
    expect(await other.acquire(WORKSPACE_LOCK, 'T1')).toBe(false);
    await leases.release(WORKSPACE_LOCK, 'T1');
    expect(await other.acquire(WORKSPACE_LOCK, 'T1')).toBe(true);
    await other.close();
  }
  expect(lost).toBeGreaterThan(0);
  await leases.close();
  expect(unhandled).toEqual([]);
}, 30_000);
