/** Settles a reservation after a response, a refusal or no response. */
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Instant } from '../clock.ts';
import type { ResponseCredits } from '../marketplace/schema.ts';
import { applyBalanceReading } from './apply-balance-reading.ts';
import { assessPeriodEvidence, type PeriodAssessment } from './assess-period-evidence.ts';
import { addChargeWithoutBalance, type BalanceReading } from './balance-tally.ts';
import { postAccountSpentNotices } from './budget-notices.ts';
import {
  addRequestCostToLedger,
  buildSettlement,
  chargeChannels,
  chargePreviousPeriod,
  recordOutsideSpending,
} from './charging.ts';
import { MIN_PROJECTS_PAGE_SIZE, type Settlement } from './credits-service.ts';
import type { CreditsTransaction } from './credits-transaction.ts';
import { notifyAdminsOfPooledChannel } from './new-budget-posts.ts';
import type { BudgetRecord, CreditShare, ReservationRecord } from './records.ts';
import { computeBudgetCaps } from './reserve-credits.ts';
import { type CostPart, splitCost } from './split-cost.ts';
import { getHighestEverBalance } from './trial.ts';

export async function settleReservation(
  book: CreditsTransaction,
  id: string,
  answer: ResponseCredits,
  at: Instant,
): Promise<Settlement> {
  // Find it before the period changes: the change may drop an unanswered reservation.
  const reservation = book.findReservation(id);
  if (!reservation) return { shares: [] };
  const { consumed, atMost } = costOf(answer, reservation.amount);
  const tellsBalance = answer.assumed !== 'remaining' && answer.assumed !== 'both';
  const told = { resetsAt: answer.resetsAt, remaining: tellsBalance ? answer.remaining : undefined };
  const speaksOf = await believe(book, reservation, { ...told, consumed }, at);
  const early = reservation.period < book.account.period.number;
  const doubt = doubtOf(reservation, consumed, atMost);
  if (early && speaksOf === 'previous')
    return { ...(await settleInPast(book, reservation, consumed, at)), ...doubt };
  const settlement = { ...(await settleNow(book, reservation, consumed, at)), ...doubt };
  // A lender already has the rest back, reserved for the same project.
  if (atMost > consumed && !lenderOf(book, reservation))
    await keepRest(book, reservation, settlement, atMost - consumed, tellsBalance);
  if (!tellsOfNow(speaksOf, early)) return settlement;
  const { openedSeq } = reservation;
  if (tellsBalance) await learn(book, { remaining: answer.remaining, consumed, openedSeq }, at);
  else
    await book.putAccount({
      tally: addChargeWithoutBalance(book.account.tally, consumed, await book.nextSeq()),
    });
  return settlement;
}

interface ReportedCredits {
  readonly resetsAt?: Instant | undefined;
  readonly remaining?: number | undefined;
  readonly consumed: number;
}

/** Applies a response's evidence to the periods. @returns the period of the response */
async function believe(
  book: CreditsTransaction,
  { openedSeq, period, balance }: ReservationRecord,
  { resetsAt, remaining, consumed }: ReportedCredits,
  at: Instant,
): Promise<PeriodAssessment['namedPeriod']> {
  const { namedPeriod, periods } = assessPeriodEvidence(book.periods, {
    namedResetAt: resetsAt,
    at,
    openedSeq,
    seq: await book.nextSeq(),
    isEarly: period < book.account.period.number,
    hasRisen: remaining !== undefined && balance !== undefined && remaining + consumed > balance,
  });
  const before = book.account.period;
  await book.putPeriods(periods);
  if (remaining !== undefined) await putBalance(book, remaining, consumed);
  if (periods.period.number !== before.number)
    book.context.log.info('New billing period', { from: before, to: periods.period });
  return namedPeriod;
}

/** Before the charge, the balance was `remaining + consumed`. */
async function putBalance(book: CreditsTransaction, remaining: number, consumed: number): Promise<void> {
  const before = getHighestEverBalance(book.account) ?? 0;
  await book.putAccount({ balance: remaining, highestBalance: Math.max(before, remaining + consumed) });
}

