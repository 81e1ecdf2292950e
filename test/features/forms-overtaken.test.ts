/**
 * A choice in a form, and the form's submission while Slack's user lookup is slow: the latest input is saved
 * and shown.
 */
import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { begin as beginBid } from './begin-bid.ts';
import { CREATE, SETUP } from './bidder.ts';
import type { World } from './world.ts';

/** Cached user data is expired, and Slack takes more than a second to return new data. */
async function slowToTell(world: World): Promise<void> {
  await world.pass(6 * MINUTE);
  world.slack.injectFault('users.info', { kind: 'hold', when: 'before', ms: 1_200 });
}

describe('a form that is sent right after a choice in it', () => {
  it('of a bid shows what came of the bid, and the letter is the one that was sent', async () => {
    const { bid, world } = await beginBid();
    await bid.open();
    await slowToTell(world);
    const values = { setup: String(SETUP) };
    const choice = {
      actionId: 'bid_when',
      option: 'as-set-up',
      values: { ...values, cover_letter: 'Old words' },
    };
    void world.slack.chooseOption({ view: bid.view(), user: 'ben', ...choice });
    await world.pass(800);
    world.marketplace.injectFault(CREATE, presetFaults.status(400, 'This client blocks agencies'));
    await world.slack.submitView({ user: 'ben', values: { ...values, cover_letter: 'New words' } });
    await world.pass(10 * SECOND);
    expect(bid.screen()).toContain('This client blocks agencies');
    expect(bid.creates()).toHaveLength(1);
    await bid.pressOnScreen('Open Again');
    await world.pass(2 * SECOND);
    expect(JSON.stringify(bid.view().blocks)).toContain('New words');
    expect(JSON.stringify(bid.view().blocks)).not.toContain('Old words');
  });
});
