/** Failed readings and commits: no job is lost, and no update is posted twice. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { jobKey, jobs } from '../../src/bidding/records.ts';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import type { MarketplaceErrorCode } from '../../src/marketplace/errors.ts';
import { StorageError } from '../../src/storage/store.ts';
import { failure } from '../fake-marketplace.ts';
import { settle } from '../pass-time.ts';
import { FollowWorld, jobNumber, newJob, team } from './follow-world.ts';

let world: FollowWorld;
beforeEach(() => {
  world = new FollowWorld();
});
afterEach(() => world.stop());

describe('a reading that fails', () => {
  const codes: MarketplaceErrorCode[] = [
    'bad-request',
    'unauthorised',
    'subscription-inactive',
    'credits-depleted',
    'forbidden',
    'rate-limited',
    'server',
    'network',
    'timeout',
    'unreadable',
    'gate-timeout',
  ];
  it.each(codes)('with %s is no news, is not repeated in a hurry, and passes', async (code) => {
    for (const id of [1, 2, 3, 4]) {
      world.told.set(id, failure(code));
      await world.keep(newJob(id));
    }
    await world.start();
    await world.pass(HOUR);
    expect(await world.thread()).toEqual([]);
    expect(world.asked.length).toBeLessThanOrEqual(4 * 8);
    for (const id of [1, 2, 3, 4]) world.told.set(id, { status: 'failed', errorMessage: 'No' });
    await world.pass(90 * MINUTE);
    expect(await world.abouts()).toEqual(['job-failed', 'job-failed', 'job-failed', 'job-failed']);
  });

  it('because the token is refused keeps every job waiting', async () => {
    for (const id of [1, 2, 3, 4]) {
      world.told.set(id, failure('unauthorised'));
      await world.keep(newJob(id));
    }
    await world.start();
    await world.pass(115 * SECOND);
    expect(world.asked).toHaveLength(1);
  });

  it('with a pause of the server’s is not repeated before', async () => {
    world.told.set(5, failure('rate-limited', { retryAfterMs: 10 * MINUTE }));
    await world.keep(newJob(5));
    await world.start();
    await world.pass(10 * MINUTE);
    expect(world.minutes(5)).toEqual([0.25]);
    await world.pass(MINUTE);
    expect(world.minutes(5)).toHaveLength(2);
  });

  it('for 48 hours leaves the job', async () => {
    world.told.set(5, failure('server'));
    await world.keep(newJob(5));
    await world.start();
    await world.pass(50 * HOUR);
    expect(await world.thread()).toEqual([{ about: 'job-left', job: 5, hours: 48 }]);
  });
});

describe('trouble of our own', () => {
  it('a full disk is waited for, and nothing is told twice', async () => {
    await world.keep(newJob(5));
    world.told.set(5, { status: 'in_queue' });
    await world.start();
    world.disk.failNext();
    await world.pass(70 * SECOND);
    expect(world.minutes(5)).toEqual([0.25]);
    expect(await world.thread()).toEqual([]);
    await world.pass(10 * SECOND);
    expect(world.minutes(5)).toEqual([0.25, 1.25]);
    expect(await world.abouts()).toEqual(['job-changed']);
  });

  it('while the disk is full nothing is asked whose answer could not be kept', async () => {
    for (const id of [1, 2, 3]) {
      await world.keep(newJob(id));
      world.told.set(id, { status: 'in_queue' });
    }
    await world.start();
    world.disk.failNext();
    await world.pass(70 * SECOND);
    expect(world.asked).toHaveLength(1);
    await world.pass(10 * SECOND);
    expect(await world.abouts()).toEqual(['job-changed', 'job-changed', 'job-changed']);
  });

  it('a disk that can’t be read ends nothing', async () => {
    await world.keep(newJob(5));
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
    await world.keep(newJob(5));
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

  it('a restart in the middle goes on where it was', async () => {
    await world.keep(newJob(5));
    world.told.set(5, { status: 'scheduled' });
    await world.start();
    await world.pass(4 * MINUTE);
    await world.stop();
    await world.pass(MINUTE);
    await world.restart();
    await world.pass(10 * MINUTE);
    expect(world.minutes(5)).toEqual([0.25, 0.75, 1.75, 3.75, 8.75]);
  });
});

it('a job cleared out while its answer was on its way is not put on record again', async () => {
  await world.keep(newJob(5));
  world.told.set(5, { status: 'in_queue' });
  const answer = world.hold();
  await world.start();
  await world.pass(15 * SECOND);
  await world.disk.transact((tx) => tx.delete(jobs, jobKey(team, jobNumber(5))));
  answer();
  await settle();
  expect(await world.thread()).toEqual([]);
  await expect(world.job(5)).rejects.toThrow('no job 5');
});
