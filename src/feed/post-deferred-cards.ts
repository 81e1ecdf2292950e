/** Posts cards that were deferred while their channel was paused or out of budget. */
import type { Instant } from '../clock.ts';
import { MIN_PROJECTS_PAGE_SIZE } from '../credits/credits.ts';
import type { ChannelId } from '../ids.ts';
import type { ListPosition, Transaction } from '../storage/store.ts';
import { saveCardAndPost } from './cards.ts';
import { isSubscriptionActive, readChannelSettings } from './channels.ts';
import { isProjectMuted, matchesRules } from './decide-card.ts';
import type { FeedContext } from './feed.ts';
import { withFilterVerdict } from './merge-project.ts';
import {
  type Card,
  type ChannelSettings,
  cards,
  type Subscription,
  seenProjects,
  subscriptions,
} from './records.ts';

/** Cards per transaction: a large backlog must not block the store. */
const BATCH = 50;

async function wantedBy(tx: Transaction, card: Card): Promise<Subscription[]> {
  const wanted: Subscription[] = [];
  for (const filter of card.filters) {
    const found = await tx.get(subscriptions, [card.channel, filter]);
    // A later subscription doesn't include earlier projects.
    if (found && found.createdAt <= card.foundAt) wanted.push(found);
  }
  return wanted;
}

async function resolveDeferredCard(
  context: FeedContext,
  tx: Transaction,
  card: Card,
  settings: ChannelSettings,
  at: Instant,
): Promise<void> {
  const wanted = await wantedBy(tx, card);
  const seen = await tx.get(seenProjects, [card.project]);
  const project = seen && withFilterVerdict(seen, card.filters);
  const order = project?.publishedAt ?? card.foundAt;
  const history = context.fitHistories?.get(card.channel);
  const telling = { order, at, settings, timezone: context.timezone, seen, history };
  const withhold = (because: Card['because']) =>
    saveCardAndPost(tx, { ...card, state: 'suppressed', because }, card, telling);
  if (wanted.length === 0) return withhold('unsubscribed');
  // Rules and mutes may have changed since the card was deferred.
  const matching = wanted.filter(
    ({ filter, rules }) => !seen || matchesRules(rules, withFilterVerdict(seen, [filter])),
  );
  const waitsFor = matching.length > 0 ? matching : wanted;
  if (!waitsFor.some((each) => isSubscriptionActive(each, settings, at))) return;
  if (matching.length === 0) return withhold('no-match');
  if (project && isProjectMuted(project, settings.mutes)) return withhold('muted');
  const passed = matching.map(({ filter }) => filter);
  await saveCardAndPost(tx, { ...card, passed, state: 'posted' }, card, telling);
}

/** Oldest first. @returns where the next batch begins, if there may be more to post now */
async function postDeferredBatch(
  context: FeedContext,
  tx: Transaction,
  channel: ChannelId,
  after: ListPosition | undefined,
): Promise<ListPosition | undefined> {
  const { credits, clock } = context;
  const at = clock.now();
  const owed = await tx.list(cards, { index: 'deferred', prefix: [channel], limit: BATCH, after });
  if (owed.length === 0) return undefined;
  const settings = await readChannelSettings(tx, channel);
  const budget = await credits.readBudgetState(tx, channel, at);
  if (budget.available < MIN_PROJECTS_PAGE_SIZE) return undefined;
  for (const { value } of owed) await resolveDeferredCard(context, tx, value, settings, at);
  return owed.length === BATCH ? owed.at(-1)?.position : undefined;
}

/** Posts the deferred cards of every channel that can get them now. */
export async function postDeferredCards(
  context: FeedContext,
  channels: readonly ChannelId[],
  signal: AbortSignal,
): Promise<void> {
  const { store } = context;
  for (const channel of channels) {
    const some = await store.read((tx) => tx.list(cards, { index: 'deferred', prefix: [channel], limit: 1 }));
    if (some.length === 0) continue;
    let after: ListPosition | undefined;
    do {
      const from = after;
      after = await store.transact((tx) => postDeferredBatch(context, tx, channel, from));
    } while (after && !signal.aborted);
  }
}
