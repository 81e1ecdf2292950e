/** `npm run gigdesk -- rotate-key` and `npm run gigdesk -- forget`, as their own processes. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { machineRandomBytes } from '../../src/clock.ts';
import { TeamId, UserId } from '../../src/ids.ts';
import { Installations } from '../../src/installations/installations.ts';
import { Secret } from '../../src/secret.ts';
import { connectDatabase, type Database } from '../../src/storage/postgres/database.ts';
import { migrateDatabase } from '../../src/storage/postgres/migrations.ts';
import { type LocalDatabase, startLocalDatabase } from '../../src/workbench/database/start-database.ts';
import { type CompiledTree, linkCompiledFiles } from '../compiled-files.ts';
import { dumpDatabase } from './dump-database.ts';
import { keysNamed } from './keys.ts';

/** Long, so that no sealed token contains one by chance. */
const FORGOTTEN = 'T0FORGOTTEN';
const KEPT = 'T0KEPTTEAM';

let tree: CompiledTree;
let server: LocalDatabase;
let url: string;
let database: Database;
beforeAll(async () => {
  [tree, server] = await Promise.all([linkCompiledFiles(), startLocalDatabase({ fsync: 'off' })]);
  url = await server.createDatabase();
  database = connectDatabase({ url: new Secret(url) });
});
afterAll(async () => {
  await database.end({ timeout: 0 });
  await Promise.all([tree.remove(), server.close()]);
});

function run(command: string, keys: readonly string[], ...args: readonly string[]) {
  const env = {
    SLACK_CLIENT_ID: '1.2',
    SLACK_CLIENT_SECRET: 'client-secret',
    SLACK_SIGNING_SECRET: 'signing-secret-secret',
    MARKETPLACE_API_URL: 'https://marketplace.invalid/v1',
    PUBLIC_URL: 'https://gigdesk.invalid',
    DATABASE_URL: url,
    ENCRYPTION_KEY: keysNamed(...keys)
      .map(({ id, base64 }) => `${id}:${base64.reveal()}`)
      .join(','),
  };
  const options = { cwd: tree.place, env, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(tree.place, 'src/main.js'), command, ...args],
    options,
  );
  const words = stdout + stderr;
  for (const secret of ['secret', 'xoxb', url, keysNamed(...keys)[0].base64.reveal()])
    expect(words).not.toContain(secret);
  return { status, words };
}

it('rotates the keys and forgets a team, with a sentence and the counts', async () => {
  expect(run('rotate-key', ['new']).words).toMatchSnapshot();
  await migrateDatabase(database);
  const installations = new Installations({
    database,
    keys: keysNamed('old'),
    randomBytes: machineRandomBytes,
  });
  for (const team of [FORGOTTEN, KEPT])
    await installations.save({
      team: TeamId.parse(team),
      teamName: 'Bright Agency',
      botToken: new Secret('xoxb-secret'),
      botUser: UserId.parse('U0BOT'),
      installedBy: UserId.parse('U1'),
      scopes: ['commands'],
    });
  const runs = [
    run('rotate-key', ['new']),
    run('rotate-key', ['new', 'old']),
    run('rotate-key', ['new']),
    run('forget', ['new']),
    run('forget', ['new'], 'Bright Agency'),
    run('forget', ['new'], FORGOTTEN),
    run('forget', ['new'], FORGOTTEN),
  ];
  expect(runs.map(({ status }) => status)).toEqual([1, 0, 0, 1, 1, 0, 1]);
  expect(runs.map(({ words }) => words).join('\n')).toMatchSnapshot();
  const dump = await dumpDatabase(database);
  expect([dump.includes(FORGOTTEN), dump.includes(KEPT)]).toEqual([false, true]);
});

it('says what is wrong when the database is gone', async () => {
  await server.stop('crash');
  const { status, words } = run('forget', ['new'], KEPT);
  expect(status).toBe(1);
  expect(words).toContain("database doesn't answer");
});
