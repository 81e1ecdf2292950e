/** Connecting the marketplace account in Slack, where a workspace was installed without one. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { TeamId, UserId } from '../../src/ids.ts';
import { Secret } from '../../src/secret.ts';
import { actionIds } from '../../src/slack/kit/ids.ts';
import { NOT_CONNECTED } from '../../src/slack/kit/words/marketplace-failure.ts';
import { StorageError } from '../../src/storage/store.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import { renderViewText } from '../../src/workbench/slack/text.ts';
import { installedApp, type StoredAccount } from './account-app.ts';
import { asRead, namesIn, refusalFor } from './as-read.ts';
import { buttonsOf, pressButton } from './buttons.ts';
import { HomeAtHand } from './home-desk.ts';
import { readLedger } from './read-ledger.ts';
import { FAST, posted, startWorld, type World, wordsOf } from './world.ts';

/** The simulated Slack names its first person so. */
const INSTALLER = UserId.parse('U00000001');
const CONNECT = 'Connect Your Marketplace Account';

let account: StoredAccount;
let world: World;
let home: HomeAtHand;

beforeEach(async () => {
  account = { installedBy: INSTALLER };
  world = await startWorld({ ...FAST, createApp: installedApp(account) });
  home = new HomeAtHand(world);
  world.marketplace.addFilter({ id: 101, name: 'React work' });
  await world.pass(5 * SECOND);
});
afterEach(() => world.stop());

const view = (user = 'ada') => world.slack.view(user) ?? expect.fail('no window is open');
const shown = (user = 'ada', width = 2_000) => renderViewText(view(user), { width, nameOf: namesIn(world) });
const inputs = () => view().blocks.filter(({ type }) => type === 'input');
const directWords = (user = 'ada') => world.slack.directMessages(user).map(wordsOf).join('\n');
const fields = (token: string) => ({ [inputs()[0]?.block_id ?? expect.fail('no input')]: token });

/** What was changed is done, and the workspace open. */
async function settle(): Promise<void> {
  do await world.pass(5 * SECOND);
  while (account.isReopening);
}

async function remove(): Promise<void> {
  await home.open('ada');
  await home.press('ada', 'Remove');
  await settle();
}

async function openForm(user = 'ada'): Promise<void> {
  await home.open(user);
  await home.press(user, account.token ? 'Replace Token' : CONNECT);
}

async function enter(token: string, user = 'ada') {
  const answer = await world.slack.submitView({ user, values: fields(token) });
  await settle();
  return answer;
}

function answerTheCheck(status: number, json: object): void {
  const effect = { kind: 'answer', status, json } as const;
  world.marketplace.injectFault({ path: '/auto-bidding/setups' }, effect, Number.POSITIVE_INFINITY);
}

async function connect(): Promise<void> {
  await openForm();
  await enter(world.marketplace.token);
  await world.slack.closeView({ user: 'ada' });
}

