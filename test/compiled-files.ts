/**
 * This project's compiled files. Processes of their own need them: Node 20 can't run TypeScript. And tests
 * import the product from there: loading it as TypeScript took a sixth of the whole run.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vitest/config';

/** The file outside `src` that runs as a process of its own. */
const TEST_PROCESS = 'test/processes/app-main.ts';

/** The environment variable that tells a run's processes where the compiled files are. */
const COMPILED = 'GIGDESK_COMPILED_FILES';

const root = resolve(import.meta.dirname, '..');

function compileInto(place: string): void {
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      noCheck: true,
      inlineSourceMap: true,
      rootDir: root,
      outDir: place,
      typeRoots: [join(root, 'node_modules/@types')],
    },
    include: [join(root, 'src')],
    exclude: [join(root, 'src/workbench/page/client')],
    files: [join(root, TEST_PROCESS)],
  };
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(config));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', place], { stdio: 'inherit' });
}

/**
 * Compiles for this process and those that it starts, in about two seconds; the files go when it ends.
 * The plugin lets tests import the compiled product.
 */
export function compileForTests(): Plugin {
  const place = mkdtempSync(join(tmpdir(), 'gigdesk-compiled-'));
  process.on('exit', () => rmSync(place, { recursive: true, force: true }));
  for (const name of ['node_modules', 'package.json']) symlinkSync(join(root, name), join(place, name));
  compileInto(place);
  process.env[COMPILED] = place;
  const sources = join(root, 'src/');
  return {
    name: 'compiled product',
    enforce: 'pre',
    config: () => ({ test: { server: { deps: { external: [new RegExp(`^${place}/`, 'u')] } } } }),
    resolveId(source, importer) {
      if (importer === undefined || !source.startsWith('.')) return null;
      const file = resolve(importer, '..', source);
      if (!file.startsWith(sources)) return null;
      const compiled = join(place, file.slice(root.length).replace(/\.ts$/u, '.js'));
      return existsSync(compiled) ? { id: compiled, external: true } : null;
    },
  };
}

export interface CompiledTree {
  /** A folder of its own with the compiled files at their usual paths; `remove` deletes it. */
  readonly place: string;
  remove(): Promise<void>;
}

/** Also from the compiled soak, whose files lie in one folder, too. */
export async function linkCompiledFiles(): Promise<CompiledTree> {
  const compiled = process.env[COMPILED] ?? root;
  const place = await mkdtemp(join(tmpdir(), 'gigdesk-tree-'));
  for (const name of ['package.json', 'src', 'test']) await symlink(join(compiled, name), join(place, name));
  return { place, remove: () => rm(place, { recursive: true, force: true }) };
}
