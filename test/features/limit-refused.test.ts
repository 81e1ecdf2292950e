/**
 * A marketplace that rejects `limit`: everything works from the first request on, and costs at most the
 * reserved credits.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import { expectHealthy } from './healthy.ts';
import { posted, startWorld, type World, wordsOf } from './world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
  const { marketplace } = world;
  marketplace.addFilter({ id: 101, name: 'React work' });
  marketplace.addProfile({ id: 31, label: 'Ada Webb' });
});
afterEach(() => world.stop());

/** Presses a button of ada's newest ephemeral answer. Returns the new texts. */
async function press(words: string): Promise<string> {
  const message = world.slack.ephemerals('ada', 'web').at(-1) ?? expect.fail('no answer');
  const button = findPressable(message, words);
  if (button?.kind !== 'button') return expect.fail(`no button “${words}” on: ${wordsOf(message)}`);
  const { actionId, blockId, value } = button;
  await world.slack.press({ user: 'ada', message, actionId, blockId, value });
  await world.pass(30 * SECOND);
  return wordsOf(world.slack.ephemerals('ada', 'web').at(-1) ?? expect.fail('no answer'));
}

describe.each([
  ['names the parameter', false],
  ['does not say what is wrong', true],
])('a marketplace that refuses `limit` and %s', (_, vagueRefusals) => {
  beforeEach(() => world.marketplace.setModes({ refuseLimit: true, vagueRefusals }));

  it('is subscribed to and read from the start; nobody hears of trouble', async () => {
    expect(await world.gig('web', 'subscribe filter 101')).toContain(`<@${world.slack.user('ada').id}>`);
    await world.pass(MINUTE);
    const told = [world.marketplace.publishProject(101).ciphertext];
    await world.pass(MINUTE);
    for (let each = 0; each < 3; each++) told.push(world.marketplace.publishProject(101).ciphertext);
    await world.pass(2 * MINUTE);
    expect(world.told('web').toSorted()).toEqual(told.toSorted());
    expect(posted(world, 'notice')).toEqual([]);
    expect(world.slack.messages('web').map(wordsOf).join('\n')).not.toContain(':warning:');
    expect(world.marketplace.requests().filter(({ status }) => status === 400).length).toBeLessThanOrEqual(2);
    expectHealthy(world);
  });

  it('is asked for 20 credits or nothing: what a page without `limit` may cost is reserved', async () => {
    await world.gig('web', 'budget 15');
    await world.gig('web', 'subscribe filter 101');
    await world.pass(MINUTE);
    for (let each = 0; each < 18; each++) world.marketplace.publishProject(101);
    await world.pass(3 * MINUTE);
    expect(world.marketplace.consumedCredits().total).toBe(0);
    await world.gig('web', 'budget 40');
    await world.pass(3 * MINUTE);
    expect(world.marketplace.consumedCredits().total).toBe(18);
  });

  it('lets profiles be followed, with all of their invitations and proposals', async () => {
    const { marketplace } = world;
    for (let each = 0; each < 45; each++) {
      world.clock.moveBy(MINUTE);
      marketplace.addProposal({ profileId: 31, jobTitle: `Chairs ${each}` });
    }
    for (const feed of ['outcomes', 'invitations'])
      expect(await world.gig('web', `subscribe ${feed} 31`)).toContain(`<@${world.slack.user('ada').id}>`);
    await world.pass(5 * MINUTE);
    for (let each = 0; each < 45; each++) {
      world.clock.moveBy(SECOND);
      marketplace.addInvitation({ profileId: 31, title: `Job no. ${each}.` });
    }
    await world.pass(10 * MINUTE);
    // The first three are cards of their own.
    expect(posted(world, 'invitation')).toHaveLength(3);
    expect(posted(world, 'flood').map(wordsOf).join('\n')).toMatch(/\b42\b/u);
    expect(await world.gig('web', 'proposals chairs')).toContain('45');
  });

  it('lists results and their projects, paid for by a page of 20', async () => {
    for (let each = 0; each < 25; each++)
      world.marketplace.publishProject(101, { title: `Project no. ${each}.` });
    world.marketplace.addResult({ filterId: 101 });
    expect(await world.gig('web', 'results 101')).toContain('25');
    expect(await press('Projects')).toContain('Project no. 24.');
    expect(world.marketplace.consumedCredits().total).toBe(20);
    expect(await press('Next')).toContain('Project no. 0.');
    expect(world.marketplace.consumedCredits().total).toBe(25);
    expectHealthy(world);
  });
});
