import { describe, expect, test } from 'vitest';
import { findProjectAliases, recordProjectAlias } from '../../src/aliases/project-aliases.ts';
import { bidId, bids } from '../../src/bidding/records.ts';
import { MINUTE } from '../../src/clock.ts';
import { ProjectKey } from '../../src/ids.ts';
import { setupsStates, storedSetups } from '../../src/setups/setups.ts';
import { StorageError } from '../../src/storage/store.ts';
import { settle } from '../pass-time.ts';
import { ann, BiddingWorld, bob, leads, project, sales, setupId, team } from './bidding-world.ts';
import type { Fate } from './model-market.ts';

/** One press, and its answer. */
async function bidAnd(world: BiddingWorld, fate: Fate, press = {}) {
  const asked = world.bid(press);
  await settle();
  world.market.decide(fate, world.market.waiting.length - 1);
  return asked;
}

describe('a bid', () => {
  test('that becomes a job is on record with it, told in the thread, and in the audit log', async () => {
    const world = new BiddingWorld();
    await world.addCard(sales);
    const outcome = await bidAnd(world, 'done', { request: { bidAmount: 500, boostConnects: 4 } });

    expect(outcome).toMatchObject({
      kind: 'asked',
      view: { bid: { state: 'created', job: 101, attempt: 1, by: ann }, job: { id: 101, title: 'A shop' } },
    });
    expect(await world.bidOf()).toMatchObject({
      state: 'created',
      setupName: 'Setup 1',
      home: 'card:CSALES:~0123',
    });
    const [job] = world.market.jobs.keys();
    expect(job && (await world.job(job))).toMatchObject({
      bid: '1:0123',
      project: '~0123',
      setup: 1,
      follow: { state: 'following' },
    });
    expect(await world.news()).toEqual([
      {
        about: 'bid-created',
        by: ann,
        title: 'A shop',
        setup: 1,
        setupName: 'Setup 1',
        job: 101,
        status: 'pending_review',
      },
    ]);
    expect(await world.audit()).toMatchObject([
      {
        by: ann,
        channel: sales,
        act: {
          kind: 'bid',
          setup: 1,
          attempt: 1,
          marketplaceJobId: '~0123',
          bidAmount: 500,
          boostConnects: 4,
        },
        answer: { kind: 'created', job: 101, words: 'pending_review' },
      },
    ]);
  });

  test('is claimed, shown and audited before the request is sent', async () => {
    const world = new BiddingWorld();
    await world.addCard(sales);
    void world.bid();
    await settle();

    expect(world.market.created).toHaveLength(1);
    expect(await world.bidOf()).toMatchObject({ state: 'sending', attempt: 1 });
    expect(await world.posts()).toMatchObject([{ id: 'card:CSALES:~0123', revision: 1 }]);
    expect((await world.audit()).map((entry) => entry.answer)).toEqual([undefined]);
  });

  test('of two people at once is sent once, and the other is told who was first', async () => {
    const world = new BiddingWorld();
    const first = world.bid();
    const second = await world.bid({ by: bob });
    world.market.decide('done');

    expect(second).toMatchObject({ kind: 'taken', view: { bid: { by: ann, state: 'sending' } } });
    expect(await first).toMatchObject({ kind: 'asked' });
    expect(await world.bid({ by: bob, seen: 1 })).toMatchObject({
      kind: 'taken',
      view: { job: { id: 101 } },
    });
    expect(world.market.created).toHaveLength(1);
  });

  test('names its project with or without the tilde: it is the same bid', async () => {
    const world = new BiddingWorld();
    await bidAnd(world, 'done');
    const again = await world.bid({ request: { marketplaceJobId: '0123' } });
    expect(again).toMatchObject({ kind: 'taken' });
    expect(world.market.created).toHaveLength(1);
  });

  test('with another setup is another bid', async () => {
    const world = new BiddingWorld();
    await bidAnd(world, 'done');
    expect(await bidAnd(world, 'done', { setup: 2 })).toMatchObject({ view: { bid: { state: 'created' } } });
    expect(world.market.created).toHaveLength(2);
  });

  test('that the disk does not take is not sent', async () => {
    const world = new BiddingWorld();
    world.disk.failNext();
    await expect(world.bid()).rejects.toThrow(StorageError);
    await settle();
    expect(world.market.created).toEqual([]);
    expect(await world.bidOf()).toBeUndefined();
  });

  test('with a date that is none is neither claimed nor sent', async () => {
    const world = new BiddingWorld();
    await expect(world.bid({ request: { scheduledAt: 9e15 } })).rejects.toThrow(RangeError);
    expect(await world.bidOf()).toBeUndefined();
    expect(world.market.created).toEqual([]);
  });

  test('whose seen attempt is on record no longer is not sent', async () => {
    const world = new BiddingWorld();
    await expect(world.bid({ seen: 2 })).rejects.toThrow('1:0123');
    expect(world.market.created).toEqual([]);
  });

  test('keeps what its setup had sent before, for evidence', async () => {
    const world = new BiddingWorld();
    const id = setupId(1);
    const setup = { id, name: 'Web', status: 'active', totalSent: 40, sentToday: 3 };
    await world.disk.transact(async (tx) => {
      await tx.put(storedSetups, [team, id], { team, id, setup });
      await tx.put(setupsStates, [team], { team, readAt: 5 });
    });
    void world.bid();
    await settle();
    expect(await world.bidOf()).toMatchObject({
      setupName: 'Web',
      before: { totalSent: 40, sentToday: 3, at: 5 },
    });
  });
});

