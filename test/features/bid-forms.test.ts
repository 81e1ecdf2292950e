/** The form as people come back to it: what they typed is there, is said to be, and can be thrown away. */
import { afterEach, describe, expect, it } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import {
  type BidWorld,
  creates,
  OTHER_SETUP,
  onlyJob,
  openBid,
  press,
  SETUP,
  startBidWorld,
  viewOf,
  wordsOfView,
} from './bidder.ts';
import { expectHealthy } from './healthy.ts';
import type { World } from './world.ts';

let bid: BidWorld;
let world: World;
afterEach(async () => {
  expectHealthy(world);
  await world.stop();
});

async function begin() {
  bid = await startBidWorld();
  world = bid.world;
}

/** Types into the open form and closes it. */
async function leave(values: Readonly<Record<string, string>>) {
  const view = viewOf(world, 'ben');
  await world.slack.choose({ view, user: 'ben', actionId: 'bid_when', option: 'as-set-up', values });
  await world.pass(2 * SECOND);
  await world.slack.closeView({ user: 'ben' });
  await world.pass(2 * SECOND);
}

const shown = () => wordsOfView(viewOf(world, 'ben'));

describe('a form that was closed', () => {
  it('opens again with what was typed, says so, and can be begun afresh', async () => {
    await begin();
    await openBid(world, bid.project);
    expect(shown()).not.toContain('Start afresh');
    await leave({ cover_letter: 'A letter that I regret', bid_amount: '77', boost: '9', answer_0: 'No' });
    await openBid(world, bid.project);
    expect(shown()).toMatch(/goes on with what you typed[\s\S]*A letter that I regret/u);
    const asked = await press(world, 'Start afresh', { view: viewOf(world, 'ben') }, 'ben', 'deny');
    expect(asked.confirm?.text).toBe('What you typed into this form is thrown away.');
    await press(world, 'Start afresh', { view: viewOf(world, 'ben') });
    await world.pass(2 * SECOND);
    expect(shown()).not.toMatch(/regret|Start afresh/u);
    expect(findPressable(viewOf(world, 'ben'), 'Start afresh')).toBeUndefined();
    const answer = await world.slack.submitView({ user: 'ben', values: { 'bid_amount@1': '4' } });
    expect(answer.errors).toEqual({ 'bid_amount@1': 'A bid is 5 to 1,000,000.' });
    await world.slack.submitView({ user: 'ben', values: { 'bid_amount@1': '500' } });
    await world.pass(3 * SECOND);
    expect(creates(world).map((it) => it.body)).toEqual([
      { setup_id: SETUP, marketplace_job_id: bid.project.ciphertext, bid_amount: 500 },
    ]);
    expect(onlyJob(world).coverLetter).toBe('');
  });

  it('in which nothing was typed is simply the form', async () => {
    await begin();
    await openBid(world, bid.project);
    await world.slack.closeView({ user: 'ben' });
    await openBid(world, bid.project);
    expect(shown()).not.toContain('goes on with');
  });

  it('is not lost by a restart', async () => {
    await begin();
    await openBid(world, bid.project);
    await leave({ cover_letter: 'Typed before the crash' });
    await world.crash();
    await world.restart();
    await openBid(world, bid.project);
    expect(shown()).toMatch(/goes on with what you typed[\s\S]*Typed before the crash/u);
  });
});

it('a setup that was named and is not there leaves the choice open, so that no other one bids', async () => {
  await begin();
  world.marketplace.addSetup({ id: OTHER_SETUP, name: 'Slow setup', status: 'paused' });
  await openBid(world, bid.project);
  await world.slack.closeView({ user: 'ben' });
  await world.gig('data', `bid ${bid.project.ciphertext} Slwo`, 'ada');
  const view = viewOf(world, 'ada');
  expect(wordsOfView(view)).toContain('I know no setup `Slwo`. Choose one below.');
  const answer = await world.slack.submitView({ user: 'ada', view });
  expect(Object.keys(answer.errors)).toEqual(['setup']);
  expect(creates(world)).toEqual([]);
});
