/** Bids that wait, as people see them: in Review, on Home, in threads, in the funnel; and their own times. */
import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { TeamId } from '../../src/ids.ts';
import { connectsWeeks } from '../../src/spending/records.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import { type BidAtHand, begin } from './begin-bid.ts';
import { addSlowSetup, cardOf, grant, OTHER_SETUP, press } from './bidder.ts';
import { HomeAtHand } from './home-desk.ts';
import { changeSettings } from './settings-form.ts';
import { heldMessage, heldMessages, heldWords, pressHeld, setRules } from './spending-rules.ts';
import { postOf, type World, wordsOf } from './world.ts';

type Rules = Readonly<Record<string, string | readonly string[]>>;

async function beginWith(rules: Rules, options = {}) {
  const begun = await begin(options);
  const { world } = begun;
  world.slack.addUser({ name: 'cem' });
  world.slack.invite('web', 'cem');
  await grant(world, ['ben', 'cem']);
  await setRules(world, rules);
  return begun;
}

async function send(bid: BidAtHand, values: Readonly<Record<string, string>>, user = 'ben'): Promise<void> {
  await bid.open(user);
  await bid.submit(user, values);
  await bid.world.pass(3 * SECOND);
}

/** Sends it for a fixed time. */
async function sendFor(bid: BidAtHand, fromNow: number, values: Readonly<Record<string, string>> = {}) {
  const { world } = bid;
  await bid.open();
  await world.slack.chooseOption({ view: bid.view(), user: 'ben', actionId: 'bid_when', option: 'at' });
  await world.pass(2 * SECOND);
  const at = Math.ceil((world.clock.now() + fromNow) / SECOND);
  const answer = await bid.submit('ben', { at, bid_amount: '600', ...values });
  expect(answer.errors ?? {}).toEqual({});
  await world.pass(3 * SECOND);
  return at * SECOND;
}

/** This week's connects of the channel. */
async function usedConnects(world: World): Promise<number> {
  const all = await world.read((tx) =>
    tx.list(connectsWeeks, { prefix: [TeamId.parse(world.slack.team.id)], limit: 9 }),
  );
  return all.find(({ value }) => value.subject === 'channel')?.value.connects ?? 0;
}

const ABOVE = { bid_amount: '600', cover_letter: 'Dear client' };

