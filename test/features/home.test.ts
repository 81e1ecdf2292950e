/** A person's App Home: its content and its updates. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { membershipRefusal } from '../../src/slack/core/request-errors.ts';
import { actionIds } from '../../src/slack/kit/ids.ts';
import { firstSign } from './as-read.ts';
import { BidAtHand } from './begin-bid.ts';
import { type BidWorld, SETUP, startBidWorld } from './bidder.ts';
import { warningsInLog } from './healthy.ts';
import { HomeAtHand } from './home-desk.ts';
import type { World } from './world.ts';

let begun: BidWorld;
let world: World;
let home: HomeAtHand;

beforeEach(async () => {
  begun = await startBidWorld();
  world = begun.world;
  home = new HomeAtHand(world);
});

afterEach(async () => {
  expect(world.slack.failedCalls()).toEqual([]);
  await world.stop();
});

describe('a Home', () => {
  it('shows the credits, health, channel with its budget and subscriptions, and setups', async () => {
    const words = await home.open('ben');
    expect(words).toMatchSnapshot();
    expect(firstSign(words)).toBe('white_check_mark');
    expect(words).toMatch(/\b1 of 500\b/u);
    for (const name of ['*#web*', '“React work” (101)', 'Fast setup (#7)']) expect(words).toContain(name);
    expect(words).not.toContain('#data');
  });

  it('shows stored data within a second if the marketplace is silent, and updates later', async () => {
    await home.open('ben');
    world.marketplace.updateSetup(SETUP, { proposalsSentToday: 20 });
    await world.pass(6 * MINUTE);
    const silence = world.marketplace.injectFault({}, { kind: 'hold-headers' }, Number.POSITIVE_INFINITY);
    await world.gig('web', 'budget 300');
    const before = home.published('ben');
    await world.slack.openHome({ user: 'ben' });
    await world.pass(SECOND);
    expect(home.published('ben')).toBe(before + 1);
    expect(home.words('ben')).toMatch(/\b1 of 300\b/u);
    expect(home.words('ben')).toMatch(/\b0 of 20\b/u);
    silence.cancel();
    silence.release();
    await world.pass(5 * SECOND);
    expect(home.published('ben')).toBe(before + 2);
    expect(home.words('ben')).toMatch(/:warning: .*20 of 20/u);
  });

  it('is put on the screen once where nothing is newer', async () => {
    await home.open('ben');
    const before = home.published('ben');
    await home.open('ben');
    expect(home.published('ben')).toBe(before + 1);
  });

  it('is put there for each opening, however soon, and not for an event that Slack sends again', async () => {
    await home.open('ben');
    const before = home.published('ben');
    await Promise.all([
      world.slack.openHome({ user: 'ben' }),
      world.slack.openHome({ user: 'ben' }),
      world.slack.openHome({ user: 'ada' }),
    ]);
    await world.pass(2 * SECOND);
    expect(home.published('ben') - before).toBeGreaterThan(0);
    expect(home.published('ben') - before).toBeLessThan(4);
    const now = home.published('ben');
    const opened = world.slack
      .sentRequests()
      .findLast((it) => JSON.stringify(it.payload).includes('app_home_opened'));
    await world.slack.resendRequest(opened ?? expect.fail('nothing was sent'));
    await world.slack.openHome({ user: 'ben', tab: 'messages' });
    await world.pass(2 * SECOND);
    expect(home.published('ben')).toBe(now);
  });

  it('finds the channels of somebody who is in very many, page by page', async () => {
    for (let at = 0; at < 230; at++) world.slack.addChannel({ name: `idle-${at}`, members: ['ben'] });
    world.slack.addChannel({ name: 'last', members: ['ben'] });
    await world.gig('last', 'subscribe filter 101', 'ben');
    expect(await home.open('ben')).toContain('*#last*');
    const ben = world.slack.user('ben').id;
    const asked = world.slack.apiCalls('users.conversations').filter(({ args }) => args['user'] === ben);
    expect(asked).toHaveLength(2);
  });

  it('no longer asks for an approval that was given in the dashboard meanwhile', async () => {
    const bid = new BidAtHand(begun);
    world.marketplace.updateSetup(SETUP, { reviewsJobs: true });
    await bid.open();
    await bid.submit();
    await home.open('ben');
    expect(home.offers('ben', actionIds.homeReview)).toBe(true);
    await world.pass(60 * MINUTE);
    world.marketplace.updateJob(bid.job().id, { status: 'scheduled' });
    await home.open('ben');
    expect(home.offers('ben', actionIds.homeReview)).toBe(false);
  });

  it('names what is in trouble first, and shows a standstill of the whole feed', async () => {
    world.marketplace.addFilter({ id: 102 });
    await world.gig('data', 'subscribe filter 102');
    await world.gig('data', 'budget 3');
    const words = await home.open('ben');
    expect(firstSign(words)).toBe('warning');
    expect(words).toMatch(/\b1 of 2\b/u);
    expect(words).toMatchSnapshot();
    expect(words.indexOf('*#data*')).toBeLessThan(words.indexOf('*#web*'));
    world.marketplace.injectFault(
      { path: '/filters/*/projects' },
      { kind: 'answer', status: 401, json: { error: 'no' } },
      Number.POSITIVE_INFINITY,
    );
    await world.pass(5 * MINUTE);
    expect(await home.open('ben')).toMatchSnapshot();
  });

  it.each(['hash_conflict', 'not_enabled', 'ratelimited'])(
    'that Slack refuses with %s is told in the log, and the next opening shows it',
    async (error) => {
      world.slack.injectFault('views.publish', { kind: 'error', error }, 2);
      await world.slack.openHome({ user: 'ben' });
      await world.pass(5 * SECOND);
      expect(warningsInLog(world, `"error":"${error}"`, world.slack.user('ben').id)).not.toEqual([]);
      expect(await home.open('ben')).toContain('*#web*');
    },
  );

  it('shows to guests and strangers what it is and what they may do, and nothing of the team', async () => {
    const { slack } = world;
    slack.addUser({ name: 'gus', guest: 'multi' });
    slack.addUser({ name: 'sam', stranger: true });
    for (const user of ['gus', 'sam']) {
      slack.invite('web', user);
      const words = await home.open(user);
      expect(words).toMatchSnapshot();
      expect(words).not.toMatch(/credits|web|React|Fast/u);
    }
  });

  it('shows of somebody whom Slack does not name that it can be tried again', async () => {
    world.slack.injectFault('users.info', { kind: 'error', error: 'fatal_error' }, Number.POSITIVE_INFINITY);
    world.slack.addUser({ name: 'new' });
    expect(await home.open('new')).toMatchSnapshot();
  });
});

