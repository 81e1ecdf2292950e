/** The doctor's checks of PostgreSQL, with a real one. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { MINUTE, machineClock, machineRandomBytes } from '../../src/clock.ts';
import { checkDatabase } from '../../src/doctor/check-database.ts';
import type { DoctorFinding } from '../../src/doctor/finding.ts';
import { TeamId, UserId } from '../../src/ids.ts';
import { Installations } from '../../src/installations/installations.ts';
import { Secret } from '../../src/secret.ts';
import { connectDatabase } from '../../src/storage/postgres/database.ts';
import { migrateDatabase } from '../../src/storage/postgres/migrations.ts';
import { type LocalDatabase, startLocalDatabase } from '../../src/workbench/database/start-database.ts';
import { keysNamed } from '../installations/keys.ts';

const single = {
  workspaces: {
    mode: 'single',
    botToken: new Secret('b'),
    marketplaceToken: new Secret('m'),
    admins: new Set<UserId>(),
  },
} as const;
const installed = (...keys: readonly [string, ...string[]]) =>
  ({
    workspaces: {
      mode: 'installed',
      clientId: '1.2',
      clientSecret: new Secret('c'),
      publicUrl: 'https://gigdesk.invalid',
      encryptionKeys: keysNamed(...keys),
    },
  }) as const;

let server: LocalDatabase;
let address: string;
beforeAll(async () => {
  server = await startLocalDatabase({ fsync: 'off' });
});
afterAll(() => server.close());
beforeEach(async () => {
  address = await server.createDatabase();
});

const check = (config: Parameters<typeof checkDatabase>[1] = single, clock = machineClock) =>
  checkDatabase(new Secret(address), config, clock);

async function onDatabase<T>(work: (database: ReturnType<typeof connectDatabase>) => Promise<T>): Promise<T> {
  const database = connectDatabase({ url: new Secret(address), max: 1 });
  try {
    return await work(database);
  } finally {
    await database.end({ timeout: 0 });
  }
}

const failed = (findings: readonly DoctorFinding[]) =>
  findings.filter(({ ok }) => !ok).map(({ check: name, remedy }) => [name, remedy !== undefined]);

it('passes an empty database and one that is in use, without changing either', async () => {
  expect(failed(await check())).toEqual([]);
  expect(await onDatabase((sql) => sql`select from pg_tables where schemaname = 'public'`)).toHaveLength(0);
  await onDatabase(migrateDatabase);
  const findings = await check();
  expect(failed(findings)).toEqual([]);
  expect(findings.map(({ check: name }) => name)).toMatchSnapshot();
});

it.each([
  ['nothing answers', (url: URL) => Object.assign(url, { port: '9' })],
  ['there is no such database', (url: URL) => Object.assign(url, { pathname: '/nowhere' })],
])('says what to correct when %s', async (_name, change) => {
  address = change(new URL(address)).href;
  const findings = await check();
  expect(failed(findings)).toEqual([['database', true]]);
  expect(findings[0]?.remedy).toContain('DATABASE_URL');
  expect(JSON.stringify(findings)).not.toContain('postgres://');
});

it('refuses the tables of a newer version', async () => {
  await onDatabase(migrateDatabase);
  await onDatabase((sql) => sql`insert into migrations (number, name) values (99, 'later')`);
  expect(failed(await check())).toEqual([['database tables', true]]);
});

it('refuses a user that may not create tables', async () => {
  await onDatabase((sql) => sql`revoke create on schema public from public, pg_database_owner`);
  expect(failed(await check())).toEqual([['database rights', true]]);
});

it('finds tables of another user, as after a restore by an administrator', async () => {
  await onDatabase(migrateDatabase);
  const admin = new URL(server.adminUrl);
  admin.pathname = new URL(address).pathname;
  const asAdmin = connectDatabase({ url: new Secret(admin.href), max: 1 });
  await asAdmin`alter table records owner to current_user`;
  await asAdmin`alter table migrations owner to current_user`;
  await asAdmin.end();
  const findings = await check();
  expect(failed(findings)).toEqual([['database rights', true]]);
  expect(findings.find(({ ok }) => !ok)?.remedy).toContain('alter table');
});

it('warns of clocks that differ by minutes', async () => {
  const clock = { ...machineClock, now: () => machineClock.now() + 10 * MINUTE };
  clock.monotonicNow = () => machineClock.monotonicNow();
  const warned = (await check(single, clock)).filter(({ ok, remedy }) => ok && remedy?.includes('clock'));
  expect(warned).toHaveLength(1);
  expect(warned[0]?.detail).toContain('600');
});

it('counts workspaces, finds tokens without a key, and replicas with the same address', async () => {
  await onDatabase(async (database) => {
    await migrateDatabase(database);
    const parts = { database, keys: keysNamed('old'), randomBytes: machineRandomBytes };
    await new Installations(parts).save({
      team: TeamId.parse('T1'),
      teamName: 'Bright Agency',
      botToken: new Secret('xoxb-secret'),
      botUser: UserId.parse('U0BOT'),
      installedBy: UserId.parse('U1'),
      scopes: ['commands'],
    });
    await database`insert into replicas (id, url) values ('a', 'http://gigdesk-1:3000')`;
  });
  expect(failed(await check(installed('old')))).toEqual([]);
  expect(failed(await check(installed('new', 'old')))).toEqual([]);
  await onDatabase((sql) => sql`insert into replicas (id, url) values ('b', 'http://gigdesk-1:3000')`);
  const findings = await check(installed('new'));
  expect(failed(findings)).toEqual([
    ['sealed tokens', true],
    ['replicas', true],
  ]);
  expect(findings.find(({ check: name }) => name === 'workspaces')?.detail).toContain('1 ');
  expect(JSON.stringify(findings)).not.toContain('xoxb');
});

it('names a second replica that has no address', async () => {
  await onDatabase(async (database) => {
    await migrateDatabase(database);
    await database`insert into replicas (id) values ('a')`;
  });
  expect(failed(await check(single))).toEqual([]);
  await onDatabase((sql) => sql`insert into replicas (id, url) values ('b', 'http://gigdesk-2:3000')`);
  expect(failed(await check(single))).toEqual([['replicas', true]]);
});
