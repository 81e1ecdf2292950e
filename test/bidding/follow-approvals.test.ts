/** An approval without an answer is decided by the job's own status. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { auditEntries, recordAuditEntry } from '../../src/audit/audit.ts';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { settle } from '../pass-time.ts';
import { ann, channel, FollowWorld, jobNumber, newJob, START, team } from './follow-world.ts';

let world: FollowWorld;
beforeEach(() => {
  world = new FollowWorld();
});
afterEach(() => world.stop());

describe('an approval', () => {
  async function approving(state: 'sending' | 'unknown') {
    const entry = { team, at: START, by: ann, channel };
    const act = { kind: 'approve', job: jobNumber(5), overrides: false } as const;
    const audit = await world.disk.transact((tx) => recordAuditEntry(tx, { ...entry, act }));
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
    expect(await world.abouts()).toEqual(['job-approved']);
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
    const answer = world.hold();
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
