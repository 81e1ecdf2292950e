/** Connections to PostgreSQL that break at any moment: what is asked fails, and nothing else does. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { machineClock } from '../../src/clock.ts';
import { Secret } from '../../src/secret.ts';
import { connectDatabase } from '../../src/storage/postgres/database.ts';
import { Leases, WORKSPACE_LOCK } from '../../src/storage/postgres/leases.ts';
import { type LocalDatabase, startLocalDatabase } from '../../src/workbench/database/start-database.ts';
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts';

/** Signing in and the first statement take fewer pieces of the server's data. */
const PIECES = 8;

let server: LocalDatabase;
let proxy: CuttingProxy;
const unhandled: unknown[] = [];
const note = (thrown: unknown) => unhandled.push(thrown);

beforeAll(async () => {
  server = await startLocalDatabase({ fsync: 'off' });
  process.on('unhandledRejection', note);
});
afterAll(async () => {
  process.off('unhandledRejection', note);
  await server.close();
});
beforeEach(async () => {
  proxy = await startCuttingProxy(await server.createDatabase());
  unhandled.length = 0;
});
afterEach(() => proxy.close());

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
