/** Settles a reservation after a response, a refusal or no response. */
import type { Instant } from '../clock.ts';
import type { ResponseCredits } from '../marketplace/schema.ts';
import { addBalanceReading, type BalanceReading, reconcileBalance } from './balance.ts';
import { assessPeriodEvidence, type PeriodAssessment } from './billing-periods.ts';
import {
  notifyAdminsOfPooledChannel,
  postAccountRefilledNotices,
  postAccountSpentNotices,
} from './budgets.ts';
import {
  addRequestCostToLedger,
  asShare,
  buildSettlement,
  type CostPart,
  chargeChannels,
  chargePreviousPeriod,
  recordOutsideSpending,
  splitAmongShares,
  sumCredits,
} from './charging.ts';
import { MIN_PROJECTS_PAGE_SIZE, type Settlement } from './credits.ts';
import { type CreditsTransaction, noteCostOfDecision } from './credits-state.ts';
import { findCreditsPaidByChannel, type LedgerRecord, type ReservationRecord } from './records.ts';
import { computeBudgetCaps } from './reserve-credits.ts';

export function settleReservation(book: CreditsTransaction, id: string, answer: ResponseCredits): Settlement {
  // Find it before the period changes: the change may drop an unanswered reservation.
  const reservation = book.findReservation(id);
  if (!reservation) return { shares: [] };
  const { consumed, atMost } = costOf(answer, reservation.amount);
  const tellsBalance = answer.assumed !== 'remaining' && answer.assumed !== 'both';
  const answered = { resetsAt: answer.resetsAt, remaining: tellsBalance ? answer.remaining : undefined };
  const speaksOf = believe(book, reservation, { ...answered, consumed });
  const early = reservation.period < book.account.period.number;
  const doubt = doubtOf(reservation, consumed, atMost);
  const cost = { consumed, balance: tellsBalance ? answer.remaining : undefined };
  if (early && speaksOf === 'previous') return { ...settleInPast(book, reservation, cost), ...doubt };
  const settlement = { ...settleNow(book, reservation, cost), ...doubt };
  // A lender already has the rest back, reserved for the same project.
  if (atMost > consumed && !lenderOf(book, reservation))
    keepRest(book, reservation, settlement, atMost - consumed, tellsBalance);
  if (!tellsOfNow(speaksOf, early)) return settlement;
  const { openedSeq } = reservation;
  if (tellsBalance) {
    learn(book, { remaining: answer.remaining, consumed, openedSeq });
    if (reservation.amount >= MIN_PROJECTS_PAGE_SIZE) postAccountRefilledNotices(book);
  } else {
    const { tally } = book.account;
    const charged = { ...tally, consumed: tally.consumed + consumed, lastSilentSeq: book.nextSeq() };
    book.putAccount({ tally: charged });
  }
  return settlement;
}

/** Applies a response's evidence to the periods. @returns the period of the response */
function believe(
  book: CreditsTransaction,
  { openedSeq, period, balance }: ReservationRecord,
  { resetsAt, remaining, consumed }: { resetsAt?: Instant; remaining?: number; consumed: number },
): PeriodAssessment['namedPeriod'] {
  const isEarly = period < book.account.period.number;
  const { namedPeriod, periods } = assessPeriodEvidence(book.periods, {
    namedResetAt: resetsAt,
    at: book.at,
    openedSeq,
    seq: book.nextSeq(),
    isEarly,
    hasRisen: remaining !== undefined && balance !== undefined && remaining + consumed > balance,
  });
  const before = book.account.period;
  book.putPeriods(periods);
  if (remaining !== undefined) {
    const highest = book.account.highestBalance ?? 0;
    book.putAccount({ highestBalance: Math.max(highest, remaining + consumed) });
    // The balance of an earlier period: next to it, the next answer would look like a risen balance.
    if (!isEarly || namedPeriod === 'current') book.putAccount({ balance: remaining });
  }
  if (periods.period.number !== before.number)
    book.context.log.info('New billing period', { from: before, to: periods.period });
  return namedPeriod;
}

function costOf(answer: ResponseCredits, reserved: number): { consumed: number; atMost: number } {
  const isKnown = answer.assumed !== 'consumed' && answer.assumed !== 'both';
  const consumed = isKnown ? answer.consumed : 0;
  if (answer.repeated) return { consumed, atMost: Math.max(reserved, consumed) };
  return { consumed, atMost: isKnown ? consumed : Math.min(answer.consumed, reserved) };
}

