/** Stores a failed poll: its credits, and its effect on the next polls. */
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Instant } from '../clock.ts';
import type { MarketplaceError } from '../marketplace/errors.ts';
import type { Transaction } from '../storage/store.ts';
import type { FeedContext } from './context.ts';
import { recordFeedFailure } from './notify-failure.ts';
import { type PollState, readPollState } from './poll-state.ts';
import type { PreparedPoll } from './prepare-poll.ts';
import { filterStateKey, filterStates } from './records.ts';

async function recordDepleted(
  context: FeedContext,
  tx: Transaction,
  order: PreparedPoll,
  state: PollState,
  error: MarketplaceError,
  at: Instant,
): Promise<void> {
  const { credits } = context;
  const { creditsRemaining: remaining, creditsResetAt: resetsAt } = error.details;
  const told = {
    ...omitUndefined({ remaining, resetsAt }),
  };
  await credits.recordCreditsDepleted(tx, order.id, told, at);
  // Running out of credits isn't a failure: the next page fits what is left. It is one if the response's own
  // numbers contradict it.
  if (remaining === undefined || remaining < order.limit) return;
  await recordFeedFailure(context, tx, state, error, at);
}

/** After a rejected guess of the unit, try the next: such a future time may be invalid there. */
function isWrongGuess({ request }: PreparedPoll, { code }: MarketplaceError): boolean {
  if (request.kind !== 'top' || request.guess !== 'milliseconds') return false;
  return code === 'bad-request' || code === 'server';
}

export async function recordPollFailure(
  context: FeedContext,
  tx: Transaction,
  order: PreparedPoll,
  error: MarketplaceError,
): Promise<void> {
  const { team, credits, clock } = context;
  const at = clock.now();
  let state = await readPollState(tx, team, order.filter);
  if (error.code === 'credits-depleted') return recordDepleted(context, tx, order, state, error, at);
  if (error.effect === 'none') await credits.releaseReservation(tx, order.id);
  else await credits.markUnanswered(tx, order.id, at);
  // The next page uses the server's page size, and reserves credits for it.
  if (error.details.limitRefused) return;
  if (isWrongGuess(order, error)) {
    const filter = { ...state.filter, guesses: (state.filter.guesses ?? 0) + 1 };
    await tx.put(filterStates, filterStateKey(team, order.filter), filter);
    if (error.code === 'bad-request') return;
    state = { ...state, filter };
  }
  await recordFeedFailure(context, tx, state, error, at);
}
