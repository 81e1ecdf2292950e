/** Files of the disks that tests use: none stays open until the garbage collector finds it. */
import { expect, it } from 'vitest';
import type { Disk, DiskFile } from '../../src/storage/disk.ts';
import { createInFlightWorkCounter } from '../../src/workbench/activity.ts';
import { createTrackedDisk } from '../../src/workbench/sandbox-ports.ts';
import { closeFiles, type Life, mortalDisk } from '../kit/ports.ts';

/** Counts its open files. */
function countingDisk() {
  const open = { count: 0 };
  async function* read() {
    open.count++;
    try {
      for (;;) yield new Uint8Array(1);
    } finally {
      open.count--;
    }
  }
  const openForAppend = async (): Promise<DiskFile> => {
    open.count++;
    return { write: async () => {}, sync: async () => {}, close: async () => void open.count-- };
  };
  return { open, disk: { read, openForAppend } as unknown as Disk };
}

const activity = createInFlightWorkCounter();

it('a reader that needs the beginning only closes the file', async () => {
  const { open, disk } = countingDisk();
  const life: Life = { dead: false, openFiles: new Set() };
  for (const it of [
    createTrackedDisk(activity, 'durable', disk),
    mortalDisk(activity, life, { full: false }, disk),
  ])
    for await (const _ of it.read('journal')) break;
  expect(open.count).toBe(0);
});

it('a killed process leaves no file open, and closes none twice', async () => {
  const { open, disk } = countingDisk();
  const life: Life = { dead: false, openFiles: new Set() };
  const its = mortalDisk(activity, life, { full: false }, disk);
  const closed = await its.openForAppend('snapshot');
  await its.openForAppend('journal');
  await closed.close();
  life.dead = true;
  expect(open.count).toBe(1);
  await closeFiles(life);
  expect(open.count).toBe(0);
});
