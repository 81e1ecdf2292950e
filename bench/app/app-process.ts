/** The whole app in its own process, as `npm start` runs it, with its log discarded. */
import { performance } from 'node:perf_hooks';
import { type App, createApp } from '../../src/app/app.ts';
import { machineClock, machineRandom, SECOND } from '../../src/clock.ts';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { answerQuestions } from '../contender.ts';
import { cpuMs } from '../cpu-time.ts';

/** Share of a core below which the process counts as idle. */
const AT_REST = 0.05;
const REST_LOOKS = 3;
const LOOK_MS = SECOND;
const MOST_LOOKS = 120;
const READY_LOOK_MS = 10;
const READY_WITHIN_MS = 10 * SECOND;

export interface Memory {
  readonly residentMb: number;
  readonly peakMb: number;
  /** Live heap after a collection. */
  readonly heapMb: number;
  readonly proposals: number;
}

let app: App | undefined;

async function started(env: Readonly<Record<string, string>>): Promise<string> {
  const read = readConfig(env);
  if (read.kind === 'problems') throw new Error(read.problems.join('; '));
  app = createApp(read.config, {
    clock: machineClock,
    random: machineRandom,
    log: createLog('info', { write: () => undefined }),
  });
  await app.start();
  const address = app.localUrl();
  // A replica is ready a moment later, once it has announced itself.
  const until = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const ready = await fetch(`${address}/readyz`);
    if (ready.status === 200) return address;
    if (performance.now() > until) throw new Error(await ready.text());
    await machineClock.sleep(READY_LOOK_MS);
  }
}

async function proposalsHeld(): Promise<number> {
  const text = await (await fetch(`${app?.localUrl()}/metrics`)).text();
  return Number(/^gigdesk_mirror_proposals(?:\{[^}]*\})? (\d+)/mu.exec(text)?.[1]);
}

/** Waits for the proposals, then for the index: until the process has been idle for some seconds. */
async function rest(proposals: number): Promise<void> {
  let quiet = 0;
  for (let look = 0; look < MOST_LOOKS && quiet < REST_LOOKS; look++) {
    // On a busy machine a process that gets no CPU looks idle.
    if ((await proposalsHeld()) < proposals) quiet = 0;
    const from = cpuMs();
    const began = performance.now();
    await machineClock.sleep(LOOK_MS);
    quiet = (cpuMs() - from) / (performance.now() - began) < AT_REST ? quiet + 1 : 0;
  }
}

const answers = {
  /** Resolves to the app's address once it takes requests and the feed runs. */
  start: (env: Readonly<Record<string, string>>): Promise<string> => started(env),
  /** Resolves once the work after the start is done and `proposals` are stored. */
  memory: async (proposals: number): Promise<Memory> => {
    await rest(proposals);
    const residentMb = process.memoryUsage().rss / 1e6;
    const peakMb = (process.resourceUsage().maxRSS * 1_024) / 1e6;
    globalThis.gc?.();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return { residentMb, peakMb, heapMb: (heapUsed + arrayBuffers) / 1e6, proposals: await proposalsHeld() };
  },
  resident: async (_nothing: undefined): Promise<number> => process.memoryUsage().rss / 1e6,
  cpu: async (_nothing: undefined): Promise<number> => cpuMs(),
  stop: async (_nothing: undefined): Promise<void> => app?.stop(),
};
export type AppProcess = typeof answers;

answerQuestions(answers);
