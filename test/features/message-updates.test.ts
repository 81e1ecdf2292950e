/** What becomes of a message in Slack: it shows the newest, in place, and may be deleted. */
import { describe, expect } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import type { SlackFaultEffect } from '../../src/workbench/slack/simulated-slack.ts';
import { appTest } from '../kit/app-test.ts';
import { findPressable, type Message } from '../kit/read-screen.ts';
import { type Desk, FAST_SETUP, FILTER, SHOP } from '../kit/start-desk.ts';

type Slack = Desk['slack'];

const always = Number.POSITIVE_INFINITY;

/** Presses at once, without waiting for what comes of it. */
async function press(slack: Slack, card: Message, label: string): Promise<void> {
  const found = card.shown && findPressable(card.shown, label);
  if (!card.shown || !found) return expect.fail(`no “${label}” on ${card.text}`);
  await slack.press({ ...card.shown, actionId: found.actionId, user: 'ben' });
}

/** Breaks updates of one message. */
const failUpdates = (slack: Slack, card: Message, effect: SlackFaultEffect, times?: number) =>
  slack.injectFault((method, args) => method === 'chat.update' && args['ts'] === card.ts, effect, times);

const updates = (slack: Slack, card?: Message) =>
  slack.apiCalls('chat.update').filter((it) => !card || it.args['ts'] === card.ts);

/** Some time passes as on a machine that sleeps most of it. */
async function sleep({ app, pass }: Desk, ms: number): Promise<void> {
  app.clock.moveInOneStep(app.clock.now() + ms);
  await pass(5 * SECOND);
}

async function deleteMessage(slack: Slack, { ts }: Message): Promise<void> {
  const headers = { authorization: `Bearer ${slack.botToken}` };
  const body = new URLSearchParams({ channel: slack.channel('web').id, ts });
  const answer = await globalThis.fetch(`${slack.apiUrl}chat.delete`, { method: 'POST', headers, body });
  expect(await answer.json()).toMatchObject({ ok: true });
}

describe('a message whose matter changes', () => {
  appTest(
    'is updated at a rate that Slack takes, the newest first, and holds up no new post',
    async ({ slack, market, ada, pass }) => {
      for (let count = 0; count < 10; count++) market.publish({ ...SHOP, title: `Card ${count}` });
      await pass(MINUTE);
      const cards = ada.reads('web').filter((it) => it.offers('Claim'));
      for (const card of cards) await press(slack, card, 'Claim');
      const next = await market.publish({ ...SHOP, title: 'Next' }).cardIn('web');
      await pass(30 * SECOND);
      const calls = updates(slack);
      expect(calls.map(({ args }) => args['ts'])).toEqual(cards.map(({ ts }) => ts).toReversed());
      for (const [each, call] of calls.slice(1).entries())
        expect(call.at - (calls[each]?.at ?? 0)).toBe(1_250);
      expect(calls.filter((it) => it.at / SECOND > Number(next.ts)).length).toBeGreaterThan(1);
      for (const card of cards) expect(card.text).toContain('Claimed by @ben');
    },
  );

  appTest(
    'while it is on its way is brought up to date afterwards',
    async ({ slack, market, ada, ben, pass }) => {
      await ada.type(`/gig subscribe filter ${FILTER.id}`, 'data');
      await pass(MINUTE);
      const { id } = slack.channel('web');
      const isInWeb = (method: string, args: object) =>
        method === 'chat.postMessage' && 'channel' in args && args.channel === id;
      const held = slack.injectFault(isInWeb, { kind: 'hold' });
      const published = market.publish();
      const [card, other] = [await published.cardIn('web'), await published.cardIn('data')];
      expect(Number(other.ts) - Number(card.ts)).toBeLessThan(2);
      await ben.press(other, 'Claim');
      expect(card.text).not.toContain('@ben');
      held.release();
      await pass(5 * SECOND);
      expect(card.text).toContain('Claimed by @ben in #data');
      const update = failUpdates(slack, card, { kind: 'hold' });
      const details = await ben.press(other, 'Details');
      await details.press('Release');
      expect(update.held).toBe(1);
      await details.press('Claim');
      update.release();
      await pass(5 * SECOND);
      expect(card.text).toContain('Claimed by @ben in #data');
    },
  );

  appTest(
    'during a pause, and before an answer that gets lost, is updated once with the newest',
    async ({ slack, market, ben, pass }) => {
      const card = await market.publish().cardIn('web');
      const details = await ben.press(card, 'Details');
      failUpdates(slack, card, { kind: 'ratelimited', retryAfterS: 20 });
      failUpdates(slack, card, { kind: 'drop', when: 'before' });
      for (const label of ['Claim', 'Release', 'Claim']) await details.press(label);
      expect(card.text).not.toContain('Claimed');
      await pass(MINUTE);
      expect(card.text).toContain('Claimed by @ben');
      const [first, second, ...more] = updates(slack);
      expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(20 * SECOND);
      expect(more).toHaveLength(1);
    },
  );

  appTest(
    'and that Slack refuses to update holds up no other, and is left as it is in the end',
    async ({ desk, slack, market, ben }) => {
      const bad = await market.publish().cardIn('web');
      const good = await market.publish({ ...SHOP, title: 'Another' }).cardIn('web');
      failUpdates(slack, bad, { kind: 'error', error: 'brand_new_code' }, always);
      await ben.press(bad, 'Claim');
      await ben.press(good, 'Claim');
      expect(good.text).toContain('Claimed by @ben');
      await market.publish({ ...SHOP, title: 'A third' }).cardIn('web');
      expect(updates(slack, bad)).toHaveLength(1);
      for (let each = 0; each < 9; each++) await sleep(desk, 20 * MINUTE);
      expect(updates(slack, bad)).toHaveLength(6);
      expect(bad.text).not.toContain('Claimed');
    },
  );

  appTest.for([
    ['refused', { kind: 'error', error: 'is_archived' }],
    ['not answered', { kind: 'drop', when: 'before' }],
  ] as const)(
    'and was %s for long is updated as soon as a post arrives',
    async ([, effect], { desk, slack }) => {
      const card = await desk.market.publish().cardIn('web');
      const fault = failUpdates(slack, card, effect, always);
      await press(slack, card, 'Claim');
      for (let each = 0; each < 12; each++) await sleep(desk, 20 * MINUTE);
      fault.cancel();
      await desk.pass(SECOND);
      expect(card.text).not.toContain('Claimed');
      await desk.market.publish({ ...SHOP, title: 'Next' }).cardIn('web');
      await desk.pass(5 * SECOND);
      expect(card.text).toContain('Claimed by @ben');
    },
  );
});

