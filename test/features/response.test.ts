/** The response clock: nudges, claims that expire, and who is mentioned. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import type { SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';
import { pressButton, unsubscribe } from './buttons.ts';
import { hasButton, openResponseForm, ROUND_THE_CLOCK, setResponse } from './response-form.ts';
import { changeSettings, type FilledForm } from './settings-form.ts';
import { posted, postOf, startWorld, type World, wordsOf } from './world.ts';

let world: World;
// A Monday.
const START = Date.parse('2026-03-23T10:00:00Z');

async function begin(start = START): Promise<void> {
  world = await startWorld({ start });
  for (const name of ['cem', 'dora']) {
    world.slack.addUser({ name });
    world.slack.invite('web', name);
  }
  world.marketplace.addFilter({ id: 101, name: 'React work' });
  await world.gig('web', 'subscribe filter 101');
  await world.pass(20 * SECOND);
}

beforeEach(() => begin());
afterEach(async () => {
  expect(world.slack.failedCalls()).toEqual([]);
  await world.stop();
});

const id = (user: string) => world.slack.user(user).id;
const mention = (user: string) => `<@${id(user)}>`;
/** Stage messages, in threads and in the channel, in the order they were posted. */
const stages = () => {
  const threads = world.cards('web').flatMap(({ ts }) => world.slack.thread('web', ts));
  const all = [...threads, ...posted(world, 'response')].filter((it) => postOf(it).startsWith('response:'));
  return all.toSorted((a, b) => Number(a.ts) - Number(b.ts));
};
const stagesOf = ({ ts }: SlackMessage) => stages().filter(({ threadTs }) => threadTs === ts);
const texts = () => stages().map(wordsOf);

function card(at = 0): SlackMessage {
  return world.cards('web')[at] ?? expect.fail('no card');
}

/** Mentions cem first, then dora. */
async function turnOn(values: FilledForm = {}): Promise<void> {
  await setResponse(world, 'web', {
    ...ROUND_THE_CLOCK,
    'duty-user': id('cem'),
    'lead-user': id('dora'),
    ...values,
  });
}

async function publish(title = 'Rebuild our checkout', count = 1): Promise<void> {
  const before = world.told('web').length;
  for (let each = 0; each < count; each++) world.marketplace.publishProject(101, { title });
  await world.until('the cards', () => world.told('web').length === before + count, 2 * MINUTE);
}

async function press(label: string, user: string, message: SlackMessage): Promise<void> {
  await pressButton(world, { message }, label, user);
  await world.pass(2 * SECOND);
}

/** From a card's menu. */
async function choose(label: string, user: string, message: SlackMessage): Promise<void> {
  const found = findPressable(message, label) ?? expect.fail(`no ${label}`);
  if (found.kind !== 'option') return expect.fail(`${label} is not in a menu`);
  await world.slack.chooseOption({ message, user, ...found });
  await world.pass(SECOND);
}

async function crashAndRestart(): Promise<void> {
  await world.crash();
  await world.restart();
}

