/** One browser for all files of this folder, and the sandbox's compiled page. */
import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import chromium from '@sparticuz/chromium';
import { type BrowserServer, chromium as playwright } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { describeMissingPackages } from './missing-packages.ts';
import { unpackBrowser } from './unpack-browser.ts';

export interface Surroundings {
  /** The browser's endpoint; absent when none starts. */
  readonly address?: string;
  /** Why no browser starts. */
  readonly trouble?: string;
  /** Folder with the page's `assets` and `client`. */
  readonly root: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    surroundings: Surroundings;
  }
}

/** Web security stays on: the page runs under the same browser rules as for users. */
const LAX =
  /disable-web-security|allow-running-insecure-content|site-isolation|IsolateOrigins|single-process/;

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

const project = path.resolve(import.meta.dirname, '../..');

/** The page's root in a folder of compiled files. */
async function compilePage(place: string): Promise<string> {
  const compiler = path.join(project, 'node_modules/typescript/bin/tsc');
  execFileSync(
    process.execPath,
    [compiler, '-p', path.join(project, 'tsconfig.page.json'), '--outDir', place],
    { stdio: 'pipe' },
  );
  const root = path.join(place, 'workbench/page');
  await cp(path.join(project, 'src/workbench/page/assets'), path.join(root, 'assets'), { recursive: true });
  return root;
}

export default async function startBrowser(vitest: TestProject): Promise<() => Promise<void>> {
  const place = await mkdtemp(path.join(tmpdir(), 'gigdesk-page-'));
  const root = await compilePage(place);
  const browser = await launch();
  const isThere = typeof browser !== 'string';
  const tell = () => {
    if (!isThere)
      process.stderr.write(`
NO BROWSER STARTS HERE, so the tests of the page are left out: ${browser}
`);
  };
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
