/** `npm run gigdesk -- ledger verify`: data folders in use, tampered files, tampered rows, several teams. */
import { spawnSync } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { allCollections } from '../../src/app/collections.ts';
import { machineClock } from '../../src/clock.ts';
import { readConfig } from '../../src/config.ts';
import { recordDecision } from '../../src/decisions/decisions.ts';
import { decisionHeads } from '../../src/decisions/records.ts';
import { JobId, TeamId, UserId } from '../../src/ids.ts';
import { runLedgerCommand } from '../../src/ledger/verify.ts';
import { silentLog } from '../../src/log.ts';
import { Secret } from '../../src/secret.ts';
import { openJournalStore } from '../../src/storage/open-journal-store.ts';
import { connectDatabase, type Database } from '../../src/storage/postgres/database.ts';
import { migrateDatabase } from '../../src/storage/postgres/migrations.ts';
import type { Store } from '../../src/storage/store.ts';
import { type LocalDatabase, startLocalDatabase } from '../../src/workbench/database/start-database.ts';
import { type CompiledTree, linkCompiledFiles } from '../compiled-files.ts';
import { createMemoryStore } from '../memory-store.ts';
import { rewriteJournal as rewrite } from '../rewrite-journal.ts';

const env = {
  SLACK_BOT_TOKEN: 'xoxb-secret',
  SLACK_APP_TOKEN: 'xapp-secret',
  MARKETPLACE_API_URL: 'https://marketplace.invalid/v1',
  MARKETPLACE_API_TOKEN: 'very-secret',
};
const START = Date.parse('2026-03-01T12:00:00Z');

let tree: CompiledTree;
let folder: string;
beforeAll(async () => {
  tree = await linkCompiledFiles();
});
afterAll(() => tree.remove());
beforeEach(async () => {
  folder = path.join(tree.place, 'data');
  await rm(folder, { recursive: true, force: true });
});

const openFolder = () =>
  openJournalStore({
    folder,
    team: TeamId.parse('T1'),
    collections: allCollections,
    log: silentLog,
    clock: machineClock,
  });

async function approve(store: Store, count: number): Promise<void> {
  for (let n = 0; n < count; n++)
    await store.transact((tx) => {
      const act = { kind: 'approve', job: JobId.parse(n + 1), title: `Shop ${n}`, overrides: false } as const;
      const by = UserId.parse('U1');
      return recordDecision(tx, { at: START + n, by, act });
    });
}

const verify = (...given: readonly string[]) =>
  runLedgerCommand(['verify', ...given], readConfig({ ...env, DATA_DIR: folder }));

const rewriteJournal = (change: (json: string) => string | undefined) => rewrite(folder, change);