describe('an outcome', () => {
  test('skipped is told as such, and may be tried again', async () => {
    const world = new BiddingWorld();
    const outcome = await bidAnd(world, 'skipped');
    expect(outcome).toMatchObject({ view: { bid: { state: 'skipped' }, job: { status: 'Skipped' } } });
    expect(await world.news()).toMatchObject([{ about: 'bid-skipped', job: 101 }]);
    expect(await bidAnd(world, 'done', { seen: 1 })).toMatchObject({
      view: { bid: { state: 'created', job: 102, attempt: 2 } },
    });
  });

  test('refused keeps the words of the marketplace, and a retry leaves nothing of it', async () => {
    const world = new BiddingWorld();
    const outcome = await bidAnd(world, 'refused');
    const refusal = { code: 'bad-request', serverMessage: 'Daily limit reached' };
    expect(outcome).toMatchObject({ view: { bid: { state: 'refused', refusal } } });
    expect(await world.news()).toMatchObject([{ about: 'bid-refused', ...refusal }]);
    expect(await world.audit()).toMatchObject([
      { answer: { kind: 'refused', words: 'Daily limit reached' } },
    ]);

    await bidAnd(world, 'done', { seen: 1, by: bob });
    expect(await world.bidOf()).toMatchObject({ state: 'created', by: bob, attempt: 2 });
    expect(await world.bidOf()).not.toHaveProperty('refusal');
    expect((await world.audit()).map(({ answer }) => answer?.kind)).toEqual(['refused', 'created']);
  });

  test('refused for a job in its way shows that job, and reads how it stands', async () => {
    const world = new BiddingWorld();
    const outcome = await bidAnd(world, 'refused-with-job');
    expect(outcome).toMatchObject({ view: { bid: { state: 'refused', job: 101 }, job: { id: 101 } } });
    expect(await world.news()).toMatchObject([
      { about: 'bid-refused', job: 101 },
      { about: 'job-changed', job: 101, status: 'pending_review' },
    ]);
    const [job] = world.market.jobs.keys();
    expect(job && (await world.job(job))).toMatchObject({ status: 'pending_review', project: '~0123' });
    expect(await world.bidOf()).toMatchObject({ state: 'refused', job: 101 });
  });

  test.each(['lost', 'vanished', 'broken', 'bug'] as const)(
    'of a request that was %s is unknown, and nothing is sent again by itself',
    async (fate) => {
      const world = new BiddingWorld();
      await world.start();
      expect(await bidAnd(world, fate)).toMatchObject({ kind: 'asked', view: { bid: { state: 'unknown' } } });
      await world.pass(60 * MINUTE);
      await world.stop();
      expect(await world.bidOf()).toMatchObject({ state: 'unknown', attempt: 1 });
      expect(await world.news()).toMatchObject([{ about: 'bid-unknown', by: ann }]);
      expect(await world.audit()).toMatchObject([{ answer: { kind: 'unknown' } }]);
      expect(world.market.created).toHaveLength(1);
    },
  );

  test.each(['rate-limited', 'not-sent'] as const)('of a request that was %s is a refusal', async (fate) => {
    const world = new BiddingWorld();
    expect(await bidAnd(world, fate)).toMatchObject({ view: { bid: { state: 'refused' } } });
  });

  test('that names a job of another bid leaves that job with its own bid', async () => {
    const world = new BiddingWorld();
    await bidAnd(world, 'done');
    const [id] = world.market.jobs.keys();
    const twice = world.bid({ setup: 2, channel: leads });
    await settle();
    world.market.answerWith(id);
    expect(await twice).toMatchObject({ view: { bid: { state: 'created', job: 101 } } });
    expect(id && (await world.job(id))).toMatchObject({ bid: '1:0123', channel: sales, setup: 1 });
  });

  test('that the disk does not take at first is told to the person, and on record once it does', async () => {
    const world = new BiddingWorld();
    const asked = world.bid();
    await settle();
    world.disk.failNext();
    world.market.decide('done');
    await settle();
    expect(await world.bidOf()).toMatchObject({ state: 'sending' });
    await world.pass(1_000);
    expect(await asked).toMatchObject({ view: { bid: { state: 'created' }, job: { id: 101 } } });
    expect(await world.bidOf()).toMatchObject({ state: 'created' });
  });

  test('that the disk does not take for long is not lost while the process lives', async () => {
    const world = new BiddingWorld();
    await world.start();
    const asked = world.bid();
    await settle();
    world.isDiskFull = true;
    world.market.decide('done');
    await world.pass(30 * MINUTE);
    expect(await asked).toMatchObject({ view: { bid: { state: 'created', job: 101 }, job: { id: 101 } } });
    expect(await world.bidOf()).toMatchObject({ state: 'sending' });
    world.isDiskFull = false;
    await world.pass(MINUTE);
    await world.stop();
    expect(await world.bidOf()).toMatchObject({ state: 'created', job: 101 });
    expect((await world.news())[0]).toMatchObject({ about: 'bid-created' });
  });
});

