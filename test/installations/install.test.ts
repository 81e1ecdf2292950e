/** Installing Gigdesk: a browser, two replicas on one real database, and the simulated Slack. */
import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE, machineRandomBytes, SECOND } from '../../src/clock.ts';
import { TeamId } from '../../src/ids.ts';
import { createInstallRoutes } from '../../src/installations/install-routes.ts';
import { Installations, type NewInstallation } from '../../src/installations/installations.ts';
import { createLog } from '../../src/log.ts';
import { Secret } from '../../src/secret.ts';
import { type RunningServer, startHttpServer } from '../../src/slack/core/http-server.ts';
import { slackScopeReasons } from '../../src/slack-scopes.ts';
import { connectDatabase, type Database } from '../../src/storage/postgres/database.ts';
import { migrateDatabase } from '../../src/storage/postgres/migrations.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { type LocalDatabase, startLocalDatabase } from '../../src/workbench/database/start-database.ts';
import type { SimulatedSlack } from '../../src/workbench/slack/simulated-slack.ts';
import { startSimulatedSlack } from '../../src/workbench/slack/start-slack.ts';
import { seededRandom } from '../seeded-random.ts';
import { dumpDatabase } from './dump-database.ts';
import { keysNamed } from './keys.ts';

const PUBLIC_URL = 'https://gigdesk.example.com';

interface Replica {
  readonly origin: string;
  readonly database: Database;
  readonly installations: Installations;
  close(): Promise<void>;
}

let server: LocalDatabase;
let slack: SimulatedSlack;
let clock: ManualClock;
let first: Replica;
let second: Replica;
let logLines: string[];
let announced: NewInstallation[];

beforeAll(async () => {
  server = await startLocalDatabase({ fsync: 'off' });
});
afterAll(() => server.close());

async function startReplica(url: string): Promise<Replica> {
  const database = connectDatabase({ url: new Secret(url) });
  await migrateDatabase(database);
  const installations = new Installations({
    database,
    keys: keysNamed('2026'),
    randomBytes: machineRandomBytes,
  });
  const log = createLog('debug', { write: (line) => logLines.push(line) });
  const { clientId, apiUrl } = slack;
  const routes = createInstallRoutes({
    clientId,
    clientSecret: new Secret(slack.clientSecret),
    publicUrl: PUBLIC_URL,
    apiUrl,
    installations,
    now: () => clock.now(),
    log,
    randomBytes: machineRandomBytes,
    onInstalled: (installation) => announced.push(installation),
  });
  const http: RunningServer = await startHttpServer({ host: '127.0.0.1', port: 0, clock, log, routes });
  return {
    origin: `http://127.0.0.1:${http.port}`,
    database,
    installations,
    close: async () => {
      await http.stop(SECOND);
      await database.end({ timeout: 0 });
    },
  };
}

beforeEach(async () => {
  [clock, logLines, announced] = [new ManualClock(), [], []];
  slack = await startSimulatedSlack({ clock, random: seededRandom(1) });
  const url = await server.createDatabase();
  [first, second] = [await startReplica(url), await startReplica(url)];
});
afterEach(async () => {
  await Promise.all([first.close(), second.close()]);
  await slack.close();
});

/** Where the button on a website leads: to Slack. */
async function start({ origin } = first): Promise<string> {
  const answer = await globalThis.fetch(`${origin}/slack/install`, { redirect: 'manual' });
  expect(answer.status).toBe(302);
  return answer.headers.get('location') ?? '';
}

/** Follows Slack's redirect, which a proxy passes on to some replica. */
async function comeBack(redirect: string, { origin } = first) {
  expect(redirect.startsWith(`${PUBLIC_URL}/slack/oauth_redirect?`)).toBe(true);
  const answer = await globalThis.fetch(redirect.replace(PUBLIC_URL, origin));
  const page = await answer.text();
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'/u);
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  for (const secret of secrets()) expect(page).not.toContain(secret);
  return { status: answer.status, page };
}

