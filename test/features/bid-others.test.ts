/** A bid needs a form that showed the other people's bids on the project. */
import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { bidsMissingFromFormText } from '../../src/slack/bids/bid-outcome.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { type BidAtHand, begin } from './begin-bid.ts';
import { CREATE, cardOf, grant, OTHER_SETUP, press, SETUP } from './bidder.ts';
import type { World } from './world.ts';

const THIRD_SETUP = 9;

/** Ada, ben and cem may bid on the card with three setups. */
async function beginWithThree(): Promise<{ readonly bid: BidAtHand; readonly world: World }> {
  const { bid, world } = await begin();
  world.slack.addUser({ name: 'cem' });
  world.slack.invite('web', 'cem');
  await grant(world, ['ben', 'cem']);
  world.marketplace.addSetup({ id: OTHER_SETUP, name: 'Slow setup', status: 'active' });
  world.marketplace.addSetup({ id: THIRD_SETUP, name: 'Third setup', status: 'active' });
  await world.pass(6 * MINUTE);
  await world.gig('web', 'setups');
  return { bid, world };
}

function send(world: World, user: string, setup: number) {
  return world.slack.submitView({ user, values: { setup: String(setup) } });
}

describe('two people with two setups', () => {
  it('who press at once send one bid, and the second person decides about the other', async () => {
    const { bid, world } = await beginWithThree();
    for (const user of ['ada', 'ben']) await bid.open(user);
    await Promise.all([send(world, 'ada', SETUP), send(world, 'ben', OTHER_SETUP)]);
    await world.pass(5 * SECOND);
    expect(bid.creates()).toHaveLength(1);
    const isAdaFirst = bid.job().setupId === SETUP;
    const [first, second, setup] = isAdaFirst ? ['ada', 'ben', OTHER_SETUP] : ['ben', 'ada', SETUP];
    expect(await bid.states()).toEqual(['created']);
    expect(bid.screen(first)).toContain(`#${bid.job().id}`);
    expect(bid.view(second).submit).toBe('Send Bid');
    expect(bid.screen(second)).toContain(bidsMissingFromFormText(1));
    expect(bid.screen(second)).toMatch(bid.bidBy(first, setup === SETUP ? 'Slow setup' : 'Fast setup'));
    await bid.submit(second, { setup: String(setup) });
    expect(bid.creates()).toHaveLength(2);
  });

  it('and one that was opened before the first bid sends nothing, whatever stands in it', async () => {
    const { bid } = await beginWithThree();
    await bid.open('ben');
    await bid.open('ada');
    await bid.submit('ada');
    await bid.submit('ben', { setup: String(OTHER_SETUP), cover_letter: 'Kept letter' });
    expect(bid.creates()).toHaveLength(1);
    const screen = bid.screen();
    expect(screen).toMatch(bid.bidBy('ada', 'Fast setup'));
    expect(screen).toContain(`#${bid.job().id}`);
    expect(screen).toContain('Kept letter');
    await bid.submit('ben', { setup: String(OTHER_SETUP) });
    expect(bid.creates()).toHaveLength(2);
    expect(bid.creates()[1]?.body).toMatchObject({ setup_id: OTHER_SETUP, cover_letter: 'Kept letter' });
  });

  it('and a still newer bid is news again', async () => {
    const { bid, world } = await beginWithThree();
    for (const user of ['ada', 'ben', 'cem']) await bid.open(user);
    await bid.submit('ada');
    await bid.submit('ben', { setup: String(OTHER_SETUP) });
    await bid.submit('cem', { setup: String(THIRD_SETUP) });
    expect(bid.screen('cem')).toContain(bidsMissingFromFormText(1));
    world.marketplace.injectFault(CREATE, { kind: 'drop', when: 'before' });
    await bid.submit('ben', { setup: String(OTHER_SETUP) });
    expect(bid.creates()).toHaveLength(2);
    await bid.submit('cem', { setup: String(THIRD_SETUP) });
    expect(bid.creates()).toHaveLength(2);
    expect(bid.screen('cem')).toMatch(bid.bidBy('ben', 'Slow setup'));
    await bid.submit('cem', { setup: String(THIRD_SETUP) });
    expect(bid.creates()).toHaveLength(3);
  });

  it('and a bid that the marketplace refused is no news', async () => {
    const { bid, world } = await beginWithThree();
    await bid.open('ben');
    world.marketplace.injectFault(CREATE, presetFaults.status(400, 'This client takes no bids'));
    await bid.open('ada');
    await bid.submit('ada');
    await bid.submit('ben', { setup: String(OTHER_SETUP) });
    expect(bid.creates()).toHaveLength(2);
  });

  it('and a submission that Slack repeats after the news sends nothing', async () => {
    const { bid, world } = await beginWithThree();
    const old = await bid.open('ben');
    await bid.open('ada');
    await bid.submit('ada');
    await bid.submit('ben', { setup: String(OTHER_SETUP) });
    const submission = world.slack
      .sentRequests()
      .findLast(({ payload }) => payload['type'] === 'view_submission');
    if (submission) await world.slack.resendRequest(submission);
    await world.pass(5 * SECOND);
    await world.slack.submitView({ user: 'ben', view: old, values: { setup: '8' }, asItWas: true });
    await world.pass(5 * SECOND);
    expect(bid.creates()).toHaveLength(1);
  });

  it('and whoever has closed the form is told, with what was typed kept', async () => {
    const { bid, world } = await beginWithThree();
    const held = world.marketplace.injectFault(CREATE, { kind: 'hold-headers' });
    const view = await bid.open('ben');
    await bid.open('ada');
    await send(world, 'ada', SETUP);
    await world.until('the request', () => held.hits() === 1, MINUTE);
    world.slack.injectFault('views.update', { kind: 'error', error: 'not_found' }, 2);
    await world.slack.submitView({ user: 'ben', view, values: { setup: '8', cover_letter: 'Kept letter' } });
    await world.pass(5 * SECOND);
    expect(bid.creates()).toHaveLength(1);
    expect(bid.told('ben')).toContain(bidsMissingFromFormText(1));
    expect(bid.told('ben')).toMatch(bid.bidBy('ada', 'Fast setup'));
    expect(bid.toldAsRead('ben')).toMatchSnapshot();
    await press(world, 'Open Again', { message: bid.note('ben') });
    await world.pass(2 * SECOND);
    expect(bid.screen()).toContain('Kept letter');
    await bid.submit('ben', { setup: String(OTHER_SETUP) });
    expect(bid.creates()).toHaveLength(2);
  });
});

