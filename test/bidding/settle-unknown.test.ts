import { describe, expect, test } from 'vitest';
import { deleteOldBidsAndJobs } from '../../src/bidding/create-bidding.ts';
import { readBidWithJob, readProjectBidsAndJobs } from '../../src/bidding/project-bidding.ts';
import { bidId, bids, jobs } from '../../src/bidding/records.ts';
import { countProposalsSentSinceClaim } from '../../src/bidding/uncertain-bids.ts';
import { DAY, MINUTE } from '../../src/clock.ts';
import { setupsStates, storedSetups } from '../../src/setups/setups.ts';
import { settle } from '../pass-time.ts';
import { BiddingWorld, leads, project, sales, setupId, team } from './bidding-world.ts';
import type { Fate } from './model-market.ts';

async function bidAnd(world: BiddingWorld, fate: Fate, press = {}) {
  const asked = world.bid(press);
  await settle();
  world.market.decide(fate);
  return asked;
}

const theBid = bidId('~0123', setupId(1));

describe('a bid without an answer', () => {
  test('has become the job of its project that turns up', async () => {
    const world = new BiddingWorld();
    await bidAnd(world, 'lost', { channel: leads });
    await world.pass(MINUTE);
    const [id] = world.market.jobs.keys();
    if (id === undefined) throw new Error('the server has no job');
    expect(await world.bidding.refreshJob(id)).toMatchObject({
      kind: 'found',
      job: { bid: theBid, channel: leads },
    });
    expect(await world.bidOf()).toMatchObject({ state: 'created', job: id });
    expect(await world.news()).toMatchObject([{ about: 'bid-unknown' }, { about: 'bid-found', job: id }]);
    expect(await world.audit()).toMatchObject([{ answer: { kind: 'created', job: id } }]);
    expect(await world.bid({ seen: 1 })).toMatchObject({ kind: 'taken' });
  });

  test('has not become a job that was known before it', async () => {
    const world = new BiddingWorld();
    const id = world.market.addJob('~0123', 'processing');
    await world.approve(id);
    await world.pass(MINUTE);
    await bidAnd(world, 'vanished');
    await world.bidding.refreshJob(id);
    expect(await world.bidOf()).toMatchObject({ state: 'unknown' });
  });

  test('has not become the job of another bid', async () => {
    const world = new BiddingWorld();
    await bidAnd(world, 'vanished');
    await bidAnd(world, 'done', { setup: 2 });
    const [id] = world.market.jobs.keys();
    if (id !== undefined) await world.bidding.refreshJob(id);
    expect(await world.bidOf(1)).toMatchObject({ state: 'unknown' });
  });

  test('has not become a job that an earlier attempt of another bid may have become', async () => {
    const world = new BiddingWorld();
    await bidAnd(world, 'lost');
    await bidAnd(world, 'vanished', { setup: 2 });
    await bidAnd(world, 'refused-with-job', { seen: 1 });
    await world.pass(MINUTE);
    expect(await world.bidOf(1)).toMatchObject({ state: 'refused', job: 102 });
    expect(await world.bidOf(2)).toMatchObject({ state: 'unknown' });
    expect(await world.news()).not.toContainEqual(expect.objectContaining({ about: 'bid-found' }));
  });

  test('has not become a job that another bid is about to become', async () => {
    const world = new BiddingWorld();
    await bidAnd(world, 'vanished');
    const asked = world.bid({ setup: 2 });
    await settle();
    // The job exists before the answer arrives.
    const id = world.market.addJob('~0123');
    await world.bidding.refreshJob(id);
    expect(await world.bidOf(1)).toMatchObject({ state: 'unknown' });
    world.market.answerWith(id);
    expect(await asked).toMatchObject({ view: { bid: { state: 'created', job: id } } });
    expect(await world.job(id)).toMatchObject({ bid: bidId('~0123', setupId(2)) });
  });

  test('has become the job that stands in another bid’s way, where no other can have', async () => {
    const world = new BiddingWorld();
    await bidAnd(world, 'lost', { setup: 2 });
    await world.pass(MINUTE);
    await bidAnd(world, 'refused-with-job');
    await world.pass(MINUTE);
    expect(await world.bidOf(2)).toMatchObject({ state: 'created', job: 102 });
  });

  test('stays unknown where another without an answer may have become the job just as well', async () => {
    const world = new BiddingWorld();
    await bidAnd(world, 'lost');
    await bidAnd(world, 'vanished', { setup: 2 });
    const [id] = world.market.jobs.keys();
    if (id !== undefined) await world.bidding.refreshJob(id);
    expect(await world.bidOf(1)).toMatchObject({ state: 'unknown' });
    expect(await world.bidOf(2)).toMatchObject({ state: 'unknown' });
  });
});

