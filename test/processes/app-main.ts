/** The real app as a process beside a test, on the test's fast clock. */
import type { FetchFunction } from '@slack/web-api';
import { createApp } from '../../src/app/app.ts';
import { runApp } from '../../src/app/run-app.ts';
import { machineClock, machineRandom, SECOND } from '../../src/clock.ts';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { MIGRATIONS } from '../../src/storage/postgres/migrations.ts';
import { fastClock } from '../../src/workbench/clocks.ts';

/** The client's timeout, which is in real time. Delivery waits longer before it looks for a post. */
const SLACK_TIMEOUT_MS = 10 * SECOND;

function endingWithin(ms: number): FetchFunction {
  return (input, init) => {
    const ends = [AbortSignal.timeout(ms), init?.signal].filter((it) => it !== undefined && it !== null);
    return globalThis.fetch(input, { ...init, signal: AbortSignal.any(ends) });
  };
}

/** As a newer version, which adds to the tables. */
const NEWER = {
  migrations: [
    ...MIGRATIONS,
    {
      name: 'of the next version',
      sql: `
        create table later (id text primary key);
        alter table workspaces add column later text;
        alter table records add column later text;
        alter table replicas add column later text not null default 'none';`,
    },
  ],
};

/** Input: the configuration, and `CLOCK_*` of `environmentBeside`. */
export async function runAppBesideTest(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const read = readConfig(env);
  if (read.kind === 'problems') throw new Error(read.problems.join('; '));
  const speed = Number(env['CLOCK_SPEED']);
  const began = Number(env['CLOCK_BEGAN']);
  const ahead = Number(env['CLOCK_AHEAD'] ?? 0);
  const clock = fastClock(speed, began + ahead + (machineClock.now() - began) * speed);
  const log = createLog(read.config.logLevel, process.stdout);
  const fetch = endingWithin(SLACK_TIMEOUT_MS / speed);
  const version = env['VERSION'] === 'newer' ? NEWER : {};
  const app = createApp(read.config, { clock, random: machineRandom, log, fetch, ...version });
  const tell = (sentence: string) => log.error('told', { sentence });
  if (env['PLANTED'] === 'a rejection') void app.start().then(() => Promise.reject(new Error('planted')));
  if (env['PLANTED'] === 'an exception') clock.runAfter(0, () => JSON.parse('planted'));
  await runApp(app, { log, clock: machineClock, tell });
}
