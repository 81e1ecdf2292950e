/** Runs one poll: sends the request, and stores the page or the failure. */
import type { Instant } from '../clock.ts';
import { markReservationUnansweredWithRetries } from '../credits/credits.ts';
import { asError } from '../errors.ts';
import type { FilterProjectsPage } from '../marketplace/client.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { RequestPermit } from '../marketplace/gate/gate.ts';
import type { Transaction } from '../storage/store.ts';
import type { FeedContext } from './feed.ts';
import { recordFeedFailure } from './notify-failure.ts';
import { type PollState, readPollState } from './poll-state.ts';
import type { PreparedPoll, SentPoll } from './prepare-poll.ts';
import { getRequestedLatestTs } from './read-filter.ts';
import { recordPollPage } from './record-page.ts';
import { filterStates } from './records.ts';

async function fetchPage(
  { marketplace }: FeedContext,
  { filter, request, limit }: PreparedPoll,
  permit: RequestPermit,
  signal: AbortSignal,
): Promise<FilterProjectsPage | MarketplaceError> {
  const nextCursor = 'nextCursor' in request ? request.nextCursor : undefined;
  const query = { limit, nextCursor, latestPublishedTs: getRequestedLatestTs(request) };
  try {
    return await marketplace.fetchFilterProjects(filter, query, { lane: 'feed', permit, signal });
  } catch (thrown) {
    if (thrown instanceof MarketplaceError) return thrown;
    // Gigdesk's own error: the request may have been sent.
    return new MarketplaceError('network', 'unknown', 'The request failed', { cause: asError(thrown) });
  }
}

/** If the result can't be stored, at least marks the reservation as unanswered instead of in flight. */
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
 * @returns how many new projects it found; undefined if it failed, or may have asked in the wrong unit
 * @throws StorageError if the result can't be stored; the page is then read again for free
 */
export async function pollFilter(
  context: FeedContext,
  order: SentPoll,
  permit: RequestPermit,
  signal: AbortSignal,
): Promise<number | undefined> {
  const answer = await fetchPage(context, order, permit, signal);
  if (!(answer instanceof MarketplaceError))
    return recordOrLeave(context, order, signal, (tx) => recordPollPage(context, tx, order, answer));
  if (signal.aborted) {
    // Aborted at shutdown: not a marketplace failure.
    const { store, credits, clock } = context;
    await store.transact((tx) => credits.markUnanswered(tx, order.id, clock.now()));
    return undefined;
  }
  context.log.warn("Couldn't read a filter", {
    filter: order.filter,
    code: answer.code,
    status: answer.details.status,
  });
  await recordOrLeave(context, order, signal, (tx) => recordPollFailure(context, tx, order, answer));
  return undefined;
}

async function recordDepleted(
  { credits }: FeedContext,
  tx: Transaction,
  order: PreparedPoll,
  state: PollState,
  error: MarketplaceError,
  at: Instant,
): Promise<void> {
  const { creditsRemaining: remaining, creditsResetAt: resetsAt } = error.details;
  await credits.recordCreditsDepleted(tx, order.id, { remaining, resetsAt }, at);
  // Running out of credits isn't a failure: the next page fits what is left. It is one if the response's own
  // numbers contradict it.
  if (remaining === undefined || remaining < order.limit) return;
  await recordFeedFailure(tx, state, error, at);
}

async function recordPollFailure(
  context: FeedContext,
  tx: Transaction,
  order: PreparedPoll,
  error: MarketplaceError,
): Promise<void> {
  const { credits, clock } = context;
  const at = clock.now();
  let state = await readPollState(tx, order.filter);
  if (error.code === 'credits-depleted') return recordDepleted(context, tx, order, state, error, at);
  if (error.effect === 'none') await credits.releaseReservation(tx, order.id);
  else await credits.markUnanswered(tx, order.id, at);
  // The next page uses the server's page size, and reserves credits for it.
  if (error.details.limitRefused) return;
  const { request } = order;
  const isGuess = request.kind === 'top' && request.guess === 'milliseconds';
  if (isGuess && (error.code === 'bad-request' || error.code === 'server')) {
    // The next guess: such a future time may be invalid there.
    const filter = { ...state.filter, guesses: (state.filter.guesses ?? 0) + 1 };
    await tx.put(filterStates, filter);
    if (error.code === 'bad-request') return;
    state = { ...state, filter };
  }
  await recordFeedFailure(tx, state, error, at);
}
