/** Runs the app as a process: a signal drains it, and a fault that nobody handles ends it. */
import type { App } from './app.ts';
import { type Clock, keepProcessAlive, SECOND } from './clock.ts';
import { asError } from './errors.ts';
import type { Log } from './log.ts';
import { startFailureText } from './start-failure.ts';

/** After this the process ends although something is still under way: a supervisor's patience is usually 10 s. */
const PATIENCE_MS = 9 * SECOND;

interface RunParts {
  readonly log: Log;
  /** The machine's: a supervisor waits by that one. */
  readonly clock: Clock;
  /** Says a sentence to whoever started it. */
  readonly tell: (sentence: string) => void;
}

/**
 * Starts the app and sees to the end of the process: with code 0 once a SIGTERM or SIGINT has drained it, else with 1.
 *
 * A fault that nobody handles ends the process at once. A kill at any moment loses nothing and a start is quick, so
 * beginning anew from what is on disk is safer than going on with half of a state; a supervisor starts it again.
 */
export async function runApp(app: App, { log, clock, tell }: RunParts): Promise<void> {
  // The clock's timers do not, and nothing else does before the app listens.
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
    // A terminal and npm both pass Ctrl-C on: the second signal says nothing new.
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
    // Its end is what the start failed of: `stop` ends the process.
    if (isStopping) return;
    const error = asError(thrown);
    log.error('Startup failed', { error: asError(error) });
    tell(`Gigdesk can't start: ${startFailureText(error)}`);
    process.exit(1);
  }
}
