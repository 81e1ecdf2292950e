/** Hints that reach a replica without the workspace: those of a tool, and those of strangers. */
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type App, createApp } from '../../src/app.ts';
import { machineClock, machineRandom, SECOND } from '../../src/clock.ts';
import { readConfig } from '../../src/config.ts';
import { makeHintSecret } from '../../src/hints/hints.ts';
import { TeamId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { Secret } from '../../src/secret.ts';
import { connectOnce } from '../../src/storage/postgres/database.ts';
import { type LocalDatabase, startLocalDatabase } from '../../src/workbench/database/start-database.ts';
import { findFreePort } from '../../src/workbench/free-port.ts';
import { startSimulatedMarketplace } from '../../src/workbench/marketplace/start-marketplace.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import { startSimulatedSlack } from '../../src/workbench/slack/start-slack.ts';
import { seededRandom } from '../seeded-random.ts';

const SOON = { timeout: 30_000, interval: 50 };

let server: LocalDatabase;
let url: string;

beforeAll(async () => {
  server = await startLocalDatabase({ fsync: 'off' });
});
afterAll(() => server.close());

/** The first serves the workspace, and gets Slack's requests. */
async function startTwo() {
  url = await server.createDatabase();
  const clock = machineClock;
  const marketplace = await startSimulatedMarketplace({ clock, random: seededRandom(1) });
  const slack = await startSimulatedSlack({ clock, random: seededRandom(2) });
  onTestFinished(async () => void (await Promise.all([marketplace.close(), slack.close()])));
  slack.addUser({ name: 'ada', admin: true });
  slack.addChannel({ name: 'web' });
  const start = async (): Promise<App> => {
    const port = await findFreePort();
    const read = readConfig({
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_SIGNING_SECRET: slack.signingSecret,
      SLACK_API_URL: slack.apiUrl,
      MARKETPLACE_API_URL: marketplace.baseUrl,
      MARKETPLACE_API_TOKEN: marketplace.token,
      DATABASE_URL: url,
      PORT: String(port),
      REPLICA_URL: `http://127.0.0.1:${port}`,
      REPLICA_SECRET: 'shared by all replicas',
    });
    if (read.kind === 'problems') throw new Error(read.problems.join('; '));
    const app = createApp(read.config, { clock, random: machineRandom, log: silentLog });
    onTestFinished(() => app.stop());
    await app.start();
    return app;
  };
  const apps = [await start(), await start()];
  // The second may take it over from the first as soon as both know each other.
  let since: { readonly owner: number; readonly at: number } | undefined;
  const readOwnedMs = async () => {
    const owner = (await Promise.all(apps.map(readiness))).findIndex((it) => it.includes('owns 1 '));
    const at = machineClock.monotonicNow();
    if (owner < 0) since = undefined;
    else if (since?.owner !== owner) since = { owner, at };
    return since ? at - since.at : 0;
  };
  await expect.poll(readOwnedMs, SOON).toBeGreaterThan(3 * SECOND);
  const [first, second] = since?.owner === 0 ? apps : apps.toReversed();
  if (!first || !second) return expect.fail('no replicas');
  slack.attachHttp(`${first.localUrl()}/slack/events`);
  return { first, second, slack };
}

const readiness = async (app: App) => (await globalThis.fetch(`${app.localUrl()}/readyz`)).text();

async function sendHint(app: App, secret: string, body = '{"filter":101}'): Promise<number> {
  const answer = await globalThis.fetch(`${app.localUrl()}/hooks/${secret}`, { method: 'POST', body });
  await answer.arrayBuffer();
  return answer.status;
}

it('strangers who keep the database busy stop no replica', async () => {
  const { first, second, slack } = await startTwo();
  const admin = connectOnce({ url: new Secret(url), max: 1 });
  onTestFinished(() => admin.end({ timeout: 0 }));
  const seen = new Set<string>();
  await admin.begin(async (sql) => {
    await sql`lock table workspaces in access exclusive mode`;
    const team = TeamId.parse(slack.team.id);
    const made = ['TMADEUP1', 'TMADEUP2', team].map((it) =>
      makeHintSecret(TeamId.parse(it), (length) => Buffer.alloc(length, 1)),
    );
    const answers = Promise.all(made.map((secret) => sendHint(second, secret)));
    const until = machineClock.monotonicNow() + 6.5 * SECOND;
    while (machineClock.monotonicNow() < until) {
      seen.add((await readiness(second)).slice(0, 5));
      await machineClock.sleep(100);
    }
    expect([...seen]).toEqual(['ready']);
    expect(await answers).toEqual([404, 404, 202]);
  });
  await expect.poll(() => readiness(first), SOON).toContain('owns 1 ');
}, 120_000);

it('the first hint that reaches another replica counts', async () => {
  const { second, slack } = await startTwo();
  const press = async (label: string) => {
    const find = () => findPressable(slack.view('ada') ?? { blocks: [] }, label);
    await expect.poll(find, SOON).toBeDefined();
    const view = slack.view('ada') ?? expect.fail('no form is open');
    const found = find();
    if (found?.kind !== 'button') return expect.fail(`${label} is no button`);
    await slack.press({ view, user: 'ada', ...found });
  };
  await slack.runSlashCommand({ user: 'ada', channel: 'web', text: 'settings' });
  await press('Hints');
  const shown = () => /\/hooks\/(T[\w-]+)/u.exec(JSON.stringify(slack.view('ada')))?.[1];
  await expect.poll(shown, SOON).toBeDefined();
  expect(await sendHint(second, shown() ?? '')).toBe(200);
}, 120_000);
