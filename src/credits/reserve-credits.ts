/** Reserves credits: who pays, how much at most, or why not. */
import { omitUndefined } from '../base/omit-undefined.ts';
import { MINUTE } from '../clock.ts';
import type { ChannelId } from '../ids.ts';
import { postAccountSpentNotices, postBudgetSpentNotice } from './budget-notices.ts';
import {
  MIN_PROJECTS_PAGE_SIZE,
  type ReservationRequest,
  type ReservationResult,
} from './credits-service.ts';
import { isPooled, listBudgetSharers, sumReserved } from './credits-state.ts';
import type { CreditsTransaction } from './credits-transaction.ts';
import type { BudgetRecord, ReservationRecord } from './records.ts';
import { type CostSharer, splitCost } from './split-cost.ts';
import { buildTrialFields } from './trial.ts';

/**
 * After a 402, one request per pause may try again, to detect a top-up: a refusal costs nothing. The pause is
 * shorter for a person who waits.
 */
const TRY_AGAIN_MS = 10 * MINUTE;
const TRY_AGAIN_FOR_PERSON_MS = MINUTE;
/** Minimum pause between questions to a server that hasn't confirmed a new period. */
const ASK_AGAIN_MS = 5 * MINUTE;

export async function reserveCredits(
  book: CreditsTransaction,
  request: ReservationRequest,
): Promise<ReservationResult> {
  if (book.findReservation(request.id))
    throw new RangeError(`Credits are already reserved for request ${request.id}`);
  const records = await ensureBudgets(book, request);
  const spent = await checkAccount(book, request);
  if (spent) return spent;
  const room = (record: BudgetRecord) => book.computeAvailableInPeriod(book.account.period.number, record);
  const broke = records.filter((record) => room(record) < request.minCredits);
  await postSpentNotices(book, request, broke);
  const doubted = await weighDoubt(book, request, records, broke);
  if (doubted === 'ask first') return { kind: 'unanswered', broke: broke.map(({ channel }) => channel) };
  const available =
    doubted === 'new period' ? room : (record: BudgetRecord) => book.computeAvailableBudget(record);
  const able = records.filter((record) => available(record) >= request.minCredits);
  const lost = book.periodReservations.filter(({ state }) => state === 'unanswered');
  const retried = lost.find((one) => isRetry(one, request));
  if (retried) return borrow(book, request, retried, broke);
  if (isHeldUp(book, request, records, able, lost))
    return { kind: 'unanswered', broke: broke.map(({ channel }) => channel) };
  if (able.length === 0) return { kind: 'no-budget', broke: broke.map(({ channel }) => channel) };
  const caps = computeBudgetCaps(able, available);
  const together = caps.reduce((sum, { cap }) => sum + cap, 0);
  const isSmall = doubted === undefined && isUncertain(book, able, lost);
  const bound = isSmall ? request.minCredits : request.maxCredits;
  const amount = Math.max(request.minCredits, Math.min(bound, together, accountBound(book, request)));
  await open(book, request, amount, splitCost(amount, caps));
  return {
    kind: 'reserved',
    amount,
    payers: able.map(({ channel }) => channel),
    broke: broke.map(({ channel }) => channel),
  };
}

