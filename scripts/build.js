/**
 * Builds `dist`: the product as a few files, since loading 600 takes twice as long, and the sandbox with its
 * page. Into a folder of its own that is swapped in when it is complete: neither a running start nor another
 * build sees half a build. `npm ci` runs it through `prepare`, the image without the workbench.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { swapFolder } from './swap-folder.js';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);

const TARGET = 'dist';
const PAGE = 'src/workbench/page';
const fresh = `${TARGET}.${process.pid}`;
const compiler = 'node_modules/typescript/bin/tsc';
const isWhole = existsSync('src/workbench');

/**
 * Packages stay outside, but for two that are slow to load: Slack's SDK with its hundreds of small files, and
 * zod, half of whose files are sentences in other languages.
 */
const OUTSIDE =
  /^(?:node:|lowdb|node-cron|pino|postgres|prom-client|react|slack-blocks-to-jsx|sorted-btree|undici|ws)/;

async function bundle() {
  const { rolldown } = await import('rolldown');
  const input = { main: 'src/main.ts', ...(isWhole && { 'workbench/sandbox': 'src/workbench/sandbox.ts' }) };
  const bundled = await rolldown({ input, platform: 'node', external: OUTSIDE });
  await bundled.write({ dir: fresh, format: 'esm', sourcemap: isWhole });
}

async function buildPage() {
  const words = [compiler, '-p', PAGE, '--outDir', fresh];
  const { status } = spawnSync(process.execPath, words, { stdio: 'inherit' });
  if (status !== 0) throw new Error('the page could not be compiled');
  await cp(`${PAGE}/assets`, `${fresh}/workbench/page/assets`, { recursive: true });
}

async function build() {
  try {
    await bundle();
    if (isWhole) await buildPage();
    await swapFolder(fresh, TARGET);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

if (existsSync('node_modules/rolldown')) await build();
else if (existsSync(`${TARGET}/main.js`))
  console.log('Kept the existing build: the packages that build are not installed.');
else {
  console.error('Nothing was built: run npm ci with the dev packages first.');
  process.exitCode = 1;
}
