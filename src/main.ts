/** Starts Gigdesk: environment, configuration, app; a signal drains it. */
import { createApp } from './app.ts';
import { machineClock, machineRandom, SECOND } from './clock.ts';
import { readEnvironment } from './config.ts';
import { asError, GigdeskError } from './errors.ts';
import { createLog } from './log.ts';

/** After this the process ends although something is still under way: a supervisor's patience is usually 10 s. */
const PATIENCE = 9 * SECOND;

async function main(): Promise<void> {
  const read = readEnvironment();
  if (read.kind === 'problems') {
    console.error(
      ['Gigdesk can’t start. The configuration has these problems:', ...read.problems].join('\n- '),
    );
    process.exitCode = 1;
    return;
  }
  const log = createLog(read.config.logLevel, process.stdout);
  const app = createApp(read.config, { clock: machineClock, random: machineRandom, log });
  const stop = () => {
    log.info('stopping');
    machineClock.after(PATIENCE, () => process.exit(1));
    app.stop().then(
      () => process.exit(0),
      (thrown: unknown) => {
        log.error('stopping failed', { error: asError(thrown) });
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  try {
    await app.start();
  } catch (thrown) {
    const error = asError(thrown);
    log.error('could not start', { error });
    if (error instanceof GigdeskError) console.error(`Gigdesk can’t start: ${error.message}`);
    process.exit(1);
  }
}

await main();
