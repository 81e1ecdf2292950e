/** Copies in the database that are being stored while their workspace is deleted, or gets another owner. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { forgetTeam } from '../../src/installations/forget-team.ts';
import { silentLog } from '../../src/log.ts';
import { Secret } from '../../src/secret.ts';
import { connectDatabase, type Database } from '../../src/storage/postgres/database.ts';
import { migrateDatabase } from '../../src/storage/postgres/migrations.ts';
import { createDatabaseCache } from '../../src/storage/shelves/database-cache.ts';
import { type LocalDatabase, startLocalDatabase } from '../../src/workbench/database/start-database.ts';
import { notes, team } from './collections.ts';
import { Replica } from './database-replica.ts';

let server: LocalDatabase;
let database: Database;
let owner: Replica;
beforeAll(async () => {
  server = await startLocalDatabase({ fsync: 'off' });
});
afterAll(() => server.close());
beforeEach(async () => {
  const url = await server.createDatabase();
  database = connectDatabase({ url: new Secret(url) });
  await migrateDatabase(database);
  owner = new Replica(url);
  await owner.open();
});
afterEach(async () => {
  await owner.end();
  await database.end({ timeout: 0 });
});

/** Stores both items as the owner with this number. */
function put(epoch: number, text: string, keys: readonly number[]): Promise<void> {
  const cache = createDatabaseCache({ database, team, epoch, schema: notes.schema, log: silentLog });
  return cache.put(keys.map((key) => ({ shelf: 'a', key, at: 0, value: { key: [team, key], text } })));
}

/** Resolves when so many statements wait for a lock. */
const untilWaiting = (count: number) =>
  expect
    .poll(() => database`select from pg_stat_activity where wait_event_type = 'Lock'`)
    .toHaveLength(count);

/** Runs `work` while another statement keeps item 1, and so the statement that stores it, waiting. */
async function whileItemOneWaits(work: (ended: () => Promise<void>) => Promise<void>): Promise<void> {
  const holder = await database.reserve();
  await holder`begin`;
  await holder`insert into cached_items values (${team}, 'a', 1, 0, '{}')`;
  await work(async () => void (await holder`rollback`));
  holder.release();
}

it('are gone with the team', async () => {
  await whileItemOneWaits(async (end) => {
    const stored = put(owner.epoch, 'late', [1, 2]);
    await untilWaiting(1);
    const forgotten = forgetTeam(database, team);
    await Promise.race([forgotten, untilWaiting(2)]);
    await end();
    await Promise.allSettled([stored, forgotten]);
  });
  expect(await database`select from cached_items`).toHaveLength(0);
});

it('never replace what the next owner stored', async () => {
  await whileItemOneWaits(async (end) => {
    const stored = put(owner.epoch, 'late', [1, 2]);
    await untilWaiting(1);
    const next = database`update workspaces set epoch = epoch + 1 where team = ${team}`.then(() =>
      put(owner.epoch + 1, 'newer', [2]),
    );
    await Promise.race([next, untilWaiting(2)]);
    await end();
    await Promise.allSettled([stored, next]);
  });
  const [row] = await database<{ value: string }[]>`select value from cached_items where key = 2`;
  expect(row?.value).toContain('newer');
});
