/** A job is read at growing intervals until it is final; each change is posted once, whatever fails. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { jobs } from '../../src/bidding/records.ts';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { StorageError } from '../../src/storage/store.ts';
import { failure } from '../fake-marketplace.ts';
import { settle } from '../pass-time.ts';
import { plainProposal } from '../plain-proposal.ts';
import { FollowWorld } from './follow-world.ts';
import { ann, jobNumber, plainJob, START } from './plain-records.ts';

let world: FollowWorld;
beforeEach(() => {
  world = new FollowWorld();
});
afterEach(() => world.stop());

const five = jobNumber(5);
const sent = { status: 'completed', applicationUid: 'A9', processedAt: '2026-01-05 09:10:00' };

describe('a job that is followed', () => {
  it('is read at the growing pauses, also over a restart; without a change it shows nothing', async () => {
    await world.keep(plainJob(5));
    world.told.set(5, { status: 'scheduled' });
    await world.start();
    await world.pass(4 * MINUTE);
    await world.stop();
    await world.pass(MINUTE);
    await world.restart();
    await world.pass(5 * MINUTE);
    expect(world.minutes(5)).toEqual([0.25, 0.75, 1.75, 3.75, 8.75]);
    expect(await world.thread()).toEqual([]);
    expect(await world.homePost()).toMatchObject({ revision: 0 });
  });

  it('tells each change once in its thread, and shows the message at home anew', async () => {
    await world.keep(plainJob(5, { told: 8 }));
    world.told.set(5, { retryCount: 3 });
    await world.start();
    await world.pass(20 * SECOND);
    expect(await world.thread()).toEqual([]);
    expect(await world.homePost()).toMatchObject({ revision: 1 });
    world.told.set(5, { status: 'failed', applicationUid: 'A9', errorMessage: 'Withdrawn' });
    await world.pass(HOUR);
    expect(await world.abouts()).toEqual(['job-sent', 'job-failed']);
    expect(world.minutes(5)).toHaveLength(2);
  });

  it('that is approved elsewhere is read from the first pauses again', async () => {
    await world.keep(plainJob(5, { status: 'pending_review' }));
    world.told.set(5, { status: 'pending_review' });
    await world.start();
    await world.pass(5 * HOUR);
    const before = world.minutes(5).length;
    world.told.set(5, { status: 'scheduled' });
    await world.pass(32 * MINUTE);
    expect(await world.abouts()).toEqual(['job-changed']);
    const [first = 0, second = 0] = world.minutes(5).slice(before);
    expect(second - first).toBe(0.5);
  });

  it('is left after 48 hours, which is told once, until a person looks again', async () => {
    await world.keep(plainJob(5));
    world.told.set(5, { status: 'scheduled' });
    await world.start();
    await world.pass(60 * HOUR);
    expect(await world.thread()).toEqual([{ about: 'job-left', job: 5, hours: 48 }]);
    expect(world.minutes(5)).toHaveLength(7 + 96 - 1);
    const look = await world.tracker.refreshJob(five);
    const since = world.clock.now();
    expect(look.job?.follow).toEqual({ state: 'following', since, step: 1, dueAt: since + MINUTE / 2 });
    await world.pass(50 * HOUR);
    expect(await world.abouts()).toEqual(['job-left', 'job-left']);
  });

  it('that the marketplace knows no longer is gone, which is told once', async () => {
    await world.keep(plainJob(5));
    await world.start();
    await world.pass(HOUR);
    await world.tracker.refreshJob(five);
    expect(await world.thread()).toEqual([{ about: 'job-gone', job: 5 }]);
    expect(world.minutes(5)).toHaveLength(2);
    world.told.set(5, { status: 'scheduled' });
    expect((await world.tracker.refreshJob(five)).job?.follow).toMatchObject({ state: 'following' });
  });

  it('is read at once when it is put on record while nothing else is due', async () => {
    await world.start();
    await world.pass(3 * SECOND);
    await world.keep(plainJob(5, { knownAt: START - MINUTE }));
    world.told.set(5, { status: 'scheduled' });
    world.tracker.wakeTracker();
    await settle();
    expect(world.minutes(5)).toEqual([0.05]);
  });

  it('due at a time that only a wrong clock can have set is read now', async () => {
    const follow = { state: 'following', since: START, step: 3, dueAt: START + 400 * HOUR } as const;
    await world.keep(plainJob(5, { follow }));
    world.told.set(5, { status: 'scheduled' });
    await world.start();
    expect(world.minutes(5)).toEqual([0]);
  });
});

describe('the proposal of a job that was sent', () => {
  it('is asked for at the growing pauses until it is there, and linked', async () => {
    await world.keep(plainJob(5));
    world.told.set(5, sent);
    await world.start();
    await world.pass(5 * MINUTE);
    expect(world.minutes('A9')).toEqual([0.25, 0.5, 1, 2, 4]);
    expect(world.minutes(5)).toEqual([0.25]);
    world.proposals.set('A9', plainProposal(77, { connects: 16, boost: 10, position: 3, viewed: true }));
    await world.pass(HOUR);
    expect(await world.thread()).toEqual([
      { about: 'job-sent', job: 5, status: 'completed', applicationUid: 'A9' },
      { about: 'proposal-found', job: 5, proposal: 77, connects: 16, boost: 10, position: 3 },
    ]);
    expect(await world.job(5)).toMatchObject({
      follow: { state: 'settled' },
      proposal: { id: 77, connects: 16, viewed: true, hired: false },
    });
  });

  it('is read at once when a person’s look shows that the job was sent', async () => {
    await world.keep(plainJob(5, { follow: { state: 'left', at: START } }));
    world.told.set(5, sent);
    world.proposals.set('A9', plainProposal(77));
    await world.start();
    expect(await world.tracker.refreshJob(five)).toMatchObject({
      kind: 'found',
      job: { status: 'completed' },
    });
    expect(world.fake.calls[0]?.parameters).toEqual([five, { lane: 'person' }]);
    await world.pass(0);
    expect(await world.abouts()).toEqual(['job-sent', 'proposal-found']);
  });
});

describe('a reading that fails', () => {
  it.each([failure('server'), failure('timeout'), new TypeError('a fault of ours')])(
    'with %s is no news, is not repeated in a hurry, holds up no other, and passes',
    async (error) => {
      for (const id of [1, 2]) await world.keep(plainJob(id));
      world.told.set(1, error);
      world.told.set(2, { status: 'sleeping' });
      await world.start();
      await world.pass(HOUR);
      expect(await world.abouts(2)).toEqual(['job-changed']);
      expect(await world.abouts(1)).toEqual([]);
      expect(world.minutes(1).length).toBeLessThanOrEqual(8);
      world.told.set(1, { status: 'failed', errorMessage: 'No' });
      await world.pass(90 * MINUTE);
      expect(await world.abouts(1)).toEqual(['job-failed']);
    },
  );

  it('because the token is refused keeps every job waiting', async () => {
    for (const id of [1, 2, 3, 4]) {
      world.told.set(id, failure('unauthorised'));
      await world.keep(plainJob(id));
    }
    await world.start();
    await world.pass(115 * SECOND);
    expect(world.asked).toHaveLength(1);
  });

  it('with a pause of the server’s is not repeated before', async () => {
    world.told.set(5, failure('rate-limited', { retryAfterMs: 10 * MINUTE }));
    await world.keep(plainJob(5));
    await world.start();
    await world.pass(10 * MINUTE);
    expect(world.minutes(5)).toEqual([0.25]);
    await world.pass(MINUTE);
    expect(world.minutes(5)).toHaveLength(2);
  });

  it('at a person’s look changes nothing', async () => {
    const job = plainJob(5, { follow: { state: 'left', at: START } });
    await world.keep(job);
    world.told.set(5, failure('server'));
    expect(await world.tracker.refreshJob(five)).toMatchObject({
      kind: 'failed',
      error: { code: 'server' },
      job,
    });
    expect(await world.job(5)).toEqual(job);
  });
});

describe('trouble of our own', () => {
  it('while the disk is full nothing is asked whose answer could not be kept, or told twice', async () => {
    for (const id of [1, 2, 3]) {
      await world.keep(plainJob(id));
      world.told.set(id, { status: 'in_queue' });
    }
    await world.start();
    world.disk.failNext();
    await world.pass(70 * SECOND);
    expect(world.asked).toHaveLength(1);
    await world.pass(10 * SECOND);
    for (const id of [1, 2, 3]) expect(await world.abouts(id)).toEqual(['job-changed']);
    world.told.set(1, { status: 'odd' });
    world.disk.failNext();
    const look = await world.tracker.refreshJob(jobNumber(1));
    expect(look).toMatchObject({ kind: 'found', status: { status: 'odd' }, job: { status: 'in_queue' } });
  });

  it('a disk that can’t be read ends nothing', async () => {
    await world.keep(plainJob(5));
    world.told.set(5, { status: 'in_queue' });
    let broken = true;
    world.wrap = (disk) => ({
      ...disk,
      read: (work) => (broken ? Promise.reject(new StorageError('io', 'unplugged')) : disk.read(work)),
    });
    await world.restart();
    await world.pass(30 * SECOND);
    broken = false;
    await world.pass(MINUTE);
    expect(await world.abouts()).toEqual(['job-changed']);
  });

  it('a stop while an answer is on its way leaves the job to the next run', async () => {
    await world.keep(plainJob(5));
    world.told.set(5, { status: 'in_queue' });
    const answer = world.hold();
    await world.start();
    await world.pass(15 * SECOND);
    const stopped = world.stop();
    answer();
    await stopped;
    expect(await world.thread()).toEqual([]);
    await world.restart();
    expect(await world.abouts()).toEqual(['job-changed']);
  });
});

describe('an answer that is on its way', () => {
  it('puts no job on record again that was cleared out', async () => {
    await world.keep(plainJob(5));
    world.told.set(5, { status: 'in_queue' });
    const answer = world.hold();
    await world.start();
    await world.pass(15 * SECOND);
    await world.disk.transact((tx) => tx.delete(jobs, [five]));
    answer();
    await settle();
    await expect(world.job(5)).rejects.toThrow('no job 5');
  });

  it('changes nothing that an approval changed meanwhile; nothing is read while that is open', async () => {
    const approval = { state: 'sending', by: ann, at: START, attempt: 1, audit: ['T1'] } as const;
    await world.keep(plainJob(5, { status: 'pending_review' }));
    world.told.set(5, { status: 'pending_review' });
    const answer = world.hold();
    await world.start();
    await world.pass(15 * SECOND);
    const approving = {
      ...(await world.job(5)),
      status: 'scheduled',
      approval: { ...approval, audit: ['T1'] },
    };
    await world.keep(approving);
    answer();
    await settle();
    expect(await world.job(5)).toMatchObject({ status: 'scheduled', approval });
    await world.pass(MINUTE);
    expect(world.minutes(5)).toEqual([0.25]);
    expect(await world.thread()).toEqual([]);
  });
});
