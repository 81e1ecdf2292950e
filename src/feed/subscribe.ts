/** Subscribes channels to filters, and unsubscribes them. */
import { recordAuditEntry } from '../audit/audit.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Instant } from '../clock.ts';
import { asError } from '../errors.ts';
import type { ChannelId, FilterId, UserId } from '../ids.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { Transaction } from '../storage/store.ts';
import { withoutBackfillFields } from './backfill.ts';
import { parseRules } from './decide-card.ts';
import type { FeedContext, NamedFilter, SubscribeOutcome, SubscribeRequest } from './feed.ts';
import type { FilterNames } from './filter-names.ts';
import { readFilterState } from './poll-state.ts';
import {
  filterStateKey,
  filterStates,
  type Subscription,
  subscriptionKey,
  subscriptions,
} from './records.ts';

/** Larger backfills need another command, to prevent accidental spending. */
export const MAX_BACKFILL_PROJECTS = 100;

function backfillOf(request: SubscribeRequest, at: Instant): Partial<Subscription> {
  const wanted = Math.min(Math.max(0, Math.floor(request.backfill)), MAX_BACKFILL_PROJECTS);
  return wanted > 0
    ? { backfillLeft: wanted, backfillAsked: wanted, backfill: { askedAt: at, told: 0 } }
    : {};
}

interface Checked {
  readonly filter: NamedFilter;
  /** In the query language. */
  readonly rules: string;
  /** The marketplace has results for the filter. */
  readonly isAnswered: boolean;
}

async function store(
  context: FeedContext,
  tx: Transaction,
  request: SubscribeRequest,
  { filter, rules, isAnswered }: Checked,
): Promise<SubscribeOutcome> {
  const { team, clock } = context;
  const at = clock.now();
  const key = subscriptionKey(team, request.channel, filter.id);
  const before = await tx.get(subscriptions, key);
  const asked = backfillOf(request, at);
  // A new backfill replaces the current one; without a new one, the current one continues.
  const kept = before && asked.backfillLeft !== undefined ? withoutBackfillFields(before) : before;
  const base = kept && restarted(kept);
  const begun = { team, channel: request.channel, filter: filter.id, by: request.by };
  const subscription: Subscription = {
    ...(base ?? { ...begun, createdAt: at, startsAt: at }),
    rules,
    ...asked,
  };
  await tx.put(subscriptions, key, subscription);
  await beginSpending(context, tx, request, at);
  if (!isUnchanged(before, subscription, asked))
    await audit(tx, request, subscription, asked.backfillLeft ?? 0, at);
  const { trouble, ...state } = await readFilterState(tx, team, filter.id);
  const name = filter.name ?? state.name;
  await tx.put(filterStates, filterStateKey(team, filter.id), {
    ...state,
    ...omitUndefined({ name }),
    // The marketplace has just answered for this filter, so its failure is over.
    ...(trouble && !isAnswered ? { trouble } : {}),
  });
  return {
    kind: before ? 'changed' : 'subscribed',
    subscription,
    ...omitUndefined({ filterName: name }),
    ...(isAnswered || name !== undefined ? {} : { unconfirmed: true }),
  };
}

/** An admin's subscription confirms the channel's spending; other subscriptions notify the admins once. */
async function beginSpending(
  { credits }: FeedContext,
  tx: Transaction,
  { channel, by, isAdmin }: SubscribeRequest,
  at: Instant,
): Promise<void> {
  if (isAdmin) await credits.confirmBudget(tx, channel, by, at);
  else await credits.notifyAdminsOfSubscription(tx, channel, by, at);
}

/** Whether nothing changed that is worth an audit entry. */
function isUnchanged(
  before: Subscription | undefined,
  now: Subscription,
  asked: Partial<Subscription>,
): boolean {
  return before !== undefined && before.rules === now.rules && !before.stopped && !asked.backfillLeft;
}

async function audit(
  tx: Transaction,
  { by, channel }: SubscribeRequest,
  { team, filter, rules }: Subscription,
  backfill: number,
  at: Instant,
): Promise<void> {
  await recordAuditEntry(tx, { team, at, by, channel, act: { kind: 'subscribed', filter, rules, backfill } });
}

function restarted(subscription: Subscription): Subscription {
  const { stopped: _, ...rest } = subscription;
  return rest;
}

/**
 * Requests the filter's results, which is free. A 404 doesn't prove that the filter is missing: it may have
 * no results yet. Only its projects prove it, and the feed reads them.
 */
async function checkFilter(
  context: FeedContext,
  filter: FilterId,
): Promise<'known' | 'unknown' | MarketplaceError> {
  try {
    await context.marketplace.fetchFilterResults(filter, { page: 1, limit: 10 }, { lane: 'person' });
    return 'known';
  } catch (thrown) {
    if (!(thrown instanceof MarketplaceError)) {
      return new MarketplaceError('network', 'unknown', "Couldn't check the filter", {
        cause: asError(thrown),
      });
    }
    return thrown.code === 'not-found' ? 'unknown' : thrown;
  }
}

export async function subscribeChannel(
  context: FeedContext,
  names: FilterNames,
  request: SubscribeRequest,
): Promise<SubscribeOutcome> {
  const rules = parseRules(request.rules);
  if (rules.kind === 'mistake') return { kind: 'wrong-rules', mistake: rules };
  // In parallel, because a person waits for the reply.
  const [known, checked] = await Promise.all([
    names.listKnownFilters(),
    checkFilter(context, request.filter),
  ]);
  if (checked !== 'known' && checked !== 'unknown') return { kind: 'failed', error: checked };
  const filter = known.find((each) => each.id === request.filter) ?? { id: request.filter };
  const found = { filter, rules: rules.printed, isAnswered: checked === 'known' };
  return context.store.transact((tx) => store(context, tx, request, found));
}

export function unsubscribeChannel(
  context: FeedContext,
  channel: ChannelId,
  filter: FilterId,
  by: UserId,
): Promise<Subscription | undefined> {
  const { store, team, clock } = context;
  return store.transact(async (tx) => {
    const key = subscriptionKey(team, channel, filter);
    const found = await tx.get(subscriptions, key);
    if (!found) return undefined;
    await tx.delete(subscriptions, key);
    const at = clock.now();
    await recordAuditEntry(tx, { team, at, by, channel, act: { kind: 'unsubscribed', filter } });
    return found;
  });
}