/** A retry's response doesn't show the cost of the lost request from which it borrowed. */
function doubtOf({ borrowedFrom, amount }: ReservationRecord, consumed: number, atMost: number) {
  const most = borrowedFrom === undefined ? atMost : Math.max(atMost, amount);
  return { atMost: most > consumed ? most : undefined };
}

/** The uncertain part stays reserved as an unanswered request; the response's own balance may prove it. */
function keepRest(
  book: CreditsTransaction,
  answered: ReservationRecord,
  settlement: Settlement,
  rest: number,
  tellsBalance: boolean,
): void {
  const held = answered.shares.map(({ channel, credits }) => {
    const paid = findCreditsPaidByChannel(settlement, channel);
    return { channel, credits: Math.max(0, credits - paid) };
  });
  const shares = splitAmongShares(rest, held).map(asShare);
  const { borrowedFrom: _, ...reservation } = answered;
  book.putReservation({
    ...reservation,
    id: `${answered.id}:rest`,
    period: book.account.period.number,
    state: 'unanswered',
    lostSeq: tellsBalance ? answered.openedSeq : book.nextSeq(),
    amount: sumCredits(shares),
    shares,
  });
}

/** Without a date, the balance is of this period, unless the request was sent in an earlier one. */
function tellsOfNow(speaksOf: PeriodAssessment['namedPeriod'], early: boolean): boolean {
  return speaksOf === 'current' || (speaksOf === 'unknown' && !early);
}

/** What a response charged, and the account's balance if it contained one. */
type ChargedCost = Pick<LedgerRecord, 'balance'> & { readonly consumed: number };

/** The period is over: the cost goes to the ledger, not to this period's budgets. */
function settleInPast(
  book: CreditsTransaction,
  reservation: ReservationRecord,
  { consumed, ...proof }: ChargedCost,
): Settlement {
  close(book, reservation);
  const parts = splitAmongShares(consumed, reservation.shares);
  addRequestCostToLedger(book, reservation, parts, { ...proof, period: reservation.period });
  chargePreviousPeriod(book, parts);
  return buildSettlement(parts);
}

function settleNow(
  book: CreditsTransaction,
  reservation: ReservationRecord,
  { consumed, ...proof }: ChargedCost,
): Settlement {
  const reserved = Math.min(consumed, reservation.amount);
  const parts = chargeChannels(book, reservation.shares, reserved);
  close(book, reservation, parts);
  const beyond = consumed - reserved;
  const more = beyond > 0 ? chargeBeyond(book, reservation, beyond) : [];
  const all = parts.map((part, place) => ({ ...part, credits: part.credits + (more[place]?.credits ?? 0) }));
  addRequestCostToLedger(book, reservation, all, proof);
  for (const { channel, credits } of all)
    if (credits > 0) notifyAdminsOfPooledChannel(book, { channel, by: reservation.user, subscribed: false });
  return buildSettlement(all);
}

/** More than was reserved. Books on the budgets what they can take, the rest as outside spending. */
function chargeBeyond(book: CreditsTransaction, reservation: ReservationRecord, beyond: number) {
  book.context.log.warn('The marketplace charged more than was reserved', {
    purchase: reservation.purchase,
    reserved: reservation.amount,
    beyond,
  });
  const records = reservation.shares.map(({ channel }) => book.findBudget(channel));
  const caps = computeBudgetCaps(records, (record) => book.computeAvailable(record));
  const room = caps.map(({ channel, cap: credits }) => ({ channel, credits }));
  const bearable = Math.min(beyond, sumCredits(room));
  const parts = chargeChannels(book, room, bearable);
  recordOutsideSpending(book, beyond - bearable);
  return parts;
}

/** The lost request from which a retry borrowed; it may be gone after the end of a period. */
function lenderOf(book: CreditsTransaction, { borrowedFrom }: ReservationRecord) {
  return borrowedFrom === undefined ? undefined : book.findReservation(borrowedFrom);
}

/** Removes a reservation. Credits that a retry didn't need go back to the lost request. */
function close(book: CreditsTransaction, reservation: ReservationRecord, paid: readonly CostPart[] = []) {
  book.deleteReservation(reservation);
  const lender = lenderOf(book, reservation);
  if (!lender) return;
  const shares = lender.shares.map(({ channel, credits: kept }, place) => ({
    channel,
    credits: kept + (reservation.shares[place]?.credits ?? 0) - (paid[place]?.credits ?? 0),
  }));
  book.putReservation({ ...lender, amount: sumCredits(shares), shares });
}