describe('Review of a bid that waits for a second approval', () => {
  it('shows the letter of the template that would be sent', async () => {
    const { bid, world } = await beginWith({ 'second-amount': '500' });
    addSlowSetup(world);
    await world.pass(6 * MINUTE);
    await world.gig('web', `bid ${bid.project.ciphertext} Slow`, 'ben');
    await world.pass(3 * SECOND);
    await bid.submit('ben', { setup: String(OTHER_SETUP), bid_amount: '600' });
    await world.pass(3 * SECOND);
    expect(heldWords(bid)).not.toContain('I work at night.');
    for (const place of ['the thread', 'after a restart']) {
      if (place !== 'the thread') {
        await world.crash();
        await world.restart();
        await world.pass(5 * SECOND);
      }
      await press(world, 'Review', { message: heldMessage(bid) }, 'ada');
      await world.pass(3 * SECOND);
      expect(bid.screen('ada'), place).toContain('I work at night.');
      await world.slack.closeView({ user: 'ada', all: true });
    }
  });

  it('says so if the template is unknown', async () => {
    const { bid, world } = await beginWith({ 'second-amount': '500' });
    await send(bid, { bid_amount: '600' });
    await press(world, 'Review', { message: heldMessage(bid) }, 'ada');
    await world.pass(3 * SECOND);
    expect(bid.screenAsRead('ada')).toMatchSnapshot();
    expect(bid.screen('ada')).toMatch(/template.*isn't shown/u);
  });
});

it('calls the amount by the kind of budget', async () => {
  const fixed = await beginWith({ 'second-amount': '500' });
  await send(fixed.bid, ABOVE);
  expect(heldWords(fixed.bid)).toContain('*Fixed price:* $600');
  expect(heldWords(fixed.bid)).not.toMatch(/\brate:/iu);
  const { bid, world } = await beginWith({ 'second-amount': '50' });
  const budget = { type: 'hourly' as const, hourlyMin: 40, hourlyMax: 90 };
  const hourly = world.marketplace.publishProject(101, { title: 'By the hour', clientQuestions: [], budget });
  await world.until('the card', () => world.told('web').includes(hourly.ciphertext), MINUTE);
  await world.gig('web', `bid ${hourly.ciphertext}`, 'ben');
  await world.pass(2 * SECOND);
  await bid.submit('ben', { bid_amount: '60' });
  await world.pass(3 * SECOND);
  const [held] = world.slack.thread('web', cardOf(world, hourly).ts).toReversed();
  expect(held && wordsOf(held)).toContain('*Hourly rate:* $60');
});

describe('Home', () => {
  it('names a bid in its cancel window in place of its draft, and leads to its message', async () => {
    const { bid, world } = await beginWith({ 'cancel-window': '300' });
    const home = new HomeAtHand(world);
    await send(bid, ABOVE);
    await home.open('ben');
    const words = await home.open('ben');
    expect(words).toMatch(/Your waiting bids\n.*Rebuild our checkout/u);
    expect(words).toContain('unless someone cancels it');
    expect(words).not.toContain('Your drafts');
    const link = JSON.stringify(home.view('ben').blocks);
    expect(link).toContain(`p${heldMessage(bid).ts.replace('.', '')}`);
    await world.pass(6 * MINUTE);
    expect(await bid.states()).toEqual(['created']);
    const after = await home.open('ben');
    expect(after).not.toContain('Your waiting bids');
    expect(after).not.toContain('Your drafts');
  });

  it('gives the draft back after Cancel', async () => {
    const { bid, world } = await beginWith({ 'cancel-window': '300' });
    const home = new HomeAtHand(world);
    await send(bid, ABOVE);
    await pressHeld(bid, 'Cancel', 'ben');
    await world.pass(2 * SECOND);
    const words = await home.open('ben');
    expect(words).not.toContain('Your waiting bids');
    expect(words).toMatch(/Your drafts\n.*Rebuild our checkout/u);
  });

  it('asks those who can give a second approval, and nobody else', async () => {
    const { bid, world } = await beginWith({ 'second-amount': '500', 'second-approvals': '2' });
    const home = new HomeAtHand(world);
    await send(bid, ABOVE);
    for (const user of ['ada', 'cem'])
      expect(await home.open(user)).toMatch(/Waiting for your approval\n.*Rebuild our checkout/u);
    const own = await home.open('ben');
    expect(own).not.toContain('Waiting for your approval');
    expect(own).toContain('Waiting for second approvals (0 of 2)');
    world.slack.addUser({ name: 'vic' });
    expect(await home.open('vic')).not.toContain('Rebuild our checkout');
    await home.press('cem', 'Review', 'Rebuild our checkout');
    expect(bid.screen('cem')).toContain('Dear client');
    await world.slack.submitView({ user: 'cem', values: {} });
    await world.pass(2 * SECOND);
    expect(await home.open('cem')).not.toContain('Waiting for your approval');
    expect(await home.open('ada')).toContain('(1 of 2)');
  });
});

describe('Cancel', () => {
  it('of an own bid changes the message alone; of another person’s, it is news', async () => {
    const { bid, world } = await beginWith({ 'cancel-window': '60' });
    await send(bid, ABOVE);
    const before = bid.thread().length;
    await pressHeld(bid, 'Cancel', 'ben');
    await world.pass(3 * SECOND);
    expect(bid.thread()).toHaveLength(before);
    expect(heldWords(bid)).toContain('canceled it');
    expect(bid.cardWords()).toContain('not sent: it was canceled');
    await world.slack.closeView({ user: 'ben', all: true });
    await bid.press('Try Again');
    await world.pass(SECOND);
    await bid.submit();
    await world.pass(3 * SECOND);
    const again = bid.thread().length;
    await pressHeld(bid, 'Cancel', 'cem');
    await world.pass(3 * SECOND);
    expect(bid.thread()).toHaveLength(again + 1);
    const ids = ['ben', 'cem'].map((name) => world.slack.user(name).id);
    for (const id of ids) expect(bid.thread().at(-1)).toContain(`<@${id}>`);
    expect(bid.creates()).toEqual([]);
  });

  it('takes effect although Slack first drops the question who pressed it', async () => {
    const { bid, world } = await beginWith({ 'second-amount': '500' });
    await send(bid, ABOVE);
    // A new process remembers nobody's role.
    await world.crash();
    await world.restart();
    world.slack.injectFault('users.info', { kind: 'drop', when: 'before' });
    await pressHeld(bid, 'Cancel', 'ada');
    await world.pass(5 * SECOND);
    expect(await bid.states()).toEqual(['refused']);
  });

  it('of an own approval changes the message alone', async () => {
    const { bid, world } = await beginWith({ 'cancel-window': '60' }, { reviews: true });
    await send(bid, ABOVE);
    await world.pass(65 * SECOND);
    await bid.press('Approve', 'cem', 'accept');
    await world.pass(5 * SECOND);
    const before = bid.thread().length;
    await pressHeld(bid, 'Cancel', 'cem');
    await world.pass(3 * SECOND);
    expect(bid.thread()).toHaveLength(before);
    expect(await bid.approvalStates()).toEqual(['refused']);
    expect(findPressable(bid.request(), 'Approve')).toBeDefined();
  });
});

describe('an approval that lacks a second one', () => {
  it('is told once, by its request, and truly', async () => {
    const { bid, world } = await beginWith({}, { reviews: true });
    await changeSettings(world, 'web', { 'approval-hours': '1' });
    await send(bid, ABOVE);
    await setRules(world, { 'second-amount': '500' });
    await bid.press('Approve', 'cem', 'accept');
    await world.pass(5 * SECOND);
    const before = bid.thread().length;
    await world.pass(2 * HOUR, MINUTE);
    const news = bid.thread().slice(before);
    expect(news).toHaveLength(1);
    expect(news[0]).toContain('Not enough people approved');
    expect(bid.threadAsRead()).not.toContain('Nobody answered');
  });
});

describe('the funnel', () => {
  it.each([
    ['canceled', 'bid canceled'],
    ['rejected', 'bid not approved'],
    ['waiting', 'bid waiting to be sent'],
  ] as const)('names a bid that is %s before it was sent', async (how, words) => {
    const { bid, world } = await beginWith({ 'second-amount': '500' });
    await send(bid, ABOVE);
    if (how === 'canceled') await pressHeld(bid, 'Cancel', 'ben');
    if (how === 'rejected') await pressHeld(bid, 'Reject', 'cem');
    await world.pass(3 * SECOND);
    const funnel = await world.gig('web', 'stats funnel');
    expect(funnel).toContain(`1 ${words}`);
    expect(funnel).not.toContain('refused');
    expect(funnel).toContain('*0 bid*');
  });
});

describe('the digest', () => {
  it('counts no bid that was canceled before it was sent', async () => {
    const { bid, world } = await beginWith({ 'cancel-window': '60' });
    await send(bid, ABOVE);
    await pressHeld(bid, 'Cancel', 'ben');
    await world.pass(3 * SECOND);
    await world.gig('web', 'digest now', 'ada');
    await world.pass(3 * SECOND);
    const digest = world.slack.messages('web').findLast((it) => postOf(it).startsWith('digest:'));
    expect(wordsOf(digest ?? expect.fail('no digest'))).not.toMatch(/1 bid\b|refused/iu);
  });
});

describe('a bid with a time of its own', () => {
  it('ends with a plain message if the time comes before the second approval', async () => {
    const { bid, world } = await beginWith({
      'second-amount': '500',
      'cancel-window': '60',
      'channel-cap': '99',
    });
    await sendFor(bid, 30 * MINUTE, { boost: '20' });
    expect(await usedConnects(world)).toBe(20);
    expect(heldWords(bid)).toContain("it isn't sent");
    const message = heldMessage(bid);
    await world.pass(28 * MINUTE, MINUTE);
    expect(await bid.states()).toEqual(['held']);
    await world.crash();
    await world.restart();
    await world.pass(2 * MINUTE, 10 * SECOND);
    expect(await bid.states()).toEqual(['refused']);
    expect(heldWords(bid)).toContain('The time set for this bid passed while it waited.');
    expect(bid.thread().at(-1)).toContain('the time set for it passed');
    expect(await usedConnects(world)).toBe(0);
    expect(heldMessages(bid)).toHaveLength(1);
    expect(message.ts).toBe(heldMessage(bid).ts);
    await world.pass(HOUR, MINUTE);
    expect(bid.creates()).toEqual([]);
    expect(await world.gig('web', 'audit')).toContain('the time set for it passed');
  });

  it('goes out once, before its time, if people approve it early enough', async () => {
    const { bid, world } = await beginWith({ 'second-amount': '500', 'cancel-window': '60' });
    const at = await sendFor(bid, 30 * MINUTE);
    await world.pass(20 * MINUTE, MINUTE);
    await pressHeld(bid, 'Approve', 'cem');
    await world.pass(2 * MINUTE, 10 * SECOND);
    expect(bid.creates()).toHaveLength(1);
    expect(bid.creates()[0]?.body).toMatchObject({ scheduled_at: new Date(at).toISOString() });
    await world.pass(HOUR, MINUTE);
    expect(bid.creates()).toHaveLength(1);
  });

  it('is not taken at all if its window would end too late', async () => {
    const { bid, world } = await beginWith({ 'cancel-window': '300' });
    await sendFor(bid, 3 * MINUTE);
    expect(await bid.states()).toEqual([]);
    expect(bid.screenAsRead('ben')).toMatchSnapshot();
    await world.pass(10 * MINUTE, MINUTE);
    expect(bid.creates()).toEqual([]);
  });
});