describe('without a marketplace account', () => {
  it('an admin’s Home begins with the button, and others read that an admin is needed', async () => {
    expect(await home.open('ada')).toMatchSnapshot();
    expect(home.view('ada').blocks[0]?.type).toBe('section');
    expect(buttonsOf({ blocks: home.view('ada').blocks.slice(0, 1) }, actionIds.homeAccountConnect)).toEqual([
      expect.objectContaining({ label: CONNECT }),
    ]);
    expect(await home.open('ben')).toMatch(/admin hasn't connected/u);
    expect(findPressable(home.view('ben'), CONNECT)).toBeUndefined();
  });

  it('the person who installed Gigdesk is asked, once over restarts, and can press it there', async () => {
    await world.crash();
    await world.restart();
    await world.pass(5 * SECOND);
    const [request, ...more] = world.slack.directMessages('ada');
    expect(more).toEqual([]);
    expect(world.slack.directMessages('ben')).toEqual([]);
    if (!request) return expect.fail('nobody was asked');
    expect(asRead(world, wordsOf(request))).toMatchSnapshot();
    await pressButton(world, { message: request }, CONNECT);
    await world.pass(SECOND);
    expect(inputs()).toHaveLength(1);
    await enter(world.marketplace.token);
    expect(account.token?.reveal()).toBe(world.marketplace.token);
    const now = world.slack.directMessages('ada')[0] ?? expect.fail('it is gone');
    expect(now.ts).toBe(request.ts);
    expect(findPressable(now, CONNECT)).toBeUndefined();
  });

  it('the menu, the setup, the welcome and commands say so, and nothing is sent', async () => {
    world.slack.addChannel({ name: 'sales', withBot: false });
    await world.slack.joinChannel({ user: 'bot', channel: 'sales', by: 'ben' });
    await world.pass(2 * SECOND);
    const welcome = posted(world, 'welcome', 'sales').at(-1) ?? expect.fail('no welcome');
    expect(wordsOf(welcome)).toContain(NOT_CONNECTED);
    await pressButton(world, { message: welcome }, 'Set Up This Channel', 'ben');
    await world.pass(SECOND);
    const answer = world.slack.ephemerals('ben', 'sales').at(-1) ?? expect.fail('no answer');
    expect(wordsOf(answer)).toContain(NOT_CONNECTED);
    expect(findPressable(answer, CONNECT)).toBeUndefined();
    for (const text of ['', 'subscribe', 'lookup ~012345678901234567', 'setups'])
      expect(await world.gig('web', text), text).toMatch(/no marketplace account is connected/iu);
    await world.pass(10 * MINUTE);
    expect(world.marketplace.requests()).toEqual([]);
  });

  it('the health check says so first', async () => {
    const first = (await world.gig('web', 'status')).split('\n')[0];
    expect(first).toContain(NOT_CONNECTED);
    await connect();
    expect(await world.gig('web', 'status')).not.toContain(NOT_CONNECTED);
  });

  it('an admin can connect from the menu', async () => {
    await world.gig('web', '');
    const menu = world.slack.ephemerals('ada', 'web').at(-1) ?? expect.fail('no menu');
    await pressButton(world, { message: menu }, CONNECT);
    await world.pass(SECOND);
    expect(inputs()).toHaveLength(1);
  });
});

describe('connecting', () => {
  it('takes a token with blanks around it, says so, and starts the feeds', async () => {
    await openForm();
    expect(shown('ada', 100)).toMatchSnapshot();
    expect(inputs()).toHaveLength(1);
    const answer = await enter(`  ${world.marketplace.token} \n`);
    expect(answer.action).toBe('update');
    expect(shown()).toMatch(/connected/u);
    expect(inputs()).toEqual([]);
    expect(world.marketplace.consumedCredits().total).toBe(0);
    expect(home.words('ada')).not.toContain(CONNECT);
    expect(await home.open('ada')).toMatchSnapshot();
    await world.gig('web', 'subscribe filter 101');
    world.marketplace.publishProject(101);
    await world.until('a card', () => world.cards('web').length > 0);
  });

  it('updates the welcome of a channel that is not set up', async () => {
    world.slack.addChannel({ name: 'sales', withBot: false });
    await world.slack.joinChannel({ user: 'bot', channel: 'sales', by: 'ada' });
    await world.pass(2 * SECOND);
    await connect();
    await world.pass(5 * SECOND);
    const welcome = posted(world, 'welcome', 'sales').at(-1) ?? expect.fail('no welcome');
    expect(wordsOf(welcome)).not.toContain(NOT_CONNECTED);
  });

  it('never shows the token: not in Slack, not in the records, not in the log', async () => {
    await connect();
    await openForm();
    await enter('another-token');
    const sent = JSON.stringify(world.slack.apiCalls());
    const acknowledged = JSON.stringify(world.slack.sentRequests().map(({ body }) => body ?? ''));
    for (const token of [world.marketplace.token, 'another-token'])
      for (const place of [sent, acknowledged, world.logLines.join('\n')]) expect(place).not.toContain(token);
    expect(await world.gig('web', 'audit')).not.toContain('another-token');
  });

  it.each([
    ['blank', '   '],
    ['with a space inside', 'abc def'],
    ['with a line break inside', 'abc\ndef'],
    ['far too long', 'x'.repeat(10_000)],
    ['that no header can carry', 'tökén–“x”'],
    ['of Slack', 'xoxb-1-2-abc'],
  ])('refuses a token %s before anything is sent', async (_name, token) => {
    await openForm();
    const { block_id: id } = inputs()[0] ?? expect.fail('no input');
    const answer = await enter(token);
    expect(Object.keys(answer.errors)).toEqual([id]);
    expect(world.marketplace.requests()).toEqual([]);
    expect(account.token).toBeUndefined();
  });

  it('says that the marketplace refused the token, and takes the right one in the same window', async () => {
    await openForm();
    await enter('another-token');
    expect(shown()).toMatch(/refused this token/u);
    expect(shown()).not.toContain('another-token');
    expect(account.token).toBeUndefined();
    await enter(world.marketplace.token);
    expect(account.token).toBeDefined();
    expect(await world.gig('web', 'audit')).toMatchSnapshot();
  });

  it.each([
    ['unauthorised', () => undefined, /refused this token/u],
    [
      'subscription',
      () => answerTheCheck(402, { error: 'Subscription is not active' }),
      /refused this token.*subscription/u,
    ],
    ['permission', () => answerTheCheck(403, { error: 'No' }), /refused this token.*permission/u],
    ['server', () => answerTheCheck(500, {}), /Couldn't check this token.*Nothing was changed/u],
  ])('keeps the earlier token when the new one can’t be taken: %s', async (_name, spoil, says) => {
    await connect();
    const before = account.token;
    spoil();
    await openForm();
    await enter('another-token');
    await world.pass(MINUTE);
    expect(shown()).toMatch(says);
    expect(account.token).toBe(before);
  });

  it('says that the check runs, and sends the result to who has closed the window', async () => {
    const wait = world.marketplace.injectFault({ path: '/auto-bidding/setups' }, { kind: 'hold-headers' });
    await openForm();
    await world.slack.submitView({ user: 'ada', values: fields(world.marketplace.token) });
    expect(shown()).toMatch(/checking/iu);
    await world.slack.closeView({ user: 'ada' });
    const before = directWords();
    wait.cancel();
    wait.release();
    await world.pass(MINUTE);
    await settle();
    expect(directWords()).toMatch(/:white_check_mark: .*is connected/u);
    expect(before).not.toMatch(/is connected/u);
    expect(account.token).toBeDefined();
  });

  it('says with a reference that the token couldn’t be stored', async () => {
    account.storeFails = new StorageError('io', 'the database is away');
    await openForm();
    await enter(world.marketplace.token);
    expect(shown()).toMatch(/ref \w{5}/u);
    expect(account.token).toBeUndefined();
  });
});

describe('the ledger of decisions', () => {
  /** Changes of the account, and how they ended. */
  async function changes(): Promise<readonly string[]> {
    const team = TeamId.parse(world.slack.team.id);
    const { entries } = await world.read((tx) => readLedger(tx, team));
    const decided = entries.filter((it) => it.entry === 'decision' && it.kind === 'account');
    const ended = entries.filter((it) => it.entry === 'outcome');
    return decided.map(({ seq }) => {
      const results = ended.flatMap(({ of, result }) => (of === seq ? [result] : []));
      return results.join() || 'open';
    });
  }

  it('has who connected, replaced and removed the account, and how it ended', async () => {
    await openForm();
    await enter('another-token');
    await enter(world.marketplace.token);
    await world.slack.closeView({ user: 'ada' });
    await remove();
    expect(await changes()).toEqual(['refused', 'done', 'done']);
    expect(await world.gig('web', 'audit')).toMatch(/remove the marketplace account → done/u);
  });

  it('keeps a change that a kill interrupts, and learns at the next start how it ended', async () => {
    const wait = world.marketplace.injectFault({ path: '/auto-bidding/setups' }, { kind: 'hold-headers' });
    await openForm();
    void world.slack.submitView({ user: 'ada', values: fields(world.marketplace.token) });
    await world.until('the check', () => wait.hits() === 1, MINUTE);
    expect(await changes()).toEqual(['open']);
    await world.crash();
    wait.cancel();
    world.marketplace.dropConnections();
    await world.restart();
    await world.pass(5 * SECOND);
    expect(account.token).toBeUndefined();
    expect(await changes()).toEqual(['skipped']);
  });

  it('has it as done when the kill came after the token was stored', async () => {
    const wait = world.marketplace.injectFault({ path: '/auto-bidding/setups' }, { kind: 'hold-headers' });
    await openForm();
    void world.slack.submitView({ user: 'ada', values: fields(world.marketplace.token) });
    await world.until('the check', () => wait.hits() === 1, MINUTE);
    await world.crash();
    wait.cancel();
    world.marketplace.dropConnections();
    account.token = new Secret(world.marketplace.token);
    await world.restart();
    await world.pass(5 * SECOND);
    expect(await changes()).toEqual(['done']);
  });
});

describe('rights', () => {
  const ONLY_ADMINS = refusalFor('admin');

  it('a member who sends an admin’s press gets nothing', async () => {
    await connect();
    await home.open('ben');
    for (const actionId of [actionIds.homeAccountConnect, actionIds.homeAccountRemove]) {
      const at = { user: 'ben', actionId, blockId: 'b', value: 'remove', force: true } as const;
      await world.slack.press({ view: home.view('ben'), ...at });
      await world.pass(5 * SECOND);
      expect(home.words('ben')).toContain(ONLY_ADMINS);
    }
    expect(world.slack.view('ben')).toBeUndefined();
    expect(account.token).toBeDefined();
  });

  it('whose rights Slack no longer confirms when they submit changes nothing', async () => {
    world.slack.addUser({ name: 'eve', admin: true });
    await openForm('eve');
    const { block_id: field } =
      view('eve').blocks.find(({ type }) => type === 'input') ?? expect.fail('no input');
    const { id } = world.slack.user('eve');
    const isEve = (method: string, args: object) =>
      method === 'users.info' && 'user' in args && args.user === id;
    world.slack.injectFault(isEve, { kind: 'error', error: 'fatal_error' }, Number.POSITIVE_INFINITY);
    await world.pass(60 * MINUTE);
    await world.slack.submitView({ user: 'eve', values: { [field]: world.marketplace.token } });
    await settle();
    expect(shown('eve')).toMatch(/permissions/u);
    expect(world.marketplace.requests()).toEqual([]);
    expect(account.token).toBeUndefined();
  });
});

describe('removing', () => {
  beforeEach(async () => {
    await connect();
    await world.gig('web', 'subscribe filter 101');
    await world.pass(30 * SECOND);
  });

  it('asks first, deletes the token, and sends nothing from then on', async () => {
    await home.open('ada');
    const [button] = buttonsOf(home.view('ada'), actionIds.homeAccountRemove);
    expect(button?.confirm).toMatchSnapshot();
    await remove();
    expect(account.token).toBeUndefined();
    expect(home.words('ada')).toContain(CONNECT);
    const before = world.marketplace.requests().length;
    await world.pass(10 * MINUTE);
    expect(world.marketplace.requests()).toHaveLength(before);
    expect(world.slack.messages('web').map(wordsOf).join('\n')).toMatch(
      /no marketplace account is connected/u,
    );
    expect(await world.gig('web', 'audit')).toMatch(/remove the marketplace account/u);
  });

  it('a second press on an old Home says that nothing is connected', async () => {
    await home.open('ada');
    const old = home.view('ada');
    await remove();
    await home.pressOn(old, 'ada', 'Remove');
    expect(home.words('ada')).toMatch(/nothing was removed/u);
  });

  it('and connecting again brings back what was missed', async () => {
    await remove();
    world.marketplace.publishProject(101);
    await world.pass(5 * MINUTE);
    expect(world.cards('web')).toEqual([]);
    await connect();
    await world.until('the card', () => world.cards('web').length > 0);
    expect(world.slack.directMessages('ada').filter((it) => findPressable(it, CONNECT))).toEqual([]);
  });
});
