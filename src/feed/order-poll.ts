/** The first of a poll's two transactions: what to ask for, and the credits for it. */
import { type Instant, MINUTE, SECOND } from '../clock.ts';
import { heldOf, LARGEST_PAGE, type ReserveRequest, SMALLEST_PAGE } from '../credits/book.ts';
import { type ChannelId, type FilterId, momentId } from '../ids.ts';
import type { Transaction } from '../storage/store.ts';
import { nextPayableBackfill } from './backfill.ts';
import { followersByNow, marksByNow } from './by-now.ts';
import { isActive, readSettings } from './channels.ts';
import type { FeedContext } from './context.ts';
import { readFeedState, readFilterState } from './filter-states.ts';
import { askByGuess } from './guess-unit.ts';
import { type BalanceOrder, orderBalance } from './learn-balance.ts';
import { pageSize } from './page-size.ts';
import type { PollChoice, Work } from './poll-plan.ts';
import { askForGap, askForTop, dropOldGaps, enterPeriod, type ReadRequest } from './read-filter.ts';
import { type FeedState, type FilterState, filterKey, filters, type Subscription } from './records.ts';
import { verdictsSince } from './verdicts.ts';

export interface PollOrder {
  readonly kind: 'order';
  /** Names the reservation. */
  readonly id: string;
  readonly filter: FilterId;
  readonly request: ReadRequest;
  readonly limit: number;
  /** Channels that pay, and so are told at once. */
  readonly payers: readonly ChannelId[];
  readonly at: Instant;
}

export type Ordered =
  | PollOrder
  /** What was planned is done, or nobody follows any more. */
  | { readonly kind: 'nothing'; readonly onlyBackfill: boolean }
  /** Nobody can pay; worth another look at `until`, or when something changes. */
  | { readonly kind: 'no-budget'; readonly until: Instant; readonly onlyBackfill: boolean }
  /** What requests without an answer hold is to be learned first. */
  | BalanceOrder
  /** Only what other polls have reserved stands in the way. */
  | { readonly kind: 'reserved-elsewhere'; readonly onlyBackfill: boolean };

/** A raise wakes the feed; this is for what nobody tells, such as credits bought in the dashboard. */
const LOOK_AGAIN_MS = 5 * MINUTE;

/** A filter that was read well has marks, in the server's unit. */
function isUnitKnown({ timestampUnit, unitKnown }: FeedState, { marks }: FilterState): boolean {
  return unitKnown === true || timestampUnit === 1_000 || marks.length > 0;
}

function askFor(
  work: Work,
  state: FilterState,
  followers: readonly Subscription[],
  backfill: Subscription | undefined,
  feed: FeedState,
  at: Instant,
): ReadRequest | undefined {
  if (work === 'top') {
    const startsAt = Math.min(...followers.map((each) => each.startsAt));
    if (!isUnitKnown(feed, state)) return askByGuess(state.guesses ?? 0, startsAt, at);
    return askForTop(state, startsAt, feed.timestampUnit, at);
  }
  if (work === 'verdicts') {
    if (!state.awaiting.some((entry) => entry.dueAt <= at)) return undefined;
    const since = verdictsSince(state.awaiting, at);
    return { kind: 'verdicts', ...(since === undefined ? {} : { latestPublishedTs: since }) };
  }
  const gap = askForGap(state);
  if (gap) return gap;
  if (!backfill) return undefined;
  const { channel } = backfill;
  const cursor = backfill.backfill?.cursor;
  return {
    kind: 'backfill',
    channel,
    ...(cursor === undefined ? {} : { nextCursor: cursor }),
  };
}

/** The state as this read begins: in a new billing period, and without what nobody wants any more. */
async function refresh(
  context: FeedContext,
  tx: Transaction,
  state: FilterState,
  followers: readonly Subscription[],
  at: Instant,
): Promise<FilterState> {
  const startsAt = Math.min(...followers.map((each) => each.startsAt));
  const kept = { ...state, marks: marksByNow(state.marks, at), gaps: dropOldGaps(state.gaps, startsAt) };
  if (state.lastPeriodEnd === undefined || at < state.lastPeriodEnd) return kept;
  const { resetsAt } = await context.credits.account(tx, at);
  return { ...kept, ...enterPeriod(kept), awaiting: [], lastPeriodEnd: resetsAt };
}

interface Purse {
  /** What those that can pay for a page can still reserve together. */
  readonly available: number;
  /** The most that one channel would have if nothing were reserved for other requests. */
  readonly unspent: number;
}

