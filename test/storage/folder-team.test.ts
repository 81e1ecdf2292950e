/** A data folder has the data of one Slack team, which its files name. */
import { beforeEach, describe, expect, it } from 'vitest';
import { TeamId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { readFolderRecords } from '../../src/storage/journal/read-records.ts';
import { openJournalStore } from '../../src/storage/open-journal-store.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { MemoryDisk } from '../kit/memory-disk.ts';
import { seededRandom } from '../seeded-random.ts';
import { allNotes, notes, putNote, team } from './collections.ts';

const folder = '/data';
const journal = (segment: number) => `/data/journal-0000000${segment}.jsonl`;
const snapshot = (segment: number) => `/data/snapshot-0000000${segment}.jsonl`;
const other = TeamId.parse('T2');

let disk: MemoryDisk;
beforeEach(() => {
  disk = new MemoryDisk();
});

function open(by = team) {
  return openJournalStore({
    folder,
    team: by,
    collections: [notes],
    log: silentLog,
    clock: new ManualClock(),
    disk,
  });
}

/** Ends with a snapshot. */
async function run(name: string, by = team): Promise<void> {
  const store = await open(by);
  await putNote(store, name, 'text');
  await store.close();
}

/** Leaves its change in the journal. */
async function crashAfter(name: string, by = team): Promise<void> {
  await putNote(await open(by), name, 'text');
  disk = disk.restart(seededRandom(1));
}

async function load() {
  const store = await open();
  const names = (await allNotes(store)).map(([key]) => key[1]);
  await store.close();
  return { names, notices: store.notices };
}

const files = () => new Map(disk.paths().map((path) => [path, disk.text(path)]));
const place = () => ({ disk, folder, version: 1 });
const read = () => readFolderRecords(place());

describe('another team’s data', () => {
  it.each([
    ['a snapshot', () => run('a')],
    ['the journal', () => crashAfter('a')],
    [
      'an older snapshot, the newest being damaged',
      async () => {
        await run('a');
        await run('b');
        disk.overwrite(snapshot(3), 'damaged\n');
        disk.overwrite(journal(2), '');
      },
    ],
  ])('in %s is refused with a sentence, nothing is changed, and its own team goes on', async (_, leave) => {
    await leave();
    // What a start would cut off and remove.
    disk.overwrite(journal(4), '01234567 {"half":');
    disk.overwrite(`${snapshot(5)}.unfinished`, 'half');
    const before = files();
    const opening = open(other);
    await expect(opening).rejects.toMatchObject({ name: 'StorageError', code: 'other-team' });
    await expect(opening).rejects.toThrow(/^\/data .*team T1.*SLACK_BOT_TOKEN.*T2.*DATA_DIR.*T1\.$/u);
    expect(files()).toEqual(before);
    expect((await load()).names).toContain('a');
  });

  it('beside a team’s own is refused, whether a store opens the folder or a command reads it', async () => {
    await run('a', other);
    await crashAfter('b', other);
    const strange = disk.text(journal(2));
    disk = new MemoryDisk();
    await run('a');
    disk.overwrite(journal(2), strange);
    const before = files();
    for (const attempt of [() => open(), () => open(other), read]) {
      const opening = attempt();
      await expect(opening).rejects.toMatchObject({ code: 'damaged' });
      await expect(opening).rejects.toThrow(/^\/data .*T1.*T2.*\.$/u);
    }
    expect(files()).toEqual(before);
  });

  it.each([journal(1), snapshot(2)])(
    'in %s, which is read only to compare, is refused there',
    async (older) => {
      await run('a', other);
      const strange = disk.text(older);
      disk = new MemoryDisk();
      await run('a');
      await run('b');
      disk.overwrite(older, strange);
      const loader = {
        restart() {},
        load() {},
        finish: (sequence: number) => ({ sequence, collections: new Map() }),
      };
      const comparing = readFolderRecords(place(), { ...loader, loadOlder() {} });
      await expect(comparing).rejects.toThrow(/T1.*T2/u);
      expect((await load()).names).toEqual(['a', 'b']);
    },
  );
});

it('a reader that knows no team learns it from the snapshot or the journal', async () => {
  expect(await read()).toEqual({ kind: 'nothing-there' });
  await (await open()).close();
  expect(await read()).toEqual({ kind: 'read', team: undefined, damage: [] });
  await crashAfter('a');
  expect(await read()).toEqual({ kind: 'read', team, damage: [] });
  await run('b');
  for (const path of [journal(1), journal(2)]) disk.forget(path);
  expect(await read()).toEqual({ kind: 'read', team, damage: [] });
});

it('a folder in which nothing was stored yet is open to any team', async () => {
  await (await open(other)).close();
  await run('a');
  expect((await load()).names).toEqual(['a']);
});

it('a damaged head is not believed: the files before and after say whose data it is', async () => {
  await run('a');
  await run('b');
  disk.overwrite(snapshot(3), disk.text(snapshot(3)).replace('"T1"', '"T2"'));
  const { names, notices } = await load();
  expect(names).toEqual(['a', 'b']);
  expect(notices).toEqual([expect.stringContaining('snapshot-00000003.jsonl')]);
});
