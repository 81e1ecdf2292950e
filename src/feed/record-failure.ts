/** A poll without a page: what becomes of its credits, and of the next polls. */
import { SMALLEST_PAGE } from '../credits/book.ts';
import type { MarketplaceError } from '../marketplace/errors.ts';
import type { Transaction } from '../storage/store.ts';
import type { FeedContext } from './context.ts';
import { refusesLimit } from './limit-refusals.ts';
import type { PollOrder } from './order-poll.ts';
import { tryOtherLimit } from './other-limit.ts';
import { recordTrouble } from './tell-trouble.ts';

type AfterFailure =
  /** The next polls follow what is on record. */
  | { readonly kind: 'on-record' }
  /** The same again at once, with a page that fits. */
  | { readonly kind: 'try-smaller'; readonly atMost: number };

async function recordDepleted(
  context: FeedContext,
  tx: Transaction,
  order: PollOrder,
  error: MarketplaceError,
  retried: boolean,
): Promise<AfterFailure> {
  const { credits, clock } = context;
  const at = clock.now();
  const { creditsRemaining: remaining, creditsResetAt: resetsAt } = error.details;
  const told = {
    ...(remaining === undefined ? {} : { remaining }),
    ...(resetsAt === undefined ? {} : { resetsAt }),
  };
  await credits.refuseDepleted(tx, order.id, told, at);
  if (remaining === undefined || remaining < SMALLEST_PAGE) return { kind: 'on-record' };
  if (remaining < order.limit && !retried) return { kind: 'try-smaller', atMost: remaining };
  // Spent is no trouble of the feed, but a refusal that its own numbers contradict is.
  await recordTrouble(context, tx, order.filter, error, at);
  return { kind: 'on-record' };
}

/**
 * @param retried whether this was the smaller page already: refused once more, the server's numbers are no guide.
 */
export async function recordFailure(
  context: FeedContext,
  tx: Transaction,
  order: PollOrder,
  error: MarketplaceError,
  retried: boolean,
): Promise<AfterFailure> {
  const { credits, clock } = context;
  const at = clock.now();
  if (error.code === 'credits-depleted') return recordDepleted(context, tx, order, error, retried);
  if (error.effect === 'none') await credits.release(tx, order.id);
  else await credits.leaveUnanswered(tx, order.id, at);
  if (refusesLimit(error) && (await tryOtherLimit(context, tx, order.filter))) return { kind: 'on-record' };
  await recordTrouble(context, tx, order.filter, error, at);
  return { kind: 'on-record' };
}
