/** Replicas as processes on one database, beside one Slack and one marketplace. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Clock, MINUTE, machineClock } from '../../src/clock.ts';
import { fastClock } from '../../src/workbench/clocks.ts';
import { type LocalDatabase, startLocalDatabase } from '../../src/workbench/database/start-database.ts';
import type { SimulatedMarketplace } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { startSimulatedMarketplace } from '../../src/workbench/marketplace/start-marketplace.ts';
import type { SimulatedSlack } from '../../src/workbench/slack/simulated-slack.ts';
import { startSimulatedSlack } from '../../src/workbench/slack/start-slack.ts';
import {
  type AppProcess,
  type CompiledApp,
  compileApp,
  environmentBeside,
  isRunning,
} from '../features/app-process.ts';
import { postOf, wordsOf } from '../features/world.ts';
import { freePort } from '../free-port.ts';
import { seededRandom } from '../seeded-random.ts';

/** Slack's 3 s are real; the app's own times are a fifth. */
const SPEED = 5;

interface Replica extends AppProcess {
  readonly port: number;
}

let compiled: CompiledApp;
let server: LocalDatabase;
let url: string;
let began: number;
let clock: Clock;
let marketplace: SimulatedMarketplace;
let slack: SimulatedSlack;
const replicas: Replica[] = [];

beforeAll(async () => {
  [compiled, server] = await Promise.all([compileApp(), startLocalDatabase({ fsync: 'off' })]);
  url = await server.createDatabase();
  began = machineClock.now();
  clock = fastClock(SPEED, began);
  marketplace = await startSimulatedMarketplace({ clock, random: seededRandom(1), requestsPerMinute: 500 });
  marketplace.addFilter({ id: 101, name: 'React work' });
  slack = await startSimulatedSlack({
    clock,
    peopleClock: machineClock,
    signingClock: clock,
    random: seededRandom(2),
  });
  slack.addUser({ name: 'ada', admin: true });
  slack.addChannel({ name: 'web' });
});

afterAll(async () => {
  for (const { child, ended } of replicas) {
    child.kill('SIGKILL');
    await ended;
  }
  await Promise.all([marketplace.close(), slack.close(), server.close(), compiled.remove()]);
});

/** @param aheadMs of its clock */
async function start(aheadMs = 0): Promise<Replica> {
  const port = await freePort();
  const {
    SLACK_APP_TOKEN: _socket,
    DATA_DIR: _folder,
    ...env
  } = environmentBeside({ slack, marketplace }, { speed: SPEED, began }, '');
  const app = compiled.start({
    ...env,
    CLOCK_SHOWED: String(began + aheadMs),
    SLACK_SIGNING_SECRET: slack.signingSecret,
    MARKETPLACE_REQUESTS_PER_MINUTE: '500',
    DATABASE_URL: url,
    PORT: String(port),
    REPLICA_URL: `http://127.0.0.1:${port}`,
    REPLICA_SECRET: 'shared by all replicas',
  });
  await app.logged(isRunning);
  const replica = Object.assign(app, { port });
  replicas.push(replica);
  return replica;
}

/** Slack's requests arrive there. */
function receiveAt({ port }: Replica): void {
  slack.attachHttp(`http://127.0.0.1:${port}/slack/events`);
}

const owns = ({ log }: Replica) =>
  log.filter(({ msg }) => msg === 'Owns a workspace').length >
  log.filter(({ msg }) => msg === 'No longer owns a workspace').length;

async function untilOwned(by: readonly Replica[]): Promise<Replica> {
  await expect.poll(() => by.filter(owns).length, { timeout: 20_000, interval: 20 }).toBe(1);
  return by.find(owns) ?? expect.fail('nobody owns it');
}

async function ask(text: string): Promise<string> {
  const shown = () => slack.ephemerals('ada', 'web').length + slack.messages('web').length;
  const before = shown();
  const answer = await slack.runSlashCommand({ user: 'ada', channel: 'web', text });
  expect(answer.acked).toBe(true);
  await expect.poll(shown, { timeout: 10_000, interval: 20 }).toBeGreaterThan(before);
  return [...slack.ephemerals('ada', 'web'), ...slack.messages('web')].map(wordsOf).join('\n');
}

