/** Stores a failed poll: its credits, and its effect on the next polls. */
import { omitUndefined } from '../base/omit-undefined.ts';
import type { MarketplaceError } from '../marketplace/errors.ts';
import type { Transaction } from '../storage/store.ts';
import type { FeedContext } from './context.ts';
import { readFilterState } from './filter-states.ts';
import { recordFeedFailure } from './notify-failure.ts';
import type { PreparedPoll } from './prepare-poll.ts';
import { filterStateKey, filterStates } from './records.ts';

async function recordDepleted(
  context: FeedContext,
  tx: Transaction,
  order: PreparedPoll,
  error: MarketplaceError,
): Promise<void> {
  const { credits, clock } = context;
  const at = clock.now();
  const { creditsRemaining: remaining, creditsResetAt: resetsAt } = error.details;
  const told = {
    ...omitUndefined({ remaining, resetsAt }),
  };
  await credits.recordCreditsDepleted(tx, order.id, told, at);
  // Running out of credits isn't a failure: the next page fits what is left. It is one if the response's own
  // numbers contradict it.
  if (remaining === undefined || remaining < order.limit) return;
  await recordFeedFailure(context, tx, order.filter, error, at);
}

/** After a rejected guess of the unit, try the next: such a future time may be invalid there. */
async function goOnGuessing(
  { team }: FeedContext,
  tx: Transaction,
  { filter, request }: PreparedPoll,
  { code }: MarketplaceError,
): Promise<boolean> {
  if (request.kind !== 'top' || request.guess !== 'milliseconds') return false;
  if (code !== 'bad-request' && code !== 'server') return false;
  const state = await readFilterState(tx, team, filter);
  const guesses = (state.guesses ?? 0) + 1;
  await tx.put(filterStates, filterStateKey(team, filter), { ...state, guesses });
  return code === 'bad-request';
}

export async function recordPollFailure(
  context: FeedContext,
  tx: Transaction,
  order: PreparedPoll,
  error: MarketplaceError,
): Promise<void> {
  const { credits, clock } = context;
  const at = clock.now();
  if (error.code === 'credits-depleted') return recordDepleted(context, tx, order, error);
  if (error.effect === 'none') await credits.releaseReservation(tx, order.id);
  else await credits.markUnanswered(tx, order.id, at);
  // The next page uses the server's page size, and reserves credits for it.
  if (error.details.limitRefused) return;
  if (await goOnGuessing(context, tx, order, error)) return;
  await recordFeedFailure(context, tx, order.filter, error, at);
}
