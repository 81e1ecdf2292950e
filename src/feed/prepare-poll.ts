/** The first of a poll's two transactions: decides the request and reserves credits. */
import { type Instant, MINUTE, SECOND } from '../clock.ts';
import type { CreditsBook, CreditsView } from '../credits/create-credits.ts';
import { getReservedFromBudget, MAX_PROJECTS_PAGE_SIZE, MIN_PROJECTS_PAGE_SIZE } from '../credits/credits.ts';
import { type ChannelId, createTimestampedId, type FilterId } from '../ids.ts';
import type { Transaction } from '../storage/store.ts';
import { findAffordableBackfillSubscription } from './backfill.ts';
import { type PreparedBalanceCheck, prepareBalanceCheck } from './balance-check.ts';
import type { FeedContext } from './feed.ts';
import { buildTimestampUnitProbe } from './guess-timestamp-unit.ts';
import { decidePollPageSize, type PollChoice, type PollKind } from './poll-plan.ts';
import {
  clampStartsToNow,
  clampWatermarksToNow,
  listActive,
  type PollState,
  readPollState,
} from './poll-state.ts';
import {
  buildNewestProjectsRequest,
  type FilterReadRequest,
  findNextLateCheckTime,
  getLateCheckStart,
  resetForNewBillingPeriod,
  trimGapsBeforeStart,
} from './read-filter.ts';
import { type FilterState, filterStates, type Subscription } from './records.ts';
import { findVerdictCheckStart } from './verdict-checks.ts';

export interface PreparedPoll {
  readonly kind: 'order';
  /** The reservation's id. */
  readonly id: string;
  readonly filter: FilterId;
  readonly request: FilterReadRequest;
  readonly limit: number;
  /** Channels that pay, and so get cards at once. */
  readonly payers: readonly ChannelId[];
  readonly at: Instant;
}

export interface SentPoll extends PreparedPoll {
  /** A hint waited for this read. */
  readonly wasHinted: boolean;
}

type PreparePollOutcome =
  | PreparedPoll
  /** The planned work is done already, or no channel follows the filter anymore. */
  | { readonly kind: 'nothing'; readonly onlyBackfill: boolean }
  /** No channel can pay; check again at `until`, or after a change. */
  | { readonly kind: 'no-budget'; readonly until: Instant; readonly onlyBackfill: boolean }
  /** Unanswered requests hold credits: refresh the balance first. */
  | PreparedBalanceCheck
  /** Only credits reserved by other polls are missing. */
  | { readonly kind: 'reserved-elsewhere'; readonly onlyBackfill: boolean };

/** A raised budget wakes the feed. This is for changes that nothing announces. */
const LOOK_AGAIN_MS = 5 * MINUTE;

function askFor(
  work: PollKind,
  { filter: state, feed }: PollState,
  startsAt: Instant,
  backfill: Subscription | undefined,
  at: Instant,
): FilterReadRequest | undefined {
  if (work === 'top') {
    // A filter that was read successfully has watermarks in the server's unit.
    const isUnitKnown = feed.unitKnown || feed.timestampUnit === 1_000 || state.marks.length > 0;
    if (!isUnitKnown) return buildTimestampUnitProbe(state.guesses ?? 0, startsAt, at);
    return buildNewestProjectsRequest(state, startsAt, feed.timestampUnit, at);
  }
  if (work === 'verdicts') {
    if (!state.awaiting.some((entry) => entry.dueAt <= at)) return undefined;
    return { kind: 'verdicts', latestPublishedTs: findVerdictCheckStart(state.awaiting, at) };
  }
  if (work === 'late') {
    const dueAt = findNextLateCheckTime(state, at);
    if (dueAt === undefined || dueAt > at) return undefined;
    return { kind: 'late', latestPublishedTs: getLateCheckStart(state, startsAt, feed.timestampUnit, at) };
  }
  const gap = state.gaps.at(-1);
  if (gap) return { kind: 'gap', nextCursor: gap.cursor, gap };
  if (!backfill) return undefined;
  return { kind: 'backfill', channel: backfill.channel, nextCursor: backfill.backfill?.cursor };
}

/** The state at the start of this read: moved to a new billing period if due, and without unwanted gaps. */
function refresh(book: CreditsView, state: FilterState, startsAt: Instant, at: Instant): FilterState {
  const kept = {
    ...state,
    marks: clampWatermarksToNow(state.marks, at),
    gaps: trimGapsBeforeStart(state.gaps, startsAt),
  };
  if (state.lastPeriodEnd === undefined || at < state.lastPeriodEnd) return kept;
  const { resetsAt } = book.readAccountState();
  return { ...kept, ...resetForNewBillingPeriod(kept), awaiting: [], lastPeriodEnd: resetsAt, freeSince: at };
}

/**
 * available: what all channels that can pay for a page can still reserve together · unspent: the most that a
 * single channel would have without reservations for other requests.
 */
