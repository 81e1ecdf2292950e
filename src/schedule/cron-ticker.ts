/** Ticks every minute with node-cron, which follows changes of the wall clock. */
import { schedule } from 'node-cron';
import { asError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Ticker } from './job-scheduler.ts';

/** @param log replaces node-cron's console output */
export function cronTicker(log: Log): Ticker {
  const say = (message: string | Error) => ({ cron: asError(message).message });
  const logger = {
    debug: (message: string | Error) => log.debug('Scheduler message', say(message)),
    info: (message: string) => log.debug('Scheduler message', say(message)),
    warn: (message: string) => log.warn('Scheduler message', say(message)),
    error: (message: string | Error) => log.error('Scheduler message', say(message)),
  };
  return {
    everyMinute(ring) {
      const task = schedule('* * * * *', () => ring(), {
        name: 'every minute',
        noOverlap: true,
        // The jobs catch up on missed minutes themselves.
        suppressMissedWarning: true,
        // A clock's timers don't keep the process alive either.
        unref: true,
        logger,
      });
      return () => void task.destroy();
    },
  };
}
