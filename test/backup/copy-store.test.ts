/** A backup during writes is a consistent copy of one moment, at or after the backup's start. */

import { cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { copyStore } from '../../src/backup/copy-store.ts';
import { machineClock } from '../../src/clock.ts';
import { TeamId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { type Disk, fileSystemDisk } from '../../src/storage/disk.ts';
import type { AnyCollection } from '../../src/storage/memory/records.ts';
import { openJournalStore } from '../../src/storage/open-journal-store.ts';
import { collection, type Store, scanCollection } from '../../src/storage/store.ts';

const counts = collection({
  name: 'counts',
  schema: z.object({ number: z.number(), filler: z.string() }),
  key: ({ number }) => [number],
});

let root: string;
let source: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'gigdesk-backup-'));
  source = join(root, 'data');
});
afterEach(() => rm(root, { recursive: true, force: true }));

function open(folder: string, stored: AnyCollection = counts) {
  // Small enough for a snapshot after a few changes.
  return openJournalStore({
    folder,
    team: TeamId.parse('T1'),
    collections: [stored],
    log: silentLog,
    clock: machineClock,
    snapshotAfterBytes: 2_000,
  });
}

async function numbersIn(folder: string) {
  const store = await open(folder);
  const numbers: number[] = [];
  await store.read(async (tx) => {
    for await (const { value } of scanCollection(tx, counts)) numbers.push(value.number);
  });
  await store.close();
  return { numbers, notices: store.notices };
}

/** Commits numbers from 1 on, one after another, until stopped. */
function keepCounting(store: Store) {
  let committed = 0;
  let isOver = false;
  const done = (async () => {
    while (!isOver) {
      const number = committed + 1;
      await store.transact((tx) => tx.put(counts, { number, filler: 'x'.repeat(number % 90) }));
      committed = number;
    }
  })();
  return {
    get committed() {
      return committed;
    },
    stop: () => {
      isOver = true;
      return done;
    },
  };
}

/** A disk that gives the writer time before each step of the copy. */
function slowDisk(turns: number): Disk {
  const wait = async () => {
    for (let turn = 0; turn < turns; turn++) await setImmediate();
  };
  return {
    ...fileSystemDisk,
    list: async (folder) => {
      await wait();
      return fileSystemDisk.list(folder);
    },
    async *read(path) {
      for await (const piece of fileSystemDisk.read(path)) {
        await wait();
        yield piece;
      }
    },
  };
}

describe('while the store is written to', () => {
  it('each of 30 backups holds everything committed before it began, without gaps', async () => {
    const store = await open(source);
    const counting = keepCounting(store);
    while (counting.committed < 20) await setImmediate();
    for (let round = 0; round < 30; round++) {
      const target = join(root, `backup-${round}`);
      const before = counting.committed;
      const made = await copyStore(slowDisk(round * 3), source, target);
      expect(made).toMatchObject({ kind: 'made' });
      const { numbers, notices } = await numbersIn(target);
      expect(notices).toEqual([]);
      expect(numbers.length).toBeGreaterThanOrEqual(before);
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    }
    await counting.stop();
    await store.close();
  });

  it('takes no lock along, is for its owner alone, and goes on from there', async () => {
    const store = await open(source);
    await store.transact((tx) => tx.put(counts, { number: 1, filler: '' }));
    const target = join(root, 'backup');
    await copyStore(fileSystemDisk, source, target);
    await store.close();
    expect((await stat(target)).mode & 0o777).toBe(0o700);
    for (const name of await readdir(target)) {
      expect(name).not.toBe('lock');
      expect((await stat(join(target, name))).mode & 0o777).toBe(0o600);
    }
    const restored = await open(target);
    await restored.transact((tx) => tx.put(counts, { number: 2, filler: '' }));
    await restored.close();
    expect(await numbersIn(target)).toEqual({ numbers: [1, 2], notices: [] });
  });
});

describe('a backup is refused', () => {
  it('where something is at its target, which stays as it is', async () => {
    await (await open(source)).close();
    await mkdir(join(root, 'taken'));
    await writeFile(join(root, 'taken', 'mine'), 'keep');
    await writeFile(join(source, 'journal-00000001.jsonl'), '');
    expect(await copyStore(fileSystemDisk, source, join(root, 'taken'))).toEqual({ kind: 'target-in-use' });
    expect(await readdir(join(root, 'taken'))).toEqual(['mine']);
  });

  it('where there is nothing of Gigdesk', async () => {
    await mkdir(source);
    expect(await copyStore(fileSystemDisk, source, join(root, 'b'))).toEqual({ kind: 'nothing-there' });
    expect(await copyStore(fileSystemDisk, join(root, 'missing'), join(root, 'b'))).toEqual({
      kind: 'nothing-there',
    });
  });

  it('where the copy is not whole, and leaves none', async () => {
    const store = await open(source);
    for (let number = 1; number <= 5; number++)
      await store.transact((tx) => tx.put(counts, { number, filler: '' }));
    const damaged = join(root, 'damaged');
    await cp(source, damaged, { recursive: true });
    await store.close();
    const journal = join(damaged, 'journal-00000001.jsonl');
    await writeFile(journal, '00000000 [1,0,[]]\n', { flag: 'a' });
    await writeFile(journal, '00000000 [2,0,[]]\n', { flag: 'a' });
    expect(await copyStore(fileSystemDisk, damaged, join(root, 'b'))).toMatchObject({
      kind: 'unsound',
      why: [expect.stringContaining('journal-00000001.jsonl')],
    });
    expect(await readdir(root)).not.toContain('b');
  });
});

it('a record that this version can’t read is in the backup as it is, and after a restore', async () => {
  const loose = collection({ name: 'counts', schema: z.unknown(), key: () => ['strange'] });
  const strange = { number: 'many', filler: [1, { of: null }] };
  const newer = await open(source, loose);
  await newer.transact((tx) => tx.put(loose, strange));
  await newer.close();
  const store = await open(source);
  const counting = keepCounting(store);
  const target = join(root, 'backup');
  expect(await copyStore(fileSystemDisk, source, target)).toMatchObject({ kind: 'made' });
  await counting.stop();
  await store.close();
  expect((await numbersIn(target)).notices).toEqual([]);
  const restored = await open(target, loose);
  const found = await restored.read((tx) => tx.get(loose, ['strange']));
  await restored.close();
  expect(JSON.stringify(found)).toBe(JSON.stringify(strange));
});
