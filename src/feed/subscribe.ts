/** Subscribes channels to filters, and unsubscribes them; knows the filters' names. */

import { omitUndefined } from '../base/omit-undefined.ts';
import { type Instant, MINUTE } from '../clock.ts';
import { recordDecision, type ShownFact } from '../decisions/decisions.ts';
import { asError } from '../errors.ts';
import { type ChannelId, FilterId, type UserId } from '../ids.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { BiddingSetup } from '../marketplace/schema.ts';
import { markWelcomesChanged } from '../outbox/outbox.ts';
import { getFailureRule } from '../sources/failure-rules.ts';
import { type Key, type ReadTransaction, scanCollection, type Transaction } from '../storage/store.ts';
import { recordBackfillEnd, withoutBackfill } from './backfill.ts';
import { parseRules } from './decide-card.ts';
import type {
  ChangeRulesOutcome,
  ChangeRulesRequest,
  FeedContext,
  NamedFilter,
  SubscribeOutcome,
  SubscribeRequest,
} from './feed.ts';
import { readFilterState, toNamedFilter } from './poll-state.ts';
import {
  type FilterState,
  filterStateKey,
  filterStates,
  type Subscription,
  subscriptionKey,
  subscriptions,
} from './records.ts';

const FRESH_MS = 5 * MINUTE;
/** More than a team has. */
const MOST = 1_000;

/** Uses names from setups of the last five minutes; if those can't be read, the stored names. */
export class FilterNames {
  readonly #context: FeedContext;
  #failure: unknown;

  constructor(context: FeedContext) {
    this.#context = context;
  }

  /** Why the latest attempt to read names failed; undefined if it succeeded. */
  get failure(): unknown {
    return this.#failure;
  }

  async listKnownFilters(): Promise<readonly NamedFilter[]> {
    const { known, followed } = await this.#collect(await this.#learn());
    await this.#rename(
      followed.filter(({ filter, name }) => known.get(filter)?.name !== name).map(({ filter }) => filter),
      known,
    );
    return byId(known);
  }

  /** Without a request. */
  async listStoredFilters(): Promise<readonly NamedFilter[]> {
    const { setups } = await this.#context.setups.readStoredSetups();
    return byId((await this.#collect(setups)).known);
  }

  async #collect(setups: readonly BiddingSetup[]) {
    const { store, team, directory } = this.#context;
    const known = new Map<FilterId, NamedFilter>();
    for (const { filter } of setups)
      if (filter) known.set(filter.id, omitUndefined({ id: filter.id, name: filter.name }));
    const followed = await store.read((tx) => readFilters(tx, team));
    for (const state of followed) known.set(state.filter, toNamedFilter(state));
    for (const entry of await directory.listEntries('filter', MOST)) {
      const id = FilterId.parse(entry.id);
      known.set(id, { id, name: entry.name });
    }
    return { known, followed };
  }

  async #learn(): Promise<readonly BiddingSetup[]> {
    const { setups, log } = this.#context;
    try {
      const list = await setups.refreshIfOlderThan(FRESH_MS, 'person');
      this.#failure = undefined;
      return list.setups;
    } catch (thrown) {
      this.#failure = thrown;
      log.info("Couldn't look up filter names", { error: thrown });
      return (await setups.readStoredSetups()).setups;
    }
  }

  /** A followed filter stores its name, for cards and lists. */
  async #rename(renamed: readonly FilterId[], known: ReadonlyMap<FilterId, NamedFilter>): Promise<void> {
    if (renamed.length === 0) return;
    const { store, team } = this.#context;
    await store.transact(async (tx) => {
      for (const id of renamed) {
        const state = await tx.get(filterStates, filterStateKey(team, id));
        const name = known.get(id)?.name;
        if (state && name !== undefined)
          await tx.put(filterStates, filterStateKey(team, id), { ...state, name });
      }
    });
  }
}

function byId(known: ReadonlyMap<FilterId, NamedFilter>): readonly NamedFilter[] {
  return [...known.values()].sort((a, b) => a.id - b.id);
}