describe('beside a bid with another setup', () => {
  const first = bidId('~0123', setupId(1));

  test('nothing is sent from a form that didn’t show that bid, under any key of the project', async () => {
    const world = new BiddingWorld();
    await bidAnd(world, 'done');
    const notShown = {
      kind: 'not-shown',
      views: [{ bid: { id: first, state: 'created' }, job: { id: 101 } }],
    };
    expect(await world.bid({ setup: 2, by: bob, shown: {} })).toMatchObject(notShown);
    const elsewhere = ProjectKey.parse('url:elsewhere');
    expect(await world.bid({ setup: 2, shown: {}, project: elsewhere })).toMatchObject(notShown);
    expect(world.market.created).toHaveLength(1);
    expect(await world.bidOf(2)).toBeUndefined();
    expect(await world.audit()).toHaveLength(1);
  });

  test('one that showed it is sent; of two at once, the second is not', async () => {
    const world = new BiddingWorld();
    await bidAnd(world, 'done');
    const shown = { [first]: 1 };
    void world.bid({ setup: 2, shown });
    const third = world.bid({ setup: 3, by: bob, shown });
    expect(await third).toMatchObject({ kind: 'not-shown', views: [{ bid: { state: 'sending' } }] });
    expect(world.market.created).toHaveLength(2);
  });
});

