/** A bid is repeated only by a form that showed how the former attempt ended. */
import { afterEach, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { faults } from '../../src/workbench/marketplace/faults.ts';
import {
  type BidWorld,
  cardOf,
  creates,
  openBid,
  press,
  SETUP,
  startBidWorld,
  submitBid,
  viewOf,
  wordsOfView,
} from './bidder.ts';
import type { World } from './world.ts';

const CREATE = { path: '/auto-bidding/jobs/create' };
const VALUES = { setup: String(SETUP) };

let bid: BidWorld;
let world: World;
afterEach(() => world.stop());

async function begin() {
  bid = await startBidWorld();
  world = bid.world;
}

async function openAgain(user = 'ben') {
  await press(world, 'Open again', { view: viewOf(world, user) }, user);
  await world.pass(2 * SECOND);
}

describe('nothing is sent by', () => {
  it('a form that was opened while the bid was being sent, once that went without an answer', async () => {
    await begin();
    const held = world.marketplace.fault(CREATE, { kind: 'hold-headers' });
    await openBid(world, bid.project, 'ada');
    await world.slack.submitView({ user: 'ada', values: VALUES });
    await world.until('the request', () => held.hits() === 1, MINUTE);
    await world.gig('web', `bid ${bid.project.ciphertext} ${SETUP}`, 'ben');
    expect(wordsOfView(viewOf(world, 'ben'))).toContain('sending…');
    await world.pass(MINUTE);
    await submitBid(world, 'ben');
    expect(creates(world)).toHaveLength(1);
    expect(wordsOfView(viewOf(world, 'ben'))).toMatch(/Nothing was sent.*no answer came/u);
    await openAgain();
    await submitBid(world, 'ben');
    expect(creates(world)).toHaveLength(2);
  });

  it('a submission that Slack repeats, whatever was opened meanwhile', async () => {
    await begin();
    world.marketplace.fault(CREATE, faults.status(400, 'This client takes no bids'));
    await openBid(world, bid.project);
    await submitBid(world);
    const submission = world.slack.sent().findLast(({ payload }) => payload['type'] === 'view_submission');
    await openAgain();
    if (submission) await world.slack.sendAgain(submission);
    await world.pass(5 * SECOND);
    expect(creates(world)).toHaveLength(1);
  });

  it('a form that another device shows since before the former attempt', async () => {
    await begin();
    world.marketplace.fault(CREATE, faults.status(400, 'This client takes no bids'));
    const old = await openBid(world, bid.project);
    await submitBid(world);
    await openAgain();
    await world.slack.submitView({ user: 'ben', view: old, values: VALUES, asItWas: true });
    await world.pass(5 * SECOND);
    expect(creates(world)).toHaveLength(1);
    expect(world.slack.errors()).toEqual([]);
  });
});

it('a form that showed how the former attempt ended repeats it, also when its setup was chosen there', async () => {
  await begin();
  world.marketplace.addSetup({ id: 8, name: 'Slow setup', status: 'active' });
  await world.pass(6 * MINUTE);
  await world.gig('web', 'setups');
  world.marketplace.fault(CREATE, faults.status(400, 'This client takes no bids'));
  await openBid(world, bid.project);
  await submitBid(world);
  await world.slack.closeView({ user: 'ben', all: true });
  await press(world, 'Try again', { message: cardOf(world, bid.project) }, 'ada');
  await world.pass(SECOND);
  for (const option of ['8', '7']) {
    await world.slack.choose({ view: viewOf(world, 'ada'), user: 'ada', actionId: 'bid_setup', option });
    await world.pass(SECOND);
  }
  await submitBid(world, 'ada');
  expect(creates(world)).toHaveLength(2);
});

it('what was typed for another setup while the first bid was sent outlives its success', async () => {
  await begin();
  world.marketplace.addSetup({ id: 8, name: 'Slow setup', status: 'active' });
  await world.pass(6 * MINUTE);
  await world.gig('web', 'setups');
  const held = world.marketplace.fault(CREATE, { kind: 'hold-headers' });
  await openBid(world, bid.project);
  await world.slack.submitView({ user: 'ben', values: VALUES });
  await world.until('the request', () => held.hits() === 1, MINUTE);
  await world.pass(SECOND);
  await world.gig('web', `bid ${bid.project.ciphertext}`, 'ben');
  const view = viewOf(world, 'ben');
  held.release();
  await world.pass(5 * SECOND);
  expect(world.marketplace.jobs()).toHaveLength(1);
  const values = { setup: '8', cover_letter: 'Another letter' };
  await world.slack.submitView({ user: 'ben', view, values });
  await world.pass(5 * SECOND);
  expect(creates(world)[1]?.body).toMatchObject({ setup_id: 8, cover_letter: 'Another letter' });
});