describe('a kill', () => {
  it('while the first bid is sent leaves its state unknown, and the second person sees it', async () => {
    const { bid, world } = await beginWithThree();
    const held = world.marketplace.injectFault(CREATE, { kind: 'hold-headers' });
    await bid.open('ben');
    await bid.open('ada');
    await send(world, 'ada', SETUP);
    await world.until('the request', () => held.hits() === 1, MINUTE);
    await world.crash();
    await world.restart();
    await world.pass(MINUTE);
    await bid.submit('ben', { setup: String(OTHER_SETUP) });
    expect(bid.creates()).toHaveLength(1);
    expect(bid.screen()).toContain(bidsMissingFromFormText(1));
    expect(bid.screen()).toMatch(bid.bidBy('ada', 'Fast setup'));
    expect(await bid.states()).toEqual(['unknown']);
    await bid.submit('ben', { setup: String(OTHER_SETUP) });
    expect(bid.creates()).toHaveLength(2);
  });
});

describe('a bid in a private channel', () => {
  it('is news to who is not in it, without its name', async () => {
    const { bid, world } = await beginWithThree();
    world.slack.addChannel({ name: 'secret', private: true, members: ['ada'] });
    await bid.open('ben');
    await world.gig('secret', `bid ${bid.project.ciphertext} ${SETUP}`);
    await bid.submit('ada');
    expect(bid.creates()).toHaveLength(1);
    await bid.submit('ben', { setup: String(OTHER_SETUP) });
    expect(bid.creates()).toHaveLength(1);
    expect(bid.screen()).toMatch(bid.bidBy('ada', 'Fast setup'));
    expect(bid.screenAsRead()).toMatchSnapshot();
    expect(bid.screen()).not.toContain(world.slack.channel('secret').id);
    expect(bid.screen()).not.toContain('secret');
  });
});

it('a form from another card of the project shows the bid, and may be sent beside it', async () => {
  const { bid, world } = await beginWithThree();
  await bid.open('ada');
  await bid.submit('ada');
  await press(world, 'Bid with another setup', { message: cardOf(world, bid.project) }, 'ben');
  await world.pass(2 * SECOND);
  expect(bid.screen()).toMatch(bid.bidBy('ada', 'Fast setup'));
  await bid.submit('ben', { setup: String(OTHER_SETUP) });
  expect(bid.creates()).toHaveLength(2);
});
