/** One browser for all files of this folder, and the sandbox's compiled page. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import chromium from '@sparticuz/chromium';
import { type BrowserServer, chromium as playwright } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { describeMissingPackages } from './missing-packages.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    surroundings: {
      /** The browser's endpoint; absent when none starts. */
      readonly address?: string;
      /** Why no browser starts. */
      readonly trouble?: string;
      /** Folder with the page's `assets` and `client`. */
      readonly root: string;
    };
  }
}

/** Web security stays on: the page runs under the same browser rules as for users. */
const LAX =
  /disable-web-security|allow-running-insecure-content|site-isolation|IsolateOrigins|single-process/;

const project = path.resolve(import.meta.dirname, '../..');
const run = (args: readonly string[], env?: Record<string, string>) =>
  execFileSync(process.execPath, args, { cwd: project, stdio: 'pipe', ...(env ? { env } : {}) });

/** Unpacks the browser once, beside its npm package, where no other user writes. @returns the executable */
async function unpackBrowser(): Promise<string> {
  const text = await readFile(path.join(project, 'node_modules/@sparticuz/chromium/package.json'), 'utf8');
  const { version } = JSON.parse(text) as { readonly version: string };
  const cache = path.join(project, 'node_modules/.cache');
  await mkdir(cache, { recursive: true });
  const place = path.join(cache, `browser-${version}`);
  if (!existsSync(place)) {
    // A folder of its own: a browser that another run still unpacks must not start.
    const own = await mkdtemp(`${place}-`);
    const script = "import chromium from '@sparticuz/chromium'; await chromium.executablePath();";
    run(['--input-type=module', '-e', script], { TMPDIR: own, TMP: own, TEMP: own });
    await rename(own, place).catch(() => rm(own, { recursive: true }));
  }
  return path.join(place, 'chromium');
}

/** The browser's server, or the reason why there is none. */
async function launch(): Promise<BrowserServer | string> {
  let executablePath = '';
  try {
    executablePath = await unpackBrowser();
    // The page draws no 3D: without it, the browser needs less of the processor.
    chromium.setGraphicsMode = false;
    const args = chromium.args.filter((arg) => !LAX.test(arg));
    return await playwright.launchServer({ executablePath, args, headless: true });
  } catch (thrown) {
    return `${describeMissingPackages(executablePath)}${String(thrown)}`.slice(0, 600);
  }
}

export default async function startBrowser(vitest: TestProject): Promise<() => Promise<void>> {
  const place = await mkdtemp(path.join(tmpdir(), 'gigdesk-page-'));
  run(['node_modules/typescript/bin/tsc', '-p', 'src/workbench/page', '--outDir', place]);
  const root = path.join(place, 'workbench/page');
  await cp(path.join(project, 'src/workbench/page/assets'), path.join(root, 'assets'), { recursive: true });
  const browser = await launch();
  const isThere = typeof browser !== 'string';
  const tell = () =>
    isThere ||
    process.stderr.write(`\nNO BROWSER STARTS HERE, so the tests of the page are left out: ${browser}\n`);
  tell();
  vitest.provide('surroundings', {
    ...(isThere ? { address: browser.wsEndpoint() } : { trouble: browser }),
    root,
  });
  return async () => {
    if (isThere) await browser.close();
    await rm(place, { recursive: true, force: true });
    // Printed again at the end, where people look.
    tell();
  };
}