describe('An unclaimed card', () => {
  it('nudges whoever is on duty once in its thread, then the lead once, over crashes', async () => {
    await turnOn();
    await publish();
    const publishedAt = world.clock.now();
    await world.pass(8 * MINUTE);
    expect(stages()).toEqual([]);
    await world.pass(3 * MINUTE);
    expect(texts()).toHaveLength(1);
    expect(texts()[0]).toContain(mention('cem'));
    expect(texts()[0]).not.toContain(mention('dora'));
    expect(stages()[0]?.threadTs).toBe(card().ts);
    await crashAndRestart();
    await world.pass(7 * MINUTE);
    expect(texts()).toHaveLength(1);
    await world.pass(3 * MINUTE);
    expect(texts()).toHaveLength(2);
    expect(texts()[1]).toContain(mention('dora'));
    expect(world.clock.now()).toBeGreaterThan(publishedAt + 20 * MINUTE);
    await crashAndRestart();
    await world.pass(40 * MINUTE);
    expect(texts()).toHaveLength(2);
  });

  it('nudges nobody while the clock is off, or once it was claimed, skipped, muted or shared', async () => {
    await publish();
    await world.pass(25 * MINUTE);
    expect(stages()).toEqual([]);
    await turnOn({ 'claim-expiry': '0' });
    await publish('Claimed');
    await publish('Skipped');
    await press('Claim', 'ben', card(1));
    await choose('Skip', 'ben', card(2));
    await world.slack.submitView({ user: 'ben', values: { reason: 'client' } });
    world.marketplace.publishProject(101, { title: 'Muted', client: { country: 'Norway' } });
    await world.until('the card', () => world.told('web').length === 4, 2 * MINUTE);
    await choose('Mute', 'ben', card(3));
    await world.slack.submitView({ user: 'ben', values: { mute: 'country' } });
    await unsubscribe(world, 'web', '101');
    const { ciphertext } = world.marketplace.publishProject(101, { title: 'Shared' });
    await world.gig('web', `lookup ${ciphertext}`, 'ben');
    const answer = world.slack.ephemerals('ben', 'web').at(-1) ?? expect.fail('no answer');
    await press('Share to Channel', 'ben', answer);
    await world.until('the cards', () => world.told('web').length === 5, 2 * MINUTE);
    await world.pass(40 * MINUTE);
    expect(stages()).toEqual([]);
  });

  it('can be snoozed, which postpones the lead', async () => {
    await turnOn();
    await publish();
    await world.pass(11 * MINUTE);
    const [nudge] = stages();
    await press('Snooze', 'cem', nudge ?? expect.fail('no nudge'));
    await world.pass(28 * MINUTE);
    expect(texts()).toHaveLength(1);
    await world.pass(4 * MINUTE);
    expect(texts()).toHaveLength(2);
  });

  it('shares one message with others that are due at the same time', async () => {
    await turnOn();
    await publish('Chairs & tables', 4);
    await world.pass(12 * MINUTE);
    expect(texts()).toHaveLength(1);
    expect(stages()[0]?.threadTs).toBeUndefined();
    expect(texts()[0]?.match(new RegExp(mention('cem'), 'gu'))?.length).toBeLessThanOrEqual(2);
    await world.pass(12 * MINUTE);
    expect(texts()).toHaveLength(2);
  });

  it('gets only the latest stage after a downtime', async () => {
    await turnOn();
    await publish();
    await world.crash();
    world.clock.moveBy(3 * HOUR);
    await world.restart();
    await world.pass(5 * MINUTE);
    expect(texts()).toHaveLength(1);
    expect(texts()[0]).toContain(mention('dora'));
  });

  it('waits in a pause and in quiet hours, and counts no time outside working hours', async () => {
    await turnOn({ 'hours-from': '09:00', 'hours-to': '10:10' });
    await publish('Late');
    await world.pass(HOUR);
    expect(stages()).toEqual([]);
    world.clock.moveTo(START + DAY - HOUR - 10 * MINUTE);
    await world.pass(9 * MINUTE);
    expect(stages()).toEqual([]);
    await world.pass(8 * MINUTE);
    expect(texts()).toHaveLength(1);
    await turnOn();
    await publish('Paused');
    await world.gig('web', 'pause');
    await world.pass(30 * MINUTE);
    expect(texts()).toHaveLength(1);
    await world.gig('web', 'pause off');
    await world.pass(15 * MINUTE);
    expect(texts()).toHaveLength(2);
  });

  it('that came in quiet hours has its time after them; a nudge that is due in them waits', async () => {
    await turnOn();
    await publish('Before');
    await changeSettings(world, 'web', {
      quiet: ['daily'],
      'quiet-from': '10:05',
      'quiet-to': '11:00',
      timezone: 'UTC',
    });
    world.clock.moveTo(START + 6 * MINUTE);
    world.marketplace.publishProject(101, { title: 'During' });
    await world.pass(53 * MINUTE);
    expect(stages()).toEqual([]);
    await world.pass(3 * MINUTE);
    expect(texts()).toHaveLength(1);
    await world.pass(7 * MINUTE);
    expect(world.told('web')).toHaveLength(2);
    expect(texts()).toHaveLength(1);
    await world.pass(4 * MINUTE);
    expect(texts()).toHaveLength(2);
  });

  it('is never nudged about twice when the clock is set back', async () => {
    await turnOn();
    await publish();
    await world.pass(11 * MINUTE);
    expect(texts()).toHaveLength(1);
    world.skew.ms = -5 * HOUR;
    await world.pass(2 * HOUR);
    expect(texts().filter((it) => it.includes(mention('cem')))).toHaveLength(1);
    world.skew.ms = 0;
    await world.pass(HOUR);
    expect(texts().filter((it) => it.includes(mention('cem')))).toHaveLength(1);
    expect(texts()).toHaveLength(2);
  });
});