const cards = () =>
  slack
    .messages('web')
    .map(postOf)
    .filter((post) => post.startsWith('card:'));

async function publishAndAwait(count: number): Promise<void> {
  const before = new Set(cards()).size;
  for (let made = 0; made < count; made++) marketplace.publishProject(101);
  await expect.poll(() => cards().length, { timeout: 20_000, interval: 50 }).toBe(before + count);
}

async function readinessOf({ port }: Replica): Promise<string> {
  return (await globalThis.fetch(`http://127.0.0.1:${port}/readyz`)).text();
}

async function takeoversOf({ port }: Replica): Promise<number> {
  const metrics = await (await globalThis.fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^gigdesk_takeovers_total (\d+)$/mu.exec(metrics)?.[1]);
}

it('a replica takes over from one that is killed or ends, and passes on what is not its own', async () => {
  const [a, b] = [await start(), await start()];
  const first = await untilOwned([a, b]);
  const second = first === a ? b : a;
  receiveAt(second);
  expect(await ask('subscribe filter 101')).toContain('101');
  await publishAndAwait(2);

  first.child.kill('SIGKILL');
  await first.ended;
  await untilOwned([second]);
  expect(await takeoversOf(second)).toBeGreaterThan(0);
  expect(await readinessOf(second)).toContain('owns 1 workspace; since its start: takeovers 1,');
  await publishAndAwait(2);

  const third = await start();
  const owner = await untilOwned([second, third]);
  const other = owner === second ? third : second;
  receiveAt(other);
  await publishAndAwait(1);
  owner.child.kill('SIGTERM');
  expect(await owner.ended).toBe(0);
  await untilOwned([other]);
  await publishAndAwait(2);

  expect(new Set(cards()).size).toBe(cards().length);
  expect(await ask('budget')).toMatch(/\b7 of 500\b/u);
}, 120_000);

it('a replica that hangs loses its workspace, and does nothing more for it when it wakes up', async () => {
  const [hanging] = replicas.filter(({ child }) => child.exitCode === null && child.signalCode === null);
  if (!hanging) return expect.fail('no replica runs');
  const next = await start();
  receiveAt(next);
  const owner = await untilOwned([hanging, next]);
  const other = owner === hanging ? next : hanging;
  receiveAt(other);
  await publishAndAwait(1);
  owner.child.kill('SIGSTOP');
  const takes = other.logged((line) => line.msg === 'Owns a workspace');
  await takes;
  await publishAndAwait(2);
  owner.child.kill('SIGCONT');
  await owner.logged((line) => line.msg === 'No longer owns a workspace');
  await publishAndAwait(2);
  const ids = cards();
  expect(new Set(ids).size).toBe(ids.length);
  expect(await ask('budget')).toContain(`${ids.length} of 500`);
}, 120_000);

it.each([10 * MINUTE, -10 * MINUTE])(
  'a replica whose clock is %i ms off does no harm',
  async (aheadMs) => {
    for (const { child, ended } of replicas) {
      child.kill('SIGKILL');
      await ended;
    }
    const wrong = await start(aheadMs);
    await untilOwned([wrong]);
    const before = cards().length;
    marketplace.publishProject(101);
    const right = await start();
    receiveAt(right);
    wrong.child.kill('SIGKILL');
    await wrong.ended;
    await untilOwned([right]);
    await expect.poll(() => cards().length, { timeout: 30_000, interval: 50 }).toBe(before + 1);
    await publishAndAwait(1);
    expect(new Set(cards()).size).toBe(cards().length);
    expect(await ask('budget')).toContain(`${cards().length} of 500`);
    expect(marketplace.maxRequestsInAnyMinute()).toBeLessThanOrEqual(500);
  },
  120_000,
);
