/** The process's start and end. Its clock runs 20 times as fast: timeouts of 8 s take 0.4 s here. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Clock, machineClock } from '../../src/clock.ts';
import { fastClock } from '../../src/workbench/clocks.ts';
import { findFreePort } from '../../src/workbench/free-port.ts';
import type { SimulatedMarketplace } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { startSimulatedMarketplace } from '../../src/workbench/marketplace/start-marketplace.ts';
import type { SimulatedSlack } from '../../src/workbench/slack/simulated-slack.ts';
import { startSimulatedSlack } from '../../src/workbench/slack/start-slack.ts';
import { seededRandom } from '../seeded-random.ts';
import {
  type AppProcess,
  type CompiledApp,
  compileApp,
  environmentBeside,
  errorsIn,
  isRunning,
  isWaitingForSlack,
} from './app-process.ts';

const SPEED = 20;

let compiled: CompiledApp;
let marketplace: SimulatedMarketplace;
let slack: SimulatedSlack;
let clock: Clock;
let began: number;
let folders = 0;
let folder: string;

function newSlack(port?: number): Promise<SimulatedSlack> {
  const options = { clock, peopleClock: machineClock, random: seededRandom(2) };
  return startSimulatedSlack({ ...options, ...(port === undefined ? {} : { port }) });
}

beforeAll(async () => {
  compiled = await compileApp();
  began = machineClock.now();
  clock = fastClock(SPEED, began);
  marketplace = await startSimulatedMarketplace({ clock, random: seededRandom(1) });
  marketplace.addFilter({ id: 101 });
  slack = await newSlack();
  slack.addUser({ name: 'ada', admin: true });
  slack.addChannel({ name: 'web' });
}, 60_000);

afterAll(async () => {
  await Promise.all([marketplace.close(), slack.close()]);
  await compiled.remove();
});

function start(env: Readonly<Record<string, string>> = {}): AppProcess {
  folder = env['DATA_DIR'] ?? join(compiled.place, `data-${folders++}`);
  return compiled.start({
    ...environmentBeside({ slack, marketplace }, { speed: SPEED, began }, folder),
    ...env,
  });
}

async function untilHeld(held: () => number): Promise<void> {
  while (held() === 0) await machineClock.sleep(5);
}

it('SIGTERM twice with Slack, marketplace, and lookup pending: exits with 0, repeats nothing', async () => {
  const app = start();
  await app.logged(isRunning);
  await slack.runSlashCommand({ user: 'ada', channel: 'web', text: 'subscribe filter 101' });
  await slack.waitForCondition(
    () => slack.messages('web').length + slack.ephemerals('ada', 'web').length > 0,
  );
  await clock.sleep(2_000);
  const post = slack.injectFault('chat.postMessage', { kind: 'hold', when: 'after' });
  const project = marketplace.publishProject(101);
  await untilHeld(() => post.held);
  const poll = marketplace.injectFault({ path: '/filters/101/projects' }, { kind: 'hold-headers' }, 2);
  await untilHeld(() => poll.hits());
  const lookup = marketplace.injectFault({ path: /^\/projects/ }, { kind: 'hold-headers' });
  await slack.runSlashCommand({
    user: 'ada',
    channel: 'web',
    text: `lookup ${marketplace.publishProject(101).ciphertext}`,
  });
  await untilHeld(() => lookup.hits());

  const asked = machineClock.now();
  app.child.kill('SIGTERM');
  await app.logged(({ msg }) => msg === 'Shutting down');
  app.child.kill('SIGTERM');
  expect(await app.ended).toBe(0);
  expect(machineClock.now() - asked).toBeLessThan(5_000);
  expect(app.noise).toEqual([]);
  // The cancelled lookup is a failed call, if there was still time to log it.
  expect(errorsIn(app.log).filter((line) => !('ref' in line))).toEqual([]);
  marketplace.clearFaults();
  post.release();

  const again = start({ DATA_DIR: folder });
  await again.logged(isRunning);
  await slack.waitForCondition(() => slack.messages('web').filter((it) => it.metadata).length >= 2);
  again.child.kill('SIGINT');
  expect(await again.ended).toBe(0);
  const cards = slack.messages('web').filter((it) => JSON.stringify(it.blocks).includes(project.ciphertext));
  expect(cards).toHaveLength(1);
});

it('an unreachable Slack is waited for; everything begins when it is there', async () => {
  const port = await findFreePort();
  const app = start({ SLACK_API_URL: `http://127.0.0.1:${port}/api/` });
  await app.logged(isWaitingForSlack);
  expect(app.isRunning).toBe(true);
  const late = await newSlack(port);
  await app.logged(isRunning);
  app.child.kill('SIGTERM');
  expect(await app.ended).toBe(0);
  await late.close();
});

it('SIGTERM while it waits for Slack ends it at once with code 0', async () => {
  const app = start({ SLACK_API_URL: `http://127.0.0.1:${await findFreePort()}/api/` });
  await app.logged(isWaitingForSlack);
  app.child.kill('SIGTERM');
  expect(await app.ended).toBe(0);
});

it('a socket that Slack does not open yet is waited for, too, and SIGTERM ends that', async () => {
  slack.injectFault('apps.connections.open', { kind: 'status', status: 503 }, Number.POSITIVE_INFINITY);
  const app = start();
  await app.logged(isWaitingForSlack);
  app.child.kill('SIGTERM');
  expect(await app.ended).toBe(0);
  slack.reset();
  slack.addUser({ name: 'ada', admin: true });
  slack.addChannel({ name: 'web' });
});

it('a refused token ends the start with code 1 and a sentence', async () => {
  const app = start({ SLACK_BOT_TOKEN: 'xoxb-wrong' });
  expect(await app.ended).toBe(1);
  expect(app.log.find(({ msg }) => msg === 'told')).toMatchObject({
    sentence: expect.stringContaining('invalid_auth'),
  });
});

it('a lock that a process on a vanished machine left is watched and then taken over', async () => {
  const dataDir = join(compiled.place, 'left-behind');
  await mkdir(dataDir);
  await writeFile(
    join(dataDir, 'lock'),
    JSON.stringify({ pid: 1, started: '1', realm: 'another container' }),
  );
  const app = start({ DATA_DIR: dataDir });
  await app.logged(isRunning);
  app.child.kill('SIGTERM');
  expect(await app.ended).toBe(0);
});

it('a folder that another process has taken over ends it with code 1', async () => {
  const app = start();
  await app.logged(isRunning);
  await writeFile(join(folder, 'lock'), JSON.stringify({ pid: 1, started: '1', realm: 'another container' }));
  expect(await app.ended).toBe(1);
  expect(errorsIn(app.log).at(-1)?.msg).toContain('stopped unexpectedly');
});

it.each(['a rejection', 'an exception'])(
  '%s that nobody handles is logged and ends it with code 1',
  async (planted) => {
    const app = start({ PLANTED: planted });
    expect(await app.ended).toBe(1);
    expect(errorsIn(app.log)).toMatchObject([{ error: { message: expect.stringContaining('planted') } }]);
    expect(app.noise).toEqual([]);
  },
);