describe("While this server's clock is hours ahead", () => {
  it('nobody is nudged and no claim is released; then each card has its own time', async () => {
    await turnOn();
    await publish('Claimed');
    await press('Claim', 'ben', card());
    await publish('Free');
    world.skew.ms = 5 * HOUR;
    await world.pass(9 * MINUTE);
    expect(stages()).toEqual([]);
    expect(hasButton(card(), 'Release')).toBe(true);
    world.marketplace.publishProject(101, { title: 'Published meanwhile' });
    await world.pass(5 * MINUTE);
    expect(stages()).toEqual([]);
    world.skew.ms = 0;
    await world.until('its card', () => world.told('web').length === 3, 5 * MINUTE);
    await world.pass(2 * MINUTE);
    expect(hasButton(card(), 'Release')).toBe(true);
    expect(stagesOf(card(0))).toEqual([]);
    expect(stagesOf(card(1))).toHaveLength(1);
    await world.pass(12 * MINUTE);
    expect(stagesOf(card(2))).toHaveLength(1);
    await world.pass(HOUR);
    expect(hasButton(card(), 'Claim')).toBe(true);
  });
});

describe('A claim without a bid', () => {
  it('is warned about, expires with a note, and can be claimed again', async () => {
    await turnOn();
    await publish();
    await press('Claim', 'ben', card());
    await world.pass(48 * MINUTE);
    expect(stages()).toEqual([]);
    await world.pass(4 * MINUTE);
    expect(texts()).toHaveLength(1);
    expect(texts()[0]).toContain(mention('ben'));
    expect(hasButton(card(), 'Release')).toBe(true);
    await crashAndRestart();
    await world.pass(10 * MINUTE);
    expect(texts()).toHaveLength(2);
    expect(hasButton(card(), 'Claim')).toBe(true);
    await press('Claim Again', 'ben', stages()[1] ?? expect.fail('no note'));
    expect(hasButton(card(), 'Release')).toBe(true);
    await crashAndRestart();
    await world.pass(30 * MINUTE);
    expect(texts()).toHaveLength(2);
  });

  it('is extended with one press by its person, not by others', async () => {
    await turnOn();
    await publish();
    await press('Claim', 'ben', card());
    await world.pass(52 * MINUTE);
    const warning = stages()[0] ?? expect.fail('no warning');
    await press('Extend', 'cem', warning);
    expect(world.slack.ephemerals('cem', 'web').map(wordsOf).join()).toContain(mention('ben'));
    await press('Extend', 'ben', warning);
    await world.pass(45 * MINUTE);
    expect(hasButton(card(), 'Release')).toBe(true);
    expect(texts()).toHaveLength(1);
    await world.pass(20 * MINUTE);
    expect(hasButton(card(), 'Claim')).toBe(true);
  });

  it('restarts its time when it is released and claimed by another', async () => {
    await turnOn();
    await publish();
    await press('Claim', 'ben', card());
    await world.pass(40 * MINUTE);
    await press('Release', 'ben', card());
    await press('Claim', 'cem', card());
    await world.pass(45 * MINUTE);
    expect(stages()).toEqual([]);
    await world.pass(10 * MINUTE);
    expect(texts()).toHaveLength(1);
    expect(texts()[0]).toContain(mention('cem'));
    expect(hasButton(card(), 'Release')).toBe(true);
  });
});