async function purseOf(
  context: FeedContext,
  tx: Transaction,
  channels: readonly ChannelId[],
  atLeast: number,
  at: Instant,
): Promise<Purse> {
  let available = 0;
  let unspent = 0;
  for (const channel of channels) {
    const budget = await context.credits.budget(tx, channel, at);
    if (budget.available >= atLeast) available += budget.available;
    unspent = Math.max(unspent, budget.available + heldOf(budget));
  }
  return { available, unspent };
}

function limitsOf({ marketplace }: FeedContext, { filter, request }: Pick<PollOrder, 'filter' | 'request'>) {
  const fixed = marketplace.fixedPage({ filter });
  if (fixed !== undefined) return { want: fixed, atLeast: fixed };
  const wide = request.kind === 'gap' && request.gap.wide === true;
  return { want: wide ? LARGEST_PAGE : undefined, atLeast: SMALLEST_PAGE };
}

async function activeAmong(
  context: FeedContext,
  tx: Transaction,
  followers: readonly Subscription[],
  at: Instant,
): Promise<Subscription[]> {
  const active: Subscription[] = [];
  for (const each of followers) {
    if (isActive(each, await readSettings(tx, context.team, each.channel), at)) active.push(each);
  }
  return active;
}

interface OrderOptions {
  /** Other polls hold reservations at the moment. */
  readonly othersUnderWay: boolean;
}

/** Reserves for a request. */
async function buy(
  context: FeedContext,
  tx: Transaction,
  wanted: Pick<PollOrder, 'filter' | 'request' | 'at'>,
  state: FilterState,
  active: readonly Subscription[],
  options: OrderOptions,
): Promise<Ordered> {
  const { credits, random } = context;
  const { filter, request, at } = wanted;
  // A channel's own backfill is its own expense.
  const asker = request.kind === 'backfill' ? request.channel : undefined;
  const onlyBackfill = asker !== undefined;
  const payers = asker ? [asker] : [...new Set(active.map((each) => each.channel))];
  const { want, atLeast } = limitsOf(context, wanted);
  const { available, unspent } = await purseOf(context, tx, payers, atLeast, at);
  if (available < atLeast && unspent >= atLeast && options.othersUnderWay) {
    return { kind: 'reserved-elsewhere', onlyBackfill };
  }
  const backfillLeft = active.find((each) => each.channel === asker)?.backfillLeft ?? 0;
  const { rate, ignoresLatest = false, topRoom: room = 0 } = state;
  const need = { request, rate: rate.perSecond, room, backfillLeft, available, ignoresLatest, now: at };
  const size = want ?? pageSize(need);
  const id = momentId(`poll:${filter}`, at, random);
  const asked: ReserveRequest = {
    id,
    purchase: { endpoint: 'filter-projects', subject: String(filter) },
    channels: payers,
    want: Math.max(atLeast, size),
    atLeast,
    at,
  };
  const reserved = await credits.reserve(tx, asked);
  const balance =
    reserved.kind === 'unanswered' ? await orderBalance(context, tx, filter, payers, at) : undefined;
  if (balance) return balance;
  if (reserved.kind !== 'reserved') {
    const { resetsAt } = await credits.account(tx, at);
    const until = Math.min(at + LOOK_AGAIN_MS, Math.max(resetsAt, at + SECOND));
    return { kind: 'no-budget', until, onlyBackfill };
  }
  return { kind: 'order', id, ...wanted, limit: reserved.amount, payers: reserved.payers };
}

/** Decides the request, with all that is known now, and reserves for it. */
export async function orderPoll(
  context: FeedContext,
  tx: Transaction,
  choice: PollChoice,
  options: OrderOptions,
): Promise<Ordered> {
  const { team, clock } = context;
  const { filter } = choice;
  const at = clock.now();
  const followers = await followersByNow(tx, team, filter, at);
  const active = await activeAmong(context, tx, followers, at);
  if (active.length === 0) return { kind: 'nothing', onlyBackfill: false };
  const state = await refresh(context, tx, await readFilterState(tx, team, filter), followers, at);
  const feed = await readFeedState(tx, team);
  const atLeast = context.marketplace.fixedPage({ filter }) ?? SMALLEST_PAGE;
  const backfill = await nextPayableBackfill(context, tx, active, atLeast, at);
  const request = askFor(choice.work, state, followers, backfill, feed, at);
  const ordered: Ordered = request
    ? await buy(context, tx, { filter, request, at }, state, active, options)
    : { kind: 'nothing', onlyBackfill: false };
  // On record before it is sent, so that another process, too, keeps the pause.
  const asksForPage = ordered.kind === 'order' || (ordered.kind === 'balance' && !ordered.project);
  const polled = asksForPage ? { lastPollAt: at } : {};
  await tx.put(filters, filterKey(team, filter), { ...state, ...polled });
  return ordered;
}
