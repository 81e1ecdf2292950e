import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLog } from '../../src/log.ts';
import { cronTicker } from '../../src/schedule/job-scheduler.ts';

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 10, 20, 8, 59, 30) }));
afterEach(() => void vi.useRealTimers());

it('fires every minute of the wall clock until stopped, and writes nothing to the console', async () => {
  const said = vi.spyOn(console, 'log');
  const warned = vi.spyOn(console, 'warn');
  const rung: string[] = [];
  const stop = cronTicker(createLog('silent', { write: () => undefined })).everyMinute(() => {
    rung.push(new Date().toISOString().slice(11, 19));
  });
  await vi.advanceTimersByTimeAsync(150_000);
  stop();
  await vi.advanceTimersByTimeAsync(300_000);
  expect(rung).toEqual(['09:00:00', '09:01:00', '09:02:00']);
  expect([said.mock.calls, warned.mock.calls]).toEqual([[], []]);
});
