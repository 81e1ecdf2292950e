import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { machineClock } from '../../src/clock.ts';
import { silentLog } from '../../src/log.ts';
import { openJournalStore } from '../../src/storage/open-journal-store.ts';
import { scanCollection } from '../../src/storage/store.ts';
import { type CompiledTree, linkCompiledFiles } from '../compiled-files.ts';
import { writeForever, written, writtenBy } from './writer-process.ts';

let tree: CompiledTree;

beforeAll(async () => {
  tree = await linkCompiledFiles();
  const main = `import { ${writeForever.name} } from './test/storage/writer-process.js';
    await ${writeForever.name}(process.argv[2], (line) => process.stdout.write(line));`;
  await writeFile(join(tree.place, 'main.js'), main);
});

afterAll(() => tree.remove());

/** Kills the writer during its work, once it has printed `times` numbers. Resolves to the highest. */
async function killAfter(child: ChildProcess, times: number): Promise<number> {
  if (!child.stdout) throw new Error('the writer has no output');
  let said = 0;
  let highest = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    highest = Math.max(highest, Number(line));
    if (++said === times) child.kill('SIGKILL');
  }
  return highest;
}

it('kill -9 in the middle of a write loses nothing confirmed, and its lock is taken over', async () => {
  const folder = join(tree.place, 'data');
  let confirmed = 0;
  for (const times of [1, 37, 90]) {
    const child = spawn(process.execPath, [join(tree.place, 'main.js'), folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    const highest = await killAfter(child, times);
    await exited;
    expect(highest).toBeGreaterThan(confirmed);
    confirmed = highest;
    const store = await openJournalStore({
      folder,
      collections: [written],
      log: silentLog,
      clock: machineClock,
    });
    expect(store.notices).toEqual([]);
    const numbers = await store.read(async (tx) => {
      const found: number[] = [];
      for await (const { value } of scanCollection(tx, written, { prefix: [writtenBy] }))
        found.push(value.number);
      return found;
    });
    expect(numbers.length).toBeGreaterThanOrEqual(confirmed);
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, at) => at + 1));
    confirmed = numbers.length;
    await store.close();
  }
});

it('a second process on the same folder is refused, and told who holds it', async () => {
  const folder = join(tree.place, 'shared');
  const child = spawn(process.execPath, [join(tree.place, 'main.js'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  if (!child.stdout) throw new Error('the writer has no output');
  await once(child.stdout, 'data');
  const second = openJournalStore({ folder, collections: [written], log: silentLog, clock: machineClock });
  await expect(second).rejects.toMatchObject({ code: 'locked' });
  await expect(second).rejects.toThrow(`process ${child.pid}`);
  child.kill('SIGKILL');
  await exited;
});
