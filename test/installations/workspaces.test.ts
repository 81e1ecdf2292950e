/** The app with two workspaces that people have installed, on one database. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type App, createApp } from '../../src/app/app.ts';
import { type Clock, machineClock, machineRandom, machineRandomBytes, SECOND } from '../../src/clock.ts';
import { readConfig } from '../../src/config.ts';
import { TeamId } from '../../src/ids.ts';
import { Installations } from '../../src/installations/installations.ts';
import { createLog } from '../../src/log.ts';
import { Secret } from '../../src/secret.ts';
import { connectDatabase, type Database } from '../../src/storage/postgres/database.ts';
import { migrateDatabase } from '../../src/storage/postgres/migrations.ts';
import { fastClock } from '../../src/workbench/clocks.ts';
import { type LocalDatabase, startLocalDatabase } from '../../src/workbench/database/start-database.ts';
import type { SimulatedMarketplace } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { startSimulatedMarketplace } from '../../src/workbench/marketplace/start-marketplace.ts';
import type { SimulatedSlack } from '../../src/workbench/slack/simulated-slack.ts';
import { type SlackFront, startSlackFront } from '../../src/workbench/slack/slack-front.ts';
import { startSimulatedSlack } from '../../src/workbench/slack/start-slack.ts';
import { findPressable, messageAt } from '../kit/read-screen.ts';
import { seededRandom } from '../seeded-random.ts';
import { dumpDatabase } from './dump-database.ts';

/** Slack's 3 s are real; the app's own times are a fifth. */
const SPEED = 5;
const KEY = Buffer.alloc(32, 7).toString('base64');

let server: LocalDatabase;
let database: Database;
let installations: Installations;
let marketplace: SimulatedMarketplace;
let one: SimulatedSlack;
let two: SimulatedSlack;
let front: SlackFront;
let app: App;
let logLines: string[];
let clock: Clock;

beforeAll(async () => {
  server = await startLocalDatabase({ fsync: 'off' });
});
afterAll(() => server.close());

async function startTeam(id: string): Promise<SimulatedSlack> {
  const slack = await startSimulatedSlack({
    clock,
    peopleClock: machineClock,
    signingClock: clock,
    random: seededRandom(3),
    team: { id, name: `Team ${id}`, domain: id.toLowerCase() },
    botToken: `xoxb-of-${id}`,
  });
  slack.addUser({ name: 'ada', admin: true });
  slack.addUser({ name: 'ben' });
  slack.addUser({ name: 'cem' });
  slack.addChannel({ name: 'web' });
  return slack;
}

beforeEach(async () => {
  logLines = [];
  const url = await server.createDatabase();
  database = connectDatabase({ url: new Secret(url) });
  await migrateDatabase(database);
  clock = fastClock(SPEED, machineClock.now());
  marketplace = await startSimulatedMarketplace({
    clock,
    random: seededRandom(1),
    requestsPerMinute: 500,
  });
  marketplace.addFilter({ id: 101, name: 'React work' });
  [one, two] = await Promise.all([startTeam('T1'), startTeam('T2')]);
  front = await startSlackFront([one, two]);
  const read = readConfig({
    DATABASE_URL: url,
    SLACK_CLIENT_ID: one.clientId,
    SLACK_CLIENT_SECRET: one.clientSecret,
    SLACK_SIGNING_SECRET: one.signingSecret,
    SLACK_API_URL: front.apiUrl,
    PUBLIC_URL: 'https://gigdesk.example.com',
    ENCRYPTION_KEY: `2026:${KEY}`,
    MARKETPLACE_API_URL: marketplace.baseUrl,
    MARKETPLACE_REQUESTS_PER_MINUTE: '500',
    PORT: '0',
  });
  if (read.kind === 'problems') throw new Error(read.problems.join('; '));
  if (read.config.workspaces.mode !== 'installed') throw new Error('another mode');
  const keys = read.config.workspaces.encryptionKeys;
  installations = new Installations({ database, keys, randomBytes: machineRandomBytes });
  app = createApp(read.config, {
    clock,
    random: machineRandom,
    log: createLog('debug', { write: (line) => logLines.push(line) }),
  });
  await app.start();
  for (const slack of [one, two]) slack.attachHttp(`${app.localUrl()}/slack/events`);
});

afterEach(async () => {
  await app.stop();
  await database.end();
  await Promise.all([marketplace.close(), one.close(), two.close(), front.close()]);
});

/** As a person does in a browser. */
async function allow(slack: SimulatedSlack, user: string): Promise<void> {
  const start = await globalThis.fetch(`${app.localUrl()}/slack/install`, { redirect: 'manual' });
  const back = new URL(
    slack.allowInstall({ authorizeUrl: start.headers.get('location') ?? '', user: slack.user(user).id }),
  );
  const done = await globalThis.fetch(`${app.localUrl()}${back.pathname}${back.search}`);
  expect(done.status).toBe(200);
}

async function install(slack: SimulatedSlack, user = 'ada'): Promise<void> {
  await allow(slack, user);
  expect(
    await installations.setMarketplaceToken(TeamId.parse(slack.team.id), new Secret(marketplace.token)),
  ).toBe(true);
}

async function untilOpen(count: number): Promise<void> {
  const owned = async () => (await globalThis.fetch(`${app.localUrl()}/readyz`)).text();
  await expect.poll(owned, { timeout: 10_000 }).toContain(`owns ${count} `);
}

const polls = () =>
  marketplace.requests().filter((it) => it.path === '/filters/101/projects' && it.status === 200);

