/** An error of our own while a job is read: the other jobs are read, and a person learns what is known. */
import { expect, it, onTestFinished } from 'vitest';
import { createJobTracker } from '../../src/bidding/job-tracker.ts';
import { jobs } from '../../src/bidding/records.ts';
import { HOUR, MINUTE } from '../../src/clock.ts';
import { silentLog } from '../../src/log.ts';
import type { JobStatusReport } from '../../src/marketplace/schema.ts';
import { createSetupService } from '../../src/setups/setups.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { fakeMarketplace } from '../fake-marketplace.ts';
import { createMemoryStore } from '../memory-store.ts';
import { passTime } from '../pass-time.ts';
import { jobNumber, plainJob, START } from './plain-records.ts';

const OURS = new TypeError('ours');

/** Two jobs; reading the first one fails. */
async function open() {
  const [clock, store] = [new ManualClock(START), createMemoryStore()];
  const read: number[] = [];
  const { marketplace } = fakeMarketplace({
    fetchJobStatus: async (id) => {
      read.push(id);
      if (id === jobNumber(1)) throw OURS;
      return { status: 'processing' } as JobStatusReport;
    },
  });
  const parts = { store, clock, log: silentLog, marketplace };
  const context = { ...parts, timezone: 'UTC', setups: createSetupService(parts), random: () => 0.5 };
  await store.transact(async (tx) => {
    for (const id of [1, 2]) await tx.put(jobs, plainJob(id));
  });
  return { clock, store, read, tracker: createJobTracker(context) };
}

it('counts as a failed reading of that job alone, which is not read again for a minute', async () => {
  const { clock, read, tracker } = await open();
  const end = new AbortController();
  const tracking = tracker.runJobTracking(end.signal);
  onTestFinished(() => {
    end.abort();
    return tracking;
  });
  const timesRead = (id: number) => read.filter((it) => it === id).length;
  await passTime(clock, MINUTE);
  expect(timesRead(1)).toBe(1);
  expect(timesRead(2)).toBeGreaterThan(1);
  await passTime(clock, HOUR);
  expect(timesRead(1)).toBeGreaterThan(3);
  expect(timesRead(1)).toBeLessThan(12);
});

it('is not hidden from a person as if the marketplace had failed', async () => {
  const { store, tracker } = await open();
  await expect(tracker.refreshJob(jobNumber(1))).rejects.toBe(OURS);
  store.transact = () => Promise.reject(OURS);
  await expect(tracker.refreshJob(jobNumber(2))).rejects.toBe(OURS);
});

it('shows a person the status and our record of the job, also while nothing can be stored', async () => {
  const { store, tracker } = await open();
  store.failNext();
  const seen = await tracker.refreshJob(jobNumber(2));
  expect(seen).toMatchObject({ kind: 'found', status: { status: 'processing' }, job: plainJob(2) });
});
