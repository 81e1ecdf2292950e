/** The response clock: who is nudged about a card that nobody takes, and what ends a nudge. */
import { describe, expect } from 'vitest';
import { HOUR, MINUTE } from '../../src/clock.ts';
import { appTest } from '../kit/app-test.ts';
import type { Input, Person } from '../kit/person.ts';
import type { Message } from '../kit/read-screen.ts';
import { type Desk, sendBid } from '../kit/start-desk.ts';

const WEEK = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const BY_DAY_AND_NIGHT: Input = {
  'Targets and nudges': ['Show targets'],
  'Nudge the person on duty after': 3,
  'Then nudge the lead after': 3,
  'Claims without a bid expire after': 0,
  'Working days': WEEK,
  'Working hours from': null,
  'Working hours until': null,
};

/** Nudges cem after 3 minutes, and dora after 3 more. */
async function turnOn(desk: Desk, input: Input = {}): Promise<void> {
  const ada = desk.person('ada');
  for (const name of ['cem', 'dora']) desk.person(name);
  const form = await (await ada.type('/gig settings')).press('Response Times');
  await form.send({ ...BY_DAY_AND_NIGHT, 'On duty: person': 'cem', 'Lead: person': 'dora', ...input });
  await ada.close();
}

const publish = (desk: Desk, title = 'A shop', more: object = {}) =>
  desk.market.publish({ title, ...more }).cardIn('web');

/** Nudges in a card's thread. */
const nudges = (card: Message) => card.replies().filter((it) => /unclaimed/u.test(it.text));
/** Nudges about several cards, in the channel. */
const shared = (by: Person) => by.reads('web').filter((it) => /cards?.* unclaimed/u.test(it.text));

const first = (messages: readonly Message[]) => messages[0] ?? expect.fail('no nudge');

/** It has no button, and says what happened. */
function expectOver(nudge: Message, words: RegExp): void {
  expect(nudge.text).toMatch(words);
  expect(['Claim', 'Snooze 30 Min'].filter((it) => nudge.offers(it))).toEqual([]);
}

async function skip(by: Person, card: Message): Promise<void> {
  await (await by.press(card, 'Skip')).send({ Reason: 'Poor client' });
  await by.close();
}

