import { expect, it } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { createLog } from '../../src/log.ts';
import { runScheduledJobs, type ScheduledJob } from '../../src/schedule/job-scheduler.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { passTime, settle } from '../pass-time.ts';

const START = Date.UTC(2026, 10, 20, 8, 59, 30);

function begin(...jobs: ScheduledJob[]) {
  const clock = new ManualClock(START);
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  const stop = new AbortController();
  const running = runScheduledJobs({ clock, log }, jobs, stop.signal);
  const end = async () => {
    stop.abort();
    await running;
  };
  const pass = (ms: number) => passTime(clock, ms);
  return { clock, lines, pass, end };
}

function counting(name: string): ScheduledJob & { readonly ran: number[] } {
  const ran: number[] = [];
  return {
    name,
    ran,
    runIfDue: async (at) => {
      ran.push(at);
    },
  };
}

it('a job runs at the start and with every minute of the wall clock', async () => {
  const job = counting('one');
  const { pass, end } = begin(job);
  await pass(3 * MINUTE);
  await end();
  const first = Date.UTC(2026, 10, 20, 9);
  expect(job.ran).toEqual([START, first, first + MINUTE, first + 2 * MINUTE]);
});

it('none runs twice at a time, and none waits for another', async () => {
  const other = counting('other');
  let begun = 0;
  let goOn = () => {};
  const slow: ScheduledJob = {
    name: 'slow',
    runIfDue: () => {
      begun += 1;
      return new Promise((resolve) => (goOn = resolve));
    },
  };
  const { pass, end } = begin(slow, other);
  await pass(3 * MINUTE);
  expect([begun, other.ran.length]).toEqual([1, 4]);
  goOn();
  await pass(MINUTE);
  expect(begun).toBe(2);
  goOn();
  await end();
});

it('one that fails is logged, and called again with the next minute', async () => {
  let runs = 0;
  const failing: ScheduledJob = {
    name: 'failing',
    runIfDue: () => {
      runs += 1;
      return Promise.reject(new Error('no luck'));
    },
  };
  const { pass, end, lines } = begin(failing);
  await pass(MINUTE);
  await end();
  expect(runs).toBe(2);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain('"job":"failing"');
  expect(lines[0]).toContain('no luck');
});

it('the end waits for what is under way, and nothing begins after it', async () => {
  let goOn = () => {};
  const slow: ScheduledJob = { name: 'slow', runIfDue: () => new Promise((resolve) => (goOn = resolve)) };
  const other = counting('other');
  const { pass, end, clock } = begin(slow, other);
  await settle();
  let isOver = false;
  const over = end().then(() => (isOver = true));
  await pass(2 * MINUTE);
  expect([isOver, other.ran.length]).toEqual([false, 1]);
  goOn();
  await over;
  expect(clock.nextTimerDueAt()).toBeUndefined();
});
