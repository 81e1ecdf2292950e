/** Reserves credits: who pays, how much at most, or why not. */
import { isDeepEqual } from '../base/is-deep-equal.ts';
import { MINUTE, SECOND } from '../clock.ts';
import { buildTrialFields } from './balance.ts';
import {
  computeRequestCap,
  findKnownReset,
  postAccountSpentNotices,
  postBudgetSpentNotice,
} from './budgets.ts';
import { asShare, splitAmongShares, splitCost } from './charging.ts';
import { MIN_PROJECTS_PAGE_SIZE, type ReservationRequest, type ReservationResult } from './credits.ts';
import { type CreditsTransaction, isPooled, sumReserved } from './credits-state.ts';
import type { BudgetRecord, CreditShare, ReservationRecord } from './records.ts';

/** After a 402, one request per pause notices a top-up within a minute: a refusal costs nothing. */
const TRY_AGAIN_MS = 50 * SECOND;
/** Minimum pause between questions to a server that hasn't confirmed a new period. */
const ASK_AGAIN_MS = 5 * MINUTE;

export function reserveCredits(book: CreditsTransaction, request: ReservationRequest): ReservationResult {
  if (book.findReservation(request.id))
    throw new RangeError(`Credits are already reserved for request ${request.id}`);
  const records = ensureBudgets(book, request);
  const spent = checkAccount(book, request);
  if (spent) return spent;
  const room = (record: BudgetRecord) => book.computeAvailableInPeriod(book.account.period.number, record);
  const lacking = records.filter((record) => room(record) < request.minCredits);
  const broke = lacking.map(({ channel }) => channel);
  if (request.minCredits >= MIN_PROJECTS_PAGE_SIZE)
    for (const record of lacking) postBudgetSpentNotice(book, record);
  const doubted = weighDoubt(book, request, records, lacking);
  if (doubted === 'ask first') return { kind: 'unanswered', broke };
  const available = doubted === 'new period' ? room : (record: BudgetRecord) => book.computeAvailable(record);
  const able = records.filter((record) => available(record) >= request.minCredits);
  const lost = book.periodReservations.filter(({ state }) => state === 'unanswered');
  const retried = lost.find((one) => isRetry(one, request));
  if (retried) {
    const payers = borrow(book, request, retried).map(({ channel }) => channel);
    const others = broke.filter((channel) => !payers.includes(channel));
    return { kind: 'reserved', amount: request.minCredits, payers, broke: others };
  }
  if (isHeldUp(book, request, records, able, lost)) return { kind: 'unanswered', broke };
  if (able.length === 0) return { kind: 'no-budget', broke };
  const caps = computeBudgetCaps(able, (record) => {
    const most = available(record);
    return request.isWide ? most : computeRequestCap(book, record, most, request.minCredits);
  });
  const together = caps.reduce((sum, { cap }) => sum + cap, 0);
  const isSmall = doubted === undefined && isUncertain(book, able, lost);
  const bound = isSmall ? request.minCredits : request.maxCredits;
  const amount = Math.max(request.minCredits, Math.min(bound, together, accountBound(book, request)));
  open(book, request, amount, splitCost(amount, caps));
  return { kind: 'reserved', amount, payers: able.map(({ channel }) => channel), broke };
}

/** The most that each channel can pay; channels in the pool together get at most its rest. */
export function computeBudgetCaps(records: readonly BudgetRecord[], room: (record: BudgetRecord) => number) {
  const pooled = records.filter(isPooled);
  const shared = pooled.map(({ channel, ahead }) => ({ channel, cap: Number.POSITIVE_INFINITY, ahead }));
  const [first] = pooled;
  const parts = splitCost(first ? room(first) : 0, shared);
  return records.map((record) => {
    const { channel, ahead } = record;
    const part = parts.find((each) => each.channel === channel);
    return { channel, cap: part ? part.credits : room(record), ahead };
  });
}

function ensureBudgets(book: CreditsTransaction, { channels }: ReservationRequest): readonly BudgetRecord[] {
  const records = [...new Set(channels)].map((channel) => book.findBudget(channel));
  for (const record of records)
    if (!isDeepEqual(record, book.budgets.get(record.channel))) book.putBudget(record);
  return records;
}

/** Whether a 402 of the account itself blocks the request. */
function checkAccount(book: CreditsTransaction, request: ReservationRequest): ReservationResult | undefined {
  const { spent } = book.account;
  if (!spent || spent.remaining >= request.minCredits) return undefined;
  // `Math.abs`, in case the clock was set back.
  if (Math.abs(request.at - spent.triedAt) >= TRY_AGAIN_MS) {
    book.putAccount({ spent: { ...spent, triedAt: request.at } });
    return undefined;
  }
  postAccountSpentNotices(book);
  return {
    kind: 'account-spent',
    remaining: spent.remaining,
    retryAt: spent.triedAt + TRY_AGAIN_MS,
    until: findKnownReset(book),
    ...buildTrialFields(book.account),
  };
}