describe('a data folder', () => {
  it('is checked while a process writes there, as its own process', async () => {
    const store = await openFolder();
    await approve(store, 3);
    const run = spawnSync(process.execPath, [path.join(tree.place, 'src/main.js'), 'ledger', 'verify'], {
      cwd: tree.place,
      env: { ...env, DATA_DIR: folder },
      encoding: 'utf8',
    });
    expect(run.stdout + run.stderr).not.toContain('secret');
    expect(run.stdout).toMatch(/^T1: complete and unchanged\n {2}entries: 3\n {4}approved a bid: 3\n/u);
    expect(run.status).toBe(0);
    const before = await readdir(folder);
    await approve(store, 2);
    expect((await verify()).words).toContain('entries: 5');
    expect(await readdir(folder)).toEqual(before);
    await store.close();
    expect(await verify()).toMatchObject({ code: 0, words: expect.stringContaining('entries: 5') });
  });

  it('with tampered files is shown to be broken, and where', async () => {
    const store = await openFolder();
    await approve(store, 4);
    await rewriteJournal((json) => json.replaceAll('Shop 1', 'Shed 1'));
    expect(await verify()).toMatchObject({ code: 1, words: expect.stringContaining('Entry 2 was changed') });
    await rewriteJournal((json) => json.replaceAll('Shed 1', 'Shop 1'));
    expect(await verify()).toMatchObject({ code: 0 });
    await rewriteJournal((json) =>
      json.includes('"seq":3,"deleted"') ? undefined : json.replace(/\["decisions",\[3\],/u, '["other",[3],'),
    );
    expect(await verify()).toMatchObject({ code: 1, words: expect.stringContaining('Entry 3: missing') });
    // Only the audit log names what is missing.
    await rewriteJournal((json) =>
      json.replaceAll(/"(?:decisions|decision-heads|other)",/gu, '"elsewhere",'),
    );
    const gone = await verify();
    expect(gone).toMatchObject({ code: 1, words: expect.stringContaining('T1: BROKEN') });
    expect(gone.words).toContain('Entry 1 is missing');
    await store.close();
  });

  it('with a damaged file says so, and nothing else that is wrong', async () => {
    const store = await openFolder();
    await approve(store, 4);
    const [name = ''] = (await readdir(folder)).filter((each) => each.startsWith('journal'));
    const text = await readFile(path.join(folder, name), 'utf8');
    await writeFile(path.join(folder, name), text.replace('Shop 1', 'Shed 1'));
    expect(await verify()).toMatchObject({ code: 1, words: expect.stringContaining('damaged') });
    await store.close();
  });

  it('with a changed last line says so: a crash leaves no whole line that is wrong', async () => {
    const store = await openFolder();
    await approve(store, 3);
    const [name = ''] = (await readdir(folder)).filter((each) => each.startsWith('journal'));
    const text = await readFile(path.join(folder, name), 'utf8');
    await writeFile(path.join(folder, name), text.replace('Shop 2', 'Shed 2'));
    expect(await verify()).toMatchObject({ code: 1, words: expect.stringContaining('damaged') });
    await writeFile(path.join(folder, name), text.slice(0, -20));
    expect(await verify()).toMatchObject({ code: 0, words: expect.stringContaining('entries: 2') });
    await store.close();
  });

  it('is compared with the older files that are still there', async () => {
    const store = await openFolder();
    await approve(store, 3);
    await store.close();
    const files = (await readdir(folder)).filter((each) => /^(?:journal|snapshot)/u.test(each));
    const [older = ''] = files;
    expect([older, files.length]).toEqual(['journal-00000001.jsonl', 3]);
    const file = path.join(folder, older);
    const text = await readFile(file, 'utf8');
    expect(await verify()).toMatchObject({ code: 0 });
    await writeFile(file, text.replace('Shop 1', 'Shed 1'));
    const damaged = await verify();
    expect(damaged).toMatchObject({ code: 1, words: expect.stringContaining(`${older} is damaged`) });
    await writeFile(file, text.replace(/^.*Shop 1.*\n/mu, ''));
    expect(await verify()).toMatchObject({ code: 1, words: expect.stringContaining(`${older} is damaged`) });
    await writeFile(file, text);
    await rewriteJournal((json) => json.replaceAll('Shop 1', 'Shed 1'));
    const differs = await verify();
    expect(differs).toMatchObject({ code: 1, words: expect.stringContaining('entry 2 in') });
    expect(differs.words).toContain(older);
  });

  it('that was replaced with all its hashes differs from the older files', async () => {
    const store = await openFolder();
    await approve(store, 3);
    await store.close();
    const original = await readFile(path.join(folder, 'journal-00000001.jsonl'));
    await rm(folder, { recursive: true });
    const forged = await openFolder();
    await approve(forged, 2);
    await forged.close();
    expect(await verify()).toMatchObject({ code: 0 });
    await writeFile(path.join(folder, 'journal-00000001.jsonl'), original);
    expect(await verify()).toMatchObject({ code: 1, words: expect.stringContaining('entry 3 in') });
  });

  it('with a noted number and hash is compared with it', async () => {
    const store = await openFolder();
    await approve(store, 2);
    const { hash = '' } = (await store.read((tx) => tx.get(decisionHeads, []))) ?? {};
    await approve(store, 2);
    await store.close();
    expect(await verify(`2:${hash}`)).toMatchObject({ code: 0 });
    expect(await verify(`3:${hash}`)).toMatchObject({ code: 1 });
    expect(await verify('T1', `2:${hash}`)).toMatchObject({ code: 0 });
  });

  it('that is empty, and an order that is wrong, are refused with a sentence', async () => {
    expect(await verify()).toMatchObject({ code: 1, words: expect.stringContaining('DATA_DIR') });
    expect(await verify('2:abc')).toMatchObject({
      code: 1,
      words: expect.stringContaining('npm run gigdesk -- ledger'),
    });
    const config = readConfig({ ...env, DATA_DIR: folder });
    expect(await runLedgerCommand([], config)).toMatchObject({ code: 1 });
    const store = await openFolder();
    expect(await verify()).toMatchObject({ code: 0, words: 'There are no decisions yet.' });
    expect(await verify('T2')).toMatchObject({ code: 1 });
    await store.close();
  });
});

describe('a database', () => {
  let server: LocalDatabase;
  let url: string;
  let database: Database;
  beforeAll(async () => {
    server = await startLocalDatabase({ fsync: 'off' });
    url = await server.createDatabase();
    database = connectDatabase({ url: new Secret(url), max: 1 });
    await migrateDatabase(database);
  });
  afterAll(async () => {
    await database.end({ timeout: 0 });
    await server.close();
  });

  async function insert(team: string): Promise<void> {
    const store = createMemoryStore();
    await approve(store, 3);
    for (const collection of allCollections.filter(({ name }) => /^(?:decision|audit)/u.test(name))) {
      const rows = await store.read((tx) => tx.list<unknown>(collection as never, { limit: 100 }));
      for (const { key, value } of rows)
        await database`insert into records (team, collection, key, value)
          values (${team}, ${collection.name}, ${JSON.stringify(key)}, ${JSON.stringify(value)})`;
    }
  }

  const run = (...given: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [path.join(tree.place, 'src/main.js'), 'ledger', 'verify', ...given],
      { cwd: tree.place, env: { ...env, DATABASE_URL: url }, encoding: 'utf8' },
    );
    return { status, words: stdout + stderr };
  };

  it('is checked team by team', async () => {
    await insert('T1');
    await insert('T2');
    const good = run();
    expect(good.words).toMatch(/T1: complete[\s\S]*T2: complete/u);
    expect(good.status).toBe(0);
    await database`update records set value = replace(value, 'Shop 2', 'Shed 2')
      where team = 'T2' and collection = 'decisions'`;
    await database`delete from records where team = 'T1' and collection = 'decisions' and key = '[3]'`;
    const bad = run();
    expect(bad.status).toBe(1);
    expect(bad.words).toMatch(
      /T1: BROKEN[\s\S]*Entry 3: missing at the end[\s\S]*T2: BROKEN[\s\S]*Entry 3 was changed/u,
    );
    expect(run('T3').status).toBe(1);
    await database`delete from records where collection in ('decisions', 'decision-heads')`;
    expect(run('T1')).toMatchObject({ status: 1, words: expect.stringContaining('T1: BROKEN') });
  });
});
