/** Bids and approvals through kills at every stage: claimed, sent, answered, stored, posted. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import { asRead } from './as-read.ts';
import { begin } from './begin-bid.ts';
import { CREATE, SETUP } from './bidder.ts';
import { unsubscribe } from './buttons.ts';
import type { World } from './world.ts';

async function crash(world: World): Promise<void> {
  await world.crash();
  await world.restart();
  await world.pass(MINUTE);
}

describe('a kill', () => {
  it('between the request and its answer leaves the bid unknown, and resends nothing', async () => {
    const { bid, world } = await begin();
    const held = world.marketplace.injectFault(CREATE, { kind: 'hold-headers' });
    await bid.open();
    await world.slack.submitView({ user: 'ben', values: { setup: String(SETUP), cover_letter: 'Kept' } });
    await world.until('the request', () => held.hits() === 1, MINUTE);
    await world.pass(3 * SECOND);
    expect(await bid.states()).toEqual(['sending']);
    expect(bid.cardLines()).toMatchSnapshot();
    await crash(world);
    held.release();
    await world.pass(10 * MINUTE);
    expect(bid.creates()).toHaveLength(1);
    expect(await bid.states()).toEqual(['unknown']);
    expect(findPressable(bid.card(), 'Check')).toBeDefined();
    expect(bid.thread()).toHaveLength(1);
    expect(asRead(world, await world.gig('web', 'audit'))).toMatchSnapshot();
    await bid.press('Try Again');
    await world.pass(2 * SECOND);
    expect(bid.screen()).toContain('Kept');
    await bid.submit();
    // The marketplace has the first job: it rejects the second one with the first one's id, and that job is
    // shown.
    expect(bid.job().coverLetter).toBe('Kept');
    expect(bid.screen()).toContain(`#${bid.job().id}`);
  });

  it.each([0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89])(
    '%i turns after the form was sent bids once at the most, and the card says how it stands',
    async (turns) => {
      const { bid, world } = await begin();
      const view = await bid.open();
      void world.slack.submitView({ user: 'ben', view, values: { setup: String(SETUP) } });
      for (let turn = 0; turn < turns; turn++) await setImmediate();
      await crash(world);
      await world.pass(5 * MINUTE);
      expect(bid.creates().length).toBeLessThanOrEqual(1);
      const [job] = world.marketplace.jobs();
      const words = bid.cardWords();
      const states = await bid.states();
      if (!job && bid.creates().length === 0) expect(states).not.toContain('created');
      else expect(states).toEqual([job && words.includes(`#${job.id}`) ? 'created' : 'unknown']);
      // One line with the bid's result, wherever the kill hit.
      const lines = bid.thread().filter((it) => it.includes('Fast setup'));
      expect(lines.length).toBeLessThanOrEqual(1);
      // A person can continue from here: bid, check, or see the job.
      expect(['Bid', 'Check', 'Try Again'].some((it) => findPressable(bid.card(), it))).toBe(true);
    },
  );

  it('keeps what was typed: the form opens as it was', async () => {
    const { bid, world } = await begin();
    await bid.open();
    await world.slack.chooseOption({
      view: bid.view(),
      user: 'ben',
      actionId: 'bid_when',
      option: 'in-minutes',
      values: { cover_letter: 'Half a letter', bid_amount: '77' },
    });
    await world.pass(SECOND);
    await crash(world);
    await world.slack.closeView({ user: 'ben', all: true });
    await bid.open();
    expect(bid.screen()).toContain('Half a letter');
    expect(bid.screen()).toContain('"77"');
  });

  it('between an approval and its answer approves once; the state of the job says that it was', async () => {
    const { bid, world } = await begin({ reviews: true });
    await bid.open();
    await bid.submit();
    const held = world.marketplace.injectFault(
      { path: '/auto-bidding/jobs/*/approve' },
      { kind: 'hold-headers' },
    );
    await bid.press('Approve');
    await world.until('the request', () => held.hits() === 1, MINUTE);
    await crash(world);
    held.release();
    await world.pass(10 * MINUTE);
    expect(bid.approvals()).toHaveLength(1);
    expect(bid.job().status).toBe('scheduled');
    expect(findPressable(bid.card(), 'Review')).toBeUndefined();
    expect(await bid.approvalStates()).toEqual(['approved']);
    expect(bid.threadAsRead()).toMatchSnapshot();
  });

  it('while a job is followed loses none of its changes and tells none twice', async () => {
    const { bid, world } = await begin();
    await bid.open();
    await bid.submit();
    const { id } = bid.job();
    await unsubscribe(world, 'web', '101');
    await crash(world);
    world.marketplace.updateJob(id, { status: 'processing' });
    await world.pass(10 * MINUTE);
    await crash(world);
    world.marketplace.updateJob(id, { status: 'failed', errorMessage: 'Out of connects' });
    await crash(world);
    await world.pass(30 * MINUTE);
    const told = bid.thread();
    expect(told.filter((it) => /Bidding/u.test(it))).toHaveLength(1);
    expect(told.filter((it) => /Out of connects/u.test(it))).toHaveLength(1);
    expect(told).toHaveLength(3);
  });
});

describe('a full disk', () => {
  it('sends no bid that could not be put on record first', async () => {
    const { bid, world } = await begin();
    await bid.open();
    world.room.full = true;
    await bid.submit();
    expect(bid.creates()).toEqual([]);
    world.room.full = false;
    await world.pass(2 * MINUTE);
    await world.slack.closeView({ user: 'ben', all: true });
    await bid.open();
    await bid.submit();
    expect(bid.creates()).toHaveLength(1);
  });

  it('while the answer is in flight: the person sees it, and it is saved once there is room', async () => {
    const { bid, world } = await begin();
    const held = world.marketplace.injectFault(CREATE, { kind: 'hold-headers' });
    await bid.open();
    await world.slack.submitView({ user: 'ben', values: { setup: String(SETUP) } });
    await world.until('the request', () => held.hits() === 1, MINUTE);
    world.room.full = true;
    held.release();
    await world.pass(MINUTE);
    expect(bid.screen()).toContain(`#${bid.job().id}`);
    world.room.full = false;
    await world.pass(5 * MINUTE);
    expect(bid.creates()).toHaveLength(1);
    expect(bid.cardWords()).toContain(`#${bid.job().id}`);
  });
});
