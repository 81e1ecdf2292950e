/** Stores a failed read, sets the next retry, and notifies channels if due. */
import { HOUR, type Instant, MINUTE } from '../clock.ts';
import { escalateFeedFailure, getFailureRule } from '../feed/failure-rules.ts';
import type { MarketplaceError } from '../marketplace/errors.ts';
import { notifyProfileFailure } from '../profiles/notify-failure.ts';
import type { InvitationsContext } from './context.ts';
import { type InvitationSource, readInvitationSync } from './sources.ts';

/** The upper limit for any pause that the server requests. */
const LONGEST_RETRY_MS = HOUR;
const FIRST_FORBIDDEN_MS = 5 * MINUTE;

/** For a profile, `forbidden` means that it is no longer connected; others aren't affected. */
function concernsAll(code: string): boolean {
  return code !== 'forbidden' && getFailureRule(code).concern === 'account';
}

function retryAfter({ code, details }: MarketplaceError, failures: number): number {
  const asked = Math.min(details.retryAfterMs ?? 0, LONGEST_RETRY_MS);
  if (code !== 'forbidden') return asked;
  return Math.max(asked, Math.min(FIRST_FORBIDDEN_MS * 2 ** Math.min(failures, 10), LONGEST_RETRY_MS));
}

/**
 * @returns until when no source should be read; undefined: the others continue
 * @throws StorageError
 */
export function recordInvitationFailure(
  { team, store, clock }: InvitationsContext,
  source: InvitationSource,
  error: MarketplaceError,
): Promise<Instant | undefined> {
  return store.transact(async (tx) => {
    const at = clock.now();
    const sync = await readInvitationSync(tx, team, source);
    const before = sync.trouble;
    const failures = before?.code === error.code ? before.failures : 0;
    const trouble = escalateFeedFailure(before, error.code, at, retryAfter(error, failures));
    await notifyProfileFailure(tx, { ...sync, trouble }, at);
    return concernsAll(error.code) ? trouble.retryAt : undefined;
  });
}