describe('the evidence', () => {
  test('is what the setup has sent since, and looking has no effect', async () => {
    const world = new BiddingWorld();
    const id = setupId(1);
    const setup = { id, name: 'Web', status: 'active', totalSent: 40 };
    await world.disk.transact(async (tx) => {
      await tx.put(storedSetups, [team, id], { team, id, setup });
      await tx.put(setupsStates, [team], { team, readAt: 5 });
    });
    await bidAnd(world, 'lost');
    world.market.setups = [{ ...setup, totalSent: 42 }];
    expect(await world.bidding.checkBidEvidence(theBid)).toMatchObject({
      view: { bid: { state: 'unknown' } },
      sentSince: 2,
    });
    expect(world.market.created).toHaveLength(1);
    expect(await world.news()).toHaveLength(1);
  });

  test('of an attempt before a refused one is counted from that attempt on', async () => {
    const world = new BiddingWorld();
    const id = setupId(1);
    const setup = { id, name: 'Web', status: 'active', totalSent: 40 };
    const tell = (totalSent: number) =>
      world.disk.transact(async (tx) => {
        await tx.put(storedSetups, [team, id], { team, id, setup: { ...setup, totalSent } });
        await tx.put(setupsStates, [team], { team, readAt: 5 });
      });
    await tell(40);
    await bidAnd(world, 'vanished');
    await tell(41);
    await bidAnd(world, 'refused', { seen: 1 });
    world.market.setups = [{ ...setup, totalSent: 41 }];
    expect(await world.bidding.checkBidEvidence(theBid)).toMatchObject({
      view: { bid: { state: 'refused', attempt: 2 } },
      sentSince: 1,
    });
  });

  test('of a settled bid is the bid, and of none is nothing', async () => {
    const world = new BiddingWorld();
    expect(await world.bidding.checkBidEvidence(theBid)).toBeUndefined();
    await bidAnd(world, 'done');
    expect(await world.bidding.checkBidEvidence(theBid)).toEqual({
      view: expect.objectContaining({ job: expect.anything() }),
    });
  });

  test.each([
    [{ totalSent: 4 }, { totalSent: 4 }, 0],
    [{ totalSent: 4, sentToday: 1 }, { totalSent: 5, sentToday: 0 }, 1],
    [{ totalSent: 4 }, { totalSent: 3 }, undefined],
    [{ sentToday: 1 }, { sentToday: 3 }, 2],
    [{ sentToday: 3 }, { sentToday: 0 }, undefined],
    [{ sentToday: 3 }, { sentToday: 3 }, undefined],
    [{}, { totalSent: 3 }, undefined],
    [{ totalSent: 3 }, undefined, undefined],
  ])('from %j to %j is %j sent', (before, now, since) => {
    expect(countProposalsSentSinceClaim({ ...before, at: 0 }, now)).toBe(since);
  });
});

describe('a project', () => {
  test('shows its bids, the newest first, and the jobs that came of none', async () => {
    const world = new BiddingWorld();
    await bidAnd(world, 'done');
    await world.pass(MINUTE);
    await bidAnd(world, 'refused-with-job', { setup: 2 });
    const other = world.market.addJob('~0123');
    await world.approve(other, 5);
    const shown = await world.disk.read((tx) => readProjectBidsAndJobs(tx, team, project));
    expect(shown.bids).toMatchObject([
      { bid: { state: 'refused' }, job: { id: 102 } },
      { bid: { state: 'created' }, job: { id: 101 } },
    ]);
    expect(shown.otherJobs).toMatchObject([{ id: other }]);
    const view = await world.disk.read((tx) => readBidWithJob(tx, team, theBid));
    expect(view).toMatchObject({ bid: { id: theBid }, job: { id: 101 } });
  });
});

describe('what is older than 180 days', () => {
  test('is cleared out, unless something of it is still open', async () => {
    const world = new BiddingWorld();
    await world.addCard(sales);
    await bidAnd(world, 'refused', { setup: 2 });
    await bidAnd(world, 'done');
    void world.bid({ setup: 3 });
    await settle();
    const clear = () => world.disk.transact((tx) => deleteOldBidsAndJobs(tx, team, world.clock.now()));
    world.clock.moveBy(180 * DAY - MINUTE);
    await clear();
    expect(await world.all(bids)).toHaveLength(3);
    world.clock.moveBy(2 * MINUTE);
    await clear();
    expect(await world.all(bids)).toMatchObject([{ state: 'sending' }]);
    expect(await world.all(jobs)).toMatchObject([{ follow: { state: 'following' } }]);
  });
});
