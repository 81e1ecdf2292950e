/** How long a newcomer waits: loading the code, a start with an empty folder, the sandbox's first card. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { machineClock } from '../../src/clock.ts';
import { type Services, startServices } from '../app/start-services.ts';
import { median, spread } from '../measure.ts';
import type { Measure, Row } from '../part.ts';

const BUILD = 'dist';
const SANDBOX = `${BUILD}/workbench/sandbox.js`;
const LOOK_MS = 50;

/** The first line of its output that matches. @throws Error when it ends without one */
async function findLine({ stdout }: ChildProcess, pattern: RegExp): Promise<string> {
  if (!stdout) throw new Error('the process has no output');
  for await (const line of createInterface({ input: stdout })) {
    const [, found] = pattern.exec(line) ?? [];
    if (found !== undefined) return found;
  }
  throw new Error(`no line like ${pattern}`);
}

async function findApp(): Promise<string> {
  const name = (await readdir(BUILD)).find((it) => /^app-.*\.js$/u.test(it)) ?? '';
  return pathToFileURL(path.join(BUILD, name)).href;
}

/** Milliseconds that Node needs to load a module: the app's code as built, or Bolt as installed. */
async function timeImport(module: string): Promise<number> {
  const code =
    `const began = performance.now(); await import('${module}'); ` +
    'console.log(performance.now() - began);';
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const took = Number(await findLine(child, /^([\d.]+)$/u));
  child.kill();
  return took;
}

/** Seconds from the start of a process over an empty folder until it is ready. */
async function timeStart({ createApp, env }: Services): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'gigdesk-empty-'));
  const began = performance.now();
  const app = createApp();
  try {
    await app.ask('start', { ...env, DATA_DIR: folder });
    return (performance.now() - began) / 1_000;
  } finally {
    await app.end();
    await rm(folder, { recursive: true, force: true });
  }
}

async function readJson<T>(address: string): Promise<T> {
  return (await (await fetch(address)).json()) as T;
}

/** Seconds from the start of the sandbox until a channel shows a card. */
async function timeSandbox(): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, [SANDBOX, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const page = await findLine(child, /Open in a browser: (\S+)/u);
    const world = await readJson<{ as: { id: string }; channels: readonly { id: string }[] }>(
      `${page}/api/world`,
    );
    for (;;) {
      for (const { id } of world.channels) {
        const shown = await fetch(`${page}/api/channel?as=${world.as.id}&channel=${id}`);
        if ((await shown.text()).includes('Claim')) return (performance.now() - began) / 1_000;
      }
      await machineClock.sleep(LOOK_MS);
    }
  } finally {
    child.kill();
    await once(child, 'exit');
  }
}

export const measure: Measure = async ({ quick, say }): Promise<readonly Row[]> => {
  const rounds = quick ? 1 : 5;
  const app = await findApp();
  const services = await startServices({ proposals: 0, seen: 0 });
  const times = { bolt: [] as number[], load: [] as number[], start: [] as number[], card: [] as number[] };
  try {
    for (let round = 1; round <= rounds; round++) {
      say(`round ${round} of ${rounds}`);
      times.bolt.push(await timeImport('@slack/bolt'));
      times.load.push(await timeImport(app));
      times.start.push(await timeStart(services));
      times.card.push(await timeSandbox());
    }
  } finally {
    await services.close();
  }
  const row = (
    what: string,
    all: readonly number[],
    unit: string,
    atMost: number,
    baseline = 'none',
  ): Row => ({
    what,
    measured: median(all),
    unit,
    baseline,
    bar: { atMost },
    note: `Median of ${rounds}, from ${spread(all)}.`,
  });
  return [
    row("Loading the app's code", times.load, 'ms', 500, `Bolt alone, ${median(times.bolt).toFixed(0)} ms`),
    row('From `npm start` with an empty folder until it is ready', times.start, 's', 2),
    row('From `npm run sandbox` until the first card', times.card, 's', 10),
  ];
};