/** The certain cost of a request, and its highest possible cost. */
function costOf(answer: ResponseCredits, reserved: number): { consumed: number; atMost: number } {
  const isKnown = answer.assumed !== 'consumed' && answer.assumed !== 'both';
  const consumed = isKnown ? answer.consumed : 0;
  if (answer.repeated) return { consumed, atMost: Math.max(reserved, consumed) };
  return { consumed, atMost: isKnown ? consumed : Math.min(answer.consumed, reserved) };
}

/** A retry's response doesn't show the cost of the lost request from which it borrowed. */
function doubtOf(
  { borrowedFrom, amount }: ReservationRecord,
  consumed: number,
  atMost: number,
): Pick<Settlement, 'atMost'> {
  const most = borrowedFrom === undefined ? atMost : Math.max(atMost, amount);
  return most > consumed ? { atMost: most } : {};
}

/** The uncertain part stays reserved as an unanswered request; the response's own balance may prove it. */
async function keepRest(
  book: CreditsTransaction,
  answered: ReservationRecord,
  settlement: Settlement,
  rest: number,
  tellsBalance: boolean,
): Promise<void> {
  const held = answered.shares.map(({ channel, credits }) => {
    const paid = settlement.shares.find((share) => share.channel === channel)?.credits ?? 0;
    return { channel, cap: Math.max(0, credits - paid), ahead: 0 };
  });
  const shares = splitCost(rest, held).map(({ channel, credits }) => ({ channel, credits }));
  const { borrowedFrom: _, ...reservation } = answered;
  await book.putReservation({
    ...reservation,
    id: `${answered.id}:rest`,
    period: book.account.period.number,
    state: 'unanswered',
    lostSeq: tellsBalance ? answered.openedSeq : await book.nextSeq(),
    amount: shares.reduce((sum, share) => sum + share.credits, 0),
    shares,
  });
}

/**
 * Whether the response's balance belongs to the current period. Without a date it does, unless the request
 * was sent in an earlier one.
 */
function tellsOfNow(speaksOf: PeriodAssessment['namedPeriod'], early: boolean): boolean {
  return speaksOf === 'current' || (speaksOf === 'unknown' && !early);
}

/** The period is over: the cost goes to the ledger, not to this period's budgets. */
async function settleInPast(
  book: CreditsTransaction,
  reservation: ReservationRecord,
  consumed: number,
  at: Instant,
): Promise<Settlement> {
  await close(book, reservation);
  const parts = splitCost(consumed, asParties(reservation.shares));
  await addRequestCostToLedger(book, reservation, parts, at, reservation.period);
  await chargePreviousPeriod(book, parts, at);
  return buildSettlement(parts);
}

async function settleNow(
  book: CreditsTransaction,
  reservation: ReservationRecord,
  consumed: number,
  at: Instant,
): Promise<Settlement> {
  const reserved = Math.min(consumed, reservation.amount);
  const parts = await chargeChannels(book, reservation.shares, reserved, at);
  await close(book, reservation, parts);
  const beyond = consumed - reserved;
  const more = beyond > 0 ? await chargeBeyond(book, reservation, beyond, at) : [];
  const all = parts.map((part, place) => ({ ...part, credits: part.credits + (more[place]?.credits ?? 0) }));
  await addRequestCostToLedger(book, reservation, all, at);
  for (const { channel, credits } of all)
    if (credits > 0)
      await notifyAdminsOfPooledChannel(book, { channel, by: reservation.user, subscribed: false }, at);
  return buildSettlement(all);
}

/**
 * The server charged more than reserved. Books on the budgets what they can take, the rest as outside
 * spending.
 */
async function chargeBeyond(
  book: CreditsTransaction,
  reservation: ReservationRecord,
  beyond: number,
  at: Instant,
): Promise<readonly CostPart[]> {
  book.context.log.warn('The marketplace charged more than was reserved', {
    purchase: reservation.purchase,
    reserved: reservation.amount,
    beyond,
  });
  const records: BudgetRecord[] = [];
  for (const { channel } of reservation.shares) records.push(await book.readBudgetRecord(channel, at));
  const caps = computeBudgetCaps(records, (record) => book.computeAvailableBudget(record));
  const room = caps.map(({ channel, cap: credits }) => ({ channel, credits }));
  const bearable = Math.min(
    beyond,
    room.reduce((sum, share) => sum + share.credits, 0),
  );
  const parts = await chargeChannels(book, room, bearable, at);
  await recordOutsideSpending(book, beyond - bearable, at);
  return parts;
}

