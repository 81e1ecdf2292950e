/** Runs the app as a process: a signal shuts it down, an unhandled error ends it. Explains a failed start. */

import { type Clock, keepProcessAlive, SECOND } from '../clock.ts';
import { asError, GigdeskError } from '../errors.ts';
import type { Log } from '../log.ts';
import { SlackCallError } from '../slack/core/errors.ts';
import type { App } from './app.ts';

/** The process exits after this even with running work: supervisors usually wait 10 s. */
const PATIENCE_MS = 9 * SECOND;

interface RunParts {
  readonly log: Log;
  /** The machine's clock, because a supervisor uses it too. */
  readonly clock: Clock;
  /** Prints a sentence to the terminal. */
  readonly tell: (sentence: string) => void;
}

/**
 * Starts the app and ends the process: with code 0 after a SIGTERM or SIGINT, otherwise with 1.
 *
 * An unhandled error ends the process at once. A kill loses nothing and a start is quick, so a supervisor's
 * restart from disk is safer than continuing with a broken state.
 */
export async function runApp(app: App, { log, clock, tell }: RunParts): Promise<void> {
  // The clock's timers don't keep the process alive, and nothing else does before the app listens.
  keepProcessAlive();
  const die = (message: string) => (thrown: unknown) => {
    log.error(message, { error: asError(thrown) });
    process.exit(1);
  };
  process.on('uncaughtException', die('Uncaught exception, exiting'));
  process.on('unhandledRejection', die('Unhandled promise rejection, exiting'));
  void app.fatalError.then(die('Part of the app stopped unexpectedly, exiting'));

  let isStopping = false;
  const stop = () => {
    // A terminal and npm both pass Ctrl-C on: ignore the second signal.
    if (isStopping) return;
    isStopping = true;
    log.info('Shutting down');
    clock.runAfter(PATIENCE_MS, () =>
      die('Shutdown timed out, exiting')(new Error(`Shutdown took longer than ${PATIENCE_MS} ms`)),
    );
    app.stop().then(() => {
      log.info('Shut down');
      process.exit(0);
    }, die('Shutdown failed, exiting'));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);

  try {
    await app.start();
  } catch (thrown) {
    // The start failed because of the shutdown: `stop` ends the process.
    if (isStopping) return;
    const error = asError(thrown);
    log.error('Startup failed', { error: asError(error) });
    tell(`Gigdesk can't start: ${startFailureText(error)}`);
    process.exit(1);
  }
}

const DOCTOR = 'Run `npm run doctor` for details.';

const ADDRESS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is already in use. Set PORT to a different port, or stop the other program',
  EACCES: "this user isn't allowed to use that port. Set PORT to a number above 1023",
  EADDRNOTAVAIL: "this machine doesn't have that address. Set HOST to one of its addresses",
};

/** One sentence for the terminal. */
export function startFailureText(error: Error): string {
  if (error instanceof SlackCallError)
    return `Slack rejected a token (${error.code}). Check SLACK_BOT_TOKEN and SLACK_APP_TOKEN. ${DOCTOR}`;
  const code = 'code' in error ? String(error.code) : '';
  const address = ADDRESS[code];
  if (address) return `${address}.`;
  if (error instanceof GigdeskError) return error.message;
  return `${error.message}. ${DOCTOR}`;
}
