/** The app as a process on a folder, killed with SIGKILL at seeded moments while projects arrive. */
import { join } from 'node:path';
import { expect } from 'vitest';
import { machineClock } from '../../src/clock.ts';
import { seededRandom } from '../seeded-random.ts';
import { type AppProcess, compileApp, errorsIn, isRunning } from './app-process.ts';
import { expectCredits, expectOnce, expectQuietProcesses, expectWithinLimit } from './judge.ts';
import { until } from './until.ts';
import { startTime, Workspace } from './workspace.ts';

/**
 * A faster clock would make some of the app's timeouts (2 s for a request's record) shorter than a busy disk
 * needs.
 */
const SPEED = 20;
/** The most projects that arrive within one process's life, even on a busy machine. */
const PROJECTS_A_LIFE = 4;

interface KillOptions {
  readonly kills: number;
  readonly seed: number;
  /** Called after each kill. */
  readonly onKill?: (kills: number) => void;
}

/** Waits for visible progress while projects arrive, and a moment longer. */
async function letWork(workspace: Workspace, app: AppProcess, random: () => number): Promise<void> {
  const { slack, marketplace, filters } = workspace;
  const progress = () => marketplace.requests().length + slack.apiCalls().length;
  const enough = progress() + Math.floor(random() * 20);
  const publish = () => {
    const filter = filters[Math.floor(random() * (filters.length + 1))];
    workspace.publish(filter === undefined ? filters : [filter]);
  };
  publish();
  let left = PROJECTS_A_LIFE - 1;
  const isAtWork = () => {
    if (left > 0 && random() < 0.02) {
      publish();
      left--;
    }
    return progress() >= enough;
  };
  await until('the app at work', isAtWork, { state: () => app.lastWords });
  await machineClock.sleep(random() * 40);
}

/**
 * @returns how many projects were posted once, and how many credits are on the ledger. @throws AssertionError
 * with the broken promise
 */
export async function playKills({ kills, seed, onKill = () => undefined }: KillOptions) {
  const random = seededRandom(seed + 4);
  const [compiled, workspace] = await Promise.all([
    compileApp(),
    Workspace.start(startTime(SPEED), { seed }),
  ]);
  const { slack, marketplace } = workspace;
  const apps: AppProcess[] = [];
  const start = () => {
    const app = compiled.start(workspace.environmentOn(join(compiled.place, 'data')));
    apps.push(app);
    return app;
  };
  try {
    let app = start();
    await app.logged(isRunning);
    for (const filter of workspace.filters.slice(0, 2)) await workspace.follow(filter);
    for (const filter of workspace.filters.slice(1)) await workspace.follow(filter, 'data');
    for (let kill = 1; kill <= kills; kill++) {
      await letWork(workspace, app, random);
      expect(await app.end('SIGKILL')).toBe('SIGKILL');
      app = start();
      onKill(kill);
    }
    await app.logged(isRunning);
    await workspace.untilPosted();
    // Answers to these prove the fate of requests cut off by a kill.
    for (const filter of workspace.filters) workspace.publish([filter]);
    await workspace.untilPosted();
    await expectCredits(workspace);
    expect(await app.end('SIGTERM')).toBe(0);
    expectOnce(workspace);
    expectWithinLimit(workspace);
    expectQuietProcesses(apps, [workspace]);
    expect(slack.failedCalls()).toEqual([]);
    expect(errorsIn(apps.flatMap(({ log }) => log))).toEqual([]);
    return { projects: workspace.published.length, credits: marketplace.consumedCredits().total };
  } finally {
    await Promise.all(apps.map((app) => app.end('SIGKILL')));
    await workspace.close();
    await compiled.remove();
  }
}
