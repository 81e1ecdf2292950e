/** What a team does with a card: skip and mute with a preview, assign, claim; each by one of two people. */
import { expect } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/clock.ts';
import { appTest } from '../kit/app-test.ts';
import type { Message } from '../kit/read-screen.ts';
import { type Desk, SHOP } from '../kit/start-desk.ts';

/** Cards of clients in these countries, named after them. */
async function cardsOf(market: Desk['market'], countries: readonly string[]): Promise<Message[]> {
  const published = countries.map((country, place) =>
    market.publish({ ...SHOP, title: `${country} ${place}`, client: { country } }),
  );
  return Promise.all(published.map((it) => it.cardIn('web')));
}

appTest(
  'Skip and Mute say what a mute would have hidden, and do both',
  async ({ market, ben, cem, pass }) => {
    const [card] = await cardsOf(market, ['Norway', 'Norway', 'Japan']);
    if (!card) return expect.fail('no card');
    expect((await ben.press(card, 'Mute')).text).toMatch(/Norway/u);
    await ben.close();
    const skip = await ben.press(card, 'Skip');
    await skip.send({ Reason: 'Poor client', 'Also mute projects like this': '2 of 3: Client country' });
    expect(card.offers('Undo Skip')).toBe(true);
    const undo = ben.notes('web').find((it) => it.offers('Undo'));
    expect(ben.reads('web').filter((it) => it.offers('Unmute'))).toHaveLength(1);
    market.publish({ ...SHOP, title: 'Hidden', client: { country: 'Norway' } });
    await pass(2 * MINUTE);
    expect(ben.reads('web').some((it) => it.text.includes('Hidden'))).toBe(false);
    if (undo) await ben.press(undo, 'Undo');
    await cardsOf(market, ['Norway']);
    await cem.press(card, 'Undo Skip');
    expect(card.offers('Claim')).toBe(true);
  },
);

appTest(
  'a skip leaves a project alone that a colleague claimed meanwhile',
  async ({ market, ada, ben, cem }) => {
    const card = await market.publish().cardIn('web');
    const skip = await ben.press(card, 'Skip');
    await cem.press(card, 'Claim');
    expect((await skip.send()).text).toContain('@cem claimed this project');
    expect(card.offers('Release')).toBe(true);
    const claim = await ben.press(card, 'Release');
    expect(claim.text).toContain('@cem claimed this project');
    expect(card.text).toContain('Claimed by @cem');
    await ada.press(card, 'Release');
    expect(card.offers('Claim')).toBe(true);
  },
);

appTest(
  'Assign claims a project for a colleague, who hears of it once',
  async ({ app, market, ada, ben, cem }) => {
    const card = await market.publish().cardIn('web');
    await (await ben.press(card, 'Assign')).send({ 'Assign to': 'cem' });
    expect(card.text).toContain('Assigned to @cem by @ben');
    expect(cem.inbox().map((it) => it.text)).toEqual([expect.stringContaining('Rebuild our checkout')]);
    await app.kill();
    await app.start();
    const again = await (await ada.press(card, 'Assign')).send({ 'Assign to': 'cem' });
    expect(again.text).toContain('@cem has this project already');
    expect(cem.inbox()).toHaveLength(1);
    await cem.press(card, 'Release');
    expect(card.offers('Claim')).toBe(true);
  },
);

appTest(
  'nobody gets a project who may not work here or sees it not',
  async ({ desk, market, ada, ben, cem }) => {
    desk.person('gus', { guest: 'multi' });
    const card = await market.publish().cardIn('web');
    const guest = await (await ben.press(card, 'Assign')).send({ 'Assign to': 'gus' });
    expect(guest.text).toContain("Couldn't assign this to @gus");
    desk.slack.addChannel({ name: 'den', private: true, members: ['ada', 'ben'] });
    await ada.type('/gig subscribe filter 101', 'den');
    const secret = await market.publish({ ...SHOP, title: 'Secret chairs' }).cardIn('den');
    await (await ben.press(secret, 'Assign')).send({ 'Assign to': 'cem' });
    expect(ben.notes('den').at(-1)?.text).toContain("@cem: they aren't in #den");
    expect([...desk.person('gus').inbox(), ...cem.inbox()]).toEqual([]);
    expect([card, secret].every((it) => it.offers('Claim'))).toBe(true);
  },
);

appTest('assigned by two at once, it goes to one, and the other hears', async ({ market, ada, ben, cem }) => {
  const card = await market.publish().cardIn('web');
  const [one, other] = [await ben.press(card, 'Assign'), await cem.press(card, 'Assign')];
  await Promise.all([one.send({ 'Assign to': 'ada' }), other.send({ 'Assign to': 'cem' })]);
  const isAdas = card.text.includes('Assigned to @ada');
  const [loser, winner] = isAdas ? ([cem, '@ada'] as const) : ([ben, '@cem'] as const);
  expect(loser.notes('web').at(-1)?.text).toContain(winner);
  expect(ada.inbox()).toHaveLength(isAdas ? 1 : 0);
});

appTest('a window that is open for a day does nothing, and says so', async ({ app, market, ben, cem }) => {
  const card = await market.publish().cardIn('web');
  const open = await ben.press(card, 'Assign');
  await app.kill();
  app.clock.moveBy(DAY + HOUR);
  await app.start();
  await cem.press(card, 'Assign');
  expect((await open.send({ 'Assign to': 'cem' })).text).toContain('out of date');
  expect(card.offers('Claim')).toBe(true);
});

appTest('a card works after its subscription ended, and after a crash', async ({ app, market, ada, ben }) => {
  const card = await market.publish().cardIn('web');
  await (await ada.type('/gig list')).press('Unsubscribe');
  await ben.press(card, 'Claim');
  expect(card.text).toContain('Claimed by @ben');
  await app.kill();
  await app.start();
  await ben.press(card, 'Release');
  expect(card.offers('Claim')).toBe(true);
});
