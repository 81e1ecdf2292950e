/** Reserving: who pays, how much at the most, or why not. */
import { MINUTE } from '../clock.ts';
import type { ChannelId } from '../ids.ts';
import { type Reserved, type ReserveRequest, SMALLEST_PAGE } from './book.ts';
import { isPooled, reservedBy, sharersOf } from './book-view.ts';
import { tellAccountSpent, tellBudgetSpent } from './notices.ts';
import type { OpenBook } from './open-book.ts';
import type { BudgetRecord, ReservationRecord } from './records.ts';
import { type Party, split } from './split.ts';
import { trialMark } from './trial.ts';

/**
 * After a 402 a request is let through now and then, to learn of a top-up: a refusal costs nothing. A person who waits
 * may find out sooner.
 */
const TRY_AGAIN_MS = 10 * MINUTE;
const TRY_AGAIN_FOR_PERSON_MS = MINUTE;
/** While the server has not confirmed a new period, it is asked no more often. */
const ASK_AGAIN_MS = 5 * MINUTE;

export async function reserve(book: OpenBook, request: ReserveRequest): Promise<Reserved> {
  if (book.find(request.id)) throw new RangeError(`Credits are already reserved for request ${request.id}`);
  const records = await ensureBudgets(book, request);
  const spent = await checkAccount(book, request);
  if (spent) return spent;
  const room = (record: BudgetRecord) => book.roomIn(book.account.period.number, record);
  const broke = records.filter((record) => room(record) < request.atLeast);
  await tellBroke(book, request, broke);
  const doubted = await weighDoubt(book, request, records, broke);
  if (doubted === 'ask first') return { kind: 'unanswered', broke: broke.map(({ channel }) => channel) };
  const available = doubted === 'new period' ? room : (record: BudgetRecord) => book.available(record);
  const able = records.filter((record) => available(record) >= request.atLeast);
  const lost = book.held.filter(({ state }) => state === 'unanswered');
  const retried = lost.find((one) => isRetry(one, request));
  if (retried) return borrow(book, request, retried, broke);
  if (isHeldUp(book, request, records, able, lost))
    return { kind: 'unanswered', broke: broke.map(({ channel }) => channel) };
  if (able.length === 0) return { kind: 'no-budget', broke: broke.map(({ channel }) => channel) };
  const caps = capsOf(able, available);
  const together = caps.reduce((sum, { cap }) => sum + cap, 0);
  const isSmall = doubted === undefined && isUncertain(book, able, lost);
  const bound = isSmall ? request.atLeast : request.want;
  const amount = Math.max(request.atLeast, Math.min(bound, together, accountBound(book, request)));
  await open(book, request, amount, split(amount, caps));
  return {
    kind: 'reserved',
    amount,
    payers: able.map(({ channel }) => channel),
    broke: broke.map(({ channel }) => channel),
  };
}

/** The most that each can take: those that share the pool, together no more than its room. */
export function capsOf(
  records: readonly BudgetRecord[],
  room: (record: BudgetRecord) => number,
): readonly Party[] {
  const pooled = records.filter(isPooled);
  const shared = pooled.map(({ channel, ahead }) => ({ channel, cap: Number.POSITIVE_INFINITY, ahead }));
  const [first] = pooled;
  const parts = split(first ? room(first) : 0, shared);
  return records.map((record) => {
    const { channel, ahead } = record;
    const part = parts.find((each) => each.channel === channel);
    return { channel, cap: part ? part.credits : room(record), ahead };
  });
}

async function ensureBudgets(book: OpenBook, request: ReserveRequest): Promise<BudgetRecord[]> {
  const records: BudgetRecord[] = [];
  for (const channel of new Set(request.channels)) {
    const record = await book.budget(channel, request.at);
    await book.putBudget(record);
    records.push(record);
  }
  return records;
}

/** What stands in the way at the account itself, as a 402 has told. */
async function checkAccount(book: OpenBook, request: ReserveRequest): Promise<Reserved | undefined> {
  const { spent, period } = book.account;
  if (!spent || spent.remaining >= request.atLeast) return undefined;
  const pauseMs = request.user === undefined ? TRY_AGAIN_MS : TRY_AGAIN_FOR_PERSON_MS;
  // Also after the clock was set back.
  if (Math.abs(request.at - spent.triedAt) >= pauseMs) {
    await book.putAccount({ spent: { ...spent, triedAt: request.at } });
    return undefined;
  }
  await tellAccountSpent(book, request.at);
  const until = spent.resetsAt ?? (period.confirmed ? period.resetsAt : undefined);
  return {
    kind: 'account-spent',
    remaining: spent.remaining,
    ...(until === undefined ? {} : { until }),
    ...trialMark(book.account),
  };
}

/** After a 402, a page as wide as what is left can succeed. Source: docs/marketplace-api.md, Errors. */
function accountBound(book: OpenBook, request: ReserveRequest): number {
  const { spent } = book.account;
  return spent ? Math.max(spent.remaining, request.atLeast) : request.want;
}

