/** Subscribes channels to filters, and unsubscribes them; knows the filters' names. */
import { type Instant, MINUTE } from '../clock.ts';
import { recordDecision, type ShownFact } from '../decisions/decisions.ts';
import { asError } from '../errors.ts';
import { type ChannelId, FilterId, type UserId } from '../ids.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { BiddingSetup } from '../marketplace/schema.ts';
import { markWelcomesChanged } from '../outbox/outbox.ts';
import type { QueryError } from '../query/query.ts';
import { getFailureRule } from '../sources/failure-rules.ts';
import { type Key, listAllValues, type Transaction } from '../storage/store.ts';
import { recordBackfillEnd } from './backfill.ts';
import { parseRules } from './decide-card.ts';
import type { FeedContext, NamedFilter, SubscribeOutcome, SubscribeRequest } from './feed.ts';
import { readFilterState, toNamedFilter } from './poll-state.ts';
import { type FilterState, filterStates, type Subscription, subscriptions } from './records.ts';

const FRESH_MS = 5 * MINUTE;
/** More than a team has. */
const MOST = 1_000;

/**
 * All known filters, by id, with names from setups of the last five minutes; without those, as stored.
 * @returns `failure`: why the marketplace couldn't provide the newest names
 */
export async function listKnownFilters(context: FeedContext) {
  const { setups, failure } = await learnSetups(context);
  const { known, followed } = await collectFilters(context, setups);
  const renamed = followed.filter(({ filter, name }) => known.get(filter)?.name !== name);
  if (renamed.length > 0) await renameFilters(context, renamed, known);
  return { filters: byId(known), failure };
}

/** The same from stored data alone, for forms that must open at once. */
export async function listStoredFilters(context: FeedContext): Promise<readonly NamedFilter[]> {
  const { setups } = await context.setups.readStoredSetups();
  return byId((await collectFilters(context, setups)).known);
}

async function learnSetups({ setups, log }: FeedContext) {
  try {
    return { setups: (await setups.refreshIfOlderThan(FRESH_MS, 'person')).setups, failure: undefined };
  } catch (failure) {
    log.info("Couldn't look up filter names", { error: failure });
    return { setups: (await setups.readStoredSetups()).setups, failure };
  }
}

async function collectFilters({ store, directory }: FeedContext, setups: readonly BiddingSetup[]) {
  const known = new Map<FilterId, NamedFilter>();
  for (const { filter } of setups) if (filter) known.set(filter.id, { id: filter.id, name: filter.name });
  const followed = await store.read((tx) => listAllValues(tx, filterStates));
  for (const state of followed) known.set(state.filter, toNamedFilter(state));
  for (const entry of await directory.listEntries('filter', MOST)) {
    const id = FilterId.parse(entry.id);
    known.set(id, { id, name: entry.name });
  }
  return { known, followed };
}

/** A followed filter stores its name, for cards and lists. */
function renameFilters(
  { store }: FeedContext,
  renamed: readonly FilterState[],
  known: ReadonlyMap<FilterId, NamedFilter>,
): Promise<void> {
  return store.transact(async (tx) => {
    for (const { filter } of renamed) {
      const state = await tx.get(filterStates, [filter]);
      const name = known.get(filter)?.name;
      if (state && name !== undefined) await tx.put(filterStates, { ...state, name });
    }
  });
}

function byId(known: ReadonlyMap<FilterId, NamedFilter>): readonly NamedFilter[] {
  return [...known.values()].sort((a, b) => a.id - b.id);
}

/** Larger backfills need another command, to prevent accidental spending. */
export const MAX_BACKFILL_PROJECTS = 100;

interface Checked {
  readonly filter: NamedFilter;
  /** In the query language. */
  readonly rules: string;
  /** known: the marketplace has results for the filter. */
  readonly checked: 'known' | 'no-results' | 'unchecked';
}

