/** Replicas of two versions on one database, during an upgrade replica by replica. */
import postgres from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { KNOWN_MIGRATIONS } from '../../src/storage/postgres/migrations.ts';
import { findFreePort } from '../../src/workbench/free-port.ts';
import { owns, ReplicaProcesses } from './replica-processes.ts';

const SPEED = 5;

let play: ReplicaProcesses;
let database: postgres.Sql;

beforeAll(async () => {
  play = await ReplicaProcesses.begin(SPEED);
  database = postgres(play.url, { max: 1 });
});
afterAll(async () => {
  await database.end();
  await play.close();
});

async function lastMigration(): Promise<number | undefined> {
  const [row] = await database<{ last: number }[]>`select max(number) as last from migrations`;
  return row?.last;
}

it('an older replica serves on beside a newer one, and refuses to start again', async () => {
  const older = await play.start();
  play.receiveAt(older);
  await play.untilOwned([older]);
  await play.subscribe();
  await play.publishAndAwait(1);
  expect(await lastMigration()).toBe(KNOWN_MIGRATIONS);

  // Until its tables are newer and it runs, projects keep coming.
  for (let made = 0; made < 3; made++) play.marketplace.publishProject(101);
  const newer = await play.start({ version: 'newer' });
  expect(await lastMigration()).toBe(KNOWN_MIGRATIONS + 1);
  await expect.poll(() => play.cards().length, { timeout: 30_000 }).toBe(4);

  // Whoever owns the workspace: requests of people reach it through the other one, too.
  const owner = await play.untilOwned([older, newer]);
  play.receiveAt(owner === older ? newer : older);
  await play.expectEachOnce();
  await play.publishAndAwait(1);

  // The older one takes over from the newer one, and stores on newer tables.
  newer.child.kill('SIGKILL');
  await newer.ended;
  await play.untilOwned([older]);
  play.receiveAt(older);
  await play.publishAndAwait(2);
  await play.expectEachOnce();

  const upgraded = await play.start({ version: 'newer' });
  older.child.kill('SIGTERM');
  expect(await older.ended).toBe(0);
  await play.untilOwned([upgraded]);
  play.receiveAt(upgraded);
  await play.publishAndAwait(2);
  await play.expectEachOnce();

  const refused = play.launch({}, await findFreePort());
  expect(await refused.ended).toBe(1);
  const told = refused.log.find(({ msg }) => msg === 'told')?.['sentence'];
  expect(told).toMatch(/can't start: A newer version of Gigdesk uses this database/u);
  expect(await lastMigration()).toBe(KNOWN_MIGRATIONS + 1);
  expect(owns(upgraded)).toBe(true);
  await play.publishAndAwait(1);
  await play.expectEachOnce();
}, 180_000);
