import { beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../src/log.ts';
import { openJournalStore } from '../../src/storage/open-journal-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { MemoryDisk } from '../kit/memory-disk.ts';
import { seededRandom } from '../seeded-random.ts';
import { allNotes, notes, putNote, team } from './collections.ts';

const folder = '/data';

function open(disk: MemoryDisk, snapshotAfterBytes = 100_000): Promise<Store> {
  const clock = new ManualClock();
  return openJournalStore({
    folder,
    team,
    collections: [notes],
    log: silentLog,
    clock,
    disk,
    snapshotAfterBytes,
  });
}

async function namesIn(store: Store): Promise<unknown[]> {
  return (await allNotes(store)).map(([key]) => key[1]);
}

/** Waits this many turns of the event loop. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe('a disk that refuses', () => {
  let disk: MemoryDisk;
  let store: Store;

  beforeEach(async () => {
    disk = new MemoryDisk();
    store = await open(disk);
    await putNote(store, 'before', 'x');
  });

  it.each([
    ['write', 'ENOSPC', 'full'],
    ['write', 'EIO', 'io'],
    ['sync', 'EIO', 'io'],
  ])(
    'a failing %s (%s) is told as "%s", its change is gone, and the next one works',
    async (refused, code, told) => {
      disk.fault = (operation) => (operation === refused ? code : undefined);
      await expect(putNote(store, 'lost', 'x')).rejects.toMatchObject({ name: 'StorageError', code: told });
      expect(await namesIn(store)).toEqual(['before']);
      disk.fault = () => undefined;
      await putNote(store, 'next', 'x');
      expect(await namesIn(store)).toEqual(['before', 'next']);
      const reopened = await open(disk.restart(seededRandom(1)));
      expect(await namesIn(reopened)).toEqual(['before', 'next']);
    },
  );

  it('a change that could not be cut off at once is cut off at closing', async () => {
    disk.fault = (operation) => (operation === 'sync' || operation === 'truncate' ? 'EIO' : undefined);
    await expect(putNote(store, 'lost', 'x')).rejects.toMatchObject({ code: 'io' });
    disk.fault = () => undefined;
    await store.close();
    expect(await namesIn(await open(disk))).toEqual(['before']);
  });

  it('what was built on a lost change fails with it: values, errors and mere reading', async () => {
    let release = () => {};
    disk.duringSync = () =>
      new Promise((resolve) => {
        release = resolve;
      });
    const lost = putNote(store, 'lost', 'x');
    await turns(4);
    const sees = store.transact((tx) => tx.get(notes, [team, 'lost']));
    const throws = store.transact(async (tx) => {
      if (await tx.get(notes, [team, 'lost'])) throw new Error('there already');
    });
    const builds = store.transact(async (tx) => {
      if (await tx.get(notes, [team, 'lost'])) await tx.put(notes, { key: [team, 'built'], text: 'y' });
    });
    const all = Promise.allSettled([lost, sees, throws, builds]);
    expect(await namesIn(store)).toEqual(['before']);
    disk.fault = (operation) => (operation === 'sync' ? 'EIO' : undefined);
    release();
    for (const outcome of await all)
      expect(outcome).toMatchObject({ reason: { name: 'StorageError', code: 'io' } });
    expect(await namesIn(store)).toEqual(['before']);
  });

  it('a transaction in progress when its base is lost fails, and stores nothing', async () => {
    let release = () => {};
    disk.duringSync = () =>
      new Promise((resolve) => {
        release = resolve;
      });
    const lost = putNote(store, 'lost', 'x').catch(() => undefined);
    await turns(4);
    let goOn = () => {};
    const slow = store.transact(async (tx) => {
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      await tx.put(notes, { key: [team, 'built'], text: 'on the lost one' });
    });
    await turns(4);
    disk.fault = (operation) => (operation === 'sync' ? 'EIO' : undefined);
    release();
    await lost;
    disk.fault = () => undefined;
    disk.duringSync = () => Promise.resolve();
    goOn();
    await expect(slow).rejects.toMatchObject({ code: 'io' });
    await putNote(store, 'next', 'x');
    expect(await namesIn(store)).toEqual(['before', 'next']);
    expect(await namesIn(await open(disk.restart(seededRandom(1))))).toEqual(['before', 'next']);
  });

  it('a snapshot that cannot be written stops nothing and is tried again', async () => {
    const small = await open(disk.restart(seededRandom(2)), 150);
    await small.close();
    disk = new MemoryDisk();
    store = await open(disk, 150);
    disk.fault = (operation) => (operation === 'create' ? 'ENOSPC' : undefined);
    for (const name of ['a', 'b', 'c', 'd']) await putNote(store, name, 'x'.repeat(100));
    disk.fault = () => undefined;
    for (const name of ['e', 'f', 'g', 'h']) await putNote(store, name, 'x'.repeat(100));
    await turns(1);
    expect(disk.paths().filter((path) => path.includes('snapshot')).length).toBeGreaterThan(0);
    await store.close();
    expect(await namesIn(await open(disk))).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
  });
});

it('transactions that wait together share one sync', async () => {
  const disk = new MemoryDisk();
  const store = await open(disk);
  const before = disk.syncs;
  await Promise.all(Array.from({ length: 32 }, (_, n) => putNote(store, `n${n}`, 'x')));
  expect(disk.syncs - before).toBe(1);
});

it('keeps two snapshots and the journal since the older one, whatever was written', async () => {
  const disk = new MemoryDisk();
  for (let n = 0; n < 5; n++) {
    const store = await open(disk);
    await putNote(store, `n${n}`, 'x');
    await store.close();
  }
  expect(disk.paths()).toEqual([
    '/data/journal-00000005.jsonl',
    '/data/journal-00000006.jsonl',
    '/data/snapshot-00000005.jsonl',
    '/data/snapshot-00000006.jsonl',
  ]);
});
