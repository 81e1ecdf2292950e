/** The response clock with bids and invitations, and how fast a channel was, as people read it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import { cardOf, openBid, press, startBidWorld, submitBid } from './bidder.ts';
import { pressButton } from './buttons.ts';
import { ROUND_THE_CLOCK, setResponse } from './response-form.ts';
import { posted, postOf, startWorld, type World, wordsOf } from './world.ts';

let world: World;
afterEach(async () => {
  expect(world.slack.failedCalls()).toEqual([]);
  await world.stop();
});

const stagesIn = (channel: string) =>
  world.slack
    .messages(channel)
    .flatMap(({ ts }) => world.slack.thread(channel, ts))
    .filter((it) => postOf(it).startsWith('response:'));

describe('a bid', () => {
  it('ends the clock, and is counted by person, filter and hour, in the digest and on Home', async () => {
    const bidding = await startBidWorld();
    world = bidding.world;
    await setResponse(world, 'web', { ...ROUND_THE_CLOCK, 'claim-expiry': '30' });
    const project = world.marketplace.publishProject(101, { title: 'Build a shop' });
    await world.until('its card', () => world.told('web').includes(project.ciphertext), 2 * MINUTE);
    await world.pass(4 * MINUTE);
    await press(world, 'Claim', { message: cardOf(world, project) }, 'ben');
    await world.pass(6 * MINUTE);
    expect(wordsOf(cardOf(world, project))).toMatch(/claim expires <!date/u);
    await openBid(world, project, 'ben');
    await submitBid(world, 'ben');
    expect(wordsOf(cardOf(world, project))).not.toMatch(/claim expires/u);
    await world.pass(50 * MINUTE);
    expect(stagesIn('web').filter(({ threadTs }) => threadTs === cardOf(world, project).ts)).toEqual([]);
    expect(findPressable(cardOf(world, project), 'Release')).toBeDefined();

    const told = await world.gig('web', 'stats response');
    expect(told).toMatch(/Card to claim: \*\d+ minutes\*/u);
    expect(told).toMatch(/Publication to bid: \*1\d minutes\*/u);
    expect(told).toContain(`<@${world.slack.user('ben').id}>`);
    await world.slack.openHome({ user: 'ada' });
    await world.pass(5 * SECOND);
    expect(JSON.stringify(world.slack.home('ada'))).toMatch(/Median response this week: card/u);
    await world.gig('web', 'digest now');
    await world.pass(30 * SECOND);
    expect(posted(world, 'digest').map(wordsOf).join()).toMatch(/Median response: card .*claim .*bid/u);
  });
});

describe('a bid by another name of the project', () => {
  it('is counted with the card', async () => {
    const bidding = await startBidWorld();
    world = bidding.world;
    await world.pass(4 * MINUTE);
    await world.gig('web', `bid ${bidding.project.uid}`, 'ben');
    await world.pass(SECOND);
    await submitBid(world, 'ben');
    const told = await world.gig('web', 'stats response');
    expect(told).toMatch(/Publication to bid: \*\d+ minutes\*/u);
    expect(told).toContain(`<@${world.slack.user('ben').id}>`);
  });
});

describe('an invitation', () => {
  beforeEach(async () => {
    world = await startWorld();
    world.marketplace.addProfile({ id: 31, label: 'Ada Webb', type: 'freelancer' });
    await world.gig('web', 'subscribe invitations 31');
    await world.pass(3 * MINUTE);
    await setResponse(world, 'web', { ...ROUND_THE_CLOCK, 'lead-user': world.slack.user('ada').id });
  });

  it('has the same stages, once, over crashes', async () => {
    world.marketplace.addInvitation({ profileId: 31, title: 'Chairs in React' });
    await world.until('the card', () => posted(world, 'invitation').length === 1, 10 * MINUTE);
    const card = () => posted(world, 'invitation')[0] ?? expect.fail('no card');
    expect(wordsOf(card())).toMatch(/Claim by <!date/u);
    await world.pass(11 * MINUTE);
    expect(stagesIn('web')).toHaveLength(1);
    expect(wordsOf(stagesIn('web')[0] ?? card())).toContain(`<@${world.slack.user('ada').id}>`);
    await world.crash();
    await world.restart();
    await pressButton(world, { message: stagesIn('web')[0] ?? card() }, 'Claim', 'ben');
    await world.pass(HOUR - 5 * MINUTE);
    expect(stagesIn('web')).toHaveLength(2);
    await world.crash();
    await world.restart();
    await world.pass(10 * MINUTE);
    expect(stagesIn('web')).toHaveLength(3);
    expect(findPressable(card(), 'Claim')).toBeDefined();
    await world.pass(HOUR);
    // Nobody was nudged a second time; the lead had no nudge before.
    expect(stagesIn('web').length).toBeLessThanOrEqual(4);
  });
});
