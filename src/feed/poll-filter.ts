/** Runs one poll: sends the request and stores the page. */
import { omitUndefined } from '../base/omit-undefined.ts';
import { markReservationUnansweredWithRetries } from '../credits/credits-service.ts';
import { asError } from '../errors.ts';
import type { FilterProjectsPage } from '../marketplace/client.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { RequestPermit } from '../marketplace/gate/gate.ts';
import type { Transaction } from '../storage/store.ts';
import type { FeedContext } from './context.ts';
import type { PreparedPoll } from './prepare-poll.ts';
import { getRequestedLatestTs } from './read-filter.ts';
import { recordPollFailure } from './record-failure.ts';
import { recordPollPage } from './record-page.ts';

function ask(
  context: FeedContext,
  order: PreparedPoll,
  permit: RequestPermit,
  signal: AbortSignal,
): Promise<FilterProjectsPage> {
  const { request, limit } = order;
  const nextCursor = 'nextCursor' in request ? request.nextCursor : undefined;
  const latestPublishedTs = getRequestedLatestTs(request);
  return context.marketplace.fetchFilterProjects(
    order.filter,
    {
      limit,
      ...omitUndefined({ nextCursor, latestPublishedTs }),
    },
    { lane: 'feed', permit, signal },
  );
}

/** Any other error is Gigdesk's own: the request may have been sent. */
function asMarketplaceError(thrown: unknown): MarketplaceError {
  if (thrown instanceof MarketplaceError) return thrown;
  return new MarketplaceError('network', 'unknown', 'The request failed', { cause: asError(thrown) });
}

async function fetchPage(
  context: FeedContext,
  order: PreparedPoll,
  permit: RequestPermit,
  signal: AbortSignal,
): Promise<FilterProjectsPage | MarketplaceError> {
  try {
    return await ask(context, order, permit, signal);
  } catch (thrown) {
    return asMarketplaceError(thrown);
  }
}

async function leave(context: FeedContext, order: PreparedPoll): Promise<void> {
  const { store, credits, clock } = context;
  await store.transact((tx) => credits.markUnanswered(tx, order.id, clock.now()));
}

/** Stores the result. If that fails, at least marks the reservation as unanswered instead of in flight. */
async function recordOrLeave<T>(
  context: FeedContext,
  order: PreparedPoll,
  signal: AbortSignal,
  record: (tx: Transaction) => Promise<T>,
): Promise<T> {
  try {
    return await context.store.transact(record);
  } catch (thrown) {
    await markReservationUnansweredWithRetries(context, order.id, signal);
    throw thrown;
  }
}

/**
 * Sends the prepared poll and stores the result. Uses up the permit.
 * @throws StorageError if the result can't be stored; the page is then read again for free
 */
export async function pollFilter(
  context: FeedContext,
  order: PreparedPoll,
  permit: RequestPermit,
  signal: AbortSignal,
): Promise<void> {
  const answer = await fetchPage(context, order, permit, signal);
  if (!(answer instanceof MarketplaceError)) {
    await recordOrLeave(context, order, signal, (tx) => recordPollPage(context, tx, order, answer));
    return;
  }
  if (signal.aborted) {
    // Aborted at shutdown: not a marketplace failure.
    await leave(context, order);
    return;
  }
  context.log.warn("Couldn't read a filter", {
    filter: order.filter,
    code: answer.code,
    status: answer.details.status,
  });
  await recordOrLeave(context, order, signal, (tx) => recordPollFailure(context, tx, order, answer));
}
