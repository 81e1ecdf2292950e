import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { machineClock } from '../../src/clock.ts';
import { silentLog } from '../../src/log.ts';
import { type JournalStoreOptions, openJournalStore } from '../../src/storage/open-journal-store.ts';
import { counts, notes, packedNotes, putNote } from './collections.ts';
import { storeContract } from './store-contract.ts';

async function prepareFolder(collections: JournalStoreOptions['collections'] = [notes, counts]) {
  const parent = await mkdtemp(join(tmpdir(), 'gigdesk-store-'));
  const folder = join(parent, 'data');
  return {
    folder,
    open: (others: JournalStoreOptions['collections'] = collections) =>
      openJournalStore({
        folder,
        collections: others,
        log: silentLog,
        clock: machineClock,
        snapshotAfterBytes: 500,
      }),
    remove: () => rm(parent, { recursive: true }),
  };
}

storeContract('lowdb with a journal', () => prepareFolder());
storeContract('lowdb with packed records', () => prepareFolder([packedNotes, counts]));

it('keeps its folder and files for the owner alone, and leaves no lock behind', async () => {
  const { folder, open, remove } = await prepareFolder();
  const store = await open();
  await putNote(store, 'a', 'text');
  expect((await stat(join(folder, 'lock'))).mode & 0o777).toBe(0o600);
  await store.close();
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  const names = await readdir(folder);
  expect(names.sort()).toEqual([
    'journal-00000001.jsonl',
    'journal-00000002.jsonl',
    'snapshot-00000002.jsonl',
  ]);
  for (const name of names) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  await remove();
});