describe('an unclaimed card', () => {
  appTest('nudges whoever is on duty once, then the lead once, over kills', async ({ desk, ben }) => {
    await turnOn(desk);
    const card = await publish(desk);
    expect(card.text).toMatch(/Claim by .*\d/u);
    await desk.pass(2 * MINUTE);
    expect(nudges(card)).toEqual([]);
    await desk.pass(2 * MINUTE);
    const nudge = first(nudges(card));
    expect(nudge.text).toContain('@cem');
    expect(nudge.text).not.toContain('@dora');
    await desk.restart();
    await desk.pass(3 * MINUTE);
    const [, second, ...more] = nudges(card);
    expect(more).toEqual([]);
    expect(second?.text).toContain('@dora');
    expectOver(nudge, /second nudge/u);
    await desk.restart();
    await desk.pass(30 * MINUTE);
    expect(nudges(card)).toHaveLength(2);
    if (second) await ben.press(second, 'Claim');
    expect(card.text).toContain('Claimed by @ben');
    for (const each of nudges(card).slice(1)) expectOver(each, /@ben claimed it/u);
    await ben.press(card, 'Release');
    await desk.restart();
    await desk.pass(2 * MINUTE);
    for (const each of nudges(card).slice(1)) expectOver(each, /@ben claimed it/u);
  });

  appTest(
    'nudges nobody before the clock is on, or once people dealt with it',
    async ({ desk, ada, ben }) => {
      const before = await publish(desk, 'Before');
      await turnOn(desk);
      const [claimed, skipped, muted] = [
        await publish(desk, 'Claimed'),
        await publish(desk, 'Skipped'),
        await publish(desk, 'Muted', { client: { country: 'Norway' } }),
      ];
      await ben.press(claimed, 'Claim');
      await skip(ben, skipped);
      await (await ben.press(muted, 'Mute')).send({ 'What to mute': 'Client country: Norway' });
      await ben.close();
      const { ciphertext } = desk.market.publish({ title: 'Shared' }, []).project;
      await (await ben.type(`/gig lookup ${ciphertext}`)).press('Share to Channel');
      await desk.pass(12 * MINUTE);
      for (const card of [before, claimed, skipped, muted, ...ada.reads('web')])
        expect(nudges(card)).toEqual([]);
      expect(shared(ada)).toEqual([]);
    },
  );

  appTest('says on its nudge what happened elsewhere, or that it is snoozed', async ({ desk, ada, ben }) => {
    await turnOn(desk, { 'Then nudge the lead after': 10 });
    const nudged = async (title: string) => {
      const card = await publish(desk, title);
      await desk.pass(4 * MINUTE);
      const nudge = first(nudges(card));
      expect(nudge.offers('Claim')).toBe(true);
      return { card, nudge };
    };
    const skipped = await nudged('Skipped');
    await skip(ben, skipped.card);
    const assigned = await nudged('Assigned');
    await (await ada.press(assigned.card, 'Assign')).send({ 'Assign to': 'ben' });
    const bidOn = await nudged('Bid on');
    await sendBid(ben, bidOn.card);
    const snoozed = await nudged('Snoozed');
    await ada.press(snoozed.nudge, 'Snooze');
    expectOver(snoozed.nudge, /@ada snoozed it until/u);
    const open = await nudged('A house for bears');
    await desk.pass(2 * MINUTE);
    expectOver(skipped.nudge, /@ben skipped it/u);
    expectOver(assigned.nudge, /assigned to @ben/u);
    expectOver(bidOn.nudge, /has a bid now/u);
    await desk.pass(10 * MINUTE);
    expect([nudges(snoozed.card).length, nudges(open.card).length]).toEqual([1, 2]);
    await ben.press(snoozed.card, 'Claim');
    await desk.pass(MINUTE);
    const last = await nudged('A stable for zebras');
    await turnOn(desk, { 'Targets and nudges': [] });
    await desk.pass(2 * MINUTE);
    expectOver(snoozed.nudge, /@ben claimed it/u);
    expectOver(last.nudge, /No more nudges/u);
  });

  appTest('shares one message with others, which loses the buttons of each', async ({ desk, ada, ben }) => {
    await turnOn(desk);
    const { service } = desk.market;
    const [shop, office] = ['A shop', 'An office'].map((title) =>
      service.publishProject(101, { title, client: { country: 'Chile' } }),
    );
    service.publishProject(101, { title: 'A fjord', client: { country: 'Norway' } });
    await desk.pass(MINUTE);
    const cardOf = (title = '') =>
      ada.reads('web').find((it) => it.text.includes(title) && it.offers('Claim')) ?? expect.fail(title);
    const fjord = cardOf('A fjord');
    await desk.pass(3 * MINUTE);
    const message = first(shared(ada));
    expect(message.text).toContain('3 cards unclaimed');
    expect(message.text.match(/@cem/gu)?.length).toBeLessThanOrEqual(2);
    await ben.press(cardOf(shop?.title), 'Claim');
    await (await ben.press(fjord, 'Mute')).send({ 'What to mute': 'Client country: Norway' });
    await ben.close();
    await desk.pass(MINUTE);
    expect(message.text).toContain('1 of 3 cards unclaimed');
    for (const end of ['@ben claimed it', '@ben muted projects like this one'])
      expect(message.text).toContain(end);
    await desk.restart();
    await (await ben.type('/gig list')).press('Unmute');
    await desk.pass(3 * MINUTE);
    const lead = shared(ada).at(-1);
    for (const words of ['2 cards unclaimed', 'A fjord', 'An office', '@dora'])
      expect(lead?.text).toContain(words);
    await ben.press(cardOf(office?.title), 'Claim');
    await desk.pass(MINUTE);
    expect(lead?.text).toContain('1 of 2 cards');
    expectOver(message, /3 cards were unclaimed/u);
  });

  appTest('gets the latest stage alone after a downtime, and none in a pause', async ({ desk, ada }) => {
    await turnOn(desk);
    const card = await publish(desk);
    await desk.restart(3 * HOUR);
    await desk.pass(5 * MINUTE);
    expect(nudges(card)).toHaveLength(1);
    expect(first(nudges(card)).text).toContain('@dora');
    const later = await publish(desk, 'Paused');
    await ada.type('/gig pause');
    await desk.pass(12 * MINUTE);
    expect(nudges(later)).toEqual([]);
    await ada.type('/gig pause off');
    await desk.pass(11 * MINUTE);
    expect(first(nudges(later)).text).toContain('@dora');
  });

  appTest('of quiet hours has its time after them; a nudge waits for their end', async ({ desk, ada }) => {
    await turnOn(desk);
    const card = await publish(desk);
    const at = (ms: number) => new Date(desk.app.clock.now() + ms).toISOString().slice(11, 16);
    await (await (await ada.type('/gig settings')).press('Quiet Hours')).send({
      'Quiet hours': ['Every day'],
      'Quiet from': at(-HOUR),
      'Quiet until': at(30 * MINUTE),
      'Time zone': 'UTC',
    });
    await ada.close();
    const during = desk.market.publish({ title: 'During' });
    await desk.pass(27 * MINUTE);
    expect(nudges(card)).toEqual([]);
    await desk.pass(4 * MINUTE);
    expect(nudges(card)).toHaveLength(1);
    const held = await during.cardIn('web');
    expect(nudges(held)).toEqual([]);
    await desk.pass(4 * MINUTE);
    expect(nudges(held)).not.toEqual([]);
  });
});

