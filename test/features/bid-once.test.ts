/** A bid and an approval happen once, even when several people press several times. */
import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
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
    expect(await bid.states()).toEqual(['created']);
    const [first = ''] = (await bid.books()).bids.map(({ by }) => by);
    expect(told).toContain(`<@${first}>`);
    expect(told).toMatch(new RegExp(`<@${first}>[^"]*Fast setup`, 'u'));
    const second = both.find((user) => world.slack.user(user).id !== first);
    expect(findPressable(bid.view(second), 'Open Again')).toBeDefined();
    expect(bid.screenAsRead(second).replaceAll(/@(?:ada|ben)/gu, '@first')).toMatchSnapshot();
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

  it('another setup may bid on the project; the marketplace decides and names the first job', async () => {
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

const APPROVE = { path: '/auto-bidding/jobs/*/approve' };
/** Whole in the request, so that is where people approve it. */
const LETTER = { cover_letter: 'Dear client' };
const STATUS = { path: '/auto-bidding/jobs/*/status' };

describe('approving', () => {
  it('two people at once approve once', async () => {
    const { bid, world } = await begin({ reviews: true });
    await bid.open();
    await bid.submit('ben', LETTER);
    await Promise.all([bid.press('Approve', 'ada'), bid.press('Approve', 'ben')]);
    await world.pass(5 * SECOND);
    expect(bid.approvals()).toHaveLength(1);
    expect(bid.job().status).toBe('scheduled');
  });

  it('without an answer it is not repeated; the state of the job settles it', async () => {
    const { bid, world } = await begin({ reviews: true });
    await bid.open();
    await bid.submit('ben', LETTER);
    world.marketplace.injectFault({ path: '/auto-bidding/jobs/*/approve' }, { kind: 'drop', when: 'after' });
    await bid.press('Approve');
    await world.pass(10 * MINUTE);
    expect(bid.approvals()).toHaveLength(1);
    const told = bid.thread();
    expect(await bid.approvalStates()).toEqual(['approved']);
    expect(told.at(-1)).toContain(`<@${world.slack.user('ben').id}>`);
    expect(bid.threadAsRead()).toMatchSnapshot();
    expect(findPressable(bid.card(), 'Review')).toBeUndefined();
  });

  it('without an answer is not offered again before it is known what came of it', async () => {
    const { bid, world } = await begin({ reviews: true });
    await bid.open();
    await bid.submit('ben', LETTER);
    world.marketplace.injectFault(APPROVE, { kind: 'drop', when: 'after' });
    await bid.press('Approve');
    await world.pass(2 * SECOND);
    expect(await bid.approvalStates()).toEqual(['unknown']);
    expect(bid.cardLines()).toMatchSnapshot();
    expect(findPressable(bid.card(), 'Review')).toBeUndefined();
    await world.gig('web', `job ${bid.job().id}`, 'ben');
    expect(findPressable(bid.note(), 'Approve')).toBeUndefined();
    await world.pass(10 * MINUTE);
    expect(bid.approvals()).toHaveLength(1);
    expect(await bid.approvalStates()).toEqual(['approved']);
    expect(bid.threadAsRead()).toMatchSnapshot();
  });

  it('that never arrived is offered again as soon as that is known', async () => {
    const { bid, world } = await begin({ reviews: true });
    await bid.open();
    await bid.submit('ben', LETTER);
    world.marketplace.injectFault(APPROVE, { kind: 'drop', when: 'before' });
    await bid.press('Approve');
    await world.pass(2 * SECOND);
    expect(findPressable(bid.card(), 'Review')).toBeUndefined();
    await world.pass(2 * MINUTE);
    expect(await bid.approvalStates()).toEqual(['refused']);
    expect(bid.threadAsRead()).toMatchSnapshot();
    await bid.press('Approve', 'ada');
    await world.pass(5 * SECOND);
    expect(bid.approvals()).toHaveLength(2);
    expect(bid.job().status).toBe('scheduled');
  });

  /** Ben's approval took effect without an answer, and the job is unreadable for a long time. */
  async function unread() {
    const { bid, world } = await begin({ reviews: true });
    await bid.open();
    await bid.submit('ben', LETTER);
    world.marketplace.injectFault(APPROVE, { kind: 'drop', when: 'after' });
    await bid.press('Approve');
    await world.until('the approval', () => bid.approvals().length === 1);
    world.marketplace.injectFault(STATUS, presetFaults.status(500), 1_000);
    await world.pass(4 * MINUTE);
    expect(findPressable(bid.card(), 'Review')).toBeUndefined();
    await world.pass(16 * MINUTE);
    expect(await bid.approvalStates()).toEqual(['unknown']);
    expect(bid.cardLines()).toMatchSnapshot();
    return { bid, world };
  }

  it('goes on while nothing can be read, and a refusal then says nothing of the one before', async () => {
    const { bid, world } = await unread();
    await bid.press('Approve', 'ada');
    await world.pass(MINUTE);
    expect(bid.approvals()).toHaveLength(2);
    for (const words of [bid.told('ada'), bid.thread().at(-1)]) expect(words).toMatch(/not pending review/u);
    expect([bid.toldAsRead('ada'), bid.threadAsRead(), bid.cardLines()]).toMatchSnapshot();
    world.marketplace.clearFaults();
    await world.pass(30 * MINUTE);
    expect(await bid.approvalStates()).toEqual(['approved']);
    expect(bid.thread().at(-1)).toContain(`<@${world.slack.user('ben').id}>`);
    expect(bid.threadAsRead()).toMatchSnapshot();
    const { audit } = await bid.books();
    expect(audit.filter(({ act }) => act.kind === 'approve').map(({ answer }) => answer?.kind)).not.toContain(
      'unknown',
    );
  });

  it('is not repeated by a press once the job can be read again', async () => {
    const { bid, world } = await unread();
    world.marketplace.clearFaults();
    await bid.press('Approve', 'ada');
    await world.pass(10 * SECOND);
    expect(bid.approvals()).toHaveLength(1);
    expect(bid.told('ada')).toContain(`<@${world.slack.user('ben').id}>`);
    expect(bid.toldAsRead('ada')).toMatchSnapshot();
    expect(await bid.approvalStates()).toEqual(['approved']);
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
    world.marketplace.updateJob(id, { status: 'failed', errorMessage: 'Out of connects' });
    await world.pass(5 * MINUTE);
    const told = world.slack.messages('data').flatMap((it) => world.slack.thread('data', it.ts).map(wordsOf));
    expect(told.join('\n')).toContain('Too small a budget');
    expect(told.join('\n')).toContain('Out of connects');
  });
});
