/** Only a form that showed the previous attempt's result can repeat a bid. */
import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { type BidAtHand, begin } from './begin-bid.ts';
import { CREATE, SETUP } from './bidder.ts';

const VALUES = { setup: String(SETUP) };

async function openAgain(bid: BidAtHand) {
  await bid.pressOnScreen('Open Again');
  await bid.world.pass(2 * SECOND);
}

describe('nothing is sent by', () => {
  it('a form that was opened while the bid was being sent, once that went without an answer', async () => {
    const { bid, world } = await begin();
    const held = world.marketplace.injectFault(CREATE, { kind: 'hold-headers' });
    await bid.open('ada');
    await world.slack.submitView({ user: 'ada', values: VALUES });
    await world.until('the request', () => held.hits() === 1, MINUTE);
    await world.gig('web', `bid ${bid.project.ciphertext} ${SETUP}`, 'ben');
    expect(await bid.states()).toEqual(['sending']);
    expect(bid.screen()).toMatch(bid.bidBy('ada', 'Fast setup'));
    await world.pass(MINUTE);
    await bid.submit();
    expect(bid.creates()).toHaveLength(1);
    expect(await bid.states()).toEqual(['unknown']);
    expect(bid.screenAsRead()).toMatchSnapshot();
    await openAgain(bid);
    await bid.submit();
    expect(bid.creates()).toHaveLength(2);
  });

  it('a submission that Slack repeats, whatever was opened meanwhile', async () => {
    const { bid, world } = await begin();
    world.marketplace.injectFault(CREATE, presetFaults.status(400, 'This client takes no bids'));
    await bid.open();
    await bid.submit();
    const submission = world.slack
      .sentRequests()
      .findLast(({ payload }) => payload['type'] === 'view_submission');
    await openAgain(bid);
    if (submission) await world.slack.resendRequest(submission);
    await world.pass(5 * SECOND);
    expect(bid.creates()).toHaveLength(1);
  });

  it('a form that another device shows since before the former attempt', async () => {
    const { bid, world } = await begin();
    world.marketplace.injectFault(CREATE, presetFaults.status(400, 'This client takes no bids'));
    const old = await bid.open();
    await bid.submit();
    await openAgain(bid);
    await world.slack.submitView({ user: 'ben', view: old, values: VALUES, asItWas: true });
    await world.pass(5 * SECOND);
    expect(bid.creates()).toHaveLength(1);
    expect(world.slack.failedCalls()).toEqual([]);
  });
});

it('a form showing how the last attempt ended repeats it, even with the setup chosen in it', async () => {
  const { bid, world } = await begin();
  world.marketplace.addSetup({ id: 8, name: 'Slow setup', status: 'active' });
  await world.pass(6 * MINUTE);
  await world.gig('web', 'setups');
  world.marketplace.injectFault(CREATE, presetFaults.status(400, 'This client takes no bids'));
  await bid.open();
  await bid.submit();
  await world.slack.closeView({ user: 'ben', all: true });
  await bid.press('Try Again', 'ada');
  await world.pass(SECOND);
  for (const option of ['8', '7']) {
    await world.slack.chooseOption({ view: bid.view('ada'), user: 'ada', actionId: 'bid_setup', option });
    await world.pass(SECOND);
  }
  await bid.submit('ada');
  expect(bid.creates()).toHaveLength(2);
});

it('what was typed for another setup while the first bid was sent outlives its success', async () => {
  const { bid, world } = await begin();
  world.marketplace.addSetup({ id: 8, name: 'Slow setup', status: 'active' });
  await world.pass(6 * MINUTE);
  await world.gig('web', 'setups');
  const held = world.marketplace.injectFault(CREATE, { kind: 'hold-headers' });
  await bid.open();
  await world.slack.submitView({ user: 'ben', values: VALUES });
  await world.until('the request', () => held.hits() === 1, MINUTE);
  await world.pass(SECOND);
  await world.gig('web', `bid ${bid.project.ciphertext}`, 'ben');
  const view = bid.view();
  held.release();
  await world.pass(5 * SECOND);
  expect(world.marketplace.jobs()).toHaveLength(1);
  const values = { setup: '8', cover_letter: 'Another letter' };
  await world.slack.submitView({ user: 'ben', view, values });
  await world.pass(5 * SECOND);
  expect(bid.creates()[1]?.body).toMatchObject({ setup_id: 8, cover_letter: 'Another letter' });
});
