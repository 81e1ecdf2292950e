/** Cards that a channel was owed while it was paused or out of budget: told when it can have them again. */
import type { Instant } from '../clock.ts';
import { SMALLEST_PAGE } from '../credits/book.ts';
import type { ChannelId } from '../ids.ts';
import type { Transaction } from '../storage/store.ts';
import { putCard } from './cards.ts';
import { isPaused, readSettings } from './channels.ts';
import type { FeedContext } from './context.ts';
import {
  type Card,
  cards,
  projectRecordKey,
  type Subscription,
  seenProjects,
  subscriptionKey,
  subscriptions,
} from './records.ts';

/** Cards a transaction: a large backlog keeps nobody else from the store. */
const BATCH = 50;

async function wantedBy(tx: Transaction, card: Card): Promise<Subscription | undefined> {
  for (const filter of card.filters) {
    const found = await tx.get(subscriptions, subscriptionKey(card.team, card.channel, filter));
    // One that began later starts at its own beginning.
    if (found && found.createdAt <= card.foundAt) return found;
  }
  return undefined;
}

async function settleOwed(
  context: FeedContext,
  tx: Transaction,
  card: Card,
  paused: boolean,
  at: Instant,
): Promise<'told' | 'withheld' | 'kept'> {
  const subscription = await wantedBy(tx, card);
  if (!subscription) {
    await putCard(tx, { ...card, state: 'withheld', because: 'unsubscribed' }, card, at, at);
    return 'withheld';
  }
  if (paused || subscription.stopped) return 'kept';
  const seen = await tx.get(seenProjects, projectRecordKey(context.team, card.project));
  const order = seen?.project.publishedAt ?? card.foundAt;
  await putCard(tx, { ...card, state: 'told' }, card, order, at);
  return 'told';
}

/** Tells a batch, oldest first. @returns whether there may be more to tell now. */
async function tellBatch(context: FeedContext, tx: Transaction, channel: ChannelId): Promise<boolean> {
  const { team, credits, clock } = context;
  const at = clock.now();
  const owed = await tx.list(cards, { index: 'owed', prefix: [team, channel], limit: BATCH });
  if (owed.length === 0) return false;
  const settings = await readSettings(tx, team, channel);
  const budget = await credits.budget(tx, channel, at);
  if (budget.available < SMALLEST_PAGE) return false;
  let settled = 0;
  for (const { value } of owed) {
    if ((await settleOwed(context, tx, value, isPaused(settings, at), at)) !== 'kept') settled++;
  }
  return settled > 0 && owed.length === BATCH;
}

/** Tells every channel what it can have of what it is owed. */
export async function tellOwed(
  context: FeedContext,
  channels: readonly ChannelId[],
  signal: AbortSignal,
): Promise<void> {
  const { store, team } = context;
  for (const channel of channels) {
    const some = await store.read((tx) =>
      tx.list(cards, { index: 'owed', prefix: [team, channel], limit: 1 }),
    );
    let more = some.length > 0;
    while (more && !signal.aborted) more = await store.transact((tx) => tellBatch(context, tx, channel));
  }
}
