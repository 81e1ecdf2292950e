/** A replica whose database becomes read-only, lets nobody in, or is full: it says so, and then goes on. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type App, createApp } from '../../src/app.ts';
import { machineClock, machineRandom } from '../../src/clock.ts';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { fastClock } from '../../src/workbench/clocks.ts';
import { type LocalDatabase, startLocalDatabase } from '../../src/workbench/database/start-database.ts';
import type { SimulatedMarketplace } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { startSimulatedMarketplace } from '../../src/workbench/marketplace/start-marketplace.ts';
import type { SimulatedSlack } from '../../src/workbench/slack/simulated-slack.ts';
import { startSimulatedSlack } from '../../src/workbench/slack/start-slack.ts';
import { findPressable, messageAt } from '../kit/read-screen.ts';
import { seededRandom } from '../seeded-random.ts';
import { RefusingDatabase } from './refusing-database.ts';

/** Slack's 3 s are real; the app's own times are a fifth. */
const SPEED = 5;
const SOON = { timeout: 30_000, interval: 50 };

let server: LocalDatabase;
let database: RefusingDatabase;
let marketplace: SimulatedMarketplace;
let slack: SimulatedSlack;
let app: App;
let logLines: string[];

beforeAll(async () => {
  server = await startLocalDatabase({ fsync: 'off' });
});
afterAll(() => server.close());

beforeEach(async () => {
  logLines = [];
  const url = await server.createDatabase();
  database = new RefusingDatabase(server.adminUrl, url);
  const clock = fastClock(SPEED, machineClock.now());
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
  const read = readConfig({
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_SIGNING_SECRET: slack.signingSecret,
    SLACK_API_URL: slack.apiUrl,
    MARKETPLACE_API_URL: marketplace.baseUrl,
    MARKETPLACE_API_TOKEN: marketplace.token,
    MARKETPLACE_REQUESTS_PER_MINUTE: '500',
    DATABASE_URL: url,
    PORT: '0',
  });
  if (read.kind === 'problems') throw new Error(read.problems.join('; '));
  const log = createLog('debug', { write: (line) => logLines.push(line) });
  app = createApp(read.config, { clock, random: machineRandom, log });
  await app.start();
  slack.attachHttp(`${app.localUrl()}/slack/events`);
  await expect.poll(readiness, SOON).toContain('owns 1 ');
  await ask('subscribe filter 101');
  await publishAndAwait();
});

afterEach(async () => {
  await app.stop();
  await database.end();
  await Promise.all([marketplace.close(), slack.close()]);
});

const readiness = async () => (await globalThis.fetch(`${app.localUrl()}/readyz`)).text();

/** @returns what is new to read, of the acknowledgement, too */
async function ask(text: string): Promise<string> {
  const shown = () => [...slack.ephemerals('ada', 'web'), ...slack.messages('web')];
  const before = new Set(shown().map(({ ts }) => ts));
  const { acked, body } = await slack.runSlashCommand({ user: 'ada', channel: 'web', text });
  expect(acked).toBe(true);
  if (body) return JSON.stringify(body);
  await expect.poll(() => shown().some(({ ts }) => !before.has(ts)), SOON).toBe(true);
  return shown()
    .filter(({ ts }) => !before.has(ts))
    .map((it) => messageAt(slack, it).text)
    .join('\n');
}

const cards = () =>
  slack
    .messages('web')
    .filter((message) => findPressable({ message }, 'Details'))
    .map((it) => messageAt(slack, it).text);

async function publishAndAwait(): Promise<void> {
  const before = cards().length;
  marketplace.publishProject(101);
  await expect.poll(() => cards().length, SOON).toBe(before + 1);
}

/** Nothing is owned; people read that Gigdesk is moving; and all comes back once `mend` is done. */
async function expectToComeBack(mend: () => Promise<unknown>): Promise<void> {
  await expect.poll(readiness, SOON).toMatch(/database is not reached.*owns 0 /u);
  expect(await ask('budget')).toMatch(/moving/iu);
  marketplace.publishProject(101);
  await mend();
  await expect.poll(readiness, SOON).toMatch(/^ready.*owns 1 /u);
  await expect.poll(() => cards().length, SOON).toBe(2);
  await publishAndAwait();
  expect(new Set(cards()).size).toBe(3);
  expect(await ask('budget')).toContain('3 of 500');
}

it('a read-only standby after a failover owns nothing', async () => {
  await database.refuse('read-only');
  await expectToComeBack(() => database.accept('read-only'));
}, 120_000);

it('too many connections end no process', async () => {
  await database.refuse('no connections');
  await expectToComeBack(async () => {
    await expect.poll(() => logLines.join('\n'), SOON).toMatch(/too many connections/u);
    await database.accept('no connections');
  });
}, 120_000);

it('a full disk fails what would be stored, with a reference, and nothing is half done', async () => {
  await database.refuse('full disk');
  expect(await ask('budget 300')).toMatch(/is full.*\n_ref \w+/iu);
  await expect.poll(() => logLines.join('\n'), SOON).toContain('the database has no room left');
  marketplace.publishProject(101);
  await database.accept('full disk');
  await expect.poll(() => cards().length, SOON).toBe(2);
  expect(await ask('budget')).toContain('2 of 500');
  expect(await ask('budget 300')).toContain('300');
}, 120_000);