/** After a 402, a page limited to the remaining credits may work. Source: docs/marketplace-api.md, Errors. */
function accountBound(book: CreditsTransaction, request: ReservationRequest): number {
  const { spent } = book.account;
  return spent ? Math.max(spent.remaining, request.minCredits) : request.maxCredits;
}

/**
 * While a new period is in doubt, a request that doesn't fit the previous period waits for a free request
 * first. `new period`: this is that free request, charged only if the period is new, or a person's single
 * credit.
 */
function weighDoubt(
  book: CreditsTransaction,
  { at, user, maxCredits, minCredits }: ReservationRequest,
  records: readonly BudgetRecord[],
  broke: readonly BudgetRecord[],
): 'new period' | 'ask first' | undefined {
  const { doubt } = book.account;
  if (!doubt) return undefined;
  if (minCredits === 0) return 'new period';
  const waits = records.some(
    (record) => !broke.includes(record) && book.computeAvailable(record) < minCredits,
  );
  if (!waits) return undefined;
  if (doubt.askedAt !== undefined && Math.abs(at - doubt.askedAt) < ASK_AGAIN_MS) return undefined;
  book.putAccount({ doubt: { ...doubt, askedAt: at } });
  return user !== undefined && maxCredits === 1 ? 'new period' : 'ask first';
}

/**
 * Whether lost requests couldn't be judged (no base yet) or wait for a balance. The next request is then
 * small, so that a broken service doesn't tie up the budget.
 */
function isUncertain(
  book: CreditsTransaction,
  able: readonly BudgetRecord[],
  lost: readonly ReservationRecord[],
): boolean {
  if (book.account.tally.base === undefined) return true;
  const paying = able.flatMap((record) => book.listSharers(record));
  return lost.some(({ shares }) =>
    shares.some((share) => share.credits > 0 && paying.some(({ channel }) => channel === share.channel)),
  );
}

/**
 * Whether a page must wait for the balance. Either unanswered requests hold its credits, or its filter's last
 * page was lost, or the cost of another lost request couldn't be proven.
 */
function isHeldUp(
  book: CreditsTransaction,
  request: ReservationRequest,
  records: readonly BudgetRecord[],
  able: readonly BudgetRecord[],
  lost: readonly ReservationRecord[],
): boolean {
  const { minCredits } = request;
  if (lost.length === 0) return false;
  const { base, lastSilentSeq } = book.account.tally;
  // One open reservation per filter, so that an outage doesn't tie up the budget.
  const isAgain = lost.some((one) => isForSame(one, request));
  // Don't wait for a marketplace that sends no balances.
  const mayLearn = (base === undefined || isAgain) && lastSilentSeq === undefined;
  // A person doesn't wait: their own page shows the balance.
  if (minCredits >= MIN_PROJECTS_PAGE_SIZE && mayLearn && request.user === undefined) return true;
  if (able.length > 0) return false;
  const { number } = book.account.period;
  const heldBy = (record: BudgetRecord) => sumReserved(lost, book.listSharers(record), number);
  return records.some((record) => book.computeAvailable(record) + heldBy(record) >= minCredits);
}

function isForSame({ purchase: { endpoint, subject } }: ReservationRecord, { purchase }: ReservationRequest) {
  return endpoint === purchase.endpoint && subject === purchase.subject;
}

/** Repeated lookups of a project cost one credit together. Pages don't qualify: their projects may differ. */
function isRetry(lost: ReservationRecord, request: ReservationRequest): boolean {
  return (
    lost.purchase.endpoint === 'lookup' &&
    isForSame(lost, request) &&
    lost.amount >= Math.max(request.minCredits, 1) &&
    lost.shares.every(({ channel }) => request.channels.includes(channel))
  );
}

/** A retry borrows the lost request's credits: paid projects cost nothing now. @returns the lost shares */
function borrow(book: CreditsTransaction, request: ReservationRequest, lost: ReservationRecord) {
  const taken = splitAmongShares(request.minCredits, lost.shares);
  const shares = lost.shares.map(({ channel, credits }, place) => ({
    channel,
    credits: credits - (taken[place]?.credits ?? 0),
  }));
  book.putReservation({ ...lost, amount: lost.amount - request.minCredits, shares });
  open(book, request, request.minCredits, taken, lost.id);
  return lost.shares;
}

function open(
  book: CreditsTransaction,
  { id, purchase, user }: ReservationRequest,
  amount: number,
  shares: readonly CreditShare[],
  borrowedFrom?: string,
): void {
  book.putReservation({
    id,
    purchase,
    user,
    period: book.account.period.number,
    balance: book.account.balance ?? book.account.remaining,
    at: book.at,
    state: 'open',
    openedSeq: book.nextSeq(),
    amount,
    shares: shares.map(asShare),
    borrowedFrom,
  });
}
