/** `npm run gigdesk -- backup`, as its own process beside a store in use. */
import { spawnSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { machineClock } from '../../src/clock.ts';
import { TeamId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { openJournalStore } from '../../src/storage/open-journal-store.ts';
import { type CompiledTree, linkCompiledFiles } from '../compiled-files.ts';

let tree: CompiledTree;
beforeAll(async () => {
  tree = await linkCompiledFiles();
});
afterAll(() => tree.remove());

const env = {
  SLACK_BOT_TOKEN: 'xoxb-secret',
  SLACK_APP_TOKEN: 'xapp-secret',
  MARKETPLACE_API_URL: 'https://marketplace.invalid/v1',
  MARKETPLACE_API_TOKEN: 'very-secret',
};

function backUp(folder: string, ...to: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(tree.place, 'src/main.js'), 'backup', ...to],
    { cwd: tree.place, env: { ...env, DATA_DIR: folder }, encoding: 'utf8' },
  );
  const words = stdout + stderr;
  expect(words).not.toContain('secret');
  return { status, words };
}

it('says where the backup is, and refuses what it can not do with a sentence and code 1', async () => {
  const folder = join(tree.place, 'data');
  const target = join(tree.place, 'backup');
  expect(backUp(folder, target)).toMatchObject({ status: 1, words: expect.stringContaining('DATA_DIR') });
  const store = await openJournalStore({
    folder,
    team: TeamId.parse('T1'),
    collections: [],
    log: silentLog,
    clock: machineClock,
  });
  const made = backUp(folder, target);
  expect(made.words).toMatch(/^[^\n]*\b1 file, 0\.0 MiB[^\n]*\n$/);
  for (const place of [folder, target]) expect(made.words).toContain(place);
  expect(made.words.replaceAll(tree.place, '/place')).toMatchSnapshot();
  expect(made.status).toBe(0);
  expect(await readdir(target)).toEqual(['journal-00000001.jsonl']);
  for (const refused of [backUp(folder, target), backUp(folder)]) {
    expect(refused.status).toBe(1);
    expect(refused.words.replaceAll(tree.place, '/place')).toMatchSnapshot();
  }
  await store.close();
});
