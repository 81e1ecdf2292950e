/** Connecting the marketplace account in Slack, where a workspace was installed without one. */
import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import type { Person } from '../kit/person.ts';
import { type Desk, FILTER, PATHS, startDesk } from '../kit/start-desk.ts';
import { installedApp, type StoredAccount, storeToken } from './account-app.ts';

const CONNECT = 'Connect Your Marketplace Account';
const MISSING = /no marketplace account is connected/iu;
/** The request that checks a token. */
const CHECK = '/auto-bidding/setups';
const always = Number.POSITIVE_INFINITY;
const ada = 'U00000001' as StoredAccount['installedBy'];

interface Installed extends Pick<Desk, 'app' | 'market' | 'slack' | 'pass'> {
  readonly installed: { readonly account: StoredAccount; readonly desk: Desk };
  readonly desk: Desk;
  readonly account: StoredAccount;
  readonly admin: Person;
  readonly ben: Person;
  /** Waits until a change is done and the workspace is open. */
  readonly reopened: () => Promise<void>;
  /** Opens the form on the admin's Home, and enters a token; the market's when absent. */
  readonly enter: (token?: string) => ReturnType<Person['home']>;
}

const it = test.extend<Installed>({
  installed: async ({ onTestFinished }, use) => {
    const account: StoredAccount = { installedBy: ada };
    const desk = await startDesk({ createApp: installedApp(account), empty: true });
    onTestFinished(desk.stop);
    desk.market.service.addFilter(FILTER);
    await desk.pass(5 * SECOND);
    await use({ account, desk });
  },
  account: ({ installed }, use) => use(installed.account),
  desk: ({ installed }, use) => use(installed.desk),
  app: ({ desk }, use) => use(desk.app),
  market: ({ desk }, use) => use(desk.market),
  slack: ({ desk }, use) => use(desk.slack),
  pass: ({ desk }, use) => use(desk.pass),
  admin: ({ desk }, use) => use(desk.person('ada')),
  ben: ({ desk }, use) => use(desk.person('ben')),
  reopened: ({ account, pass }, use) =>
    use(async () => {
      do await pass(5 * SECOND);
      while (account.isReopening);
    }),
  enter: ({ account, admin, market, reopened }, use) =>
    use(async (token = market.service.token) => {
      await admin.close();
      const form = await (await admin.home()).press(account.token ? 'Replace Token' : CONNECT);
      const answer = await form.send({ 'API token': token });
      await reopened();
      return answer;
    }),
});

describe('without a marketplace account', () => {
  it('everyone reads so, admins can connect it, and nothing is sent', async ({
    slack,
    market,
    pass,
    admin,
    ben,
  }) => {
    expect((await admin.home()).offers(CONNECT)).toBe(true);
    const other = await ben.home();
    expect(other.text).toContain("admin hasn't connected");
    expect(other.offers(CONNECT)).toBe(false);
    slack.addChannel({ name: 'sales', withBot: false });
    await slack.joinChannel({ user: 'bot', channel: 'sales', by: 'ben' });
    await pass(2 * SECOND);
    const welcome = ben.reads('sales').at(-1) ?? expect.fail('no welcome');
    expect(welcome.text).toMatch(MISSING);
    const answer = await ben.press(welcome, 'Set Up This Channel');
    expect(answer.text).toMatch(MISSING);
    expect(answer.offers(CONNECT)).toBe(false);
    for (const words of ['subscribe', 'lookup ~012345678901234567', 'setups', 'status'])
      expect((await admin.type(`/gig ${words}`)).text, words).toMatch(MISSING);
    const menu = await admin.type('/gig');
    expect(menu.text).toMatch(MISSING);
    expect((await menu.press(CONNECT)).fields()).toEqual(['API token']);
    await pass(10 * MINUTE);
    expect(market.service.requests()).toEqual([]);
  });

  it('who installed Gigdesk is asked once, and can connect it there', async ({
    app,
    account,
    market,
    reopened,
    admin,
    ben,
  }) => {
    await app.kill();
    await app.start();
    await reopened();
    const [request, ...more] = admin.inbox();
    expect([...more, ...ben.inbox()]).toEqual([]);
    if (!request) return expect.fail('nobody was asked');
    await (await admin.press(request, CONNECT)).send({ 'API token': market.service.token });
    await reopened();
    expect(account.token?.reveal()).toBe(market.service.token);
    expect(request.text).toContain('is connected');
    expect(request.offers(CONNECT)).toBe(false);
  });
});

