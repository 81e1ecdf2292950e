import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { machineClock } from '../../src/clock.ts';
import { silentLog } from '../../src/log.ts';
import { openLowdbStore } from '../../src/storage/lowdb/open.ts';
import { scan } from '../../src/storage/store.ts';
import { writeForever, written, writtenBy } from './writer-process.ts';

const project = resolve(import.meta.dirname, '../..');
let place: string;

/** Compiles the writer, because Node 20 does not run TypeScript. */
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'gigdesk-kill-'));
  await symlink(join(project, 'node_modules'), join(place, 'node_modules'));
  await writeFile(join(place, 'package.json'), '{ "type": "module" }');
  const compilerOptions = {
    noEmit: false,
    rootDir: project,
    outDir: place,
    typeRoots: [join(project, 'node_modules/@types')],
  };
  const files = [join(project, 'test/storage/writer-process.ts')];
  const config = { extends: join(project, 'tsconfig.json'), compilerOptions, include: [], files };
  await writeFile(join(place, 'tsconfig.json'), JSON.stringify(config));
  execFileSync(process.execPath, [join(project, 'node_modules/typescript/bin/tsc'), '-p', place], {
    stdio: 'pipe',
  });
  const main = `import { ${writeForever.name} } from './test/storage/writer-process.js';
    await ${writeForever.name}(process.argv[2], (line) => process.stdout.write(line));`;
  await writeFile(join(place, 'main.js'), main);
});

afterAll(() => rm(place, { recursive: true }));

/** Kills the writer in the middle of its work, once it has said `times` numbers; resolves to the highest. */
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

it('kill -9 in the middle of writing loses nothing that was confirmed, and its lock is taken over', async () => {
  const folder = join(place, 'data');
  let confirmed = 0;
  for (const times of [1, 37, 90]) {
    const child = spawn(process.execPath, [join(place, 'main.js'), folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    const highest = await killAfter(child, times);
    await exited;
    expect(highest).toBeGreaterThan(confirmed);
    confirmed = highest;
    const store = await openLowdbStore({
      folder,
      collections: [written],
      log: silentLog,
      clock: machineClock,
    });
    expect(store.notices).toEqual([]);
    const numbers = await store.read(async (tx) => {
      const found: number[] = [];
      for await (const { value } of scan(tx, written, { prefix: [writtenBy] })) found.push(value.number);
      return found;
    });
    expect(numbers.length).toBeGreaterThanOrEqual(confirmed);
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, at) => at + 1));
    confirmed = numbers.length;
    await store.close();
  }
});

it('a second process on the same folder is refused, and told who holds it', async () => {
  const folder = join(place, 'shared');
  const child = spawn(process.execPath, [join(place, 'main.js'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  if (!child.stdout) throw new Error('the writer has no output');
  await once(child.stdout, 'data');
  const second = openLowdbStore({ folder, collections: [written], log: silentLog, clock: machineClock });
  await expect(second).rejects.toMatchObject({ code: 'locked' });
  await expect(second).rejects.toThrow(`process ${child.pid}`);
  child.kill('SIGKILL');
  await exited;
});
