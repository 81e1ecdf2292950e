/**
 * A backlog arrives as one summary per channel, of projects and of invitations, even while it grows. Here at
 * the level “everything”.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { actionIds } from '../../src/slack/kit/ids.ts';
import type { SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';
import { buttonsOf } from './buttons.ts';
import { expectHealthy } from './healthy.ts';
import { changeSettings } from './settings-form.ts';
import { FAST, posted, startWorld, type World, type WorldOptions, wordsOf } from './world.ts';

let world: World;
afterEach(() => world.stop());

async function begin(options: WorldOptions = FAST): Promise<World> {
  world = await startWorld(options);
  world.marketplace.addFilter({ id: 101, name: 'React work' });
  world.marketplace.addProfile({ id: 31, label: 'Ada Webb' });
  await world.gig('web', 'budget off');
  await changeSettings(world, 'web', { level: 'everything' });
  return world;
}

/** Messages with a button that posts their items as cards. */
function summaries(): readonly SlackMessage[] {
  return world.slack.messages('web').filter((it) => JSON.stringify(it.blocks).includes(actionIds.showMore));
}

function onlySummary(): SlackMessage {
  const [first, ...more] = summaries();
  expect(more.map(wordsOf)).toEqual([]);
  return first ?? expect.fail('no summary');
}

/** Presses the button that posts this many. */
async function showMore(howMany = 10): Promise<void> {
  const message = onlySummary();
  const [button] = buttonsOf(message, actionIds.showMore);
  expect(button?.label).toMatch(new RegExp(`\\b${howMany}\\b`, 'u'));
  await world.slack.press({ message, user: 'ada', actionId: actionIds.showMore });
  await world.pass(MINUTE);
}

async function publishOverAnHour(count: number): Promise<void> {
  for (let each = 0; each < count; each++) {
    world.clock.moveBy(HOUR / count);
    world.marketplace.publishProject(101);
  }
}

describe('a backlog of projects', () => {
  it('that Slack did not take for a while is one summary, however many', async () => {
    await begin();
    await world.gig('web', 'subscribe filter 101');
    await world.pass(20 * SECOND);
    const down = world.slack.injectFault(
      'chat.postMessage',
      { kind: 'error', error: 'internal_error' },
      Infinity,
    );
    for (let round = 0; round < 6; round++) {
      for (let each = 0; each < 90; each++) world.marketplace.publishProject(101);
      await world.pass(5 * MINUTE);
    }
    down.cancel();
    await world.pass(15 * MINUTE);
    expect(wordsOf(onlySummary())).toMatch(/\b540\b/u);
    expect(world.told('web').length).toBeLessThanOrEqual(10);
  }, 120_000);

  it('that is read page by page after an outage is one summary, which grows', async () => {
    await begin({});
    await world.gig('web', 'subscribe filter 101');
    await world.pass(20 * SECOND);
    await world.crash();
    await publishOverAnHour(450);
    await world.restart();
    await world.until('a summary', () => summaries().length > 0);
    await world.pass(5 * MINUTE);
    expect(wordsOf(onlySummary())).toMatch(/\b450\b/u);
    expect(world.told('web')).toEqual([]);
    await showMore();
    expect(world.told('web')).toHaveLength(10);
    expect(wordsOf(onlySummary())).toContain('440');
    expectHealthy(world);
  }, 120_000);

  it('grows no more after a while, and what comes later by itself is a card', async () => {
    await begin();
    await world.gig('web', 'subscribe filter 101');
    await world.pass(20 * SECOND);
    for (let each = 0; each < 15; each++) world.marketplace.publishProject(101);
    await world.pass(MINUTE);
    world.marketplace.publishProject(101, { title: 'Fresh' });
    await world.pass(MINUTE);
    expect(world.told('web')).toHaveLength(1);
    expect(wordsOf(onlySummary())).toMatch(/\b15\b/u);
    await world.pass(20 * MINUTE);
    for (let each = 0; each < 12; each++) world.marketplace.publishProject(101);
    await world.pass(MINUTE);
    expect(summaries().map(wordsOf).join()).toMatch(/\b12\b/u);
    expect(summaries()).toHaveLength(2);
  }, 60_000);

  it('that goes on after its summary was deleted comes in another, with what the first had', async () => {
    await begin();
    await world.gig('web', 'subscribe filter 101');
    await world.pass(20 * SECOND);
    for (let each = 0; each < 15; each++) world.marketplace.publishProject(101);
    await world.pass(MINUTE);
    // Slack's answer for a deleted message.
    world.slack.injectFault('chat.update', { kind: 'error', error: 'message_not_found' });
    for (let each = 0; each < 15; each++) world.marketplace.publishProject(101);
    await world.pass(MINUTE);
    expect(wordsOf(summaries().at(-1) ?? expect.fail())).toMatch(/\b30\b/u);
    expect(summaries()).toHaveLength(2);
  }, 60_000);
});

