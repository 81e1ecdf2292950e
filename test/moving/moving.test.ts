/** `npm run gigdesk -- import` and `npm run gigdesk -- export`, with a real PostgreSQL. */
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { machineClock } from '../../src/clock.ts';
import { TeamId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { Proposal } from '../../src/marketplace/schema.ts';
import { reportMove } from '../../src/moving/commands.ts';
import { exportFolder, importFolder } from '../../src/moving/move.ts';
import type { MovingParts } from '../../src/moving/places.ts';
import { Secret } from '../../src/secret.ts';
import { storedSetups } from '../../src/setups/setups.ts';
import { openJournalStore } from '../../src/storage/open-journal-store.ts';
import { connectDatabase, type Database } from '../../src/storage/postgres/database.ts';
import { Leases, WORKSPACE_LOCK } from '../../src/storage/postgres/leases.ts';
import { migrateDatabase } from '../../src/storage/postgres/migrations.ts';
import { createDiskCache } from '../../src/storage/shelves/disk-cache.ts';
import type { Collection, Key } from '../../src/storage/store.ts';
import { type LocalDatabase, startLocalDatabase } from '../../src/workbench/database/start-database.ts';
import { plainProposal } from '../plain-proposal.ts';

const TEAM = TeamId.parse('T1');
const clock = machineClock;

let server: LocalDatabase;
let url: Secret;
let database: Database;
let parts: MovingParts & { readonly leases: Leases };
let place: string;
beforeAll(async () => {
  server = await startLocalDatabase({ fsync: 'off' });
});
afterAll(() => server.close());
beforeEach(async () => {
  url = new Secret(await server.createDatabase());
  database = connectDatabase({ url, max: 2 });
  await migrateDatabase(database);
  parts = { database, clock, leases: new Leases({ url, clock, onLost: () => undefined }) };
  place = await mkdtemp(path.join(tmpdir(), 'gigdesk-'));
});
afterEach(async () => {
  await parts.leases.close();
  await database.end({ timeout: 0 });
  await rm(place, { recursive: true, force: true });
});

const source = () => path.join(place, 'data');
const target = () => path.join(place, 'exported');

/** What strangers can write, which not every engine takes. */
const NASTY = ['\u0000', '\ud800', 'ü'.repeat(40_000), '"]\n'];

/** Keys of several parts, and values that no schema has. */
const anything = { ...storedSetups, key: (it: { key: Key }) => it.key } as unknown as Collection<{
  key: Key;
  text: string;
}>;

function open(folder: string, team = TEAM) {
  return openJournalStore({ folder, team, collections: [storedSetups], clock, log: silentLog });
}

async function fillFolder(folder: string, { team = TEAM, proposals = 3 } = {}): Promise<void> {
  const store = await open(folder, team);
  await store.transact(async (tx) => {
    for (let i = 0; i < 30; i++)
      await tx.put(anything, { key: [team, 'U1', `s${i}`], text: NASTY[i % NASTY.length] ?? '' });
  });
  await store.transact((tx) => tx.delete(anything, [team, 'U1', 's1']));
  await store.close();
  const cache = createDiskCache({ folder: path.join(folder, 'proposals'), schema: Proposal, log: silentLog });
  await cache.load(() => undefined);
  const items = Array.from({ length: proposals }, (_, i) => ({
    shelf: 'all',
    key: i + 1,
    at: 1_000 + i,
    value: plainProposal(i + 1),
  }));
  await cache.put(items);
}

/** Names and contents of the files. */
async function readFiles(folder: string): Promise<Record<string, string>> {
  const files = await readdir(folder, { withFileTypes: true, recursive: true });
  const read = files
    .filter((file) => file.isFile())
    .map(async ({ parentPath, name }) => [name, await readFile(path.join(parentPath, name), 'base64')]);
  return Object.fromEntries(await Promise.all(read)) as Record<string, string>;
}

describe('moving a workspace', () => {
  it('into the database and back keeps every record and proposal', async () => {
    await fillFolder(source());
    const before = await readFiles(source());
    const imported = await importFolder(parts, source());
    expect(imported).toMatchObject({ kind: 'moved', team: 'T1' });
    expect(Object.fromEntries(imported.kind === 'moved' ? imported.summary.counts : [])).toEqual({
      [storedSetups.name]: 29,
      'copies of proposals': 3,
    });
    expect(await readFiles(source())).toEqual(before);

    const exported = await exportFolder(parts, TEAM, target());
    expect({ ...exported, kind: 'moved' }).toEqual(imported);
    expect(await readdir(place)).toEqual(['data', 'exported']);
    const again = await importFolder(parts, target());
    expect(again).toEqual({ ...imported, kind: 'there-already' });
  });

  it('leaves a source as it is, whatever its last process left there', async () => {
    await fillFolder(source());
    const store = await open(source());
    await store.transact((tx) => tx.put(anything, { key: [TEAM, 'U1', 'last'], text: 'in the journal' }));
    // As a kill would leave it: the last changes are in the journal only.
    await cp(source(), target(), { recursive: true });
    await store.close();
    await rm(path.join(target(), 'lock'));
    const cut = path.join(target(), 'proposals', 'all.jsonl.unfinished');
    await writeFile(cut, 'half written');
    const before = await readFiles(target());
    expect((await importFolder(parts, target())).kind).toBe('moved');
    expect(await readFiles(target())).toEqual(before);
  });

  it('into a folder that was given with a slash at the end', async () => {
    await fillFolder(source());
    await importFolder(parts, source());
    for (const slashes of ['/', '//', '/.']) {
      expect((await exportFolder(parts, TEAM, `${target()}${slashes}`)).kind).toBe('moved');
      expect(await readdir(place)).toEqual(['data', 'exported']);
      await rm(target(), { recursive: true });
    }
  });

  it('a second time changes nothing', async () => {
    await fillFolder(source());
    await importFolder(parts, source());
    const [before] = await database`select sequence from workspaces`;
    expect((await importFolder(parts, source())).kind).toBe('there-already');
    expect((await database`select sequence from workspaces`)[0]).toEqual(before);
    await exportFolder(parts, TEAM, target());
    const files = await readFiles(target());
    expect((await exportFolder(parts, TEAM, target())).kind).toBe('there-already');
    expect(await readFiles(target())).toEqual(files);
  });

  it('that was cut off after the proposals is completed by the next run', async () => {
    await fillFolder(source());
    await importFolder(parts, source());
    await database`delete from records`;
    await database`delete from cached_items where key = 2`;
    expect((await importFolder(parts, source())).kind).toBe('moved');
    await writeFile(`${target()}.unfinished`, 'of an earlier run');
    expect((await exportFolder(parts, TEAM, target())).kind).toBe('moved');
    expect(await readdir(place)).toEqual(['data', 'exported']);
  });

  it('never writes over other data', async () => {
    await fillFolder(source());
    await importFolder(parts, source());
    await database`delete from records where key like '%s7"%'`;
    expect(await importFolder(parts, source())).toEqual({ kind: 'occupied', team: 'T1', records: 28 });
    expect(await exportFolder(parts, TEAM, source())).toEqual({ kind: 'occupied', team: 'T1', records: 29 });
    await writeFile(path.join(place, 'note.txt'), 'mine');
    expect(await exportFolder(parts, TEAM, place)).toEqual({ kind: 'occupied', team: 'T1', records: 0 });
    expect(await readFile(path.join(place, 'note.txt'), 'utf8')).toBe('mine');
  });

  it('is refused while a process uses the folder, or a replica serves the team', async () => {
    await fillFolder(source());
    const user = await open(source());
    await expect(importFolder(parts, source())).rejects.toMatchObject({ code: 'locked' });
    await user.close();
    const replica = new Leases({ url, clock, onLost: () => undefined });
    await replica.acquire(WORKSPACE_LOCK, TEAM);
    await expect(importFolder(parts, source())).rejects.toMatchObject({ code: 'locked' });
    await expect(exportFolder(parts, TEAM, target())).rejects.toMatchObject({ code: 'locked' });
    await replica.close();
    expect(await database`select from records`).toHaveLength(0);
  });

  it('ends the rights of an owner that hangs: what it still sends is refused', async () => {
    await fillFolder(source());
    await importFolder(parts, source());
    const [before] = await database<{ epoch: string }[]>`select epoch from workspaces`;
    await exportFolder(parts, TEAM, target());
    const [after] = await database<{ epoch: string }[]>`select epoch from workspaces`;
    expect(Number(after?.epoch)).toBeGreaterThan(Number(before?.epoch));
  });

  it('of nothing is refused', async () => {
    expect(await importFolder(parts, source())).toEqual({ kind: 'no-workspace' });
    expect(await exportFolder(parts, TEAM, target())).toEqual({ kind: 'no-workspace' });
    await (await open(source())).close();
    expect(await importFolder(parts, source())).toEqual({ kind: 'no-workspace' });
  });

  it('moves the team that the files name, and writes over no other team’s data', async () => {
    const other = TeamId.parse('T2');
    await fillFolder(source(), { team: other });
    await fillFolder(target());
    expect(await importFolder(parts, source())).toMatchObject({ kind: 'moved', team: 'T2' });
    expect(await importFolder(parts, target())).toMatchObject({ kind: 'moved', team: 'T1' });
    const before = await readFiles(target());
    expect(await exportFolder(parts, other, target())).toEqual({ kind: 'occupied', team: 'T1', records: 29 });
    expect(await readFiles(target())).toEqual(before);
    const again = path.join(place, 'again');
    expect((await exportFolder(parts, other, again)).kind).toBe('moved');
    await expect(open(again)).rejects.toMatchObject({ code: 'other-team' });
    await (await open(again, other)).close();
  });

  it('of damaged data is refused, and the damaged file is named', async () => {
    await fillFolder(source());
    const [snapshot = ''] = (await readdir(source())).filter((name) => name.startsWith('snapshot'));
    const file = path.join(source(), snapshot);
    await writeFile(file, (await readFile(file)).subarray(0, 200));
    const before = await readFiles(source());
    await expect(importFolder(parts, source())).rejects.toMatchObject({ code: 'damaged' });
    expect(await readFiles(source())).toEqual(before);
    expect(await database`select from records`).toHaveLength(0);
  });
});

it('says what was copied, what to do next, and what is wrong', () => {
  const summary = (checksum: string) => ({ counts: new Map([['cards', 2]]), checksum });
  const words = { from: '/data', to: 'the database', ifOccupied: 'Delete it first.' };
  const results = [
    { kind: 'moved', team: TEAM, summary: summary('ab') },
    { kind: 'there-already', team: TEAM, summary: summary('ab') },
    { kind: 'no-workspace' },
    { kind: 'occupied', team: TEAM, records: 7 },
    { kind: 'different', team: TEAM, source: summary('ab'), target: summary('cd') },
  ] as const;
  const reports = results.map((result) => reportMove(result, words));
  expect(reports.map(({ code }) => code)).toEqual([0, 0, 1, 1, 1]);
  expect(reports.map((report) => report.words).join('\n\n')).toMatchSnapshot();
});
