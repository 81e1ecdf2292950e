/** Buttons pressed twice, by two people at once, too late, and by forged requests. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import type { SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';
import { startWorld, type World, wordsOf } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  world.marketplace.addFilter({ id: 101, name: 'React work' });
  world.marketplace.addSetup({ filter: { id: 101, name: 'React work' } });
  await world.gig('web', 'subscribe filter 101');
  await world.pass(20 * SECOND);
  world.marketplace.publishProject(101, { title: 'Rebuild our checkout', client: { country: 'Norway' } });
  await world.until('the card', () => world.told('web').length === 1, MINUTE);
});
afterAll(async () => {
  await world.stop();
});

function card(): SlackMessage {
  return world.cards('web')[0] ?? expect.fail('no card');
}

async function pressNow(words: string, user: string, on: SlackMessage): Promise<void> {
  const found = findPressable(on, words) ?? expect.fail(`nothing says “${words}” on: ${wordsOf(on)}`);
  const at = { message: on, user, actionId: found.actionId, blockId: found.blockId };
  if (found.kind === 'button') await world.slack.press({ ...at, value: found.value });
  else await world.slack.chooseOption({ ...at, option: found.option });
}

async function forge(actionId: string, value: string, user = 'ben'): Promise<void> {
  const { failure } = await world.slack.press({ message: card(), user, actionId, value, force: true });
  expect(failure).toBeUndefined();
  await world.pass(5 * SECOND);
}

function shownTo(user: string): SlackMessage {
  return world.slack.ephemerals(user, 'web').at(-1) ?? expect.fail('nothing was shown');
}

/** Channel messages with both a presser's name and this text. */
function inChannel(what: string): number {
  const people = ['ada', 'ben'].map((name) => `<@${world.slack.user(name).id}>`);
  const told = world.slack.messages('web').map(wordsOf);
  return told.filter((it) => it.includes(what) && people.some((each) => it.includes(each))).length;
}

describe('a forged press', () => {
  it.each([
    ['subscription_end', '{"filter":999}'],
    ['subscription_end', 'x'],
    ['mute_end', '{"kind":"word","value":"zz"}'],
    ['mute_end', '{}'],
    ['results_page', '{"filter":101,"page":3}'],
    ['results_page', ''],
    ['result_projects', '{"result":999,"page":1,"turn":true}'],
    ['result_projects', '{"result":-1}'],
    ['flood_show_more', ''],
    ['card_unskip', ''],
    ['unknown', 'x'],
    ['__proto__', 'x'],
  ])('%s with %s answers the person and leaves the card as it is', async (actionId, value) => {
    const before = [wordsOf(card()), world.slack.messages('web').length];
    await forge(actionId, value);
    expect([wordsOf(card()), world.slack.messages('web').length]).toEqual(before);
  });
});

describe('pressed twice at once', () => {
  it('a mute is told to the channel once, and so is its end', async () => {
    await pressNow('Mute', 'ben', card());
    await world.pass(SECOND);
    const view = world.slack.view('ben') ?? expect.fail('no window');
    const once = { user: 'ben', view, values: { mute: 'country' }, asItWas: true } as const;
    await Promise.all([world.slack.submitView(once), world.slack.submitView(once)]);
    await world.pass(5 * SECOND);
    expect(inChannel('Norway')).toBe(1);
    await world.gig('web', 'list', 'ben');
    const list = shownTo('ben');
    await Promise.all([pressNow('Unmute', 'ben', list), pressNow('Unmute', 'ben', list)]);
    await world.pass(5 * SECOND);
    expect(inChannel('Norway')).toBe(2);
  });

  it('an end of a subscription is told once, on two lists that are open', async () => {
    const before = inChannel('“React work” (101)');
    await world.gig('web', 'list', 'ben');
    await world.gig('web', 'list', 'ada');
    await Promise.all([
      pressNow('Unsubscribe', 'ben', shownTo('ben')),
      pressNow('Unsubscribe', 'ada', shownTo('ada')),
    ]);
    await world.pass(5 * SECOND);
    expect(inChannel('“React work” (101)')).toBe(before + 1);
  });
});

describe('later', () => {
  it('cards still work after the subscription has ended and after a crash', async () => {
    await pressNow('Claim', 'ben', card());
    await world.pass(5 * SECOND);
    expect(wordsOf(card())).toContain(`<@${world.slack.user('ben').id}>`);
    await world.crash();
    await world.restart();
    await pressNow('Release', 'ben', card());
    await world.pass(5 * SECOND);
    expect(findPressable(card(), 'Claim')).toBeDefined();
  });

  it('a list on which nothing is true any more says so', async () => {
    await forge('subscription_end', '{"filter":101}');
    const answer = wordsOf(shownTo('ben'));
    expect(answer).toMatch(/gone/u);
    expect(findPressable(shownTo('ben'), 'Subscriptions')).toBeDefined();
  });

  it('an answer that fits nowhere else comes as a direct message', async () => {
    world.slack.addChannel({ name: 'closed', withBot: false });
    world.slack.injectFault('response_url', { kind: 'status', status: 404 }, 1);
    await world.slack.runSlashCommand({ user: 'ben', channel: 'closed', text: 'list' });
    await world.pass(5 * SECOND);
    expect(world.slack.directMessages('ben').map(wordsOf).join()).toContain('This channel');
  });
});