appTest('a message that was deleted is left alone', async ({ slack, market, ben, pass }) => {
  const card = await market.publish().cardIn('web');
  const details = await ben.press(card, 'Details');
  await deleteMessage(slack, card);
  await details.press('Claim');
  await pass(MINUTE);
  expect(updates(slack)).toHaveLength(1);
});

describe('news of a message that was deleted stand in the channel, once', () => {
  const news = ({ person }: Desk) =>
    person('ada')
      .reads('web')
      .filter((it) => it.text.includes(FAST_SETUP.name));
  const isAlone = (method: string, args: object) => method === 'chat.postMessage' && !('thread_ts' in args);

  appTest('as do those that follow', async ({ desk, slack, market, ben, pass }) => {
    const card = await market.publish().cardIn('web');
    const form = await ben.press(card, 'Bid');
    await deleteMessage(slack, card);
    await form.send({ 'Bidding setup': FAST_SETUP.name });
    await market.publish({ ...SHOP, title: 'Next' }).cardIn('web');
    expect(news(desk)).toHaveLength(1);
    await pass(MINUTE);
  });

  appTest('where it was deleted after an unclear attempt', async ({ desk, slack, market, ben, pass }) => {
    const card = await market.publish().cardIn('web');
    const form = await ben.press(card, 'Bid');
    slack.injectFault('chat.postMessage', { kind: 'drop', when: 'before' });
    await form.send({ 'Bidding setup': FAST_SETUP.name });
    await deleteMessage(slack, card);
    await pass(MINUTE);
    expect(news(desk)).toHaveLength(1);
  });

  appTest('where the second attempt is unclear, over a kill', async ({ desk, slack, market, ben, pass }) => {
    const card = await market.publish().cardIn('web');
    const form = await ben.press(card, 'Bid');
    await deleteMessage(slack, card);
    const lost = slack.injectFault(isAlone, { kind: 'drop', when: 'after' });
    await form.send({ 'Bidding setup': FAST_SETUP.name });
    expect(lost.used).toBe(1);
    await desk.restart();
    await pass(MINUTE);
    expect(news(desk)).toHaveLength(1);
  });
});

/** A machine that started ahead learns the time. */
describe('after the clock was set back', () => {
  appTest.for<readonly [string, SlackFaultEffect]>([
    ['refused to wait for 30 s', { kind: 'ratelimited', retryAfterS: 30 }],
    ['lost before it stood', { kind: 'drop', when: 'before' }],
    ['lost after it stood', { kind: 'drop', when: 'after' }],
  ])('a card whose post was %s stands once, soon', async ([, effect], { desk, app, slack, ada, pass }) => {
    app.skew.ms = 50 * MINUTE;
    const fault = slack.injectFault('chat.postMessage', effect);
    desk.market.publish();
    await app.until('the post', () => fault.used > 0);
    await pass(2 * SECOND);
    app.skew.ms = 0;
    await pass(MINUTE);
    expect(ada.reads('web').filter((it) => it.offers('Claim'))).toHaveLength(1);
  });
});