describe('a private channel', () => {
  beforeEach(async () => {
    const { slack, marketplace } = world;
    slack.addChannel({ name: 'secret-deal', private: true, members: ['ben', 'ada'] });
    marketplace.addFilter({ id: 102 });
    await world.gig('secret-deal', 'subscribe filter 102', 'ben');
    await world.pass(30 * SECOND);
  });

  const all = (user: string) => JSON.stringify(home.view(user));
  const secret = () => world.slack.channel('secret-deal').id;

  it('is shown to those who are in it, and to nobody else', async () => {
    world.slack.addUser({ name: 'eve' });
    world.slack.invite('web', 'eve');
    expect(await home.open('ben')).toContain('filter 102');
    expect(await home.open('eve')).toContain('“React work” (101)');
    expect(all('eve')).not.toMatch(/filter 102|secret/u);
    expect(all('eve')).not.toContain(secret());
  });

  it('is gone with the next opening after somebody left, and its buttons do nothing any more', async () => {
    await home.open('ben');
    const old = home.view('ben');
    world.slack.remove('secret-deal', 'ben');
    await world.pass(2 * MINUTE);
    await home.pressOn(old, 'ben', 'Unsubscribe', 'filter 102');
    expect(home.words('ben')).toContain(membershipRefusal('out'));
    expect(all('ben')).not.toContain(secret());
    expect(await world.gig('secret-deal', 'list', 'ada')).toContain('filter 102');
  });

  it('isn’t shown from memory while Slack is silent; public ones are, with the time', async () => {
    await home.open('ben');
    await world.pass(2 * MINUTE);
    const silence = world.slack.injectFault(
      'users.conversations',
      { kind: 'hold' },
      Number.POSITIVE_INFINITY,
    );
    await world.slack.openHome({ user: 'ben' });
    await world.pass(SECOND);
    expect(home.words('ben')).toMatchSnapshot();
    expect(home.words('ben')).toContain('“React work” (101)');
    expect(all('ben')).not.toMatch(/filter 102|secret/u);
    silence.cancel();
    await world.pass(2 * SECOND);
    expect(home.words('ben')).toContain('filter 102');
    expect(home.words('ben')).toMatchSnapshot();
  });

  it('says that Slack did not answer, and claims nothing of channels that it could not ask for', async () => {
    world.slack.injectFault('users.conversations', { kind: 'error', error: 'fatal_error' }, 20);
    const words = await home.open('ben');
    expect(words).toMatchSnapshot();
  });

  it('outlives a restart only as what Slack says', async () => {
    await home.open('ben');
    await world.crash();
    await world.restart();
    world.slack.injectFault('users.conversations', { kind: 'error', error: 'fatal_error' }, 5);
    const words = await home.open('ben');
    expect(words).toContain('“React work” (101)');
    expect(all('ben')).not.toMatch(/filter 102|secret/u);
    expect(warningsInLog(world, '"error":"fatal_error"', world.slack.user('ben').id)).not.toEqual([]);
  });
});
