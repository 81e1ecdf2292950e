/** Marks a finished request as unanswered if its end couldn't be stored; otherwise it seems in flight. */
import { type Clock, SECOND } from '../clock.ts';
import { asError } from '../errors.ts';
import type { Log } from '../log.ts';
import { StorageError, type Store } from '../storage/store.ts';
import type { CreditsService } from './credits-service.ts';

const RETRY_MS = 5 * SECOND;

interface Parts {
  readonly store: Store;
  readonly credits: Pick<CreditsService, 'markUnanswered'>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Marks a reservation as unanswered, and retries until the store accepts it. A seemingly open request blocks
 * every balance check.
 * @returns when it is stored, the store is closed, or `signal` aborts; then the next start marks it. Never
 * throws.
 */
export async function markReservationUnansweredWithRetries(
  parts: Parts,
  id: string,
  signal?: AbortSignal,
): Promise<void> {
  const { store, credits, clock, log } = parts;
  for (let tries = 1; !signal?.aborted; tries++) {
    try {
      await store.transact((tx) => credits.markUnanswered(tx, id, clock.now()));
      return;
    } catch (thrown) {
      if (thrown instanceof StorageError && thrown.code === 'closed') return;
      if (tries === 1) log.error("Couldn't store the end of a request, retrying", { error: asError(thrown) });
    }
    await clock.sleep(RETRY_MS, signal).catch(() => undefined);
  }
}
