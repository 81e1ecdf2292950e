/** Bids and approvals through kills at every stage: claimed, sent, answered, put on record, told. */
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import {
  approvals,
  type BidWorld,
  cardOf,
  creates,
  onlyJob,
  openBid,
  press,
  SETUP,
  startBidWorld,
  submitBid,
  threadOf,
  viewOf,
  wordsOfView,
} from './bidder.ts';
import { type World, wordsOf } from './world.ts';

const CREATE = { path: '/auto-bidding/jobs/create' };

let bid: BidWorld;
let world: World;
afterEach(() => world.stop());

async function begin(options: Parameters<typeof startBidWorld>[0] = {}) {
  bid = await startBidWorld(options);
  world = bid.world;
}

function card() {
  return cardOf(world, bid.project);
}

async function crash(): Promise<void> {
  await world.crash();
  await world.restart();
  await world.pass(MINUTE);
}

describe('a kill', () => {
  it('between the request and its answer leaves a bid of which nothing is known, and sends nothing again', async () => {
    await begin();
    const held = world.marketplace.fault(CREATE, { kind: 'hold-headers' });
    await openBid(world, bid.project);
    await world.slack.submitView({ user: 'ben', values: { setup: String(SETUP), cover_letter: 'Kept' } });
    await world.until('the request', () => held.hits() === 1, MINUTE);
    await world.pass(3 * SECOND);
    expect(wordsOf(card())).toMatch(/sending/u);
    await crash();
    held.release();
    await world.pass(10 * MINUTE);
    expect(creates(world)).toHaveLength(1);
    expect(wordsOf(card())).toMatch(/no answer/iu);
    expect(threadOf(world, card())).toHaveLength(1);
    expect(await world.gig('web', 'audit')).toMatch(/no answer/u);
    await press(world, 'Try again', { message: card() });
    await world.pass(2 * SECOND);
    expect(wordsOfView(viewOf(world, 'ben'))).toContain('Kept');
    await submitBid(world);
    // The marketplace has the first job: it refuses the second and names the first, which is shown.
    expect(onlyJob(world).coverLetter).toBe('Kept');
    expect(wordsOfView(viewOf(world, 'ben'))).toContain(`#${onlyJob(world).id}`);
  });

  it.each([0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89])(
    '%i turns after the form was sent bids once at the most, and the card says how it stands',
    async (turns) => {
      await begin();
      const view = await openBid(world, bid.project);
      void world.slack.submitView({ user: 'ben', view, values: { setup: String(SETUP) } });
      for (let turn = 0; turn < turns; turn++) await setImmediate();
      await crash();
      await world.pass(5 * MINUTE);
      expect(creates(world).length).toBeLessThanOrEqual(1);
      const [job] = world.marketplace.jobs();
      const words = wordsOf(card());
      if (!job && creates(world).length === 0) expect(words).not.toMatch(/waiting for review|scheduled/u);
      else expect(words).toMatch(job ? new RegExp(`#${job.id}|no answer`, 'u') : /no answer/iu);
      // One line for what became of the bid, whatever the kill cut off.
      const lines = threadOf(world, card()).filter((it) => /bid on/u.test(it));
      expect(lines.length).toBeLessThanOrEqual(1);
      // A person can go on from here: bid, or check, or see the job.
      expect(['Bid', 'Check', 'Try again'].some((it) => findPressable(card(), it))).toBe(true);
    },
  );

  it('keeps what was typed: the form opens as it was', async () => {
    await begin();
    await openBid(world, bid.project);
    await world.slack.choose({
      view: viewOf(world, 'ben'),
      user: 'ben',
      actionId: 'bid_when',
      option: 'in-minutes',
      values: { cover_letter: 'Half a letter', bid_amount: '77' },
    });
    await world.pass(SECOND);
    await crash();
    await world.slack.closeView({ user: 'ben', all: true });
    await openBid(world, bid.project);
    expect(wordsOfView(viewOf(world, 'ben'))).toContain('Half a letter');
    expect(wordsOfView(viewOf(world, 'ben'))).toContain('"77"');
  });

  it('between an approval and its answer approves once; the state of the job says that it was', async () => {
    await begin({ reviews: true });
    await openBid(world, bid.project);
    await submitBid(world);
    const held = world.marketplace.fault({ path: '/auto-bidding/jobs/*/approve' }, { kind: 'hold-headers' });
    await press(world, 'Approve', { message: card() });
    await world.until('the request', () => held.hits() === 1, MINUTE);
    await crash();
    held.release();
    await world.pass(10 * MINUTE);
    expect(approvals(world)).toHaveLength(1);
    expect(onlyJob(world).status).toBe('scheduled');
    expect(findPressable(card(), 'Approve')).toBeUndefined();
    expect(threadOf(world, card()).at(-1)).toMatch(/approved/iu);
  });

  it('while a job is followed loses none of its changes and tells none twice', async () => {
    await begin();
    await openBid(world, bid.project);
    await submitBid(world);
    const { id } = onlyJob(world);
    await world.gig('web', 'unsubscribe filter 101');
    await crash();
    world.marketplace.settleJob(id, { status: 'processing' });
    await world.pass(10 * MINUTE);
    await crash();
    world.marketplace.settleJob(id, { status: 'failed', errorMessage: 'Out of connects' });
    await crash();
    await world.pass(30 * MINUTE);
    const told = threadOf(world, card());
    expect(told.filter((it) => /Bidding/u.test(it))).toHaveLength(1);
    expect(told.filter((it) => /Out of connects/u.test(it))).toHaveLength(1);
    expect(told).toHaveLength(3);
  });
});

describe('a full disk', () => {
  it('sends no bid that could not be put on record first', async () => {
    await begin();
    await openBid(world, bid.project);
    world.room.full = true;
    await submitBid(world);
    expect(creates(world)).toEqual([]);
    world.room.full = false;
    await world.pass(2 * MINUTE);
    await world.slack.closeView({ user: 'ben', all: true });
    await openBid(world, bid.project);
    await submitBid(world);
    expect(creates(world)).toHaveLength(1);
  });

  it('while the answer is on its way: the person is told, and the record follows when there is room', async () => {
    await begin();
    const held = world.marketplace.fault(CREATE, { kind: 'hold-headers' });
    await openBid(world, bid.project);
    await world.slack.submitView({ user: 'ben', values: { setup: String(SETUP) } });
    await world.until('the request', () => held.hits() === 1, MINUTE);
    world.room.full = true;
    held.release();
    await world.pass(MINUTE);
    expect(wordsOfView(viewOf(world, 'ben'))).toContain(`#${onlyJob(world).id}`);
    world.room.full = false;
    await world.pass(5 * MINUTE);
    expect(creates(world)).toHaveLength(1);
    expect(wordsOf(card())).toContain(`#${onlyJob(world).id}`);
  });
});