async function store(
  context: FeedContext,
  tx: Transaction,
  request: SubscribeRequest,
  { filter, rules, checked }: Checked,
): Promise<SubscribeOutcome> {
  const at = context.clock.now();
  const key = [request.channel, filter.id];
  const before = await tx.get(subscriptions, key);
  const asked = Math.min(Math.max(0, Math.floor(request.backfill)), MAX_BACKFILL_PROJECTS);
  // A new backfill replaces the current one; without a new one, the current one continues.
  const isReplaced = before !== undefined && asked > 0;
  if (isReplaced) await stopBackfill(context, tx, before, at);
  const { channel, by } = request;
  let subscription: Subscription = {
    ...(before ?? { channel, filter: filter.id, by, createdAt: at, startsAt: at }),
    rules,
    stopped: undefined,
    backfill: isReplaced ? undefined : before?.backfill,
  };
  await tx.put(subscriptions, subscription);
  await beginSpending(context, tx, request, at);
  await markWelcomesChanged(tx, request.channel);
  const { trouble, ...state } = await readFilterState(tx, filter.id);
  const name = filter.name ?? state.name;
  if (!before || before.rules !== rules || before.stopped || asked > 0) {
    const audit = await recordSubscribed(tx, request, subscription, { asked, name, at });
    // Its end adds to this decision what it cost.
    if (asked > 0) {
      const backfill = { askedAt: at, by, asked, left: asked, posted: 0, credits: 0, audit: [...audit] };
      subscription = { ...subscription, backfill };
      await tx.put(subscriptions, subscription);
    }
  }
  await tx.put(filterStates, {
    ...state,
    name,
    // The marketplace has just answered for this filter, so its failure is over.
    trouble: trouble && checked !== 'known' ? trouble : undefined,
  });
  return {
    kind: before ? 'changed' : 'subscribed',
    subscription,
    filterName: name,
    unconfirmed: checked === 'known' || name !== undefined ? undefined : checked,
  };
}

async function stopBackfill({ credits }: FeedContext, tx: Transaction, of: Subscription, at: Instant) {
  await recordBackfillEnd(tx, await credits.readCredits(tx, at), of, at, 'stopped');
}

/** An admin's subscription confirms the channel's spending; other subscriptions notify the admins once. */
async function beginSpending(
  { credits }: FeedContext,
  tx: Transaction,
  { channel, by, isAdmin }: Pick<SubscribeRequest, 'channel' | 'by' | 'isAdmin'>,
  at: Instant,
): Promise<void> {
  if (isAdmin) await credits.confirmBudget(tx, channel, by, at);
  else await credits.notifyAdminsOfSubscription(tx, channel, by, at);
}

function shownFacts({ filter, rules }: Subscription, name: string | undefined, past: number): ShownFact[] {
  return [
    { name: 'filter', text: name === undefined ? String(filter) : `${name} (${filter})` },
    { name: 'rules', text: rules },
    { name: 'past projects', text: past > 0 ? `up to ${past}` : '' },
  ];
}

/**
 * Reading a filter, and past projects, cost credits: who decided it is in the ledger.
 * @param facts `asked`: how many past projects are wanted · `name`: the filter's
 */
function recordSubscribed(
  tx: Transaction,
  { by, channel }: Pick<SubscribeRequest, 'by' | 'channel'>,
  subscription: Subscription,
  facts: { readonly asked?: number; readonly name: string | undefined; readonly at: Instant },
): Promise<Key> {
  const { asked = 0, name, at } = facts;
  const { filter, rules } = subscription;
  const act = { kind: 'subscribed', filter, rules, backfill: asked } as const;
  const shown = shownFacts(subscription, name, asked);
  return recordDecision(tx, { at, by, channel, act }, { shown });
}

/**
 * Requests the filter's results, which is free. A 404 doesn't prove that the filter is missing: it may have
 * no results yet. Only its projects prove it, and the feed reads them.
 */