const secrets = () => [slack.botToken, slack.clientSecret, 'xoxb-', keysNamed('2026')[0].base64.reveal()];
const own = () => TeamId.parse(slack.team.id);
const allow = async (extra: Partial<Parameters<SimulatedSlack['allowInstall']>[0]> = {}) =>
  slack.allowInstall({ authorizeUrl: await start(), user: 'U1', ...extra });
const withQuery = (url: string, name: string, change: (value: string) => string) => {
  const changed = new URL(url);
  changed.searchParams.set(name, change(changed.searchParams.get(name) ?? ''));
  return changed.href;
};

async function expectNothingInstalled(): Promise<void> {
  expect([...(await first.installations.listLive()).keys()]).toEqual([]);
  expect(announced).toEqual([]);
}

afterEach(() => {
  for (const secret of secrets()) expect(logLines.join('')).not.toContain(secret);
});

describe('installing', () => {
  it("asks Slack for the manifest's permissions", async () => {
    const url = new URL(await start());
    expect(url.origin).toBe(new URL(slack.apiUrl).origin);
    expect(url.pathname).toBe('/oauth/v2/authorize');
    expect(url.searchParams.get('client_id')).toBe(slack.clientId);
    expect(url.searchParams.get('redirect_uri')).toBe(`${PUBLIC_URL}/slack/oauth_redirect`);
    expect(url.searchParams.get('scope')?.split(',')).toEqual(Object.keys(slackScopeReasons));
    expect(await start()).not.toBe(url.href);
  });

  it('stores the workspace on any replica, and shows no token in the database', async () => {
    const { status, page } = await comeBack(await allow({ enterprise: 'E1' }), second);
    expect(status).toBe(200);
    expect(page).toContain(slack.team.name);
    expect(page).toContain(`app=${slack.bot.appId}&amp;team=${slack.team.id}`);
    const found = await first.installations.find(own());
    expect(found).toMatchObject({
      team: slack.team.id,
      teamName: slack.team.name,
      enterprise: 'E1',
      botUser: slack.bot.userId,
      installedBy: 'U1',
      scopes: Object.keys(slackScopeReasons),
    });
    expect(found?.botToken.reveal()).toBe(slack.botToken);
    expect(announced).toMatchObject([{ team: slack.team.id }]);
    const dump = await dumpDatabase(first.database);
    expect(dump).toContain(slack.team.id);
    for (const secret of secrets()) expect(dump).not.toContain(secret);
  });

  it('keeps workspaces apart, also with a strange name', async () => {
    const team = { id: 'T2', name: `<script>alert("1")</script> & 'Co'` };
    await comeBack(await allow());
    const { page } = await comeBack(await allow({ team, botToken: 'xoxb-second' }));
    expect(page).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;Co&#39;');
    expect(page).not.toContain('<script');
    expect([...(await second.installations.listLive()).keys()]).toEqual([slack.team.id, 'T2']);
    const tokens = [own(), TeamId.parse('T2')].map((each) => second.installations.find(each));
    expect((await Promise.all(tokens)).map((each) => each?.botToken.reveal())).toEqual([
      slack.botToken,
      'xoxb-second',
    ]);
  });

  it('again, by another admin and after a removal, replaces the token', async () => {
    await comeBack(await allow());
    await first.installations.removeTokens(own());
    const { status } = await comeBack(await allow({ user: 'U2', botToken: 'xoxb-second' }));
    expect(status).toBe(200);
    const found = await second.installations.find(own());
    expect([found?.installedBy, found?.botToken.reveal()]).toEqual(['U2', 'xoxb-second']);
    expect(announced).toHaveLength(2);
  });
});

