import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OpenedStore } from '../../src/storage/store.ts';
import { scanCollection } from '../../src/storage/store.ts';
import { startLocalDatabase } from '../../src/workbench/database/start-database.ts';
import { type CompiledTree, linkCompiledFiles } from '../compiled-files.ts';
import { openWritten, writeForever, written, writtenBy } from './writer-process.ts';

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

async function killWriters(place: string): Promise<void> {
  let confirmed = 0;
  for (const times of [1, 37, 90]) {
    const child = spawn(process.execPath, [join(tree.place, 'main.js'), place], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    const highest = await killAfter(child, times);
    await exited;
    expect(highest).toBeGreaterThan(confirmed);
    confirmed = highest;
    const store = await openWhenFree(place);
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
}

/** A database's server notices a killed process within moments. */
async function openWhenFree(place: string): Promise<OpenedStore> {
  let store: OpenedStore | undefined;
  await expect
    .poll(async () => {
      store = await openWritten(place).catch(() => undefined);
      return store;
    })
    .toBeDefined();
  if (!store) throw new Error('the store is still in use');
  return store;
}

it('kill -9 in the middle of a write loses nothing confirmed, and its lock is taken over', () =>
  killWriters(join(tree.place, 'data')));

it('kill -9 of an owner in the middle of a commit to PostgreSQL loses nothing confirmed', async () => {
  const server = await startLocalDatabase();
  try {
    await killWriters(await server.createDatabase());
  } finally {
    await server.close();
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
  const second = openWritten(folder);
  await expect(second).rejects.toMatchObject({ code: 'locked' });
  await expect(second).rejects.toThrow(`process ${child.pid}`);
  child.kill('SIGKILL');
  await exited;
});
