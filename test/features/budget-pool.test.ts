/** Channels that no admin has confirmed spend one default budget together: members can't make more money. */
import { describe, expect } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { appTestWith } from '../kit/app-test.ts';
import type { Person } from '../kit/person.ts';
import type { Desk } from '../kit/start-desk.ts';

const DEFAULT = 50;
const CHANNELS = ['one', 'two', 'three'];
const poolTest = appTestWith({
  empty: true,
  requestsPerMinute: 500,
  env: {
    MARKETPLACE_REQUESTS_PER_MINUTE: '500',
    DEFAULT_CHANNEL_BUDGET: String(DEFAULT),
    /** The first user of the simulated Slack is ada. */
    ADMIN_USER_IDS: 'U00000001',
  },
});
const filterOf = (name: string) => 101 + CHANNELS.indexOf(name);
const charged = ({ market }: Desk) => market.service.consumedCredits().total;
const isShared = async (ada: Person, name: string) =>
  (await ada.type('/gig budget', name)).text.includes('shared credits');

async function subscribe({ slack, market }: Desk, by: Person, names: readonly string[]): Promise<void> {
  for (const name of names) {
    slack.addChannel({ name, members: ['ada', 'ben'] });
    market.service.addFilter({ id: filterOf(name) });
    await by.type(`/gig subscribe filter ${filterOf(name)}`, name);
  }
}

async function publish({ app, market, pass }: Desk, count: number, names = CHANNELS): Promise<void> {
  await pass(MINUTE);
  for (let made = 0; made < count; made++) {
    for (const name of names) market.publish({}, filterOf(name));
    app.clock.moveBy(SECOND);
  }
  await pass(10 * MINUTE);
}

describe('channels that a plain member makes', () => {
  poolTest('spend one default budget together, lookups included', async ({ desk, market, ada, ben }) => {
    await subscribe(desk, ben, CHANNELS);
    await publish(desk, 40);
    expect(charged(desk)).toBeGreaterThan(DEFAULT - 10);
    for (const { ciphertext } of market.service.projects().slice(-15))
      await ben.type(`/gig lookup ${ciphertext}`, 'one');
    expect(charged(desk)).toBeLessThanOrEqual(DEFAULT);
    const { text } = await ben.type('/gig budget', 'one');
    expect(text).toMatch(/of 50 shared credits spent by all unconfirmed channels/u);
    expect(text).toMatch(/Until an admin confirms this channel/u);
    const isSpent = (it: { text: string }) => /on hold: unconfirmed channels have/u.test(it.text);
    for (const name of CHANNELS) expect(ben.reads(name).filter(isSpent)).toHaveLength(1);
    expect((await ada.type('/gig status', 'one')).text).toContain('Unconfirmed channels share 50 credits');
  });

  poolTest('are told to admins once each, who confirm one by a button, once', async ({ desk, ada, ben }) => {
    await subscribe(desk, ben, ['one', 'two']);
    await publish(desk, 40, ['one', 'two']);
    expect(ada.inbox()).toHaveLength(2);
    const notice = ada.inbox().find(({ text }) => text.includes('#one')) ?? expect.fail('not told');
    expect(notice.text).toMatch(/@ben subscribed there.*50 credits/u);
    expect(notice.offers('Set Budget')).toBe(true);
    await ben.press(notice, 'Confirm Budget');
    expect(await isShared(ada, 'one')).toBe(true);
    await ada.press(notice, 'Confirm Budget');
    await desk.pass(10 * MINUTE);
    expect(notice.text).toMatch(/@ada confirmed #one/u);
    expect(notice.offers('Confirm Budget')).toBe(false);
    expect(await isShared(ada, 'one')).toBe(false);
    expect(await isShared(ada, 'two')).toBe(true);
    expect(charged(desk)).toBeGreaterThan(DEFAULT);
    expect(charged(desk)).toBeLessThanOrEqual(2 * DEFAULT);
    expect((await ada.type('/gig audit', 'one')).text).toMatch(
      /@ada \| #one +\| gave the channel a budget of 50/u,
    );
  });

  poolTest(
    'share no more once an admin subscribes there or sets their budget',
    async ({ desk, ada, ben }) => {
      await subscribe(desk, ben, CHANNELS);
      await publish(desk, 40);
      await ada.type('/gig subscribe filter 101 -nothing', 'one');
      await ada.type('/gig budget 20', 'two');
      await desk.pass(10 * MINUTE);
      for (const name of CHANNELS) expect(await isShared(ada, name), name).toBe(name === 'three');
      expect(charged(desk)).toBeGreaterThan(DEFAULT);
      // At most a default budget for each of the two, plus the pool.
      expect(charged(desk)).toBeLessThanOrEqual(3 * DEFAULT);
    },
  );
});

poolTest('channels that an admin subscribes first have a budget of their own', async ({ desk, ada }) => {
  await subscribe(desk, ada, ['one', 'two']);
  await publish(desk, 60, ['one', 'two']);
  expect(charged(desk)).toBeGreaterThan(2 * DEFAULT - 20);
  expect(ada.inbox()).toEqual([]);
  expect(await isShared(ada, 'one')).toBe(false);
});