function purseOf(book: CreditsView, channels: readonly ChannelId[], atLeast: number) {
  let available = 0;
  let unspent = 0;
  for (const channel of channels) {
    const budget = book.readBudgetState(channel);
    if (budget.available >= atLeast) available += budget.available;
    unspent = Math.max(unspent, budget.available + getReservedFromBudget(budget));
  }
  return { available, unspent };
}

type Wanted = Pick<PreparedPoll, 'filter' | 'request' | 'at'>;

function limitsOf({ marketplace }: FeedContext, { filter, request }: Wanted) {
  const fixed = marketplace.fixedPageSize({ filter });
  if (fixed !== undefined) return { want: fixed, atLeast: fixed };
  const wide = request.kind === 'gap' && request.gap.wide === true;
  return { want: wide ? MAX_PROJECTS_PAGE_SIZE : undefined, atLeast: MIN_PROJECTS_PAGE_SIZE };
}

async function reservePoll(
  context: FeedContext,
  tx: Transaction,
  book: CreditsBook,
  wanted: Wanted,
  state: PollState,
  active: readonly Subscription[],
  othersUnderWay: boolean,
): Promise<PreparePollOutcome> {
  const { filter, request, at } = wanted;
  // Only the requesting channel pays for a backfill.
  const caller = request.kind === 'backfill' ? request.channel : undefined;
  const onlyBackfill = caller !== undefined;
  const payers = caller ? [caller] : [...new Set(active.map((each) => each.channel))];
  const { want, atLeast } = limitsOf(context, wanted);
  const { available, unspent } = purseOf(book, payers, atLeast);
  if (available < atLeast && unspent >= atLeast && othersUnderWay)
    return { kind: 'reserved-elsewhere', onlyBackfill };
  const {
    by: backfillBy,
    audit: decision,
    left: backfillLeft = 0,
  } = active.find((each) => each.channel === caller)?.backfill ?? {};
  const { rate, ignoresLatest = false, topRoom: room = 0 } = state.filter;
  const need = { request, rate: rate.perSecond, room, backfillLeft, available, ignoresLatest, now: at };
  const size = want ?? decidePollPageSize(need);
  const id = createTimestampedId(`poll:${filter}`, at, context.random);
  const reserved = await book.reserveCredits({
    id,
    purchase: { endpoint: 'filter-projects', subject: String(filter), backfillBy, decision },
    channels: payers,
    maxCredits: Math.max(atLeast, size),
    minCredits: atLeast,
    isWide: want !== undefined,
  });
  if (reserved.kind === 'unanswered') {
    const balance = await prepareBalanceCheck(context, tx, book, state, payers, at);
    if (balance) return balance;
  }
  if (reserved.kind !== 'reserved') {
    const { resetsAt } = book.readAccountState();
    const lookAgainAt = reserved.kind === 'account-spent' ? reserved.retryAt : at + LOOK_AGAIN_MS;
    const until = Math.max(at + SECOND, Math.min(lookAgainAt, resetsAt));
    return { kind: 'no-budget', until, onlyBackfill };
  }
  return { kind: 'order', id, ...wanted, limit: reserved.amount, payers: reserved.payers };
}

/** Decides the request by current data, and reserves credits for it. */
export async function preparePoll(
  context: FeedContext,
  tx: Transaction,
  choice: PollChoice,
  othersUnderWay: boolean,
): Promise<PreparePollOutcome> {
  const { filter } = choice;
  const at = context.clock.now();
  const stored = await readPollState(tx, filter);
  const followers = await clampStartsToNow(tx, stored.followers, at);
  const active = listActive(followers, at);
  if (active.length === 0) return { kind: 'nothing', onlyBackfill: false };
  const startsAt = Math.min(...followers.map(({ subscription }) => subscription.startsAt));
  const book = await context.credits.openBook(tx, at);
  const state = { ...stored, filter: refresh(book, stored.filter, startsAt, at) };
  const atLeast = context.marketplace.fixedPageSize({ filter }) ?? MIN_PROJECTS_PAGE_SIZE;
  const backfill = findAffordableBackfillSubscription(book, active, atLeast);
  const request = askFor(choice.work, state, startsAt, backfill, at);
  const ordered: PreparePollOutcome = request
    ? await reservePoll(context, tx, book, { filter, request, at }, state, active, othersUnderWay)
    : { kind: 'nothing', onlyBackfill: false };
  // Stored before the request is sent, so that another process also keeps the pause.
  const asksForPage = ordered.kind === 'order' || (ordered.kind === 'balance' && !ordered.project);
  const late = choice.work === 'late' && { lastLateAt: at };
  const polled = asksForPage && { lastPollAt: at, ...late };
  await tx.put(filterStates, { ...state.filter, ...polled });
  return ordered;
}