async function readFilters(tx: ReadTransaction, team: FeedContext['team']): Promise<FilterState[]> {
  const found: FilterState[] = [];
  for await (const { value } of scanCollection(tx, filterStates, { prefix: [team] })) found.push(value);
  return found;
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
  const { team, clock } = context;
  const at = clock.now();
  const key = subscriptionKey(team, request.channel, filter.id);
  const before = await tx.get(subscriptions, key);
  const asked = Math.min(Math.max(0, Math.floor(request.backfill)), MAX_BACKFILL_PROJECTS);
  // A new backfill replaces the current one; without a new one, the current one continues.
  const isReplaced = before !== undefined && asked > 0;
  if (isReplaced) await stopBackfill(context, tx, before, at);
  const base = before && restarted(isReplaced ? withoutBackfill(before) : before);
  const { channel, by } = request;
  const begun = { team, channel, filter: filter.id, by, createdAt: at, startsAt: at };
  let subscription: Subscription = { ...(base ?? begun), rules };
  await tx.put(subscriptions, key, subscription);
  await beginSpending(context, tx, request, at);
  await markWelcomesChanged(tx, team, request.channel);
  const { trouble, ...state } = await readFilterState(tx, team, filter.id);
  const name = filter.name ?? state.name;
  if (!before || before.rules !== rules || before.stopped || asked > 0) {
    const [, ...audit] = await recordSubscribed(tx, request, subscription, { asked, name, at });
    // Its end adds to this decision what it cost.
    if (asked > 0) {
      const backfill = { askedAt: at, by, asked, left: asked, posted: 0, credits: 0, audit };
      subscription = { ...subscription, backfill };
      await tx.put(subscriptions, key, subscription);
    }
  }
  await tx.put(filterStates, filterStateKey(team, filter.id), {
    ...state,
    ...omitUndefined({ name }),
    // The marketplace has just answered for this filter, so its failure is over.
    ...(trouble && checked !== 'known' ? { trouble } : {}),
  });
  return {
    kind: before ? 'changed' : 'subscribed',
    subscription,
    ...omitUndefined({ filterName: name }),
    ...(checked === 'known' || name !== undefined ? {} : { unconfirmed: checked }),
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
  const { team, filter, rules } = subscription;
  const act = { kind: 'subscribed', filter, rules, backfill: asked } as const;
  const shown = shownFacts(subscription, name, asked);
  return recordDecision(tx, { team, at, by, channel, act }, { shown });
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
): Promise<Checked['checked'] | MarketplaceError> {
  try {
    await context.marketplace.fetchFilterResults(filter, { page: 1, limit: 10 }, { lane: 'person' });
    return 'known';
  } catch (thrown) {
    if (!(thrown instanceof MarketplaceError)) {
      return new MarketplaceError('network', 'unknown', "Couldn't check the filter", {
        cause: asError(thrown),
      });
    }
    if (thrown.code === 'not-found') return 'no-results';
    // The feed's first read shows whether the filter exists.
    return getFailureRule(thrown.code).transient ? 'unchecked' : thrown;
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
  if (checked instanceof MarketplaceError) return { kind: 'failed', error: checked };
  const filter = known.find((each) => each.id === request.filter) ?? { id: request.filter };
  const found = { filter, rules: rules.printed, checked };
  return context.store.transact((tx) => store(context, tx, request, found));
}

/** What the person saw decides what they overwrite: another's change meanwhile is reported, never hidden. */
export function changeSubscriptionRules(
  context: FeedContext,
  request: ChangeRulesRequest,
): Promise<ChangeRulesOutcome> {
  const { store: records, team, clock } = context;
  return records.transact(async (tx) => {
    const read = parseRules(request.rules);
    if (read.kind === 'mistake') return { kind: 'wrong-rules', mistake: read };
    const rules = read.printed;
    const key = subscriptionKey(team, request.channel, request.filter);
    const before = await tx.get(subscriptions, key);
    if (!before) return { kind: 'gone' };
    if (before.rules === rules && !before.stopped) return { kind: 'same' };
    const at = clock.now();
    const subscription = { ...restarted(before), rules };
    await tx.put(subscriptions, key, subscription);
    await beginSpending(context, tx, request, at);
    await markWelcomesChanged(tx, team, request.channel);
    const { name } = await readFilterState(tx, team, request.filter);
    await recordSubscribed(tx, request, subscription, { name, at });
    const isOverwritten = before.rules !== request.shown && before.rules !== rules;
    return {
      kind: 'changed',
      subscription,
      ...omitUndefined({ filterName: name }),
      ...(isOverwritten ? { overwrittenRules: before.rules } : {}),
    };
  });
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
    await markWelcomesChanged(tx, team, channel);
    const at = clock.now();
    const { name } = await readFilterState(tx, team, filter);
    const act = { kind: 'unsubscribed', filter } as const;
    await recordDecision(tx, { team, at, by, channel, act }, { shown: shownFacts(found, name, 0) });
    await stopBackfill(context, tx, found, at);
    return found;
  });
}
