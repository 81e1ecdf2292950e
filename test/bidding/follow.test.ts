import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addAudit, auditEntries } from '../../src/audit/audit.ts';
import { jobKey, jobs } from '../../src/bidding/records.ts';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import type { MarketplaceErrorCode } from '../../src/marketplace/errors.ts';
import { StorageError } from '../../src/storage/store.ts';
import {
  ann,
  channel,
  FollowWorld,
  failure,
  jobNumber,
  newJob,
  proposal,
  START,
  settle,
  team,
} from './follow-world.ts';

let world: FollowWorld;
beforeEach(() => {
  world = new FollowWorld();
});
afterEach(() => world.stop());

const abouts = async (id?: number) => (await world.thread(id)).map(({ about }) => about);

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
    expect(await abouts()).toEqual(['job-changed']);
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
    world.tracker.wake();
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
  expect(await abouts()).toEqual(['job-sent', 'job-failed']);
});

describe('many jobs', () => {
  it('are read one after another, whichever is due first, and each keeps to its pauses', async () => {
    for (let id = 1; id <= 30; id++) {
      await world.keep(newJob(id, { knownAt: START + id }));
      world.told.set(id, { status: 'scheduled' });
    }
    let underWay = 0;
    let most = 0;
    const quick = { ...world.marketplace.marketplace };
    Object.assign(world.marketplace.marketplace, {
      jobStatus: async (...asked: Parameters<typeof quick.jobStatus>) => {
        most = Math.max(most, ++underWay);
        await world.clock.sleep(SECOND);
        return quick.jobStatus(...asked).finally(() => underWay--);
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
      expect(await abouts(2)).toEqual(['job-changed']);
      expect(await abouts(1)).toEqual([]);
    },
  );
});

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
    expect(await abouts()).toEqual(['job-failed', 'job-failed', 'job-failed', 'job-failed']);
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

describe('the proposal of a job that was sent', () => {
  const sent = { status: 'completed', applicationUid: 'A9', processedAt: '2026-01-05 09:10:00' };

  it('is read at once and linked', async () => {
    await world.keep(newJob(5));
    world.told.set(5, sent);
    world.proposals.set('A9', proposal(77, { connects: 16, boost: 10, position: 3, viewed: true }));
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
    world.proposals.set('A9', proposal(77));
    await world.pass(HOUR);
    expect(await abouts()).toEqual(['job-sent', 'proposal-found']);
    expect(await world.job(5)).toMatchObject({ follow: { state: 'settled' }, proposal: { id: 77 } });
  });

  it('is given up after 24 hours, and nothing more is said', async () => {
    await world.keep(newJob(5));
    world.told.set(5, sent);
    await world.start();
    await world.pass(30 * HOUR);
    expect(await abouts()).toEqual(['job-sent']);
    expect(await world.job(5)).toMatchObject({ follow: { state: 'settled' } });
    expect(world.minutes('A9').at(-1)).toBe(24 * 60 + 0.25);
  });
});

describe('an approval', () => {
  async function approving(state: 'sending' | 'unknown') {
    const entry = { team, at: START, by: ann, channel };
    const act = { kind: 'approve', job: jobNumber(5), overrides: false } as const;
    const audit = await world.disk.transact((tx) => addAudit(tx, { ...entry, act }));
    await world.keep(
      newJob(5, {
        status: 'pending_review',
        approval: { state, by: ann, at: START, attempt: 1, audit: [...audit] },
      }),
    );
    return () => world.disk.read((tx) => tx.get(auditEntries, audit));
  }

  it('without an answer is decided by what is read, and the audit log is told', async () => {
    const entry = await approving('unknown');
    world.told.set(5, { status: 'scheduled', statusTitle: 'Scheduled for bidding' });
    await world.start();
    await world.pass(20 * SECOND);
    expect(await abouts()).toEqual(['job-approved']);
    expect(await entry()).toMatchObject({ answer: { kind: 'approved', job: 5 } });
  });

  it('that was not carried out is told once, and the log says so', async () => {
    const entry = await approving('unknown');
    world.told.set(5, { status: 'pending_review' });
    await world.start();
    await world.pass(10 * MINUTE);
    expect(await world.thread()).toEqual([{ about: 'approval-refused', by: ann, job: 5, code: 'not-done' }]);
    expect(await entry()).toMatchObject({ answer: { kind: 'refused', code: 'not-done' } });
  });

  it('that is under way is waited for: its answer tells more than a reading', async () => {
    await approving('sending');
    world.told.set(5, { status: 'scheduled' });
    await world.start();
    await world.pass(5 * MINUTE);
    expect(world.asked).toEqual([]);
    expect(await world.thread()).toEqual([]);
  });

  it('that began while the reading was on its way overtakes it', async () => {
    await world.keep(newJob(5, { status: 'pending_review' }));
    world.told.set(5, { status: 'pending_review' });
    let answer = () => {};
    world.held = new Promise((resolve) => {
      answer = resolve;
    });
    await world.start();
    await world.pass(15 * SECOND);
    const approval = { state: 'approved', by: ann, at: START, attempt: 1, audit: ['T1'] } as const;
    const approved = { status: 'scheduled', approval: { ...approval, audit: ['T1'] }, told: 1 };
    await world.keep({ ...(await world.job(5)), ...approved });
    answer();
    await settle();
    expect(await world.job(5)).toMatchObject(approved);
    expect(await world.thread()).toEqual([]);
    world.told.set(5, { status: 'scheduled' });
    await world.pass(MINUTE);
    expect(world.minutes(5)[1]).toBe(0.5);
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
    expect(await abouts()).toEqual(['job-changed']);
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
    expect(await abouts()).toEqual(['job-changed', 'job-changed', 'job-changed']);
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
    expect(await abouts()).toEqual(['job-changed']);
  });

  it('a stop while an answer is on its way leaves the job to the next run', async () => {
    await world.keep(newJob(5));
    world.told.set(5, { status: 'in_queue' });
    let answer = () => {};
    world.held = new Promise((resolve) => {
      answer = resolve;
    });
    await world.start();
    await world.pass(15 * SECOND);
    const stopped = world.stop();
    answer();
    await stopped;
    expect(await world.thread()).toEqual([]);
    await world.restart();
    expect(await abouts()).toEqual(['job-changed']);
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
  let answer = () => {};
  world.held = new Promise((resolve) => {
    answer = resolve;
  });
  await world.start();
  await world.pass(15 * SECOND);
  await world.disk.transact((tx) => tx.delete(jobs, jobKey(team, jobNumber(5))));
  answer();
  await settle();
  expect(await world.thread()).toEqual([]);
  await expect(world.job(5)).rejects.toThrow('no job 5');
});