describe('a backlog of invitations', () => {
  const LETTER = `Dear Ada, please help us. ${'We sell chairs. '.repeat(60)}THE END`;

  it('after an outage is one summary, from which each comes as a card with its letter', async () => {
    await begin();
    const { marketplace } = world;
    await world.gig('web', 'subscribe invitations 31');
    await world.pass(3 * MINUTE);
    await world.crash();
    for (let each = 0; each < 46; each++) {
      world.clock.moveBy(MINUTE);
      marketplace.addInvitation({ profileId: 31, title: `Job no. ${each}.`, invitationLetter: LETTER });
    }
    await world.restart();
    await world.pass(5 * MINUTE);
    expect(wordsOf(onlySummary())).toMatch(/\b46\b/u);
    expect(wordsOf(onlySummary())).toContain('Job no. 45.');
    expect(wordsOf(onlySummary())).not.toContain('Job no. 5.');
    const own = () => posted(world, 'invitation');
    expect(own()).toEqual([]);
    expect(world.slack.messages('web').some((it) => wordsOf(it).includes('THE END'))).toBe(false);
    await showMore();
    expect(own()).toHaveLength(10);
    expect(wordsOf(own().at(-1) ?? expect.fail())).toContain('Job no. 45.');
    expect(
      world.slack
        .thread('web', own()[0]?.ts ?? '')
        .map(wordsOf)
        .join('\n'),
    ).toContain('THE END');
    for (let times = 0; times < 4; times++) await showMore(times < 3 ? 10 : 6);
    expect(own()).toHaveLength(46);
    expectHealthy(world);
  }, 60_000);

  it('changes while it waits are shown in the summary, not told one by one', async () => {
    await begin();
    const { marketplace } = world;
    await world.gig('web', 'subscribe invitations 31');
    await world.pass(3 * MINUTE);
    await world.crash();
    const made = Array.from({ length: 12 }, (_, each) =>
      marketplace.addInvitation({ profileId: 31, title: `Job no. ${each}.`, statusLabel: 'Pending' }),
    );
    await world.restart();
    await world.pass(5 * MINUTE);
    const before = world.slack.messages('web').length;
    world.marketplace.updateInvitation(made[11]?.id ?? 0, {
      statusLabel: 'Declined by client',
      updatedAt: world.clock.now(),
    });
    await world.pass(15 * MINUTE);
    expect(wordsOf(onlySummary())).toContain('Declined by client');
    expect(world.slack.messages('web')).toHaveLength(before);
  }, 60_000);

  it('of a few comes as cards', async () => {
    await begin();
    await world.gig('web', 'subscribe invitations 31');
    await world.pass(3 * MINUTE);
    for (let each = 0; each < 10; each++)
      world.marketplace.addInvitation({ profileId: 31, title: `No. ${each}` });
    await world.pass(5 * MINUTE);
    expect(summaries()).toEqual([]);
    expect(posted(world, 'invitation')).toHaveLength(10);
  }, 60_000);
});