const cards = (slack: SimulatedSlack) =>
  slack.messages('web').filter((message) => findPressable({ message }, 'Details'));

async function ask(slack: SimulatedSlack, text: string, user = 'ada'): Promise<string> {
  const shown = () => [...slack.ephemerals(user, 'web'), ...slack.messages('web')];
  const before = shown().length;
  await slack.runSlashCommand({ user, channel: 'web', text });
  await expect.poll(() => shown().length, { timeout: 5_000 }).toBeGreaterThan(before);
  return shown()
    .map((it) => messageAt(slack, it).text)
    .join('\n');
}

it('serves each from its own records, until one removes the app', async () => {
  await install(one);
  await install(two);
  await untilOpen(2);
  await ask(one, 'subscribe filter 101');
  expect(await ask(two, 'list')).not.toContain('101');
  // What the first poll finds is not new.
  await expect.poll(() => polls().length, { timeout: 30_000 }).toBeGreaterThan(0);
  // Both have connected the same marketplace account.
  expect(await database`select from accounts where gate is not null`).toHaveLength(1);
  marketplace.publishProject(101);
  await expect.poll(() => cards(one).length, { timeout: 30_000 }).toBe(1);
  expect(cards(two)).toEqual([]);
  const dump = await dumpDatabase(database);
  for (const token of [one.botToken, two.botToken, marketplace.token]) expect(dump).not.toContain(token);

  const given = () => logLines.filter((line) => line.includes('No longer owns')).length;
  const before = given();
  one.refuseToken('account_inactive');
  await one.sendEvent('app_uninstalled');
  await untilOpen(1);
  const tokens = await database`select team, bot_token, marketplace_token from installations order by team`;
  expect(tokens[0]).toMatchObject({ team: 'T1', bot_token: null, marketplace_token: null });
  expect(await ask(two, 'status')).not.toBe('');
  await expect.poll(given).toBe(before + 1);
  const asked = polls().length;
  await ask(two, 'budget');
  expect(polls().length).toBe(asked);
}, 90_000);

it('one whose Slack token is refused, or that floods, stops no other', async () => {
  await install(one);
  await install(two);
  await untilOpen(2);
  for (const slack of [one, two])
    await expect.poll(() => ask(slack, 'subscribe filter 101'), { timeout: 10_000 }).toContain('subscribed');
  // What the first poll of each finds is not new.
  await expect.poll(() => polls().length, { timeout: 30_000 }).toBeGreaterThan(2);
  one.refuseToken('invalid_auth');
  const flood = Array.from({ length: 300 }, () =>
    one.runSlashCommand({ user: 'ada', channel: 'web', text: 'status' }),
  );
  marketplace.publishProject(101);
  expect(await ask(two, 'budget')).not.toBe('');
  await expect.poll(() => cards(two).length, { timeout: 30_000 }).toBe(1);
  await Promise.all(flood);
  await expect
    .poll(() => logLines.some((line) => line.includes('invalid_auth') && line.includes('"team":"T1"')), {
      timeout: 30_000,
    })
    .toBe(true);
  expect(logLines.some((line) => line.includes('invalid_auth') && line.includes('"team":"T2"'))).toBe(false);
  one.refuseToken(undefined);
  await expect.poll(() => cards(one).length, { timeout: 60_000 }).toBe(1);
}, 120_000);

it('a member who presses Allow again gets no rights, and takes none from the first installer', async () => {
  await install(one, 'ben');
  await untilOpen(1);
  one.invite('web', 'ben');
  one.invite('web', 'cem');
  expect(await ask(one, 'budget 300', 'ben')).toContain('300');
  const opened = () => logLines.filter((line) => line.includes('Owns a workspace')).length;
  const before = opened();
  await allow(one, 'cem');
  await expect.poll(opened, { timeout: 10_000 }).toBe(before + 1);
  expect(await ask(one, 'budget 400', 'cem')).toMatch(/Request Access/u);
  const audit = await ask(one, 'audit', 'ben');
  expect(audit).toMatch(/@cem.*installed Gigdesk again/u);
  expect(audit).not.toContain('400 credits');

  // Once the app was removed, the next installer is the first one.
  await installations.removeTokens(TeamId.parse(one.team.id));
  await untilOpen(0);
  await install(one, 'cem');
  await untilOpen(1);
  expect(await ask(one, 'budget 500', 'cem')).toContain('500');
}, 60_000);

it(
  'a late word of a removal leaves a team that has installed again alone',
  async () => {
    await install(one);
    await untilOpen(1);
    await one.sendEvent('tokens_revoked', { tokens: { bot: ['U1'] } });
    await one.sendEvent('tokens_revoked', { tokens: { oauth: ['U1'] } });
    expect(await installations.find(TeamId.parse(one.team.id))).toMatchObject({ team: 'T1' });
    expect(await ask(one, 'status')).not.toBe('');

    // And when it was removed, either event deletes the tokens, and the other one finds nothing left to do.
    one.refuseToken('token_revoked');
    expect(await one.sendEvent('tokens_revoked', { tokens: { bot: ['U1'] } })).toMatchObject({ acked: true });
    const [row] = await database`select bot_token, marketplace_token, account from installations`;
    expect(row).toEqual({ bot_token: null, marketplace_token: null, account: null });
    expect(await one.sendEvent('app_uninstalled')).toMatchObject({ acked: true });
    await untilOpen(0);
  },
  SECOND * 60,
);
