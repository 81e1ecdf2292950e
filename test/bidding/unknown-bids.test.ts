/** Claims that will never get an answer, and the bid a job has become. */
import { describe, expect, it } from 'vitest';
import { createBiddingAttempts } from '../../src/bidding/create-bidding.ts';
import { type Bid, bidId, bidKey, bids, jobs } from '../../src/bidding/records.ts';
import {
  findBidThatCreatedJob,
  resolveAbandonedClaims,
  resolveUncertainBid,
} from '../../src/bidding/uncertain-bids.ts';
import { HOUR } from '../../src/clock.ts';
import { ProjectKey, SetupId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { createSetupService } from '../../src/setups/setups.ts';
import { scanCollection } from '../../src/storage/store.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { fakeMarketplace } from '../fake-marketplace.ts';
import { createMemoryStore } from '../memory-store.ts';
import { ann, channel, home, newJob, START, team } from './follow-world.ts';

function aBid(setup: number, change: Partial<Bid> = {}): Bid {
  const id = SetupId.parse(setup);
  return {
    team,
    id: bidId('~0123', id),
    project: ProjectKey.parse('~0123'),
    title: 'Rebuild our checkout',
    channel,
    home,
    by: ann,
    at: START,
    request: { setup: id, marketplaceJobId: '~0123' },
    attempt: 1,
    state: 'unknown',
    audit: [team, START, setup],
    ...change,
  };
}

describe('a job has become the bid without an answer', () => {
  const mine = aBid(7);

  it('that is the only one, where nothing else is known of the job', () => {
    expect(findBidThatCreatedJob([mine], undefined)).toBe(mine);
    expect(findBidThatCreatedJob([], undefined)).toBeUndefined();
    expect(findBidThatCreatedJob([mine, aBid(8)], undefined)).toBeUndefined();
  });

  it('whose setup it has', () => {
    expect(findBidThatCreatedJob([mine, aBid(8)], newJob(5))).toBe(mine);
    expect(findBidThatCreatedJob([aBid(8)], newJob(5))).toBeUndefined();
    const { setup: _, ...untold } = newJob(5);
    expect(findBidThatCreatedJob([aBid(8)], untold)).toMatchObject({ id: aBid(8).id });
  });

  it('that was made before the job was known, at its first attempt in doubt', () => {
    const known = (at: number) => newJob(5, { knownAt: at });
    expect(findBidThatCreatedJob([mine], known(START))).toBe(mine);
    expect(findBidThatCreatedJob([mine], known(START - 1))).toBeUndefined();
    const again = { ...mine, at: START + HOUR, doubtSince: START };
    expect(findBidThatCreatedJob([again], known(START))).toBe(again);
    expect(findBidThatCreatedJob([{ ...mine, doubtSince: START + 1 }], known(START))).toBeUndefined();
  });

  it('and no other bid’s, nor that of an attempt that is still under way', () => {
    expect(findBidThatCreatedJob([mine], newJob(5, { bid: mine.id }))).toBeUndefined();
    expect(findBidThatCreatedJob([aBid(7, { state: 'sending' })], newJob(5))).toBeUndefined();
    expect(findBidThatCreatedJob([mine, aBid(7, { state: 'sending' })], newJob(5))).toBeUndefined();
  });

  it('also where a later attempt was refused or skipped, of which there was one', () => {
    for (const state of ['refused', 'skipped'] as const) {
      const again = aBid(7, { state, at: START + HOUR, attempt: 2, doubtSince: START });
      expect(findBidThatCreatedJob([again], newJob(5, { knownAt: START }))).toBe(again);
      expect(findBidThatCreatedJob([aBid(7, { state })], newJob(5))).toBeUndefined();
    }
  });

  it.each<[Partial<Bid>, number | undefined]>([
    [{}, undefined],
    [{ doubtSince: START }, undefined],
    [{ doubtSince: START - HOUR }, START - HOUR],
    [{ state: 'refused', attempt: 2, doubtSince: START - HOUR }, undefined],
    [{ state: 'refused', attempt: 3, doubtSince: START - HOUR }, START - HOUR],
  ])('and what else of %j may have become one stays in doubt', async (doubt, left) => {
    const store = createMemoryStore();
    const bid = aBid(7, doubt);
    const status = { id: newJob(5).id, status: 'skipped', marketplaceJobId: '0123' };
    const found = await store.transact(async (tx) => {
      await tx.put(bids, bidKey(team, bid.id), bid);
      return resolveUncertainBid(tx, team, status, START + HOUR);
    });
    expect(found?.bid).toMatchObject({ state: 'skipped', job: 5 });
    expect(found?.bid.doubtSince).toBe(left);
  });

  it('only where the reading says of which project it is', async () => {
    const store = createMemoryStore();
    const status = { id: newJob(5).id, status: 'scheduled' };
    expect(await store.transact((tx) => resolveUncertainBid(tx, team, status, START))).toBeUndefined();
  });
});

async function openClaims(count: number) {
  const clock = new ManualClock(START + HOUR);
  const store = createMemoryStore();
  const parts = { team, store, clock, log: silentLog, marketplace: fakeMarketplace({}).marketplace };
  const attempts = createBiddingAttempts(parts);
  const context = { ...parts, setups: createSetupService(parts), random: () => 0.5, attempts };
  await store.transact(async (tx) => {
    for (let each = 1; each <= count; each++) {
      const at = START + each;
      const bid = aBid(each, { state: 'sending', at });
      await tx.put(bids, bidKey(team, bid.id), bid);
      const approval = { state: 'sending' as const, by: ann, at, attempt: 1, audit: [team, at, each] };
      await tx.put(jobs, [team, each], newJob(each, { status: 'pending_review', approval }));
    }
  });
  const states = async () => {
    const found = { bids: new Map<string, number>(), approvals: new Map<string, number>() };
    const count = (of: Map<string, number>, state: string) => of.set(state, (of.get(state) ?? 0) + 1);
    await store.read(async (tx) => {
      for await (const { value } of scanCollection(tx, bids, { prefix: [team] }))
        count(found.bids, value.state);
      for await (const { value } of scanCollection(tx, jobs, { prefix: [team] }))
        if (value.approval) count(found.approvals, value.approval.state);
    });
    return { bids: Object.fromEntries(found.bids), approvals: Object.fromEntries(found.approvals) };
  };
  return { context, attempts, states };
}

describe('claims of a former life', () => {
  it.each([1, 20, 45])('are unknown, all %d of them', async (count) => {
    const { context, states } = await openClaims(count);
    await resolveAbandonedClaims(context, undefined);
    expect(await states()).toEqual({ bids: { unknown: count }, approvals: { unknown: count } });
  });

  it('are left alone where they are younger than was asked for', async () => {
    const { context, states } = await openClaims(4);
    await resolveAbandonedClaims(context, START + 3);
    expect(await states()).toEqual({
      bids: { unknown: 2, sending: 2 },
      approvals: { unknown: 2, sending: 2 },
    });
  });

  it('are left alone where this process has them under way', async () => {
    const { context, attempts, states } = await openClaims(2);
    void attempts.bids.run(aBid(1).id, () => new Promise(() => undefined));
    void attempts.approvals.run(newJob(1).id, () => new Promise(() => undefined));
    await resolveAbandonedClaims(context, undefined);
    expect(await states()).toEqual({
      bids: { unknown: 1, sending: 1 },
      approvals: { unknown: 1, sending: 1 },
    });
  });
});
