/** The process's start and end. Its clock runs 20 times as fast: timeouts of 8 s take 0.4 s here. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'vitest';
import { machineClock, SECOND } from '../../src/clock.ts';
import { findFreePort } from '../../src/workbench/free-port.ts';
import { startSimulatedSlack } from '../../src/workbench/slack/start-slack.ts';
import {
  type AppProcess,
  compileApp,
  type Environment,
  errorsIn,
  isRunning,
  type LogLine,
  WARNING,
} from '../processes/app-process.ts';
import { until } from '../processes/until.ts';
import { startTime, Workspace } from '../processes/workspace.ts';
import { seededRandom } from '../seeded-random.ts';

const SPEED = 20;
const OF_ANOTHER_MACHINE = JSON.stringify({ pid: 1, started: '1', realm: 'another container' });

interface Machine {
  /** Where the processes keep their data. */
  readonly folder: string;
  start(more?: Environment): AppProcess;
}

const processTest = test.extend<{ readonly workspace: Workspace; readonly machine: Machine }>({
  workspace: async ({ onTestFinished }, use) => {
    const workspace = await Workspace.start(startTime(SPEED));
    onTestFinished(() => workspace.close());
    await use(workspace);
  },
  machine: async ({ workspace }, use) => {
    const compiled = await compileApp();
    const folder = join(compiled.place, 'data');
    const apps: AppProcess[] = [];
    const start = (more: Environment = {}) => {
      const app = compiled.start({ ...workspace.environmentOn(folder), ...more });
      apps.push(app);
      return app;
    };
    await use({ folder, start });
    await Promise.all(apps.map((app) => app.end('SIGKILL')));
    await compiled.remove();
  },
});

const SIDE_BY_SIDE = { concurrent: true };

/** Slack isn't reachable yet; the app retries. */
function isWaitingForSlack({ level, failures }: LogLine): boolean {
  return level === WARNING && typeof failures === 'number';
}

processTest(
  'SIGTERM twice with Slack, marketplace, and lookup pending: exits with 0, repeats nothing',
  SIDE_BY_SIDE,
  async ({ workspace, machine, expect }) => {
    const { slack, marketplace, filters } = workspace;
    const app = machine.start();
    await app.logged(isRunning);
    await workspace.follow(filters[0] ?? 0);
    const post = slack.injectFault('chat.postMessage', { kind: 'hold', when: 'after' });
    workspace.publish();
    await until('a post', () => post.held > 0);
    const poll = marketplace.injectFault({ path: /^\/filters\/\d+\/projects/ }, { kind: 'hold-headers' }, 2);
    await until('a poll', () => poll.hits() > 0);
    const lookup = marketplace.injectFault({ path: /^\/projects/ }, { kind: 'hold-headers' });
    workspace.publish();
    const text = `lookup ${workspace.published[1]?.id}`;
    await slack.runSlashCommand({ user: 'ada', channel: 'web', text });
    await until('a lookup', () => lookup.hits() > 0);

    const asked = machineClock.now();
    app.send('SIGTERM');
    await app.logged(({ msg }) => msg === 'Shutting down');
    expect(await app.end('SIGTERM')).toBe(0);
    expect(machineClock.now() - asked).toBeLessThan(5 * SECOND);
    expect(app.noise).toEqual([]);
    // The cancelled lookup is a failed call, if there was still time to log it.
    expect(errorsIn(app.log).filter((line) => !('ref' in line))).toEqual([]);
    marketplace.clearFaults();
    post.release();

    const again = machine.start();
    await again.logged(isRunning);
    await workspace.untilPosted();
    expect(await again.end('SIGINT')).toBe(0);
    expect(workspace.carded()).toEqual(workspace.due());
  },
);

processTest(
  'an unreachable Slack is waited for; everything begins when it is there',
  SIDE_BY_SIDE,
  async ({ workspace, machine, expect }) => {
    const port = await findFreePort();
    const app = machine.start({ SLACK_API_URL: `http://127.0.0.1:${port}/api/` });
    await app.logged(isWaitingForSlack);
    expect(app.isRunning).toBe(true);
    const { clock } = workspace.time;
    const { botToken } = workspace.slack;
    const late = await startSimulatedSlack({ clock, random: seededRandom(2), port, botToken });
    await app.logged(isRunning);
    expect(await app.end('SIGTERM')).toBe(0);
    await late.close();
  },
);

processTest(
  'SIGTERM while it waits for Slack ends it at once with code 0',
  SIDE_BY_SIDE,
  async ({ machine, expect }) => {
    const app = machine.start({ SLACK_API_URL: `http://127.0.0.1:${await findFreePort()}/api/` });
    await app.logged(isWaitingForSlack);
    expect(await app.end('SIGTERM')).toBe(0);
  },
);

processTest(
  'a socket that Slack does not open yet is waited for, too, and SIGTERM ends that',
  SIDE_BY_SIDE,
  async ({ workspace, machine, expect }) => {
    const effect = { kind: 'status', status: 503 } as const;
    workspace.slack.injectFault('apps.connections.open', effect, Number.POSITIVE_INFINITY);
    const app = machine.start();
    await app.logged(isWaitingForSlack);
    expect(await app.end('SIGTERM')).toBe(0);
  },
);

processTest(
  'a refused token ends the start with code 1 and a sentence',
  SIDE_BY_SIDE,
  async ({ machine, expect }) => {
    const app = machine.start({ SLACK_BOT_TOKEN: 'xoxb-wrong' });
    expect(await app.ended).toBe(1);
    expect(app.log.find(({ msg }) => msg === 'told')).toMatchObject({
      sentence: expect.stringContaining('invalid_auth'),
    });
  },
);

processTest(
  'a lock that a process on a vanished machine left is watched and then taken over',
  SIDE_BY_SIDE,
  async ({ machine, expect }) => {
    await mkdir(machine.folder);
    await writeFile(join(machine.folder, 'lock'), OF_ANOTHER_MACHINE);
    const app = machine.start();
    await app.logged(isRunning);
    expect(await app.end('SIGTERM')).toBe(0);
  },
);

processTest(
  'a folder that another process has taken over ends it with code 1',
  SIDE_BY_SIDE,
  async ({ machine, expect }) => {
    const app = machine.start();
    await app.logged(isRunning);
    await writeFile(join(machine.folder, 'lock'), OF_ANOTHER_MACHINE);
    expect(await app.ended).toBe(1);
    expect(errorsIn(app.log).at(-1)?.msg).toContain('stopped unexpectedly');
  },
);

processTest.for(['a rejection', 'an exception'])(
  '%s that nobody handles is logged and ends it with code 1',
  SIDE_BY_SIDE,
  async (planted, { machine, expect }) => {
    const app = machine.start({ PLANTED: planted });
    expect(await app.ended).toBe(1);
    expect(errorsIn(app.log)).toMatchObject([{ error: { message: expect.stringContaining('planted') } }]);
    expect(app.noise).toEqual([]);
  },
);
