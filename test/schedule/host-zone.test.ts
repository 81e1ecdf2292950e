/** Jobs on a host with a time zone of its own, on the days when that zone changes its clocks. */
import { afterEach, expect, it, vi } from 'vitest';
import { DAY, HOUR, MINUTE, machineClock } from '../../src/clock.ts';
import { runInUtc } from '../../src/config.ts';
import { silentLog } from '../../src/log.ts';
import { nextCronMinute, runScheduledJobs } from '../../src/schedule/job-scheduler.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

/** The hours of 2026 and 2027 in which the host's zone changes its clocks. */
function findChanges(): readonly number[] {
  const hours = Array.from({ length: 730 * 24 }, (_, hour) => Date.UTC(2026, 0, 1) + hour * HOUR);
  const offset = (at: number) => new Date(at).getTimezoneOffset();
  return hours.filter((at) => offset(at) !== offset(at - HOUR));
}

it.each(['Europe/Vienna', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago'])(
  'run every minute of the hours around a change of the clocks in %s',
  async (zone) => {
    vi.stubEnv('TZ', zone);
    const changes = findChanges();
    expect(changes).toHaveLength(4);
    runInUtc();
    for (const change of changes) {
      const from = change - DAY / 8;
      vi.useFakeTimers({ now: from, toFake: ['Date', 'setTimeout', 'clearTimeout'] });
      const ran: number[] = [];
      const stop = new AbortController();
      const job = { name: 'job', runIfDue: async (at: number) => void ran.push(at) };
      const parts = { clock: machineClock, log: silentLog, nextMinute: nextCronMinute };
      const running = runScheduledJobs(parts, [job], stop.signal);
      await vi.advanceTimersByTimeAsync(DAY / 4);
      stop.abort();
      await running;
      vi.useRealTimers();
      const minutes = ran.map((at) => Math.floor(at / MINUTE) - from / MINUTE);
      expect(minutes).toEqual(Array.from({ length: 361 }, (_, minute) => minute));
    }
  },
);