describe("while this server's clock is wrong", () => {
  appTest('by hours ahead, nobody is nudged and no claim released', async ({ desk, app, ben }) => {
    const stages = { 'Nudge the person on duty after': 10, 'Then nudge the lead after': 10 };
    await turnOn(desk, { ...stages, 'Claims without a bid expire after': 30 });
    const claimed = await publish(desk, 'Claimed');
    await ben.press(claimed, 'Claim');
    const free = await publish(desk, 'Free');
    app.skew.ms = 5 * HOUR;
    await desk.pass(9 * MINUTE);
    const meanwhile = desk.market.publish({ title: 'Meanwhile' });
    await desk.pass(5 * MINUTE);
    expect([...nudges(free), ...claimed.replies()]).toEqual([]);
    app.skew.ms = 0;
    const late = await meanwhile.cardIn('web');
    await desk.pass(2 * MINUTE);
    expect(nudges(free)).toHaveLength(1);
    expect(claimed.offers('Release')).toBe(true);
    await desk.pass(12 * MINUTE);
    expect(nudges(late)).not.toEqual([]);
    await desk.pass(20 * MINUTE);
    expect(claimed.offers('Claim')).toBe(true);
  });

  appTest('and set back, nobody is nudged twice', async ({ desk, app }) => {
    await turnOn(desk);
    const card = await publish(desk);
    await desk.pass(4 * MINUTE);
    app.skew.ms = -5 * HOUR;
    await desk.pass(20 * MINUTE);
    app.skew.ms = 0;
    await desk.pass(10 * MINUTE);
    expect(nudges(card).filter((it) => it.text.includes('@cem'))).toHaveLength(1);
    expect(nudges(card)).toHaveLength(2);
  });
});

describe('the form', () => {
  appTest('announces what changed, and skips whoever is gone', async ({ desk, slack, ada, ben }) => {
    slack.addUserGroup({ id: 'S0DESK', handle: 'desk', users: ['ben'] });
    await turnOn(desk, { 'Claim target': 7 });
    const said = () =>
      ada.reads('web').findLast((it) => it.text.includes('changed the response times'))?.text;
    expect(said()).toMatch(/Claim target: 7 minutes[\s\S]*On duty: @cem[\s\S]*Lead: @dora/u);
    const settings = await ben.type('/gig settings');
    expect(settings.offers('Response Times')).toBe(false);
    expect(settings.text).toMatch(/7 minutes[\s\S]*duty: @cem/u);
    await turnOn(desk, { 'On duty: person': null, 'On duty: user group': '@desk' });
    expect(said()).toMatch(/On duty: .*@desk/u);
    expect(said()).not.toContain('Lead');
    const nudged = async (title: string) => {
      const card = await publish(desk, title);
      await desk.pass(4 * MINUTE);
      return first(nudges(card)).text;
    };
    expect(await nudged('With a group')).toMatch(/desk|S0DESK/u);
    slack.removeUserGroup('S0DESK');
    expect(await nudged('With a lead')).toContain('@dora');
    slack.deactivate('dora');
    await desk.pass(10 * MINUTE);
    expect(await nudged('With nobody')).not.toMatch(/@dora|desk/u);
    const form = await (await ada.type('/gig settings')).press('Response Times');
    expect(form.text).toMatch(/Couldn't mention/u);
    const mistakes = await form.send({ 'Claim target': 0, 'Working days': [] });
    for (const mistake of ['Enter whole minutes', 'Choose at least one'])
      expect(mistakes.text).toContain(mistake);
    expect((await ada.type('/gig audit')).text).toContain('claim target');
  });

  appTest('leads to cards that are edited only when their state changes', async ({ desk, slack, ben }) => {
    await turnOn(desk, { 'Nudge the person on duty after': 600 });
    const card = await publish(desk);
    const edits = () => slack.apiCalls('chat.update').length;
    const before = edits();
    await desk.pass(30 * MINUTE);
    expect(edits()).toBe(before);
    await ben.press(card, 'Claim');
    await desk.pass(30 * MINUTE);
    expect(edits()).toBe(before + 1);
  });
});
