import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { machineClock } from '../../src/clock.ts';
import { silentLog } from '../../src/log.ts';
import { openJournalStore } from '../../src/storage/open-journal-store.ts';
import { notes, putNote, team } from './collections.ts';

it('keeps its folder and files for the owner alone, and leaves no lock behind', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'gigdesk-store-'));
  const folder = join(parent, 'data');
  const store = await openJournalStore({
    folder,
    team,
    collections: [notes],
    log: silentLog,
    clock: machineClock,
  });
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
  await rm(parent, { recursive: true });
});
