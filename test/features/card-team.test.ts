/** What a team does with a card: skip and mute with a preview, assign. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import type { SlackMessage, SlackView } from '../../src/workbench/slack/simulated-slack.ts';
import { startWorld, type World, wordsOf } from './world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld({ start: Date.parse('2026-03-28T15:00:00Z') });
  world.slack.addUser({ name: 'cem' });
  world.slack.addUser({ name: 'gus', guest: 'multi' });
  world.slack.invite('web', 'cem');
  world.marketplace.addFilter({ id: 101, name: 'React work' });
  await world.gig('web', 'subscribe filter 101');
  await world.pass(20 * SECOND);
  world.marketplace.publishProject(101, { title: 'Rebuild our checkout', client: { country: 'Norway' } });
  await world.until('the card', () => world.told('web').length === 1, MINUTE);
});
afterEach(async () => {
  expect(world.slack.failedCalls()).toEqual([]);
  await world.stop();
});

function card(): SlackMessage {
  return world.cards('web')[0] ?? expect.fail('no card');
}

function view(user: string): SlackView {
  return world.slack.view(user) ?? expect.fail(`no window for ${user}`);
}

const mention = (user: string) => `<@${world.slack.user(user).id}>`;
const direct = (user: string) => world.slack.directMessages(user).map(wordsOf);
const toldAlone = (user: string) => world.slack.ephemerals(user, 'web').map(wordsOf).join('\n');

async function press(words: string, user = 'ben', on: SlackMessage = card()): Promise<void> {
  const found = findPressable(on, words) ?? expect.fail(`nothing says “${words}” on: ${wordsOf(on)}`);
  const at = { message: on, user, actionId: found.actionId, blockId: found.blockId };
  if (found.kind === 'button') await world.slack.press({ ...at, value: found.value });
  else await world.slack.chooseOption({ ...at, option: found.option });
  await world.pass(SECOND);
}

async function submit(values: Readonly<Record<string, string>>, user = 'ben'): Promise<void> {
  const { errors } = await world.slack.submitView({ user, values });
  expect(errors).toEqual({});
  await world.pass(2 * SECOND);
}

/** Jumps to a time; nothing runs until then. */
async function beDownUntil(at: number): Promise<void> {
  await world.crash();
  world.clock.moveTo(at);
  await world.restart();
  await world.pass(MINUTE);
}

describe('Skip and Mute', () => {
  it('say before what a mute would have hidden, and do both at once', async () => {
    world.marketplace.publishProject(101, { title: 'Chairs', client: { country: 'Norway' } });
    world.marketplace.publishProject(101, { title: 'Tables', client: { country: 'Japan' } });
    await world.until('the cards', () => world.told('web').length === 3, MINUTE);
    await press('Mute');
    expect(JSON.stringify(view('ben').blocks)).toMatch(/Norway.*2 of the last 3/u);
    await world.slack.closeView({ user: 'ben' });
    await press('Skip');
    expect(JSON.stringify(view('ben').blocks)).toMatch(/2 of 3: [^"]*Norway/u);
    await submit({ reason: 'client', mute: 'country' });
    expect(findPressable(card(), 'Undo Skip')).toBeDefined();
    expect(world.slack.messages('web').map(wordsOf).join()).toContain('clients in Norway');
    world.marketplace.publishProject(101, { title: 'Shelves', client: { country: 'Norway' } });
    await world.pass(2 * MINUTE);
    expect(world.told('web')).toHaveLength(3);
  });

  it('leave a project alone that a colleague claimed while the window was open', async () => {
    await press('Skip');
    await press('Claim', 'cem');
    await submit({ reason: 'other' });
    expect(findPressable(card(), 'Release')).toBeDefined();
    expect(toldAlone('ben')).toContain(mention('cem'));
  });
});

describe('Assign', () => {
  it('claims the project for a colleague, who gets one message with a link, and may release it', async () => {
    await press('Assign');
    await submit({ assignee: world.slack.user('cem').id });
    expect(wordsOf(card())).toMatch(new RegExp(`${mention('cem')}.*${mention('ben')}`, 'u'));
    expect(direct('cem')).toHaveLength(1);
    expect(direct('cem')[0]).toContain('Rebuild our checkout');
    await world.crash();
    await world.restart();
    await press('Assign', 'ada');
    await submit({ assignee: world.slack.user('cem').id }, 'ada');
    await world.pass(MINUTE);
    expect(direct('cem')).toHaveLength(1);
    await press('Release', 'cem');
    expect(findPressable(card(), 'Claim')).toBeDefined();
  });

  it('refuses a guest, and a colleague who is not in a private channel', async () => {
    await press('Assign');
    await submit({ assignee: world.slack.user('gus').id });
    expect(toldAlone('ben')).toContain(mention('gus'));
    world.slack.addChannel({ name: 'den', private: true, members: ['ada', 'ben'] });
    await world.gig('den', 'subscribe filter 101', 'ada');
    world.marketplace.publishProject(101, { title: 'Secret chairs' });
    await world.until('its card', () => world.told('den').length === 1, MINUTE);
    const secret = world.cards('den')[0] ?? expect.fail('no card');
    await press('Assign', 'ben', secret);
    await submit({ assignee: world.slack.user('cem').id });
    expect(world.slack.ephemerals('ben', 'den').map(wordsOf).join()).toContain(mention('cem'));
    expect([...direct('gus'), ...direct('cem')]).toEqual([]);
    expect(findPressable(card(), 'Claim')).toBeDefined();
  });

  it('by two at once gives it to one of them, and tells the other', async () => {
    await press('Assign', 'ben');
    await press('Assign', 'cem');
    const [ada, cem] = [world.slack.user('ada').id, world.slack.user('cem').id];
    await Promise.all([submit({ assignee: ada }, 'ben'), submit({ assignee: cem }, 'cem')]);
    const isAdas = wordsOf(card()).includes(ada);
    expect(toldAlone(isAdas ? 'cem' : 'ben')).toContain(isAdas ? ada : cem);
    expect(direct('ada')).toHaveLength(isAdas ? 1 : 0);
  });
});

describe('a window that is open too long', () => {
  it('does nothing after a day, and says so', async () => {
    await press('Assign');
    const open = view('ben');
    await beDownUntil(world.clock.now() + DAY + HOUR);
    // Old windows are deleted when others open.
    await press('Assign', 'cem');
    const assignee = world.slack.user('cem').id;
    const late = await world.slack.submitView({ user: 'ben', view: open, values: { assignee } });
    expect(late.action).toBe('update');
    expect(findPressable(card(), 'Claim')).toBeDefined();
  });
});
