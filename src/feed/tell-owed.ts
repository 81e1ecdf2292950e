/** Cards that a channel was owed while it was paused or out of budget: told when it can have them again. */
import type { Instant } from '../clock.ts';
import { SMALLEST_PAGE } from '../credits/book.ts';
import type { ChannelId } from '../ids.ts';
import type { Position, Transaction } from '../storage/store.ts';
import { putCard } from './cards.ts';
import { isPaused, readSettings } from './channels.ts';
import type { FeedContext } from './context.ts';
import { asJudgedBy } from './filter-verdicts.ts';
import { isMuted } from './match-card.ts';
import {
  type Card,
  type ChannelSettings,
  cards,
  projectRecordKey,
  type Subscription,
  seenProjects,
  subscriptionKey,
  subscriptions,
} from './records.ts';
import { holdsFor } from './rules.ts';

/** Cards a transaction: a large backlog keeps nobody else from the store. */
const BATCH = 50;

/** The channel's subscriptions that it is owed to. */
async function wantedBy(tx: Transaction, card: Card): Promise<Subscription[]> {
  const wanted: Subscription[] = [];
  for (const filter of card.filters) {
    const found = await tx.get(subscriptions, subscriptionKey(card.team, card.channel, filter));
    // One that began later starts at its own beginning.
    if (found && found.createdAt <= card.foundAt) wanted.push(found);
  }
  return wanted;
}

async function settleOwed(
  context: FeedContext,
  tx: Transaction,
  card: Card,
  settings: ChannelSettings,
  at: Instant,
): Promise<void> {
  const { team, timezone } = context;
  const wanted = await wantedBy(tx, card);
  const seen = await tx.get(seenProjects, projectRecordKey(team, card.project));
  const project = seen && asJudgedBy(seen, card.filters);
  const telling = { order: project?.publishedAt ?? card.foundAt, at, settings, timezone };
  const withhold = (because: Card['because']) =>
    putCard(tx, { ...card, state: 'withheld', because }, card, telling);
  if (wanted.length === 0) return withhold('unsubscribed');
  // Rules and mutes may have been set since it was owed.
  const matching = wanted.filter(({ filter, rules }) => !seen || holdsFor(rules, asJudgedBy(seen, [filter])));
  const waitsFor = matching.length > 0 ? matching : wanted;
  if (isPaused(settings, at) || waitsFor.every(({ stopped }) => stopped)) return;
  if (matching.length === 0) return withhold('no-match');
  if (project && isMuted(project, settings.mutes)) return withhold('muted');
  await putCard(tx, { ...card, state: 'told' }, card, telling);
}

/** Tells a batch, oldest first. @returns where the next begins, if there may be more to tell now. */
async function tellBatch(
  context: FeedContext,
  tx: Transaction,
  channel: ChannelId,
  after: Position | undefined,
): Promise<Position | undefined> {
  const { team, credits, clock } = context;
  const at = clock.now();
  const from = after ? { after } : {};
  const owed = await tx.list(cards, { index: 'owed', prefix: [team, channel], limit: BATCH, ...from });
  if (owed.length === 0) return undefined;
  const settings = await readSettings(tx, team, channel);
  const budget = await credits.budget(tx, channel, at);
  if (budget.available < SMALLEST_PAGE) return undefined;
  for (const { value } of owed) await settleOwed(context, tx, value, settings, at);
  return owed.length === BATCH ? owed.at(-1)?.position : undefined;
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
    if (some.length === 0) continue;
    let after: Position | undefined;
    do {
      const from = after;
      after = await store.transact((tx) => tellBatch(context, tx, channel, from));
    } while (after && !signal.aborted);
  }
}