describe('connecting', () => {
  it('takes a token, says so, starts the feeds, and never shows it', async ({
    app,
    slack,
    market,
    pass,
    enter,
    admin,
  }) => {
    slack.addChannel({ name: 'sales', withBot: false });
    await slack.joinChannel({ user: 'bot', channel: 'sales', by: 'ada' });
    await pass(2 * SECOND);
    const done = await enter(`  ${market.service.token} \n`);
    expect(done.text).toContain('is connected');
    expect(market.service.consumedCredits().total).toBe(0);
    expect((await admin.home()).offers(CONNECT)).toBe(false);
    expect(admin.reads('sales').at(-1)?.text).not.toMatch(MISSING);
    expect((await admin.type('/gig status')).text).not.toMatch(MISSING);
    await admin.type('/gig subscribe filter 101');
    await market.publish().cardIn('web');
    await enter('another-token');
    const places = [slack.apiCalls(), slack.sentRequests().map(({ body }) => body), app.logLines];
    for (const token of [market.service.token, 'another-token'])
      for (const place of places) expect(JSON.stringify(place)).not.toContain(token);
  });

  it('refuses what can be no token before anything is sent', async ({ account, market, enter, admin }) => {
    const long = 'x'.repeat(10_000);
    for (const token of ['   ', 'abc def', 'abc\ndef', long, 'tökén–“x”', 'xoxb-1-2-abc']) {
      const answer = await enter(token);
      expect(answer.fields()).toEqual(['API token']);
      expect(answer.text.length, token).toBeGreaterThan(admin.form().text.length);
    }
    expect(market.service.requests()).toEqual([]);
    expect(account.token).toBeUndefined();
  });

  it('says why a token was not taken, and takes the right one in the same window', async ({
    account,
    market,
    reopened,
    enter,
    admin,
  }) => {
    const refused = await enter('another-token');
    expect(admin.form().text).toContain('refused this token');
    expect(admin.form().text).not.toContain('another-token');
    expect(account.token).toBeUndefined();
    await refused.send({ 'API token': market.service.token });
    await reopened();
    const first = account.token ?? expect.fail('it was not taken');
    for (const [status, json, says] of [
      [402, { error: 'Subscription is not active' }, /refused this token.*subscription/u],
      [403, { error: 'No' }, /refused this token.*permission/u],
      [500, {}, /Couldn't check this token.*Nothing was changed/u],
    ] as const) {
      market.fail(CHECK, { kind: 'answer', status, json }, always);
      await enter('another-token');
      await reopened();
      expect(admin.form().text).toMatch(says);
      expect(account.token).toBe(first);
      market.service.clearFaults();
    }
    const { text } = await admin.type('/gig audit');
    expect(text).toContain('connect a marketplace account → done');
    expect(text).toContain('connect a marketplace account → rejected (unauthorised)');
  });

  it('says that the check runs, and sends the result to who has closed the window', async ({
    account,
    market,
    pass,
    reopened,
    admin,
  }) => {
    const wait = market.fail(CHECK, { kind: 'hold-headers' });
    const form = await (await admin.home()).press(CONNECT);
    const checking = await form.send({ 'API token': market.service.token });
    expect(checking.text).toMatch(/checking/iu);
    await admin.close();
    const inbox = () =>
      admin
        .inbox()
        .map((message) => message.text)
        .join('\n');
    expect(inbox()).not.toContain('is connected');
    wait.cancel();
    wait.release();
    await pass(MINUTE);
    await reopened();
    expect(inbox()).toContain('is connected');
    expect(account.token).toBeDefined();
  });

  it('says with a reference that the token couldn’t be stored', async ({ account, enter, admin }) => {
    account.storeFails = new Error('the database is away');
    await enter();
    expect(admin.form().text).toMatch(/ref \w{5}/u);
    expect(account.token).toBeUndefined();
  });

  it.for([
    ['before', 'skipped'],
    ['after', 'done'],
  ] as const)(
    'killed %s the token was stored stands in the audit log',
    async ([when, result], { app, account, market, reopened, admin }) => {
      const wait = market.fail(CHECK, { kind: 'hold-headers' });
      const form = await (await admin.home()).press(CONNECT);
      await form.send({ 'API token': market.service.token });
      expect(wait.hits()).toBe(1);
      await app.kill();
      wait.cancel();
      market.service.dropConnections();
      if (when === 'after') storeToken(account, market.service.token);
      await app.start();
      await reopened();
      expect(account.token === undefined).toBe(when === 'before');
      expect((await admin.type('/gig audit')).text).toContain(`connect a marketplace account → ${result}`);
    },
  );

  it('changes nothing when Slack no longer confirms the rights', async ({
    desk,
    account,
    market,
    slack,
    reopened,
  }) => {
    const eve = desk.person('eve', { admin: true });
    const form = await (await eve.home()).press(CONNECT);
    const isEve = (method: string, args: object) =>
      method === 'users.info' && Object.values(args).includes(eve.id);
    slack.injectFault(isEve, { kind: 'error', error: 'fatal_error' }, always);
    await desk.pass(HOUR);
    await form.send({ 'API token': market.service.token });
    await reopened();
    expect(eve.form().text).toContain('permissions');
    expect(market.service.requests()).toEqual([]);
    expect(account.token).toBeUndefined();
  });
});

describe('removing', () => {
  it('asks first, deletes the token, sends nothing, and is undone by connecting again', async ({
    account,
    market,
    pass,
    reopened,
    enter,
    admin,
  }) => {
    await enter();
    await admin.type('/gig subscribe filter 101');
    await admin.close();
    const home = await admin.home();
    expect(JSON.stringify(home.shown)).toContain('Remove the account?');
    await home.press('Remove');
    await reopened();
    expect(account.token).toBeUndefined();
    expect(home.offers(CONNECT)).toBe(true);
    expect((await admin.type('/gig audit')).text).toContain('remove the marketplace account → done');
    const before = market.service.requests().length;
    const missed = market.publish();
    await pass(10 * MINUTE);
    expect(market.service.requests()).toHaveLength(before);
    expect(admin.reads('web').at(-1)?.text).toMatch(MISSING);
    await enter();
    await missed.cardIn('web');
    expect(admin.inbox().some((message) => message.offers(CONNECT))).toBe(false);
  });
});

describe('replacing', () => {
  const feeds = [
    ['filter', PATHS.projects],
    ['invitations', PATHS.invitations],
    ['outcomes', PATHS.proposals],
  ] as const;

  it.for(feeds)(
    'a refused token is used at once for %s',
    async ([feed, path], { app, market, pass, enter, admin }) => {
      const { id: profile } = market.service.addProfile();
      await enter();
      await admin.close();
      await admin.type(`/gig subscribe ${feed} ${feed === 'filter' ? FILTER.id : profile}`);
      await pass(5 * MINUTE);
      const refused = market.fail(path, presetFaults.status(401), always);
      await pass(HOUR);
      const before = refused.hits();
      await app.until('one more refusal', () => refused.hits() > before);
      expect((await admin.type('/gig list')).text).toMatch(/refuse|token/iu);
      market.service.clearFaults();
      const asked = market.requests(path).length;
      await enter();
      await admin.close();
      expect(market.requests(path).length).toBeGreaterThan(asked);
      expect((await admin.type('/gig list')).text).not.toMatch(/refuse|token/iu);
    },
  );
});