describe('a state', () => {
  it('works once, on any replica, also when both get it at the same time', async () => {
    const redirect = await allow();
    const both = await Promise.all([comeBack(redirect, first), comeBack(redirect, second)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    clock.moveBy(9 * MINUTE);
    for (const replica of [first, second]) expect((await comeBack(redirect, replica)).status).toBe(400);
    expect(announced).toHaveLength(1);
    expect(slack.apiCalls('oauth.v2.access')).toHaveLength(1);
  });

  it('is valid for 10 minutes', async () => {
    const [inTime, late] = [await start(), await start()];
    clock.moveBy(10 * MINUTE - 1);
    expect((await comeBack(slack.allowInstall({ authorizeUrl: inTime, user: 'U1' }))).status).toBe(200);
    clock.moveBy(1);
    expect((await comeBack(slack.allowInstall({ authorizeUrl: late, user: 'U2' }))).status).toBe(400);
    expect(announced).toMatchObject([{ installedBy: 'U1' }]);
  });

  it('that someone made up or changed is refused, and Slack is not asked', async () => {
    const redirect = await allow();
    const signWith = (key: string) => (state: string) => {
      const content = state.split('.').slice(0, 2).join('.');
      return `${content}.${createHmac('sha256', key).update(content).digest('base64url')}`;
    };
    const forgeries: readonly ((state: string) => string)[] = [
      () => '',
      () => 'state',
      (state) => `x${state}`,
      (state) => state.replace(/\.(\d+)\./u, (_, at) => `.${Number(at) + HOUR}.`),
      (state) => state.slice(0, -43),
      (state) => `${state.slice(0, -43)}${'A'.repeat(43)}`,
      (state) => `${state}\u0000`,
      signWith(''),
      signWith(slack.clientSecret),
      () => '<script>alert(1)</script>'.repeat(100),
    ];
    for (const forge of forgeries) {
      const { status, page } = await comeBack(withQuery(redirect, 'state', forge));
      expect(status).toBe(400);
      expect(page).not.toContain('<script');
    }
    await expectNothingInstalled();
    expect(slack.apiCalls('oauth.v2.access')).toEqual([]);
    expect((await comeBack(redirect)).status).toBe(200);
  });

  it('that someone stole installs only what the thief allowed, and the victim starts again', async () => {
    const authorizeUrl = await start();
    const victims = slack.allowInstall({ authorizeUrl, user: 'U1' });
    const team = { id: 'T2', name: 'Of the thief' };
    const thiefs = slack.allowInstall({ authorizeUrl, user: 'U9', team, botToken: 'xoxb-of-thief' });
    expect((await comeBack(thiefs, second)).status).toBe(200);
    expect((await comeBack(victims)).status).toBe(400);
    expect(await first.installations.find(own())).toBeUndefined();
    expect((await comeBack(await allow())).status).toBe(200);
    const [thief, victim] = [TeamId.parse('T2'), own()].map((each) => first.installations.find(each));
    expect((await thief)?.botToken.reveal()).toBe('xoxb-of-thief');
    expect((await victim)?.botToken.reveal()).toBe(slack.botToken);
  });

  it('is forgotten soon after it has expired', async () => {
    await comeBack(await allow());
    clock.moveBy(12 * MINUTE);
    await comeBack(await allow());
    expect(await first.database`select id from install_states`).toHaveLength(1);
  });
});

describe('strangers', () => {
  it('with made-up codes cost little, and people can install a minute later', async () => {
    const madeUp = Array.from({ length: 100 }, async () => {
      const state = new URL(await start()).searchParams.get('state');
      const query = new URLSearchParams({ state: state ?? '', code: 'made up' });
      return comeBack(`${PUBLIC_URL}/slack/oauth_redirect?${query.toString()}`);
    });
    const pages = await Promise.all(madeUp);
    expect(pages.filter(({ status }) => status === 429).length).toBeGreaterThan(50);
    expect(pages.find(({ status }) => status === 429)?.page).toMatch(/try again in a minute/iu);
    expect(slack.apiCalls('oauth.v2.access').length).toBeLessThan(30);
    expect((await first.database`select id from install_states`).length).toBeLessThan(30);
    // Without a code, nothing is stored or asked.
    clock.moveBy(MINUTE);
    for (let i = 0; i < 30; i++) {
      const state = new URL(await start()).searchParams.get('state') ?? '';
      await comeBack(`${PUBLIC_URL}/slack/oauth_redirect?state=${encodeURIComponent(state)}`);
    }
    expect((await comeBack(await allow())).status).toBe(200);
    expect((await first.database`select id from install_states`).length).toBeLessThan(30);
  });

  it('that only look at a link, as a virus scanner does, install nothing', async () => {
    const redirect = await allow();
    const looked = await globalThis.fetch(redirect.replace(PUBLIC_URL, first.origin), { method: 'HEAD' });
    expect(looked.status).toBe(405);
    await expectNothingInstalled();
    expect((await comeBack(redirect)).status).toBe(200);
  });
});

describe('what goes wrong', () => {
  it('a person who cancels reads that nothing happened, and where to start again', async () => {
    const { status, page } = await comeBack(slack.cancelInstall(await start()));
    expect(status).toBe(200);
    expect(page).toContain(`href="${PUBLIC_URL}/slack/install"`);
    await expectNothingInstalled();
  });

  it('installing for a whole organization is explained', async () => {
    const { status, page } = await comeBack(await allow({ enterprise: 'E1', orgWide: true }));
    expect(status).toBe(400);
    expect(page).toContain('organization');
    await expectNothingInstalled();
  });

  it.each<[string, Parameters<SimulatedSlack['injectFault']>[1], number]>([
    ['refuses', { kind: 'error', error: 'invalid_client_id' }, 400],
    ["doesn't respond", { kind: 'drop', when: 'before' }, 502],
    ['loses its response', { kind: 'drop', when: 'after' }, 502],
    ['has an outage', { kind: 'status', status: 503 }, 502],
    ['answers nonsense', { kind: 'broken-json' }, 502],
    ['is too busy', { kind: 'ratelimited' }, 502],
  ])('when Slack %s, the person can try again', async (_, fault, expected) => {
    slack.injectFault('oauth.v2.access', fault);
    const { status, page } = await comeBack(await allow());
    expect(status).toBe(expected);
    expect(page).toContain(`href="${PUBLIC_URL}/slack/install"`);
    await expectNothingInstalled();
    expect((await comeBack(await allow())).status).toBe(200);
  });

  it('a made-up code, no code, and another error of Slack install nothing', async () => {
    expect((await comeBack(withQuery(await allow(), 'code', () => 'made up'))).status).toBe(400);
    expect((await comeBack(withQuery(await allow(), 'code', () => ''))).status).toBe(400);
    expect((await comeBack(withQuery(await allow(), 'error', () => 'invalid_scope'))).status).toBe(400);
    await expectNothingInstalled();
    for (const why of ['invalid_code', 'no_code', 'invalid_scope']) expect(logLines.join('')).toContain(why);
  });

  it('a code that was used before installs nothing, also with a state of its own', async () => {
    const used = await allow();
    expect((await comeBack(used)).status).toBe(200);
    const code = new URL(used).searchParams.get('code') ?? expect.fail('no code');
    const again = await comeBack(withQuery(await allow({ user: 'U9' }), 'code', () => code));
    expect(again.status).toBe(400);
    expect(announced).toMatchObject([{ installedBy: 'U1' }]);
    expect((await first.installations.find(own()))?.installedBy).toBe('U1');
  });

  it('a database that is gone is not a page of the server, and the person can try again', async () => {
    const redirect = await allow();
    await server.stop('crash');
    const { status, page } = await comeBack(redirect);
    await server.start();
    expect(status).toBe(503);
    expect(page).toContain(`href="${PUBLIC_URL}/slack/install"`);
    expect((await comeBack(await allow())).status).toBe(200);
  });
});
