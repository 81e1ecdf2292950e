/**
 * Retries until Slack responds: at boot, when the network is often slower than the machine, and after
 * outages.
 */

import { type Clock, type RandomSource, SECOND } from '../../clock.ts';
import { asError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { SlackCallError } from './errors.ts';

const FIRST_PAUSE_MS = SECOND;
const LONGEST_PAUSE_MS = 30 * SECOND;

export interface SlackRetryOptions {
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly log: Log;
  /** Stops the retries. */
  readonly signal: AbortSignal;
}

/** The pause after a number of consecutive failures: doubles up to 30 s, with jitter. */
export function slackRetryDelayMs(failures: number, random: RandomSource): number {
  const full = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 10), LONGEST_PAUSE_MS);
  return full * (0.5 + random() / 2);
}

/**
 * Resolves with `work`'s value or rejects with the signal's reason, whichever comes first. `work` keeps
 * running.
 */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function isPassing(thrown: unknown): boolean {
  return thrown instanceof SlackCallError && thrown.failureKind !== 'refused';
}

/**
 * Retries until Slack answers.
 * @throws SlackCallError when Slack refuses, since waiting doesn't help; any error that isn't Slack's; the
 * signal's reason.
 */
export async function retryUntilSlackResponds<T>(
  attempt: () => Promise<T>,
  options: SlackRetryOptions,
): Promise<T> {
  const { clock, random, log, signal } = options;
  for (let failures = 1; ; failures++) {
    signal.throwIfAborted();
    try {
      return await unlessAborted(attempt(), signal);
    } catch (thrown) {
      if (!isPassing(thrown) || signal.aborted) throw thrown;
      log.warn('could not reach Slack, retrying', { failures, error: asError(thrown) });
    }
    await clock.sleep(slackRetryDelayMs(failures, random), signal);
  }
}
