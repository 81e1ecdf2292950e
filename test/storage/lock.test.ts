import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { type Clock, SECOND } from '../../src/clock.ts';
import { silentLog } from '../../src/log.ts';
import { identifyProcess } from '../../src/storage/journal/lock.ts';
import { openJournalStore } from '../../src/storage/open-journal-store.ts';
import type { StorageError } from '../../src/storage/store.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { MemoryDisk } from '../kit/memory-disk.ts';
import { notes, putNote, team } from './collections.ts';

const folder = '/data';
const lock = '/data/lock';

function open(disk: MemoryDisk, clock = new ManualClock()) {
  return openJournalStore({ folder, team, collections: [notes], log: silentLog, clock, disk });
}

function bindTo(target: MemoryDisk, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name);
  return typeof value === 'function' ? value.bind(target) : value;
}

/** Runs everything that isn't waiting for a timer. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Until a caller waits for the clock. */
async function settleOnTimer(clock: ManualClock): Promise<void> {
  while (clock.nextTimerDueAt() === undefined) await new Promise((resolve) => setImmediate(resolve));
}

describe('the lock of a folder', () => {
  it('refuses a second store in the same process, and says who holds the folder', async () => {
    const disk = new MemoryDisk();
    const store = await open(disk);
    const second = open(disk);
    await expect(second).rejects.toMatchObject({ name: 'StorageError', code: 'locked' });
    await expect(second).rejects.toThrow(new RegExp(` /data .*\\b${process.pid}\\b`, 'u'));
    await putNote(store, 'a', 'goes on');
    await store.close();
    await (await open(disk)).close();
    expect(disk.paths()).not.toContain(lock);
  });

  it('refuses while another process lives', async () => {
    const disk = new MemoryDisk();
    const self = await identifyProcess();
    const parent = { ...self, pid: process.ppid, started: await startOf(process.ppid) };
    disk.overwrite(lock, JSON.stringify(parent));
    await expect(open(disk)).rejects.toThrow(new RegExp(`\\b${process.ppid}\\b`, 'u'));
    expect(disk.text(lock)).toBe(JSON.stringify(parent));
  });

  it('is not taken over if it is released during a beat', async () => {
    const disk = new MemoryDisk();
    const clock = new ManualClock();
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let isHeld = false;
    const slow = new Proxy(disk, {
      get: (target, name) =>
        name === 'read'
          ? async function* read(path: string) {
              if (path === lock && isHeld) {
                isHeld = false;
                await held;
              }
              yield* disk.read(path);
            }
          : bindTo(target, name),
    });
    const lost: StorageError[] = [];
    const onTakenOver = (error: StorageError) => lost.push(error);
    const parts = { folder, team, collections: [notes], log: silentLog, clock, onTakenOver };
    const store = await openJournalStore({ ...parts, disk: slow });
    isHeld = true;
    clock.moveBy(5 * SECOND);
    await settle();
    expect(isHeld).toBe(false);
    await store.close();
    letGo();
    await settle();
    expect(lost).toEqual([]);
    expect(disk.paths()).not.toContain(lock);
    expect(clock.nextTimerDueAt()).toBeUndefined();
  });

  it('takes over from a dead process, and from one whose number was given away since', async () => {
    const self = await identifyProcess();
    for (const holder of [
      { ...self, pid: 2 ** 22 + 1 },
      { ...self, started: '1' },
    ]) {
      const disk = new MemoryDisk();
      disk.overwrite(lock, JSON.stringify(holder));
      await (await open(disk)).close();
    }
  });

  it.each([
    ['of another machine or container', JSON.stringify({ pid: 1, started: '1', realm: 'elsewhere' })],
    ['that was never written to its end', ''],
  ])('watches a lock %s, and takes it over when nobody touches it', async (_, text) => {
    const disk = new MemoryDisk();
    disk.overwrite(lock, text);
    const clock = new ManualClock();
    const opening = open(disk, clock);
    await settleOnTimer(clock);
    clock.moveBy(15 * SECOND);
    await (await opening).close();
  });

  it('refuses when a holder that cannot be looked up touches its lock', async () => {
    const disk = new MemoryDisk();
    disk.overwrite(lock, JSON.stringify({ pid: 1, started: '1', realm: 'elsewhere' }));
    const clock = new ManualClock();
    const opening = open(disk, clock);
    await settleOnTimer(clock);
    await disk.touch(lock, clock.now() + 5 * SECOND);
    clock.moveBy(15 * SECOND);
    await expect(opening).rejects.toMatchObject({ code: 'locked' });
  });

  it('is touched as long as the store is open, so that watchers see it live', async () => {
    const disk = new MemoryDisk();
    const clock = new ManualClock();
    const store = await open(disk, clock);
    for (let beat = 0; beat < 3; beat++) {
      clock.moveBy(5 * SECOND);
      await settle();
      expect(await disk.lastModifiedAt(lock)).toBe(clock.now());
    }
    await store.close();
    expect(clock.nextTimerDueAt()).toBeUndefined();
  });

  it('writes nothing more once another process has taken the folder over', async () => {
    const disk = new MemoryDisk();
    const clock = new ManualClock();
    const store = await open(disk, clock);
    await putNote(store, 'a', 'mine');
    const other = JSON.stringify({ pid: 1, started: '1', realm: 'elsewhere' });
    disk.overwrite(lock, other);
    clock.moveBy(5 * SECOND);
    await settle();
    const steps = disk.steps;
    await expect(putNote(store, 'b', 'late')).rejects.toMatchObject({ code: 'locked' });
    await store.close();
    expect(disk.steps).toBe(steps);
    expect(disk.text(lock)).toBe(other);
  });

  it('a stalled process that may be presumed dead checks its lock before it writes', async () => {
    const disk = new MemoryDisk();
    const timers = new ManualClock();
    let stoodStillMs = 0;
    const clock: Clock = {
      now: () => timers.now() + stoodStillMs,
      monotonicNow: () => timers.monotonicNow() + stoodStillMs,
      runAfter: (ms, run) => timers.runAfter(ms, run),
      sleep: (ms, signal) => timers.sleep(ms, signal),
    };
    const takenOver: StorageError[] = [];
    const store = await openJournalStore({
      team,
      folder,
      collections: [notes],
      log: silentLog,
      clock,
      disk,
      onTakenOver: (error) => takenOver.push(error),
    });
    await putNote(store, 'a', 'mine');
    stoodStillMs = 20 * SECOND;
    await putNote(store, 'b', 'still mine');
    disk.overwrite(lock, JSON.stringify({ pid: 1, started: '1', realm: 'elsewhere' }));
    stoodStillMs = 40 * SECOND;
    await expect(putNote(store, 'c', 'late')).rejects.toMatchObject({ code: 'locked' });
    expect(takenOver).toHaveLength(1);
    await store.close();
  });

  it('watching a lock can be ended', async () => {
    const disk = new MemoryDisk();
    disk.overwrite(lock, JSON.stringify({ pid: 1, started: '1', realm: 'elsewhere' }));
    const clock = new ManualClock();
    const ending = new AbortController();
    const options = {
      folder,
      team,
      collections: [notes],
      log: silentLog,
      clock,
      disk,
      signal: ending.signal,
    };
    const opening = openJournalStore(options);
    await settleOnTimer(clock);
    ending.abort(new Error('the end'));
    await expect(opening).rejects.toThrow('the end');
  });
});

/** Field 22 of proc(5)'s stat. */
async function startOf(pid: number): Promise<string | null> {
  const line = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  return line.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}