async function checkFilter(
  context: FeedContext,
  filter: FilterId,
): Promise<Checked['checked'] | MarketplaceError> {
  try {
    await context.marketplace.fetchFilterResults(filter, { page: 1, limit: 10 }, { lane: 'person' });
    return 'known';
  } catch (thrown) {
    if (!(thrown instanceof MarketplaceError)) {
      const cause = asError(thrown);
      return new MarketplaceError('network', 'unknown', "Couldn't check the filter", { cause });
    }
    if (thrown.code === 'not-found') return 'no-results';
    // The feed's first read shows whether the filter exists.
    return getFailureRule(thrown.code).transient ? 'unchecked' : thrown;
  }
}

export async function subscribeChannel(
  context: FeedContext,
  request: SubscribeRequest,
): Promise<SubscribeOutcome> {
  const rules = parseRules(request.rules);
  if (rules.kind === 'mistake') return { kind: 'wrong-rules', mistake: rules };
  // In parallel, because a person waits for the reply.
  const [{ filters }, checked] = await Promise.all([
    listKnownFilters(context),
    checkFilter(context, request.filter),
  ]);
  if (checked instanceof MarketplaceError) return { kind: 'failed', error: checked };
  const filter = filters.find((each) => each.id === request.filter) ?? { id: request.filter };
  const found = { filter, rules: rules.printed, checked };
  return context.store.transact((tx) => store(context, tx, request, found));
}

type ChangeRulesOutcome =
  | {
      readonly kind: 'changed';
      readonly subscription: Subscription;
      readonly filterName?: string;
      /** Another person's rules, set after `shown`, that these replaced. */
      readonly overwrittenRules?: string;
    }
  /** It has these rules already; nothing changed. */
  | { readonly kind: 'same' }
  /** The channel doesn't have the subscription anymore; nothing changed. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'wrong-rules'; readonly mistake: QueryError };

/**
 * Without a request, so also while the marketplace fails. Restarts a stopped subscription. What the person
 * saw decides what they overwrite: another's change meanwhile is reported, never hidden.
 * @param request `shown`: the rules that the person saw when they began
 */
export function changeSubscriptionRules(
  context: FeedContext,
  request: Omit<SubscribeRequest, 'backfill'> & { readonly shown: string },
): Promise<ChangeRulesOutcome> {
  const { store: records, clock } = context;
  return records.transact(async (tx) => {
    const read = parseRules(request.rules);
    if (read.kind === 'mistake') return { kind: 'wrong-rules', mistake: read };
    const rules = read.printed;
    const key = [request.channel, request.filter];
    const before = await tx.get(subscriptions, key);
    if (!before) return { kind: 'gone' };
    if (before.rules === rules && !before.stopped) return { kind: 'same' };
    const at = clock.now();
    const subscription = { ...before, stopped: undefined, rules };
    await tx.put(subscriptions, subscription);
    await beginSpending(context, tx, request, at);
    await markWelcomesChanged(tx, request.channel);
    const { name } = await readFilterState(tx, request.filter);
    await recordSubscribed(tx, request, subscription, { name, at });
    const isOverwritten = before.rules !== request.shown && before.rules !== rules;
    return {
      kind: 'changed',
      subscription,
      filterName: name,
      overwrittenRules: isOverwritten ? before.rules : undefined,
    };
  });
}

/** @returns the ended subscription; undefined if there was none. Posted messages stay. */
export function unsubscribeChannel(context: FeedContext, channel: ChannelId, filter: FilterId, by: UserId) {
  const { store, clock } = context;
  return store.transact(async (tx) => {
    const key = [channel, filter];
    const found = await tx.get(subscriptions, key);
    if (!found) return undefined;
    await tx.delete(subscriptions, key);
    await markWelcomesChanged(tx, channel);
    const at = clock.now();
    const { name } = await readFilterState(tx, filter);
    const act = { kind: 'unsubscribed', filter } as const;
    await recordDecision(tx, { at, by, channel, act }, { shown: shownFacts(found, name, 0) });
    await stopBackfill(context, tx, found, at);
    return found;
  });
}