/**
 * While a new period is in doubt, what does not fit the one before waits until the server was asked at no cost.
 * `new period`: this request is such a question, which costs something only where the period is new; or a person's
 * single credit.
 */
async function weighDoubt(
  book: OpenBook,
  { at, user, want, atLeast }: ReserveRequest,
  records: readonly BudgetRecord[],
  broke: readonly BudgetRecord[],
): Promise<'new period' | 'ask first' | undefined> {
  const { doubt } = book.account;
  if (!doubt) return undefined;
  if (atLeast === 0) return 'new period';
  const waits = records.some((record) => !broke.includes(record) && book.available(record) < atLeast);
  if (!waits) return undefined;
  if (doubt.askedAt !== undefined && Math.abs(at - doubt.askedAt) < ASK_AGAIN_MS) return undefined;
  await book.putAccount({ doubt: { ...doubt, askedAt: at } });
  return user !== undefined && want === 1 ? 'new period' : 'ask first';
}

async function tellBroke(
  book: OpenBook,
  request: ReserveRequest,
  broke: readonly BudgetRecord[],
): Promise<void> {
  if (request.atLeast < SMALLEST_PAGE) return;
  for (const record of broke) await tellBudgetSpent(book, record, request.at);
}

/**
 * Where an answer that got lost could not be judged (no base yet) or one waits to be, the next request is small: a
 * service that is down must not tie up the budget.
 */
function isUncertain(
  book: OpenBook,
  able: readonly BudgetRecord[],
  lost: readonly ReservationRecord[],
): boolean {
  if (book.account.tally.base === undefined) return true;
  const paying = able.flatMap((record) => sharersOf(record, book.pooled));
  return lost.some(({ shares }) =>
    shares.some((share) => share.credits > 0 && paying.some(({ channel }) => channel === share.channel)),
  );
}

/**
 * Whether a page has to wait for the balance: requests without an answer hold what would pay for it, or nothing could
 * prove what one more of them had cost.
 */
function isHeldUp(
  book: OpenBook,
  request: ReserveRequest,
  records: readonly BudgetRecord[],
  able: readonly BudgetRecord[],
  lost: readonly ReservationRecord[],
): boolean {
  const { atLeast } = request;
  if (lost.length === 0) return false;
  const { base, silentAs } = book.account.tally;
  // A marketplace that answers without a balance is not waited for.
  const mayLearn = base === undefined && silentAs === undefined;
  // Nor does a person wait, whose own page tells the balance.
  if (atLeast >= SMALLEST_PAGE && mayLearn && request.user === undefined) return true;
  if (able.length > 0) return false;
  const { number } = book.account.period;
  const heldBy = (record: BudgetRecord) => reservedBy(lost, sharersOf(record, book.pooled), number);
  return records.some((record) => book.available(record) + heldBy(record) >= atLeast);
}

/**
 * The same project, looked up again, costs one credit at the most however often it is tried. Pages may hold other projects
 * each time.
 */
function isRetry(lost: ReservationRecord, request: ReserveRequest): boolean {
  const { purchase, amount, shares } = lost;
  if (purchase.endpoint !== 'lookup') return false;
  return (
    purchase.endpoint === request.purchase.endpoint &&
    purchase.subject === request.purchase.subject &&
    amount >= Math.max(request.atLeast, 1) &&
    shares.every(({ channel }) => request.channels.includes(channel))
  );
}

/** A retry of a lost request borrows what that one holds: projects that it has paid for already cost nothing now. */
async function borrow(
  book: OpenBook,
  request: ReserveRequest,
  lost: ReservationRecord,
  broke: readonly BudgetRecord[],
): Promise<Reserved> {
  const taken = split(
    request.atLeast,
    lost.shares.map(({ channel, credits }) => ({ channel, cap: credits, ahead: 0 })),
  );
  const shares = lost.shares.map(({ channel, credits }, place) => ({
    channel,
    credits: credits - (taken[place]?.credits ?? 0),
  }));
  await book.putReservation({ ...lost, amount: lost.amount - request.atLeast, shares });
  await open(book, request, request.atLeast, taken, lost.id);
  const payers = lost.shares.map(({ channel }) => channel);
  return {
    kind: 'reserved',
    amount: request.atLeast,
    payers,
    broke: broke.map(({ channel }) => channel).filter((channel) => !payers.includes(channel)),
  };
}

async function open(
  book: OpenBook,
  request: ReserveRequest,
  amount: number,
  shares: readonly { readonly channel: ChannelId; readonly credits: number }[],
  borrowedFrom?: string,
): Promise<void> {
  await book.putReservation({
    id: request.id,
    purchase: request.purchase,
    ...(request.user === undefined ? {} : { user: request.user }),
    period: book.account.period.number,
    balance: book.account.balance ?? book.account.remaining,
    state: 'open',
    openedAs: await book.tick(),
    amount,
    shares: shares.map(({ channel, credits }) => ({ channel, credits })),
    ...(borrowedFrom === undefined ? {} : { borrowedFrom }),
  });
}