/** The lost request from which a retry borrowed; it may be gone after the end of a period. */
function lenderOf(
  book: CreditsTransaction,
  { borrowedFrom }: ReservationRecord,
): ReservationRecord | undefined {
  return borrowedFrom === undefined ? undefined : book.findReservation(borrowedFrom);
}

/** Removes a reservation. Credits that a retry didn't need go back to the lost request. */
async function close(
  book: CreditsTransaction,
  reservation: ReservationRecord,
  paid: readonly CostPart[] = [],
): Promise<void> {
  await book.deleteReservation(reservation);
  const lender = lenderOf(book, reservation);
  if (!lender) return;
  await giveBack(book, lender, reservation, paid);
}

async function giveBack(
  book: CreditsTransaction,
  lender: ReservationRecord,
  retry: ReservationRecord,
  paid: readonly CostPart[],
): Promise<void> {
  const shares = lender.shares.map(({ channel, credits: kept }, place) => ({
    channel,
    credits: kept + (retry.shares[place]?.credits ?? 0) - (paid[place]?.credits ?? 0),
  }));
  const amount = shares.reduce((sum, share) => sum + share.credits, 0);
  await book.putReservation({ ...lender, amount, shares });
}

/** Releases a reservation whose request was not charged. */
export async function releaseReservation(book: CreditsTransaction, id: string): Promise<void> {
  const reservation = book.findReservation(id);
  if (reservation) await close(book, reservation);
}

/** Stays reserved with its position in the order of events: only a request opened later can show its cost. */
export async function markReservationUnanswered(book: CreditsTransaction, id: string): Promise<void> {
  const reservation = book.findReservation(id);
  if (reservation?.state !== 'open') return;
  const lostSeq = await book.nextSeq();
  const lender = lenderOf(book, reservation);
  // The server may have charged it any time until now, so it counts in the newest period, whenever it was
  // opened.
  const { period: present, other } = book.account;
  const period = Math.max(present.number, other?.period.number ?? 0);
  if (!lender) return book.putReservation({ ...reservation, state: 'unanswered', lostSeq, period });
  await close(book, reservation);
  const whole = book.findReservation(lender.id);
  if (whole) await book.putReservation({ ...whole, lostSeq, period });
}

export async function recordCreditsDepleted(
  book: CreditsTransaction,
  id: string,
  told: { readonly remaining?: number; readonly resetsAt?: Instant },
  at: Instant,
): Promise<void> {
  const reservation = book.findReservation(id);
  if (!reservation) return;
  await close(book, reservation);
  const speaksOf = await believe(book, reservation, { ...told, consumed: 0 }, at);
  if (speaksOf === 'previous') return;
  const { remaining } = told;
  const early = reservation.period < book.account.period.number;
  if (remaining !== undefined && tellsOfNow(speaksOf, early))
    await learn(book, { remaining, consumed: 0, openedSeq: reservation.openedSeq }, at);
  // Even if the refusal claims enough credits, don't try the same amount again.
  const left = Math.max(0, Math.min(remaining ?? 0, reservation.amount - 1));
  const since = book.account.spent?.since ?? at;
  const { resetsAt } = told;
  await book.putAccount({
    spent: { since, remaining: left, triedAt: at, ...omitUndefined({ resetsAt }) },
  });
  if (left < MIN_PROJECTS_PAGE_SIZE) await postAccountSpentNotices(book, at);
}

/** Applies a response's balance to the account. */
async function learn(book: CreditsTransaction, told: BalanceReading, at: Instant): Promise<void> {
  await book.putAccount({ remaining: told.remaining });
  const { spent } = book.account;
  if (spent) {
    const risen = told.remaining + told.consumed > spent.remaining;
    await book.putAccount({ spent: risen ? undefined : { ...spent, remaining: told.remaining } });
    await postAccountSpentNotices(book, at);
  }
  await applyBalanceReading(book, told, at);
}

function asParties(shares: readonly CreditShare[]) {
  return shares.map(({ channel, credits: cap }) => ({ channel, cap, ahead: 0 }));
}
