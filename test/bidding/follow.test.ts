/** A job is read at growing intervals until it is final; each change is posted once. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { failure } from '../fake-marketplace.ts';
import { settle } from '../pass-time.ts';
import { plainProposal } from '../plain-proposal.ts';
import { FollowWorld, newJob, START } from './follow-world.ts';

let world: FollowWorld;
beforeEach(() => {
  world = new FollowWorld();
});
afterEach(() => world.stop());

describe('a job that is followed', () => {
  it('is read at the growing pauses; what stays as it is shows nothing anew', async () => {
    await world.keep(newJob(5));
    world.told.set(5, { status: 'scheduled' });
    await world.start();
    await world.pass(10 * MINUTE);
    expect(world.minutes(5)).toEqual([0.25, 0.75, 1.75, 3.75, 8.75]);
    expect(await world.thread()).toEqual([]);
    expect(await world.homePost()).toMatchObject({ revision: 0 });
  });

  it('tells each change once in its thread, and shows the message at home anew', async () => {
    await world.keep(newJob(5));
    world.told.set(5, { status: 'in_queue', statusTitle: 'In the queue' });
    await world.start();
    await world.pass(20 * SECOND);
    expect(await world.homePost()).toMatchObject({ revision: 1 });
    world.told.set(5, { status: 'failed', errorMessage: 'Not enough connects', processedAt: '2026-01-05' });
    await world.pass(HOUR);
    expect(await world.thread()).toEqual([
      { about: 'job-changed', job: 5, status: 'in_queue', statusTitle: 'In the queue' },
      { about: 'job-failed', job: 5, status: 'failed', errorMessage: 'Not enough connects' },
    ]);
    expect(await world.job(5)).toMatchObject({ told: 2, follow: { state: 'settled' } });
    expect(world.minutes(5)).toHaveLength(2);
  });

  it('shows what changes without being news', async () => {
    await world.keep(newJob(5));
    world.told.set(5, { retryCount: 3 });
    await world.start();
    await world.pass(20 * SECOND);
    expect(await world.thread()).toEqual([]);
    expect(await world.homePost()).toMatchObject({ revision: 1 });
  });

  it('that is approved elsewhere is told, and read from the first pauses again', async () => {
    await world.keep(newJob(5, { status: 'pending_review' }));
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

  it('is left after 48 hours, which is told once', async () => {
    await world.keep(newJob(5));
    world.told.set(5, { status: 'scheduled' });
    await world.start();
    await world.pass(60 * HOUR);
    expect(await world.thread()).toEqual([{ about: 'job-left', job: 5, hours: 48 }]);
    const read = world.minutes(5);
    expect(read.at(-1)).toBe(48 * 60);
    expect(read).toHaveLength(7 + 96 - 1);
  });

  it('that the marketplace knows no longer is gone, which is told once', async () => {
    await world.keep(newJob(5));
    await world.start();
    await world.pass(HOUR);
    expect(await world.thread()).toEqual([{ about: 'job-gone', job: 5 }]);
    expect(await world.job(5)).toMatchObject({ follow: { state: 'gone' } });
    expect(world.minutes(5)).toHaveLength(1);
  });

  it('is read at once when it is put on record while nothing else is due', async () => {
    await world.start();
    await world.pass(3 * SECOND);
    await world.keep(newJob(5, { knownAt: START - MINUTE }));
    world.told.set(5, { status: 'scheduled' });
    world.tracker.wakeTracker();
    await settle();
    expect(world.minutes(5)).toEqual([0.05]);
  });

  it('due at a time that only a wrong clock can have set is read now', async () => {
    await world.keep(
      newJob(5, { follow: { state: 'following', since: START, step: 3, dueAt: START + 400 * HOUR } }),
    );
    world.told.set(5, { status: 'scheduled' });
    await world.start();
    expect(world.minutes(5)).toEqual([0]);
  });
});

it('several news of one reading are sent in their order, however many there were before', async () => {
  await world.keep(newJob(5, { told: 8 }));
  world.told.set(5, { status: 'failed', applicationUid: 'A9', errorMessage: 'Withdrawn' });
  await world.start();
  await world.pass(16 * SECOND);
  expect(await world.abouts()).toEqual(['job-sent', 'job-failed']);
});

describe('many jobs', () => {
  it('are read one after another, whichever is due first, and each keeps to its pauses', async () => {
    for (let id = 1; id <= 30; id++) {
      await world.keep(newJob(id, { knownAt: START + id }));
      world.told.set(id, { status: 'scheduled' });
    }
    let inFlight = 0;
    let most = 0;
    const quick = { ...world.marketplace.marketplace };
    Object.assign(world.marketplace.marketplace, {
      fetchJobStatus: async (...asked: Parameters<typeof quick.fetchJobStatus>) => {
        most = Math.max(most, ++inFlight);
        await world.clock.sleep(SECOND);
        return quick.fetchJobStatus(...asked).finally(() => inFlight--);
      },
    });
    await world.start();
    await world.pass(3 * MINUTE);
    expect(most).toBe(1);
    expect(world.asked.slice(0, 30).map(({ what }) => what)).toEqual(
      Array.from({ length: 30 }, (_, at) => at + 1),
    );
    for (let id = 1; id <= 30; id++) expect(world.minutes(id).length).toBeGreaterThanOrEqual(3);
  });

  it.each([failure('server'), new TypeError('a fault of ours')])(
    'one that fails holds up no other',
    async (error) => {
      world.told.set(1, error);
      world.told.set(2, { status: 'sleeping' });
      for (const id of [1, 2]) await world.keep(newJob(id));
      await world.start();
      await world.pass(16 * SECOND);
      expect(await world.abouts(2)).toEqual(['job-changed']);
      expect(await world.abouts(1)).toEqual([]);
    },
  );
});

describe('the proposal of a job that was sent', () => {
  const sent = { status: 'completed', applicationUid: 'A9', processedAt: '2026-01-05 09:10:00' };

  it('is read at once and linked', async () => {
    await world.keep(newJob(5));
    world.told.set(5, sent);
    world.proposals.set('A9', plainProposal(77, { connects: 16, boost: 10, position: 3, viewed: true }));
    await world.start();
    await world.pass(16 * SECOND);
    expect(await world.thread()).toEqual([
      { about: 'job-sent', job: 5, status: 'completed', applicationUid: 'A9' },
      { about: 'proposal-found', job: 5, proposal: 77, connects: 16, boost: 10, position: 3 },
    ]);
    expect(await world.job(5)).toMatchObject({
      follow: { state: 'settled' },
      proposal: { id: 77, connects: 16, viewed: true, hired: false },
    });
  });

  it('that is not there yet is asked for again at the growing pauses', async () => {
    await world.keep(newJob(5));
    world.told.set(5, sent);
    await world.start();
    await world.pass(5 * MINUTE);
    expect(world.minutes('A9')).toEqual([0.25, 0.5, 1, 2, 4]);
    expect(world.minutes(5)).toEqual([0.25]);
    world.proposals.set('A9', plainProposal(77));
    await world.pass(HOUR);
    expect(await world.abouts()).toEqual(['job-sent', 'proposal-found']);
    expect(await world.job(5)).toMatchObject({ follow: { state: 'settled' }, proposal: { id: 77 } });
  });

  it('is given up after 24 hours, and nothing more is said', async () => {
    await world.keep(newJob(5));
    world.told.set(5, sent);
    await world.start();
    await world.pass(30 * HOUR);
    expect(await world.abouts()).toEqual(['job-sent']);
    expect(await world.job(5)).toMatchObject({ follow: { state: 'settled' } });
    expect(world.minutes('A9').at(-1)).toBe(24 * 60 + 0.25);
  });
});
