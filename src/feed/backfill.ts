/** A backfill: past projects that a channel requested when it subscribed. */
import type { Instant } from '../clock.ts';
import type { CreditsView } from '../credits/credits.ts';
import { enqueueNotice } from '../outbox/outbox.ts';
import type { Transaction } from '../storage/store.ts';
import { toNamedFilter } from './poll-state.ts';
import type { FilterReadRequest, ReadStateAfterPage } from './read-filter.ts';
import { type FilterState, type Subscription, subscriptionKey, subscriptions } from './records.ts';

export function findOldestBackfillSubscription(followers: readonly Subscription[]): Subscription | undefined {
  return followers
    .filter((each) => each.backfillLeft !== undefined)
    .sort((a, b) => (a.backfill?.askedAt ?? 0) - (b.backfill?.askedAt ?? 0))[0];
}

/** The oldest backfill whose channel can pay for a page; if none can, the oldest of all. */
export function findAffordableBackfillSubscription(
  credits: CreditsView,
  followers: readonly Subscription[],
  atLeast: number,
): Subscription | undefined {
  const payable = followers.filter(
    ({ backfillLeft, channel }) =>
      backfillLeft !== undefined && credits.readBudgetState(channel).available >= atLeast,
  );
  return findOldestBackfillSubscription(payable) ?? findOldestBackfillSubscription(followers);
}

export function withoutBackfillFields(subscription: Subscription): Subscription {
  const { backfillLeft: _left, backfillAsked: _asked, backfill: _progress, ...rest } = subscription;
  return rest;
}

/** Updates a backfill after a page: stores its progress, or ends it and notifies the channel. */
export async function recordBackfillProgress(
  tx: Transaction,
  state: FilterState,
  request: Extract<FilterReadRequest, { kind: 'backfill' }>,
  folded: ReadStateAfterPage,
  counted: { readonly left: number; readonly told: number },
  at: Instant,
): Promise<void> {
  const { team, filter } = state;
  const key = subscriptionKey(team, request.channel, filter);
  const subscription = await tx.get(subscriptions, key);
  if (subscription?.backfillLeft === undefined) return;
  const askedAt = subscription.backfill?.askedAt ?? subscription.createdAt;
  const told = (subscription.backfill?.told ?? 0) + counted.told;
  const { cursor } = folded;
  if (counted.left > 0 && !folded.done && cursor !== undefined) {
    const backfill = { ...subscription.backfill, askedAt, told, cursor };
    await tx.put(subscriptions, key, { ...subscription, backfillLeft: counted.left, backfill });
    return;
  }
  await tx.put(subscriptions, key, withoutBackfillFields(subscription));
  const asked = subscription.backfillAsked ?? told;
  await enqueueNotice(
    tx,
    { team, channel: request.channel, matter: `backfill-done:${filter}:${askedAt}`, at },
    { about: 'backfill-done', filter: toNamedFilter(state), asked, posted: told },
  );
}
