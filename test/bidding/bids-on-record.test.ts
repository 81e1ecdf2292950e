/** Bids as they are on record: settled once, found by their jobs, and in doubt as long as nobody knows. */
import { describe, expect, it } from 'vitest';
import { findProjectAliases, recordProjectAlias } from '../../src/aliases/project-aliases.ts';
import type { BidSubmission } from '../../src/bidding/bidding.ts';
import { createBid } from '../../src/bidding/create-bid.ts';
import { createBiddingAttempts } from '../../src/bidding/create-bidding.ts';
import type { BidResponse } from '../../src/bidding/decide-bid.ts';
import { readBidWithJob, readProjectBidsAndJobs } from '../../src/bidding/project-bidding.ts';
import { recordBidResponse } from '../../src/bidding/record-bid-response.ts';
import { type Bid, bids, type Job, type JobApproval, jobs } from '../../src/bidding/records.ts';
import {
  checkBidEvidence,
  countProposalsSentSinceClaim,
  findBidThatCreatedJob,
  listUncertainBidsOf,
  resolveAbandonedClaims,
  resolveUncertainBid,
} from '../../src/bidding/uncertain-bids.ts';
import { DAY, HOUR, MINUTE } from '../../src/clock.ts';
import { JobId, ProjectKey, SetupId, UserId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import type { MarketplaceClient } from '../../src/marketplace/client.ts';
import { createSetupService } from '../../src/setups/setups.ts';
import { deleteOldRecords } from '../../src/storage/delete-old-records.ts';
import { scanCollection } from '../../src/storage/store.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { fakeMarketplace } from '../fake-marketplace.ts';
import { createMemoryStore } from '../memory-store.ts';
import { settle } from '../pass-time.ts';
import { ann, channel, plainBid, plainJob, project, START } from './plain-records.ts';

/** All that bidding needs, beside a marketplace with these answers. */
function open(answers: Partial<MarketplaceClient> = {}) {
  const [clock, store] = [new ManualClock(START + HOUR), createMemoryStore()];
  const parts = { store, clock, log: silentLog, marketplace: fakeMarketplace(answers).marketplace };
  const attempts = createBiddingAttempts(parts);
  const context = {
    ...parts,
    timezone: 'UTC',
    setups: createSetupService(parts),
    random: () => 0.5,
    attempts,
  };
  const keep = (all: readonly Bid[], became: readonly Job[] = []) =>
    store.transact(async (tx) => {
      for (const bid of all) await tx.put(bids, bid);
      for (const job of became) await tx.put(jobs, job);
    });
  const read = (id: Bid['id']) => store.read((tx) => readBidWithJob(tx, id));
  return { context, attempts, store, clock, keep, read };
}

describe('a job has become the bid without an answer', () => {
  const mine = plainBid(7);

  it('that is the only one, where nothing else is known of the job', () => {
    expect(findBidThatCreatedJob([mine], undefined)).toBe(mine);
    expect(findBidThatCreatedJob([], undefined)).toBeUndefined();
    expect(findBidThatCreatedJob([mine, plainBid(8)], undefined)).toBeUndefined();
  });

  it('whose setup it has', () => {
    expect(findBidThatCreatedJob([mine, plainBid(8)], plainJob(5))).toBe(mine);
    expect(findBidThatCreatedJob([plainBid(8)], plainJob(5))).toBeUndefined();
    const { setup: _, ...untold } = plainJob(5);
    expect(findBidThatCreatedJob([plainBid(8)], untold)).toMatchObject({ id: plainBid(8).id });
  });

  it('that was made before the job was known, at its first attempt in doubt', () => {
    const known = (at: number) => plainJob(5, { knownAt: at });
    expect(findBidThatCreatedJob([mine], known(START))).toBe(mine);
    expect(findBidThatCreatedJob([mine], known(START - 1))).toBeUndefined();
    const again = { ...mine, at: START + HOUR, doubtSince: START };
    expect(findBidThatCreatedJob([again], known(START))).toBe(again);
    expect(findBidThatCreatedJob([{ ...mine, doubtSince: START + 1 }], known(START))).toBeUndefined();
  });

  it('and no other bid’s, nor that of an attempt that is still under way', () => {
    expect(findBidThatCreatedJob([mine], plainJob(5, { bid: mine.id }))).toBeUndefined();
    expect(findBidThatCreatedJob([plainBid(7, { state: 'sending' })], plainJob(5))).toBeUndefined();
    expect(findBidThatCreatedJob([mine, plainBid(7, { state: 'sending' })], plainJob(5))).toBeUndefined();
  });

  it('also where a later attempt was refused or skipped, of which there was one', () => {
    for (const state of ['refused', 'skipped'] as const) {
      const again = plainBid(7, { state, at: START + HOUR, attempt: 2, doubtSince: START });
      expect(findBidThatCreatedJob([again], plainJob(5, { knownAt: START }))).toBe(again);
      expect(findBidThatCreatedJob([plainBid(7, { state })], plainJob(5))).toBeUndefined();
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
    const bid = plainBid(7, doubt);
    const status = { id: plainJob(5).id, status: 'skipped', marketplaceJobId: '0123' };
    const found = await store.transact(async (tx) => {
      await tx.put(bids, bid);
      return resolveUncertainBid(tx, status, START + HOUR);
    });
    expect(found?.bid).toMatchObject({ state: 'skipped', job: 5 });
    expect(found?.bid.doubtSince).toBe(left);
  });

  it('only where the reading says of which project it is', async () => {
    const store = createMemoryStore();
    const status = { id: plainJob(5).id, status: 'scheduled' };
    expect(await store.transact((tx) => resolveUncertainBid(tx, status, START))).toBeUndefined();
  });
});

async function openClaims(count: number) {
  const { context, attempts, store, keep } = open();
  const each = Array.from({ length: count }, (_, place) => place + 1);
  const approval = (id: number): JobApproval => {
    const at = START + id;
    return { state: 'sending', by: ann, at, attempt: 1, audit: [at, id] };
  };
  await keep(
    each.map((id) => plainBid(id, { state: 'sending', at: START + id })),
    each.map((id) => plainJob(id, { status: 'pending_review', approval: approval(id) })),
  );
  const states = () =>
    store.read(async (tx) => {
      const found = { bids: [] as string[], approvals: [] as string[] };
      for await (const { value } of scanCollection(tx, bids)) found.bids.push(value.state);
      for await (const { value } of scanCollection(tx, jobs))
        found.approvals.push(String(value.approval?.state));
      return [found.bids, found.approvals].map((it) => it.toSorted((a, b) => a.localeCompare(b)));
    });
  return { context, attempts, states };
}

describe('claims of a former life', () => {
  it('are unknown, all of them', async () => {
    const { context, states } = await openClaims(22);
    await resolveAbandonedClaims(context, undefined);
    const all = Array.from({ length: 22 }, () => 'unknown');
    expect(await states()).toEqual([all, all]);
  });

  it('are left alone where they are younger than asked for, or this process has them under way', async () => {
    const { context, attempts, states } = await openClaims(4);
    void attempts.bids.run(plainBid(1).id, () => new Promise(() => undefined));
    void attempts.approvals.run(plainJob(1).id, () => new Promise(() => undefined));
    await resolveAbandonedClaims(context, START + 3);
    const one = ['sending', 'sending', 'sending', 'unknown'];
    expect(await states()).toEqual([one, one]);
  });
});

describe('an answer', () => {
  const claimed = plainBid(7, { state: 'sending' });
  const created = (id: number, more: object = {}) =>
    ({ kind: 'created', job: { id: JobId.parse(id), status: 'scheduled', ...more } }) as const;

  async function record(answer: BidResponse, there: Bid = claimed, known: readonly Job[] = []) {
    const { store, keep, read } = open();
    await keep([there], known);
    await store.transact((tx) => recordBidResponse(tx, claimed, answer, START + HOUR));
    return { store, view: await read(there.id) };
  }

  it('settles its claim, and none that is closed, or of another attempt', async () => {
    expect((await record(created(5))).view).toMatchObject({
      bid: { state: 'created', job: 5 },
      job: { id: 5 },
    });
    for (const there of [plainBid(7), plainBid(7, { state: 'sending', attempt: 2 })])
      expect((await record(created(5), there)).view).toEqual({ bid: there });
  });

  it('that names a job of another bid leaves that job with its own bid', async () => {
    const others = plainJob(5, { bid: plainBid(8).id, setup: SetupId.parse(8) });
    const { view } = await record(created(5), claimed, [others]);
    expect(view).toMatchObject({ bid: { job: 5 }, job: { bid: others.bid, setup: 8 } });
  });

  it('that refuses keeps the job in the way, to be read', async () => {
    const refusal = { code: 'bad-request' };
    const { view } = await record({ kind: 'refused', refusal, job: JobId.parse(5) });
    expect(view).toMatchObject({ bid: { state: 'refused', refusal, job: 5 }, job: { id: 5 } });
  });

  it.each([
    [undefined, true],
    [12, false],
  ])('links a uid and its ~id, unless a project id named the project: %s', async (projectId, isLinked) => {
    const { store, keep } = open();
    const request = { setup: SetupId.parse(7), marketplaceJobId: 'ab1', ...(projectId ? { projectId } : {}) };
    const bid = { ...claimed, request };
    await keep([bid]);
    const answer = created(5, { marketplaceJobId: '~0123' });
    await store.transact((tx) => recordBidResponse(tx, bid, answer, START));
    const names = await store.read((tx) => findProjectAliases(tx, { project }));
    expect(names.jobIds.includes('ab1')).toBe(isLinked);
  });
});

it('a bid whose project gets another name before its claim is not sent beside that name’s', async () => {
  const { context, store, keep } = open();
  await keep([plainBid(7, { state: 'created' })]);
  const request = { setup: SetupId.parse(7), marketplaceJobId: 'ab1' };
  const order = { title: 'A shop', channel, by: ann, seenAttempts: {}, shownAttempts: {} };
  const asked = createBid(context, {
    ...order,
    project: ProjectKey.parse('uid:ab1'),
    request,
  } as BidSubmission);
  await store.transact((tx) => recordProjectAlias(tx, { uid: 'ab1', ciphertext: '~0123' }, 0));
  await settle();
  expect(await asked).toMatchObject({ kind: 'taken', view: { bid: { state: 'created' } } });
});

describe('the evidence of a bid', () => {
  it('is what its setup has sent since, read anew; of a settled bid it is the bid', async () => {
    const setup = { id: SetupId.parse(7), name: 'Web', status: 'active', totalSent: 42 };
    const { context, keep } = open({ fetchBiddingSetups: async () => [setup] });
    const bid = plainBid(7, { before: { totalSent: 40, at: START } });
    expect(await checkBidEvidence(context, bid.id)).toBeUndefined();
    await keep([bid]);
    expect(await checkBidEvidence(context, bid.id)).toEqual({ view: { bid }, sentSince: 2 });
    const settled = plainBid(7, { state: 'created' });
    await keep([settled]);
    expect(await checkBidEvidence(context, bid.id)).toEqual({ view: { bid: settled } });
  });

  it.each([
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

it('a person’s bids in doubt are those of theirs whose job nobody knows', async () => {
  const { store, keep } = open();
  const others = plainBid(8, { by: UserId.parse('UBOB') });
  const known = plainBid(9, { state: 'created', doubtSince: START, job: JobId.parse(1) });
  await keep([plainBid(7), others, known, plainBid(10, { state: 'sending' })]);
  expect(await store.read((tx) => listUncertainBidsOf(tx, ann, 9))).toEqual([plainBid(7)]);
});

it('a project shows its bids, the newest first, and the jobs that came of none', async () => {
  const { store, keep } = open();
  const [old, young] = [
    plainBid(7, { state: 'created', job: JobId.parse(1) }),
    plainBid(8, { at: START + 1 }),
  ];
  await keep([old, young], [plainJob(1, { bid: old.id, project }), plainJob(2, { project })]);
  const shown = await store.read((tx) => readProjectBidsAndJobs(tx, project));
  expect(shown.bids).toMatchObject([{ bid: { id: young.id } }, { bid: { id: old.id }, job: { id: 1 } }]);
  expect(shown.otherJobs).toMatchObject([{ id: 2 }]);
});

it('what is older than 180 days is cleared out, unless something of it is still open', async () => {
  const { store, keep } = open();
  const settled = { state: 'settled', at: START } as const;
  await keep(
    [plainBid(7), plainBid(8, { state: 'sending' })],
    [plainJob(1), plainJob(2, { follow: settled })],
  );
  const left = async (at: number) => {
    const { signal } = new AbortController();
    await deleteOldRecords(store, bids, at, signal);
    await deleteOldRecords(store, jobs, at, signal);
    const all = await store.read(async (tx) => [
      ...(await tx.list(bids, { limit: 9 })),
      ...(await tx.list(jobs, { limit: 9 })),
    ]);
    return all.map(({ value }) => value.id);
  };
  expect(await left(START + 180 * DAY - MINUTE)).toHaveLength(4);
  expect(await left(START + 180 * DAY + MINUTE)).toEqual([plainBid(8).id, 1]);
});
