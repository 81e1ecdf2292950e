/** A bid and an approval happen once, whoever presses and however often. */
import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import { begin } from './begin-bid.ts';
import { grant, OTHER_SETUP, press, SETUP } from './bidder.ts';
import { wordsOf } from './world.ts';

describe('more than one press', () => {
  it('a double click on submit makes one job', async () => {
    const { bid, world } = await begin();
    const view = await bid.open();
    const values = { setup: String(SETUP) };
    await Promise.all([
      world.slack.submitView({ user: 'ben', view, values }),
      world.slack.submitView({ user: 'ben', view, values }),
    ]);
    await world.pass(5 * SECOND);
    expect(bid.creates()).toHaveLength(1);
  });

  it('two people at once make one job, and the second is told who was first', async () => {
    const { bid, world } = await begin();
    await grant(world, ['ben']);
    const both = ['ada', 'ben'];
    for (const user of both) await bid.open(user);
    await Promise.all(both.map((user) => world.slack.submitView({ user, values: { setup: String(SETUP) } })));
    await world.pass(5 * SECOND);
    expect(bid.creates()).toHaveLength(1);
    const told = both.map((user) => bid.screen(user)).join('\n');
    expect(told).toMatch(/created/u);
    expect(told).toMatch(/Nothing was sent/u);
    expect(told).toContain(`Bid by <@`);
  });

  it('a form that was open while somebody else bid sends nothing', async () => {
    const { bid } = await begin();
    await bid.open();
    await bid.open('ada');
    await bid.submit('ada');
    const answer = await bid.submit();
    expect(JSON.stringify(answer.errors)).toContain(String(bid.job().id));
    expect(bid.creates()).toHaveLength(1);
  });

  it('another setup may bid on the same project; the marketplace decides, and names the first job', async () => {
    const { bid, world } = await begin();
    world.marketplace.addSetup({ id: OTHER_SETUP, name: 'Slow setup', status: 'active' });
    await world.pass(2 * MINUTE);
    await world.gig('web', 'setups');
    await bid.open();
    await bid.submit();
    await bid.press('Bid with another setup');
    await world.pass(2 * SECOND);
    await bid.submit('ben', { setup: String(OTHER_SETUP) });
    expect(bid.creates()).toHaveLength(2);
    expect(bid.screen()).toContain(String(bid.job().id));
  });
});

describe('approving', () => {
  it('two people at once approve once', async () => {
    const { bid, world } = await begin({ reviews: true });
    await bid.open();
    await bid.submit();
    await Promise.all([bid.press('Approve', 'ada'), bid.press('Approve', 'ben')]);
    await world.pass(5 * SECOND);
    expect(bid.approvals()).toHaveLength(1);
    expect(bid.job().status).toBe('scheduled');
  });

  it('without an answer it is not repeated; the state of the job settles it', async () => {
    const { bid, world } = await begin({ reviews: true });
    await bid.open();
    await bid.submit();
    world.marketplace.fault({ path: '/auto-bidding/jobs/*/approve' }, { kind: 'drop', when: 'after' });
    await bid.press('Approve');
    await world.pass(10 * MINUTE);
    expect(bid.approvals()).toHaveLength(1);
    const told = bid.thread();
    expect(told.at(-1)).toMatch(/approved/iu);
    expect(findPressable(bid.card(), 'Approve')).toBeUndefined();
  });

  it('of a job that nobody here made works, too, and is followed', async () => {
    const { bid, world } = await begin();
    const { id } = world.marketplace.addJob({
      projectId: bid.project.id,
      setupId: SETUP,
      status: 'pending_review',
      wasAiDisqualified: true,
      qualificationReason: 'Too small a budget',
    });
    await world.gig('data', `job ${id}`);
    const shown = world.slack.ephemerals('ada', 'data').at(-1) ?? expect.fail('nothing shown');
    await press(world, 'Approve', { message: shown }, 'ada');
    await world.pass(5 * SECOND);
    expect(bid.approvals()).toHaveLength(1);
    world.marketplace.settleJob(id, { status: 'failed', errorMessage: 'Out of connects' });
    await world.pass(5 * MINUTE);
    const told = world.slack.messages('data').flatMap((it) => world.slack.thread('data', it.ts).map(wordsOf));
    expect(told.join('\n')).toContain('Too small a budget');
    expect(told.join('\n')).toContain('Out of connects');
  });
});
