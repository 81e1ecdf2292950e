/** Claims without a bid expire, unless they are in use; and how fast a channel was, as people read it. */
import { describe, expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { appTest } from '../kit/app-test.ts';
import type { Input, Person } from '../kit/person.ts';
import { type Message, offering } from '../kit/read-screen.ts';
import { type Desk, SHOP, sendBid, setRules } from '../kit/start-desk.ts';

/** Claims last 10 minutes, with a warning after 5; nudges go to ada, much later. */
async function turnOn(desk: Desk, input: Input = {}): Promise<void> {
  const ada = desk.person('ada');
  const form = await (await ada.type('/gig settings')).press('Response Times');
  await form.send({
    'Targets and nudges': ['Show targets'],
    'Nudge the person on duty after': 100,
    'Claims without a bid expire after': 10,
    'Working days': ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
    'Working hours from': null,
    'Working hours until': null,
    'Lead: person': 'ada',
    ...input,
  });
  await ada.close();
}

async function claimed(desk: Desk, by: Person, title = 'A shop'): Promise<Message> {
  const card = await desk.market.publish({ ...SHOP, title, clientQuestions: [] }).cardIn('web');
  await by.press(card, 'Claim');
  return card;
}

/** Warnings and notes in a card's thread. */
const stages = (card: Message) =>
  card.replies().filter((it) => /(?:no bid yet|without a bid)/u.test(it.text));

/** A claim that was warned about. */
async function warned(desk: Desk, by: Person, title?: string) {
  const card = await claimed(desk, by, title);
  await desk.pass(6 * MINUTE);
  const [warning] = stages(card);
  expect(warning?.text).toContain(`@${by.name}`);
  expect(warning?.offers('Extend')).toBe(true);
  return { card, warning: warning ?? expect.fail('no warning') };
}

function expectOver(stage: Message | undefined, words: RegExp): void {
  expect(stage?.text).toMatch(words);
  expect(stage?.offers('Extend') || stage?.offers('Claim Again')).toBe(false);
}

describe('a claim without a bid', () => {
  appTest(
    'is warned about, expires with a note, and can be claimed again',
    async ({ desk, ada, ben, cem }) => {
      await turnOn(desk);
      const { card, warning } = await warned(desk, ben);
      await desk.restart();
      await desk.pass(5 * MINUTE);
      expect(card.offers('Claim')).toBe(true);
      expectOver(warning, /The claim expired/u);
      const [, note] = stages(card);
      await ben.press(note ?? expect.fail('no note'), 'Claim Again');
      expect(card.text).toContain('Claimed by @ben');
      expectOver(note, /@ben claimed it/u);
      await desk.restart();
      await desk.pass(3 * MINUTE);
      expect(stages(card)).toHaveLength(2);
      // Another's claim has its own time.
      await ada.press(card, 'Release');
      await cem.press(card, 'Claim');
      await desk.pass(4 * MINUTE);
      expect(stages(card)).toHaveLength(2);
      await desk.pass(2 * MINUTE);
      const [, , hers] = stages(card);
      expect(hers?.text).toContain('@cem');
      expect((await ben.press(hers ?? card, 'Extend')).text).toContain('@cem claimed this');
      await cem.press(hers ?? card, 'Extend');
      expectOver(hers, /@cem extended it until/u);
      await desk.pass(8 * MINUTE);
      expect(card.offers('Release')).toBe(true);
      await desk.pass(3 * MINUTE);
      expect(card.offers('Claim')).toBe(true);
    },
  );

  appTest('says on its warning what happened to it', async ({ desk, ada, ben }) => {
    await turnOn(desk);
    const released = await warned(desk, ben, 'Released');
    await ben.press(released.card, 'Release');
    const late = await ben.press(released.warning, 'Extend');
    expect(late.text).toContain('nothing to extend');
    expectOver(released.warning, /released/u);
    const taken = await warned(desk, ben, 'Taken');
    await ben.press(taken.card, 'Release');
    await ada.press(taken.card, 'Claim');
    // Claims that are due at once share a message.
    await desk.pass(2 * MINUTE);
    const bidOn = await warned(desk, ben, 'Bid on');
    await sendBid(ben, bidOn.card);
    const open = await warned(desk, ben, 'Running');
    expectOver(taken.warning, /@ada claimed/u);
    expectOver(bidOn.warning, /has a bid now/u);
    expect(bidOn.card.offers('Release')).toBe(true);
    await turnOn(desk, { 'Claims without a bid expire after': 0 });
    await desk.pass(2 * MINUTE);
    expectOver(open.warning, /don't expire/u);
    await desk.pass(10 * MINUTE);
    expect(open.card.offers('Release')).toBe(true);
  });

  appTest('has its whole time again once its bid came to nothing', async ({ desk, ada, ben }) => {
    await turnOn(desk);
    await setRules(ada, { 'Second approval above this amount': '0' });
    const waits = await claimed(desk, ben, 'Waits');
    await sendBid(ben, waits, { 'Fixed-price bid': '600' });
    const { card, warning } = await warned(desk, ben);
    await sendBid(ben, card, { 'Fixed-price bid': '600' });
    await desk.pass(12 * MINUTE);
    expectOver(warning, /bid is in progress/u);
    for (const each of [card, waits]) expect(each.offers('Release')).toBe(true);
    expect([stages(card).length, stages(waits).length]).toEqual([1, 0]);
    await ben.press(offering(card, 'Cancel'), 'Cancel');
    await desk.pass(2 * MINUTE);
    await ada.press(offering(waits, 'Reject'), 'Reject');
    await desk.pass(2 * MINUTE);
    expect([stages(card).length, stages(waits).length]).toEqual([1, 0]);
    await desk.pass(2 * MINUTE);
    expect([stages(card).length, stages(waits).length]).toEqual([2, 0]);
    await desk.pass(2 * MINUTE);
    expect([stages(card).length, stages(waits).length]).toEqual([2, 1]);
    await desk.pass(5 * MINUTE);
    for (const each of [card, waits]) expect(each.offers('Claim')).toBe(true);
  });
});

appTest('nobody is nudged about a bid that waits, until it is canceled', async ({ desk, ada, ben }) => {
  await turnOn(desk, { 'Nudge the person on duty after': 3 });
  await setRules(ada, { 'Second approval above this amount': '0' });
  const card = await desk.market.publish({ ...SHOP, title: 'Waits' }).cardIn('web');
  await sendBid(ben, card, { 'Fixed-price bid': '600' });
  const nudges = () => card.replies().filter((it) => it.text.includes('unclaimed'));
  await desk.pass(10 * MINUTE);
  expect(nudges()).toEqual([]);
  await ben.press(offering(card, 'Cancel'), 'Cancel');
  await desk.pass(3 * MINUTE);
  expect(nudges()).toHaveLength(1);
});

appTest('a bid ends the clock, and is counted by person, filter and hour', async ({ desk, ada, ben }) => {
  await turnOn(desk, { 'Claims without a bid expire after': 30 });
  const card = await desk.market.publish({ title: 'A shop', clientQuestions: [] }).cardIn('web');
  await desk.pass(4 * MINUTE);
  await ben.press(card, 'Claim');
  await desk.pass(6 * MINUTE);
  expect(card.text).toMatch(/claim expires/iu);
  await sendBid(ben, card);
  expect(card.text).not.toMatch(/claim expires/iu);
  // By another name of its project, a bid counts with the card.
  const other = desk.market.publish({ title: 'An office', clientQuestions: [] });
  await other.cardIn('web');
  await (await ben.type(`/gig bid ${other.project.uid}`)).send({ 'Bidding setup': 'Fast setup' });
  await ben.close();
  const stats = await ada.type('/gig stats response');
  expect(stats.text).toMatch(/Card to claim: \*4 minutes/u);
  expect(stats.text).toMatch(/Publication to bid:.*\(2 cards\)/u);
  expect(stats.text).toContain('@ben');
  expect((await ada.home()).text).toMatch(/Median response this week: card/u);
  await ada.type('/gig digest now');
  await desk.pass(30_000);
  expect(ada.reads('web').at(-1)?.text).toMatch(/Median response: card .*claim .*bid/u);
});

appTest('an invitation has the same stages, once, over kills', async ({ desk, market, ada, ben }) => {
  market.service.addProfile({ id: 31, label: 'Ada Webb' });
  await ada.type('/gig subscribe invitations 31');
  await turnOn(desk, { 'Nudge the person on duty after': 3, 'Then nudge the lead after': 600 });
  await desk.pass(MINUTE);
  market.service.addInvitation({ profileId: 31, title: 'Chairs' });
  await desk.pass(2 * MINUTE);
  const card = ada.reads('web').find((it) => it.text.includes('Invitation: Chairs')) ?? expect.fail('none');
  expect(card.text).toMatch(/Claim by/u);
  await desk.pass(4 * MINUTE);
  const [nudge, ...more] = card.replies();
  expect(more).toEqual([]);
  expect(nudge?.text).toMatch(/@ada.*invitation is unclaimed/u);
  await desk.restart();
  await ben.press(nudge ?? card, 'Claim');
  await desk.pass(6 * MINUTE);
  expect(card.replies().at(-1)?.text).toContain("@ben's claim has no bid yet");
  await desk.restart();
  await desk.pass(5 * MINUTE);
  expect(card.offers('Claim')).toBe(true);
  expect(card.replies()).toHaveLength(3);
});