describe('Whoever is on duty', () => {
  it('is skipped for the lead when they left, which the form says', async () => {
    world.slack.addUserGroup({ id: 'S0DESK', handle: 'desk', users: ['ben'] });
    await turnOn({ 'duty-user': null, 'duty-group': 'S0DESK' });
    await publish();
    await world.pass(11 * MINUTE);
    expect(texts()[0]).toContain('<!subteam^S0DESK>');
    world.slack.removeUserGroup('S0DESK');
    await publish('Second');
    await world.pass(11 * MINUTE);
    expect(texts().filter((it) => it.includes('subteam'))).toHaveLength(1);
    expect(texts().at(-1)).toContain(mention('dora'));
    world.slack.deactivate('dora');
    await world.pass(10 * MINUTE);
    await publish('Third');
    await world.pass(11 * MINUTE);
    expect(texts().at(-1)).not.toMatch(/<@|<!subteam/u);
    const view = await openResponseForm(world, 'web');
    expect(JSON.stringify(view.blocks)).toContain('S0DESK');
    expect(JSON.stringify(view.blocks)).toMatch(/Couldn't mention/u);
  });
});

describe('The form', () => {
  it('says all mistakes at once, each at its field', async () => {
    const view = await openResponseForm(world, 'web');
    const { errors } = await world.slack.submitView({
      user: 'ada',
      view,
      values: {
        'claim-target': '0',
        'nudge-after': '99999',
        'claim-expiry': '2',
        'work-days': [],
        'hours-from': '09:00',
        'hours-to': '09:00',
      },
    });
    expect(Object.keys(errors).sort()).toEqual([
      'claim-expiry',
      'claim-target',
      'hours-to',
      'nudge-after',
      'work-days',
    ]);
  });

  it('announces a change in the channel and in the audit log', async () => {
    await turnOn({ 'claim-target': '7' });
    const said = world.slack.messages('web').filter((it) => postOf(it).startsWith('announcement'));
    expect(said.map(wordsOf).join()).toContain('7 minutes');
    expect(said.map(wordsOf).join()).toMatch(
      new RegExp(`duty.*${mention('cem')}[^]*Lead.*${mention('dora')}`, 'u'),
    );
    expect(await world.gig('web', 'audit')).toContain('claim target');
    expect(await world.gig('web', 'settings', 'ben')).toBe('');
    const view = world.slack.view('ben') ?? expect.fail('no view');
    expect(hasButton(view, 'Response Times')).toBe(false);
    expect(JSON.stringify(view.blocks)).toMatch(new RegExp(`7 minutes.*duty: ${mention('cem')}`, 'u'));
  });

  it('announces who is on duty, groups by their handle', async () => {
    const said = () => world.slack.messages('web').filter((it) => postOf(it).startsWith('announcement'));
    world.slack.addUserGroup({ id: 'S0DESK', handle: 'desk', users: ['ben'] });
    await turnOn();
    expect(wordsOf(said().at(-1) ?? card())).toContain(`On duty: ${mention('cem')}`);
    await setResponse(world, 'web', { 'duty-user': null, 'duty-group': 'S0DESK' });
    expect(wordsOf(said().at(-1) ?? card())).toContain('@desk');
    expect(wordsOf(said().at(-1) ?? card())).not.toMatch(/subteam|Lead/u);
  });
});

describe('A card', () => {
  it('shows its deadlines with date tokens, and is edited only when its state changes', async () => {
    await turnOn({ 'claim-expiry': '0', 'nudge-after': '600', 'lead-after': '600' });
    await publish();
    expect(wordsOf(card())).toMatch(/[Cc]laim by <!date\^\d+\^/u);
    const edits = () => world.slack.apiCalls('chat.update').length;
    const before = edits();
    await world.pass(HOUR);
    expect(edits()).toBe(before);
    await press('Claim', 'ben', card());
    expect(edits()).toBe(before + 1);
    await world.pass(HOUR);
    expect(edits()).toBe(before + 1);
  });
});
