/**
 * Compiles into a folder of its own and swaps it in when it is complete: neither a running start nor another
 * build sees half a build. `npm ci` runs it through `prepare`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { swapFolder } from './swap-folder.js';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);

const TARGET = 'dist';
const fresh = `${TARGET}.${process.pid}`;
const compiler = 'node_modules/typescript/bin/tsc';

/** @param {string} project */
function compile(project) {
  const { status } = spawnSync(process.execPath, [compiler, '-p', project, '--outDir', fresh], {
    stdio: 'inherit',
  });
  return status === 0;
}

async function build() {
  try {
    if (!compile('tsconfig.build.json') || !compile('src/workbench/page')) return 1;
    await cp('src/workbench/page/assets', `${fresh}/workbench/page/assets`, { recursive: true });
    await swapFolder(fresh, TARGET);
    return 0;
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

if (existsSync(compiler)) process.exitCode = await build();
else if (existsSync(`${TARGET}/main.js`))
  console.log('Kept the existing build: the compiler is not installed.');
else {
  console.error('Nothing was built: the compiler is not installed. Run npm ci with the dev packages first.');
  process.exitCode = 1;
}