/** Releases a reservation whose request was not charged. */
export function releaseReservation(book: CreditsTransaction, id: string): void {
  const reservation = book.findReservation(id);
  if (reservation) close(book, reservation);
}

/** Stays reserved with its position in the order of events: only a request opened later can show its cost. */
export function markReservationUnanswered(book: CreditsTransaction, id: string): void {
  const reservation = book.findReservation(id);
  if (reservation?.state !== 'open') return;
  if (reservation.amount === 0) {
    // It could cost nothing, so there is nothing to prove.
    close(book, reservation);
    return;
  }
  const lostSeq = book.nextSeq();
  const lender = lenderOf(book, reservation);
  // The server may have charged it any time until now, so it counts in the newest period, whenever it was
  // opened.
  const { period: present, other } = book.account;
  const period = Math.max(present.number, other?.period.number ?? 0);
  if (lender) {
    close(book, reservation);
    const whole = book.findReservation(lender.id);
    if (whole) book.putReservation({ ...whole, lostSeq, period });
  } else book.putReservation({ ...reservation, state: 'unanswered', lostSeq, period });
}

export function recordCreditsDepleted(
  book: CreditsTransaction,
  id: string,
  answered: { readonly remaining?: number; readonly resetsAt?: Instant },
): void {
  const reservation = book.findReservation(id);
  if (!reservation) return;
  close(book, reservation);
  const speaksOf = believe(book, reservation, { ...answered, consumed: 0 });
  if (speaksOf === 'previous') return;
  const { remaining, resetsAt } = answered;
  const early = reservation.period < book.account.period.number;
  if (remaining !== undefined && tellsOfNow(speaksOf, early))
    learn(book, { remaining, consumed: 0, openedSeq: reservation.openedSeq });
  // Even if the refusal claims enough credits, don't try the same amount again.
  const left = Math.max(0, Math.min(remaining ?? 0, reservation.amount - 1));
  const since = book.account.spent?.since ?? book.account.outSince ?? book.at;
  book.putAccount({ spent: { since, remaining: left, triedAt: book.at, resetsAt } });
  if (left < MIN_PROJECTS_PAGE_SIZE) postAccountSpentNotices(book);
}

/** Applies a response's balance, and books what it proves: costs of lost requests, spending by others. */
function learn(book: CreditsTransaction, reading: BalanceReading): void {
  book.putAccount({ remaining: reading.remaining });
  const { spent } = book.account;
  if (spent) {
    const risen = reading.remaining + reading.consumed > spent.remaining;
    book.putAccount({ spent: risen ? undefined : { ...spent, remaining: reading.remaining } });
    postAccountSpentNotices(book);
  }
  const tally = addBalanceReading(book.account.tally, reading);
  const inFlight = book.periodReservations.filter(({ state }) => state === 'open').length;
  const lost = book.periodReservations.filter(({ state }) => state === 'unanswered');
  const judgement = reconcileBalance(
    tally,
    inFlight,
    lost.map(({ id, amount, lostSeq = 0 }) => ({ id, amount, lostSeq })),
  );
  book.putAccount({ tally: judgement.kind === 'wait' ? tally : judgement.tally });
  if (judgement.kind === 'unproven') holdUnproven(book, lost);
  if (judgement.kind !== 'proven') return;
  for (const { id, credits } of judgement.costs) settleLost(book, book.findReservation(id), credits);
  recordOutsideSpending(book, judgement.outside);
}

/** Their cost is unknown, so their full amount stays reserved until the period ends. Nothing is booked. */
function holdUnproven(book: CreditsTransaction, lost: readonly ReservationRecord[]): void {
  for (const reservation of lost) book.putReservation({ ...reservation, state: 'unproven' });
  if (lost.length > 0)
    book.context.log.warn(
      "The cost of unanswered requests can't be determined; their credits stay reserved",
      { requests: lost.length, credits: lost.reduce((sum, { amount }) => sum + amount, 0) },
    );
}

function settleLost(book: CreditsTransaction, reservation: ReservationRecord | undefined, cost: number) {
  if (!reservation) return;
  book.deleteReservation(reservation);
  noteCostOfDecision(book, reservation, cost);
  if (cost === 0) return;
  const parts = chargeChannels(book, reservation.shares, cost);
  addRequestCostToLedger(book, reservation, parts, { isProvenLater: true });
}
