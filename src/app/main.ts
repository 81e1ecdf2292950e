/** `npm start`: environment, configuration, app. */

import { machineClock, machineRandom } from '../clock.ts';
import { readConfigFromEnvironment, runInUtc } from '../config.ts';
import { createLog } from '../log.ts';
import { nextCronMinute } from '../schedule/job-scheduler.ts';
import { createApp } from './app.ts';
import { runApp } from './run-app.ts';

runInUtc();
const read = readConfigFromEnvironment();
if (read.kind === 'problems') {
  console.error(["Gigdesk can't start. Configuration problems:", ...read.problems].join('\n- '));
  process.exitCode = 1;
} else {
  const log = createLog(read.config.logLevel, process.stdout);
  const app = createApp(read.config, {
    clock: machineClock,
    random: machineRandom,
    log,
    nextMinute: nextCronMinute,
  });
  await runApp(app, { log, clock: machineClock, tell: (sentence) => console.error(sentence) });
}
