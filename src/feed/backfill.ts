/** A backfill: past projects that a channel requested when it subscribed. */
import type { Instant } from '../clock.ts';
import type { CreditsView } from '../credits/create-credits.ts';
import { readLostCost, recordDecisionResult } from '../decisions/decisions.ts';
import { enqueueNotice } from '../outbox/outbox.ts';
import type { Transaction } from '../storage/store.ts';
import { toNamedFilter } from './poll-state.ts';
import type { FilterReadRequest, ReadStateAfterPage } from './read-filter.ts';
import { type FilterState, type Subscription, subscriptions } from './records.ts';

export function findOldestBackfillSubscription(followers: readonly Subscription[]): Subscription | undefined {
  return followers
    .filter((each) => each.backfill !== undefined)
    .sort((a, b) => (a.backfill?.askedAt ?? 0) - (b.backfill?.askedAt ?? 0))[0];
}

/** The oldest backfill whose channel can pay for a page; if none can, the oldest of all. */
export function findAffordableBackfillSubscription(
  credits: CreditsView,
  followers: readonly Subscription[],
  atLeast: number,
): Subscription | undefined {
  const payable = followers.filter(
    ({ backfill, channel }) =>
      backfill !== undefined && credits.readBudgetState(channel).available >= atLeast,
  );
  return findOldestBackfillSubscription(payable) ?? findOldestBackfillSubscription(followers);
}

/**
 * Adds what a backfill brought and cost to the decision that asked for it.
 * @param result stopped: another backfill replaced it, or the subscription ended
 */
export async function recordBackfillEnd(
  tx: Transaction,
  credits: Pick<CreditsView, 'readUnsettledCost'>,
  { backfill }: Pick<Subscription, 'backfill'>,
  at: Instant,
  result: 'done' | 'stopped',
): Promise<void> {
  if (!backfill) return;
  const { asked, audit, posted } = backfill;
  const lost = await readLostCost(tx, [...audit]);
  const known = backfill.credits + (lost.credits ?? 0);
  const unsure = credits.readUnsettledCost(audit) + (lost.uncertainCredits ?? 0);
  const more = unsure > 0 ? `, and up to ${unsure} more that the marketplace hasn't confirmed` : '';
  const spent = `${known} ${known === 1 ? 'credit' : 'credits'}${more}`;
  const words = `posted ${posted} of ${asked} past projects for ${spent}`;
  const cost = { credits: known, uncertainCredits: unsure > 0 ? unsure : undefined };
  await recordDecisionResult(tx, [...audit], at, { kind: result, words }, cost);
}

/**
 * Updates a backfill after a page: stores its progress, or ends it and notifies the channel.
 * @param counted `left`: past projects that the backfill still needs · `credits`: what the page cost
 */
export async function recordBackfillProgress(
  tx: Transaction,
  book: Pick<CreditsView, 'readUnsettledCost'>,
  state: FilterState,
  request: Extract<FilterReadRequest, { kind: 'backfill' }>,
  folded: ReadStateAfterPage,
  counted: { readonly left: number; readonly posted: number; readonly credits: number },
  at: Instant,
): Promise<void> {
  const { filter } = state;
  const key = [request.channel, filter];
  const subscription = await tx.get(subscriptions, key);
  if (!subscription?.backfill) return;
  const { asked, askedAt, credits } = subscription.backfill;
  const posted = subscription.backfill.posted + counted.posted;
  const backfill = { ...subscription.backfill, posted, credits: credits + counted.credits };
  const { cursor, done } = folded;
  if (counted.left > 0 && !done && cursor !== undefined) {
    const continued = { ...backfill, left: counted.left, cursor };
    return tx.put(subscriptions, { ...subscription, backfill: continued });
  }
  await recordBackfillEnd(tx, book, { backfill }, at, 'done');
  await tx.put(subscriptions, { ...subscription, backfill: undefined });
  await enqueueNotice(
    tx,
    { channel: request.channel, matter: `backfill-done:${filter}:${askedAt}`, at },
    { about: 'backfill-done', filter: toNamedFilter(state), asked, posted },
  );
}