/** The most that each channel can pay; channels in the pool together get at most its rest. */
export function computeBudgetCaps(
  records: readonly BudgetRecord[],
  room: (record: BudgetRecord) => number,
): readonly CostSharer[] {
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

async function ensureBudgets(book: CreditsTransaction, request: ReservationRequest): Promise<BudgetRecord[]> {
  const records: BudgetRecord[] = [];
  for (const channel of new Set(request.channels)) {
    const record = await book.readBudgetRecord(channel, request.at);
    await book.putBudget(record);
    records.push(record);
  }
  return records;
}

/** Whether a 402 of the account itself blocks the request. */
async function checkAccount(
  book: CreditsTransaction,
  request: ReservationRequest,
): Promise<ReservationResult | undefined> {
  const { spent, period } = book.account;
  if (!spent || spent.remaining >= request.minCredits) return undefined;
  const pauseMs = request.user === undefined ? TRY_AGAIN_MS : TRY_AGAIN_FOR_PERSON_MS;
  // `Math.abs`, in case the clock was set back.
  if (Math.abs(request.at - spent.triedAt) >= pauseMs) {
    await book.putAccount({ spent: { ...spent, triedAt: request.at } });
    return undefined;
  }
  await postAccountSpentNotices(book, request.at);
  const until = spent.resetsAt ?? (period.confirmed ? period.resetsAt : undefined);
  return {
    kind: 'account-spent',
    remaining: spent.remaining,
    ...omitUndefined({ until }),
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
async function weighDoubt(
  book: CreditsTransaction,
  { at, user, maxCredits, minCredits }: ReservationRequest,
  records: readonly BudgetRecord[],
  broke: readonly BudgetRecord[],
): Promise<'new period' | 'ask first' | undefined> {
  const { doubt } = book.account;
  if (!doubt) return undefined;
  if (minCredits === 0) return 'new period';
  const waits = records.some(
    (record) => !broke.includes(record) && book.computeAvailableBudget(record) < minCredits,
  );
  if (!waits) return undefined;
  if (doubt.askedAt !== undefined && Math.abs(at - doubt.askedAt) < ASK_AGAIN_MS) return undefined;
  await book.putAccount({ doubt: { ...doubt, askedAt: at } });
  return user !== undefined && maxCredits === 1 ? 'new period' : 'ask first';
}

async function postSpentNotices(
  book: CreditsTransaction,
  request: ReservationRequest,
  broke: readonly BudgetRecord[],
): Promise<void> {
  if (request.minCredits < MIN_PROJECTS_PAGE_SIZE) return;
  for (const record of broke) await postBudgetSpentNotice(book, record, request.at);
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
  const paying = able.flatMap((record) => listBudgetSharers(record, book.pooled));
  return lost.some(({ shares }) =>
    shares.some((share) => share.credits > 0 && paying.some(({ channel }) => channel === share.channel)),
  );
}

/**
 * Whether a page must wait for the balance. Either unanswered requests hold its credits, or the cost of
 * another lost request couldn't be proven.
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
  // Don't wait for a marketplace that sends no balances.
  const mayLearn = base === undefined && lastSilentSeq === undefined;
  // A person doesn't wait: their own page shows the balance.
  if (minCredits >= MIN_PROJECTS_PAGE_SIZE && mayLearn && request.user === undefined) return true;
  if (able.length > 0) return false;
  const { number } = book.account.period;
  const heldBy = (record: BudgetRecord) => sumReserved(lost, listBudgetSharers(record, book.pooled), number);
  return records.some((record) => book.computeAvailableBudget(record) + heldBy(record) >= minCredits);
}

/**
 * Repeated lookups of the same project cost at most one credit together. Pages don't qualify, because their
 * projects may differ.
 */
function isRetry(lost: ReservationRecord, request: ReservationRequest): boolean {
  const { purchase, amount, shares } = lost;
  if (purchase.endpoint !== 'lookup') return false;
  return (
    purchase.endpoint === request.purchase.endpoint &&
    purchase.subject === request.purchase.subject &&
    amount >= Math.max(request.minCredits, 1) &&
    shares.every(({ channel }) => request.channels.includes(channel))
  );
}

/** A retry borrows the credits of the lost request: projects already paid for cost nothing now. */
async function borrow(
  book: CreditsTransaction,
  request: ReservationRequest,
  lost: ReservationRecord,
  broke: readonly BudgetRecord[],
): Promise<ReservationResult> {
  const taken = splitCost(
    request.minCredits,
    lost.shares.map(({ channel, credits }) => ({ channel, cap: credits, ahead: 0 })),
  );
  const shares = lost.shares.map(({ channel, credits }, place) => ({
    channel,
    credits: credits - (taken[place]?.credits ?? 0),
  }));
  await book.putReservation({ ...lost, amount: lost.amount - request.minCredits, shares });
  await open(book, request, request.minCredits, taken, lost.id);
  const payers = lost.shares.map(({ channel }) => channel);
  return {
    kind: 'reserved',
    amount: request.minCredits,
    payers,
    broke: broke.map(({ channel }) => channel).filter((channel) => !payers.includes(channel)),
  };
}

async function open(
  book: CreditsTransaction,
  request: ReservationRequest,
  amount: number,
  shares: readonly { readonly channel: ChannelId; readonly credits: number }[],
  borrowedFrom?: string,
): Promise<void> {
  await book.putReservation({
    id: request.id,
    purchase: request.purchase,
    ...omitUndefined({ user: request.user }),
    period: book.account.period.number,
    balance: book.account.balance ?? book.account.remaining,
    state: 'open',
    openedSeq: await book.nextSeq(),
    amount,
    shares: shares.map(({ channel, credits }) => ({ channel, credits })),
    ...omitUndefined({ borrowedFrom }),
  });
}
