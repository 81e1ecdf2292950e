import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Works from compiled files, too, which lie below the root. */
function findProject(from: string): string {
  if (existsSync(join(from, 'tsconfig.json'))) return from;
  const above = resolve(from, '..');
  if (above === from) throw new Error('these files lie in no project');
  return findProject(above);
}

export interface CompiledTree {
  /** A folder with the compiled files at their usual paths; `remove` deletes it. */
  readonly place: string;
  remove(): Promise<void>;
}

/** Compiles files of this project and their imports, to be run as a process: Node 20 can't run TypeScript. */
export async function compileTree(...files: readonly string[]): Promise<CompiledTree> {
  const project = findProject(import.meta.dirname);
  const place = await mkdtemp(join(tmpdir(), 'gigdesk-tree-'));
  await symlink(join(project, 'node_modules'), join(place, 'node_modules'));
  await cp(join(project, 'package.json'), join(place, 'package.json'));
  const compilerOptions = {
    noEmit: false,
    noCheck: true,
    rootDir: project,
    outDir: place,
    typeRoots: [join(project, 'node_modules/@types')],
  };
  const config = {
    extends: join(project, 'tsconfig.json'),
    compilerOptions,
    include: [],
    files: files.map((file) => join(project, file)),
  };
  await writeFile(join(place, 'tsconfig.json'), JSON.stringify(config));
  const compiler = join(project, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', place], { stdio: 'pipe' });
  return { place, remove: () => rm(place, { recursive: true, force: true }) };
}
