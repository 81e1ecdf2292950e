/** Returning to the form: typed text is restored, announced, and can be discarded. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import { type BidAtHand, begin as beginBid } from './begin-bid.ts';
import { OTHER_SETUP, SETUP, wordsOfView } from './bidder.ts';
import { expectHealthy } from './healthy.ts';

async function begin() {
  const begun = await beginBid();
  onTestFinished(() => expectHealthy(begun.world));
  return begun;
}

/** Types into the open form and closes it. */
async function leave(bid: BidAtHand, values: Readonly<Record<string, string>>) {
  const { world } = bid;
  await world.slack.chooseOption({
    view: bid.view(),
    user: 'ben',
    actionId: 'bid_when',
    option: 'as-set-up',
    values,
  });
  await world.pass(2 * SECOND);
  await world.slack.closeView({ user: 'ben' });
  await world.pass(2 * SECOND);
}

describe('a form that was closed', () => {
  it('opens again with what was typed, says so, and can be begun afresh', async () => {
    const { bid, world } = await begin();
    await bid.open();
    expect(findPressable(bid.view(), 'Start Over')).toBeUndefined();
    await leave(bid, {
      cover_letter: 'A letter that I regret',
      bid_amount: '77',
      boost: '9',
      answer_0: 'No',
    });
    await bid.open();
    expect(bid.screen()).toContain('A letter that I regret');
    expect(bid.screenAsRead()).toMatchSnapshot();
    const asked = await bid.pressOnScreen('Start Over', 'ben', 'deny');
    expect(asked.confirm?.text).toMatchSnapshot();
    await bid.pressOnScreen('Start Over');
    await world.pass(2 * SECOND);
    expect(bid.screen()).not.toContain('regret');
    expect(findPressable(bid.view(), 'Start Over')).toBeUndefined();
    const answer = await world.slack.submitView({ user: 'ben', values: { 'bid_amount@1': '4' } });
    expect(Object.keys(answer.errors)).toEqual(['bid_amount@1']);
    expect(answer.errors['bid_amount@1']).toMatch(/\b5\b.*\b1,000,000\b/u);
    await world.slack.submitView({ user: 'ben', values: { 'bid_amount@1': '500' } });
    await world.pass(3 * SECOND);
    expect(bid.creates().map((it) => it.body)).toEqual([
      { setup_id: SETUP, marketplace_job_id: bid.project.ciphertext, bid_amount: 500 },
    ]);
    expect(bid.job().coverLetter).toBe('');
  });

  it('in which nothing was typed is simply the form', async () => {
    const { bid, world } = await begin();
    await bid.open();
    await world.slack.closeView({ user: 'ben' });
    await bid.open();
    expect(findPressable(bid.view(), 'Start Over')).toBeUndefined();
  });

  it('is not lost by a restart', async () => {
    const { bid, world } = await begin();
    await bid.open();
    await leave(bid, { cover_letter: 'Typed before the crash' });
    await world.crash();
    await world.restart();
    await bid.open();
    expect(bid.screen()).toContain('Typed before the crash');
    expect(findPressable(bid.view(), 'Start Over')).toBeDefined();
  });
});

it('a setup that was named and is not there leaves the choice open, so that no other one bids', async () => {
  const { bid, world } = await begin();
  world.marketplace.addSetup({ id: OTHER_SETUP, name: 'Slow setup', status: 'paused' });
  await bid.open();
  await world.slack.closeView({ user: 'ben' });
  await world.gig('data', `bid ${bid.project.ciphertext} Slwo`, 'ada');
  const view = bid.view('ada');
  expect(wordsOfView(view)).toContain('`Slwo`');
  expect(bid.screenAsRead('ada')).toMatchSnapshot();
  const answer = await world.slack.submitView({ user: 'ada', view });
  expect(Object.keys(answer.errors)).toEqual(['setup']);
  expect(bid.creates()).toEqual([]);
});
