import { expect, it } from 'vitest';
import { machineClock } from '../../src/clock.ts';
import { silentLog } from '../../src/log.ts';
import { type JournalStoreOptions, openJournalStore } from '../../src/storage/open-journal-store.ts';
import { counts, notes } from '../storage/collections.ts';
import { storeContract } from '../storage/store-contract.ts';
import { MemoryDisk } from './memory-disk.ts';

async function prepareFolder() {
  const disk = new MemoryDisk(machineClock);
  const options = {
    folder: '/data',
    collections: [notes, counts],
    log: silentLog,
    clock: machineClock,
    disk,
  };
  return {
    open: (collections: JournalStoreOptions['collections'] = options.collections) =>
      openJournalStore({ ...options, collections, snapshotAfterBytes: 500 }),
    remove: async () => {},
  };
}

storeContract('lowdb on the disk in memory', prepareFolder);

it('does what is asked before it tells so: a crash may come between', async () => {
  const disk = new MemoryDisk(machineClock);
  await disk.makeFolder('/data');
  const file = await disk.openForAppend('/data/journal');
  const telling = file.write(Buffer.from('one\n'));
  disk.copyFolder('/data', '/copy', () => false);
  await telling;
  await file.write(Buffer.from('two\n'));

  const pieces: Uint8Array[] = [];
  for await (const piece of disk.read('/copy/journal')) pieces.push(piece);
  expect(Buffer.concat(pieces).toString()).toBe('one\n');
});