describe('under two names of one project', () => {
  const byUid = { project: ProjectKey.parse('uid:ab1'), request: { marketplaceJobId: 'ab1' } };
  const link = (world: BiddingWorld) =>
    world.disk.transact((tx) => recordProjectAlias(tx, team, { uid: 'ab1', ciphertext: '~0123' }, 0));

  test('a claim under the one is found under the other as soon as they are linked', async () => {
    const world = new BiddingWorld();
    await bidAnd(world, 'vanished', byUid);
    await link(world);
    expect(await world.bid({ seen: 0 })).toMatchObject({
      kind: 'taken',
      view: { bid: { state: 'unknown' } },
    });
    const id = bidId('ab1', setupId(1));
    const again = world.bidding.submitBid({
      request: { setup: setupId(1), marketplaceJobId: '~0123' },
      project,
      title: 'A shop',
      channel: sales,
      by: bob,
      seenAttempts: { [id]: 1 },
      shownAttempts: { [id]: 1 },
    });
    await settle();
    world.market.decide('done');
    expect(await again).toMatchObject({ kind: 'asked', view: { bid: { id, attempt: 2, state: 'created' } } });
    expect(await world.all(bids)).toHaveLength(1);
  });

  test('linked between a press and its claim, nothing is sent beside the other name’s claim', async () => {
    const world = new BiddingWorld();
    await bidAnd(world, 'done');
    const asked = world.bid({ ...byUid, shown: {} });
    await link(world);
    expect(await asked).toMatchObject({ kind: 'taken', view: { bid: { state: 'created' } } });
    expect(world.market.created).toHaveLength(1);
  });

  test('a job of the one settles an unknown bid of the other', async () => {
    const world = new BiddingWorld();
    await bidAnd(world, 'vanished', byUid);
    const job = world.market.addJob('~0123');
    await world.bidding.refreshJob(job);
    expect(await world.all(bids)).toMatchObject([{ state: 'unknown' }]);
    await link(world);
    await world.bidding.refreshJob(job);
    expect(await world.all(bids)).toMatchObject([{ state: 'created', job }]);
  });

  test('the answer that shows both links them, unless a project id named the project', async () => {
    const same = async (world: BiddingWorld) =>
      (await world.disk.read((tx) => findProjectAliases(tx, team, { project: byUid.project }))).keys.includes(
        project,
      );
    for (const [projectId, isLinked] of [
      [undefined, true],
      [12, false],
    ] as const) {
      const world = new BiddingWorld();
      const request = { ...byUid.request, ...(projectId === undefined ? {} : { projectId }) };
      const asked = world.bid({ ...byUid, request });
      await settle();
      world.market.answerWith(world.market.addJob('~0123'), '~0123');
      await asked;
      expect(await same(world)).toBe(isLinked);
    }
  });
});

describe('the message where a bid is told', () => {
  test('is the card in the channel where it was asked for', async () => {
    const world = new BiddingWorld();
    await world.addCard(sales);
    await bidAnd(world, 'refused');
    const told = (await world.posts()).filter(({ content }) => content.kind === 'bid-news');
    expect(told).toMatchObject([{ channel: sales, under: `card:${sales}:${project}` }]);
  });

  test('is one of its own where the channel has no card, above its news', async () => {
    const world = new BiddingWorld();
    await world.addCard(sales);
    await bidAnd(world, 'refused', { channel: leads });
    const own = 'bid:CLEADS:1:0123';
    const there = (await world.posts()).filter(({ channel }) => channel === leads);
    expect(there.sort((a, b) => a.order - b.order)).toMatchObject([
      { id: own, content: { kind: 'bid', bid: '1:0123' } },
      { under: own, content: { kind: 'bid-news' } },
    ]);
    await bidAnd(world, 'done', { channel: leads, seen: 1 });
    expect(await world.bidOf()).toMatchObject({ home: own });
    const again = (await world.posts()).filter(({ content }) => content.kind === 'bid');
    expect(again).toMatchObject([{ id: own }]);
  });
});

describe('after the process has died', () => {
  test('an open bid is unknown, told once, and may be tried again by whoever saw that', async () => {
    const world = new BiddingWorld();
    void world.bid();
    await settle();
    world.crash();
    await world.start();
    expect(await world.bidOf()).toMatchObject({ state: 'unknown' });
    world.crash();
    await world.start();
    await world.pass(30 * MINUTE);
    expect(await world.news()).toMatchObject([{ about: 'bid-unknown' }]);
    expect(await world.audit()).toMatchObject([{ answer: { kind: 'unknown' } }]);
    expect(await world.bid({ seen: 0 })).toMatchObject({ kind: 'taken' });
    expect(await bidAnd(world, 'done', { seen: 1 })).toMatchObject({ kind: 'asked' });
    await world.stop();
  });

  test('what this process has under way is left alone, however long it takes', async () => {
    const world = new BiddingWorld();
    const asked = world.bid();
    await settle();
    await world.start();
    await world.pass(30 * MINUTE);
    expect(await world.bidOf()).toMatchObject({ state: 'sending' });
    world.market.decide('done');
    await asked;
    await world.stop();
    expect(await world.bidOf()).toMatchObject({ state: 'created' });
  });
});
