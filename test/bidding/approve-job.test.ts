import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../src/clock.ts';
import { seenProjects } from '../../src/feed/records.ts';
import { JobId } from '../../src/ids.ts';
import { settle } from '../pass-time.ts';
import { ann, BiddingWorld, bob, leads, project, sales, team } from './bidding-world.ts';
import type { Fate } from './model-market.ts';

async function approveAnd(world: BiddingWorld, fate: Fate, job: JobId, seen = 0) {
  const asked = world.approve(job, seen);
  await settle();
  world.market.decide(fate, world.market.waiting.length - 1);
  return asked;
}

/** The AI has declined the project. */
function addVerdict(world: BiddingWorld): Promise<void> {
  const listed = {
    key: project,
    title: 'A shop',
    url: 'https://example.com/~0123',
    description: '',
    skills: [],
    categories: [],
    questions: [],
    client: {},
    verdict: { decision: 'disqualified', reason: 'Not our field', other: {} },
  };
  return world.disk.transact((tx) =>
    tx.put(seenProjects, [team, project], { team, project: listed, filters: [], firstSeenAt: 0 }),
  );
}

describe('approving', () => {
  test('a job the marketplace refuses is read again soon, as it may be approved elsewhere', async () => {
    const world = new BiddingWorld();
    await world.start();
    const job = world.market.addJob('~0123');
    await approveAnd(world, 'refused', job);
    await world.pass(3 * HOUR);
    const asked = world.approve(job, 1);
    await settle();
    const there = world.market.jobs.get(job);
    if (there) there.status = 'scheduled';
    world.market.decide('refused');
    expect(await asked).toMatchObject({ kind: 'asked', job: { approval: { state: 'refused' } } });
    await world.pass(MINUTE);
    expect(await world.job(job)).toMatchObject({ status: 'scheduled', approval: { state: 'refused' } });
    await world.stop();
  });

  test('a job that was not created here puts it on record, under the card of its project', async () => {
    const world = new BiddingWorld();
    await world.addCard(sales);
    const job = world.market.addJob('~0123', 'Pending review');
    world.market.jobs.set(job, { id: job, marketplaceJobId: '0123', status: 'pending_review' });
    const outcome = await approveAnd(world, 'done', job);
    expect(outcome).toMatchObject({
      kind: 'asked',
      job: { status: 'scheduled', approval: { state: 'approved', by: ann, approvedBy: 'Team Admin' } },
    });
    expect(await world.job(job)).toMatchObject({
      project,
      home: `card:${sales}:${project}`,
      follow: { state: 'following' },
    });
    expect(await world.news()).toMatchObject([
      { about: 'job-approved', by: ann, approvedBy: 'Team Admin', job, status: 'scheduled' },
    ]);
    expect(await world.audit()).toMatchObject([
      { by: ann, act: { kind: 'approve', job, overrides: false }, answer: { kind: 'approved', job } },
    ]);
  });

  test('a job without a card gets a message of its own', async () => {
    const world = new BiddingWorld();
    const job = world.market.addJob('other');
    await approveAnd(world, 'done', job);
    expect(await world.job(job)).toMatchObject({ home: `job:${sales}:${job}` });
    expect(await world.posts()).toMatchObject([
      { content: { kind: 'job', job } },
      { under: `job:${sales}:${job}` },
    ]);
  });

  test('against the AI is on record with its reason, and in the audit log', async () => {
    const world = new BiddingWorld();
    await addVerdict(world);
    const job = world.market.addJob('~0123');
    await approveAnd(world, 'skipped', job);
    expect(await world.job(job)).toMatchObject({ title: 'A shop', approval: { overrode: 'Not our field' } });
    expect(await world.news()).toMatchObject([{ about: 'job-approved', overrode: 'Not our field' }]);
    expect(await world.audit()).toMatchObject([{ act: { overrides: true, title: 'A shop' } }]);
  });

  test('by two people at once is asked for once', async () => {
    const world = new BiddingWorld();
    const job = world.market.addJob('~0123');
    const first = world.approve(job);
    await settle();
    expect(await world.approve(job, 0, bob)).toMatchObject({ kind: 'taken', job: { approval: { by: ann } } });
    world.market.decide('done');
    await first;
    expect(await world.approve(job, 1, bob)).toMatchObject({ kind: 'taken' });
    expect(world.market.approvals).toEqual([job]);
  });

  test('with rights only in another channel sends nothing; the audit names the job’s channel', async () => {
    const world = new BiddingWorld();
    const job = world.market.addJob('~0123');
    await approveAnd(world, 'refused', job);
    const order = { job, by: bob, channel: leads, seenAttempt: 1, shown: await world.shownOf(job) };
    for (const rightIn of [leads, undefined])
      expect(await world.bidding.approveJob({ ...order, authorizedChannel: rightIn })).toEqual({
        kind: 'moved',
      });
    expect(world.market.approvals).toEqual([job]);
    const asked = world.bidding.approveJob({ ...order, authorizedChannel: sales });
    await settle();
    world.market.decide('done', world.market.waiting.length - 1);
    expect(await asked).toMatchObject({ kind: 'asked' });
    expect(await world.audit()).toMatchObject([{ channel: sales }, { by: bob, channel: sales }]);
  });

  test('a job that turns out to be of a bid of ours needs the right in the channel of that bid', async () => {
    const world = new BiddingWorld();
    const bid = world.bid({ channel: leads });
    await settle();
    world.market.decide('lost');
    await bid;
    const job = [...world.market.jobs.keys()].at(-1) ?? expect.fail('no job');
    expect(await world.approve(job)).toEqual({ kind: 'moved' });
    expect(world.market.approvals).toEqual([]);
    expect(await world.job(job)).toMatchObject({ channel: leads });
  });

  test('a job that waits no longer sends nothing, and says how it stands by now', async () => {
    const world = new BiddingWorld();
    const job = world.market.addJob('~0123', 'processing');
    expect(await world.approve(job)).toMatchObject({ kind: 'not-waiting', job: { status: 'processing' } });
    expect(world.market.approvals).toEqual([]);
  });

  test('a job that seemed not to wait is read once more before that is said', async () => {
    const world = new BiddingWorld();
    const job = world.market.addJob('~0123', 'processing');
    await world.approve(job);
    world.market.jobs.set(job, { id: job, marketplaceJobId: '~0123', status: 'pending_review' });
    expect(await approveAnd(world, 'done', job)).toMatchObject({ kind: 'asked' });
  });

  test('a job that there is not fails with what the marketplace said', async () => {
    const world = new BiddingWorld();
    const outcome = await world.approve(JobId.parse(999));
    expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'not-found' } });
    expect(await world.posts()).toEqual([]);
  });

  test('that is refused keeps the reason, and may be tried again by whoever saw it', async () => {
    const world = new BiddingWorld();
    const job = world.market.addJob('~0123');
    const refusal = { code: 'bad-request', serverMessage: 'Daily limit reached' };
    expect(await approveAnd(world, 'refused', job)).toMatchObject({
      job: { approval: { state: 'refused', refusal } },
    });
    expect(await world.news()).toMatchObject([{ about: 'approval-refused', ...refusal }]);
    expect(await approveAnd(world, 'done', job, 1)).toMatchObject({
      job: { approval: { attempt: 2, state: 'approved' } },
    });
  });

  test.each([
    ['lost', 'approved'],
    ['vanished', 'refused'],
  ] as const)('without an answer (%s) is %s by what the job has become', async (fate, state) => {
    const world = new BiddingWorld();
    await world.start();
    const job = world.market.addJob('~0123');
    expect(await approveAnd(world, fate, job)).toMatchObject({ job: { approval: { state: 'unknown' } } });
    await world.pass(5 * MINUTE);
    await world.stop();
    expect(await world.job(job)).toMatchObject({ approval: { state, attempt: 1 } });
    expect(await world.audit()).toMatchObject([{ answer: { kind: state } }]);
    expect(world.market.approvals).toEqual([job]);
  });

  test('that a dead process left open is unknown, and then decided by a reading', async () => {
    const world = new BiddingWorld();
    const job = world.market.addJob('~0123');
    void world.approve(job);
    await settle();
    world.crash();
    await world.start();
    expect(await world.job(job)).toMatchObject({ approval: { state: 'unknown' } });
    await world.pass(5 * MINUTE);
    await world.stop();
    expect(await world.job(job)).toMatchObject({ approval: { state: 'refused' } });
  });
});
