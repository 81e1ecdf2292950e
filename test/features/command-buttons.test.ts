/** Buttons that do what a message would otherwise ask people to type, with the rights of typing it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import type { SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';
import { refusalFor } from './as-read.ts';
import { press } from './bidder.ts';
import { FAST, posted, startWorld, type World, wordsOf } from './world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld(FAST);
  world.marketplace.addFilter({ id: 101, name: 'React work' });
  await world.gig('web', 'subscribe filter 101');
  await world.pass(20 * SECOND);
});
afterEach(async () => {
  const failed = world.slack.failedCalls().filter(({ error }) => error !== 'is_archived');
  expect(failed).toEqual([]);
  await world.stop();
});

const newest = (user: string) => world.slack.ephemerals(user, 'web').at(-1) ?? expect.fail('no answer');
/** What the channel reads of a person after a message. */
const newsOf = (user: string, after: SlackMessage) =>
  world.slack
    .messages('web')
    .filter((it) => it.ts > after.ts && wordsOf(it).includes(`<@${world.slack.user(user).id}>`));
const last = (): SlackMessage => world.slack.messages('web').at(-1) ?? expect.fail('no message');

async function pressed(words: string, message: SlackMessage, user: string): Promise<void> {
  await press(world, words, { message }, user);
  await world.pass(2 * SECOND);
}

async function publish(): Promise<number> {
  world.marketplace.publishProject(101);
  await world.pass(2 * MINUTE);
  return world.told('web').length;
}

describe('Resume on a pause', () => {
  it('does what an admin would type; others are refused, and a second press changes nothing', async () => {
    await world.gig('web', 'pause');
    const pause = last();
    await pressed('Resume', pause, 'ben');
    expect(wordsOf(newest('ben'))).toContain(refusalFor('admin'));
    expect(await publish()).toBe(0);
    await pressed('Resume', pause, 'ada');
    expect(newsOf('ada', pause)).toHaveLength(1);
    expect(await publish()).toBe(2);
    await pressed('Resume', pause, 'ada');
    expect(newsOf('ada', pause)).toHaveLength(1);
    await pressed('Subscriptions', newest('ada'), 'ada');
    expect(wordsOf(newest('ada'))).toContain('101');
  });

  it('in a direct message restarts the channel that it is about, for those who may do it there', async () => {
    world.slack.archive('web');
    await publish();
    const notice = world.slack.directMessages('ada').at(-1) ?? expect.fail('no notice');
    world.slack.unarchive('web');
    await pressed('Resume', notice, 'ada');
    const answer = world.slack.directMessages('ada').at(-1);
    expect(answer && wordsOf(answer)).toContain(`<#${world.slack.channel('web').id}>`);
    expect(await publish()).toBe(2);
  });
});

describe('Set Budget on the notice that a budget is spent', () => {
  it('opens a form that only an admin of the channel can save, and the feed goes on', async () => {
    await world.gig('web', 'budget 5');
    await publish();
    const notice = posted(world, 'notice').at(-1) ?? expect.fail('no notice');
    await pressed('Set Budget', notice, 'ben');
    expect(world.slack.view('ben')).toBeUndefined();
    await pressed('Set Budget', notice, 'ada');
    await world.slack.submitView({ user: 'ada', values: { budget: 'lots' } });
    expect(world.slack.view('ada')).toBeDefined();
    await world.slack.submitView({ user: 'ada', values: { budget: '300' } });
    await world.pass(2 * MINUTE);
    expect(world.slack.messages('web').map(wordsOf).join('\n')).toMatch(/\b300\b/u);
    expect(world.told('web')).toHaveLength(1);
  });
});
