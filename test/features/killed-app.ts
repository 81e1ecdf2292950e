/** The real app as its own process for kill tests, on a clock as fast as the test's. */
import { createApp } from '../../src/app.ts';
import { machineClock, machineRandom } from '../../src/clock.ts';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { runApp } from '../../src/run-app.ts';
import { fastClock } from '../../src/workbench/clocks.ts';

/** Input: the configuration and the test's clock, as its speed and a reference time. */
export async function runKilledApp(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const read = readConfig(env);
  if (read.kind === 'problems') throw new Error(read.problems.join('; '));
  const speed = Number(env['CLOCK_SPEED']);
  const sinceMs = machineClock.now() - Number(env['CLOCK_AT']);
  const clock = fastClock(speed, Number(env['CLOCK_SHOWED']) + sinceMs * speed);
  const log = createLog(read.config.logLevel, process.stdout);
  const app = createApp(read.config, { clock, random: machineRandom, log });
  const tell = (sentence: string) => log.error('told', { sentence });
  if (env['PLANTED'] === 'a rejection') void app.start().then(() => Promise.reject(new Error('planted')));
  if (env['PLANTED'] === 'an exception') clock.runAfter(0, () => JSON.parse('planted'));
  await runApp(app, { log, clock: machineClock, tell });
}
