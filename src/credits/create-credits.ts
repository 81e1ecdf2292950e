/** The credits service on the store, and its ledger. Why: docs/decisions/0002-credits.md. */
import { isDeepEqual } from '../base/is-deep-equal.ts';
import type { Instant } from '../clock.ts';
import { type ChannelId, type Credits, toCredits, type UserId } from '../ids.ts';
import type { ResponseCredits } from '../marketplace/schema.ts';
import { readPage } from '../storage/read-page.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import { buildTrialFields, forecastRunOut, isTooEarlyToForecast } from './balance.ts';
import { confirmPooledBudget, notifyAdminsOfPooledChannel, setBudget } from './budgets.ts';
import {
  type AccountState,
  type BudgetState,
  type LedgerEntry,
  type LedgerPageRequest,
  MIN_PROJECTS_PAGE_SIZE,
  type ReservationRequest,
} from './credits.ts';
import {
  type CreditsContext,
  type CreditsState,
  type CreditsTransaction,
  chooseDisplayedPeriod,
  getSettledInPeriod,
  isPooled,
  isReservationCounted,
  openCredits,
  readAccount,
  readCreditsState,
  sumReserved,
  sumSettled,
} from './credits-state.ts';
import {
  type BudgetRecord,
  type CreditAccountRecord,
  channelLedgerRecords,
  findCreditsPaidByChannel,
  type LedgerRecord,
  ledgerRecords,
} from './records.ts';
import { reserveCredits } from './reserve-credits.ts';
import {
  markReservationUnanswered,
  recordCreditsDepleted,
  releaseReservation,
  settleReservation,
} from './settle-reservation.ts';

export type CreditsService = ReturnType<typeof createCreditsService>;
/** The credits as one transaction sees them: read once, for several questions. */
export type CreditsView = ReturnType<typeof viewCredits>;
/** Changes them as well; each change is stored at once, and the view shows it. */
export type CreditsBook = Awaited<ReturnType<CreditsService['openBook']>>;
export type LedgerPage = Awaited<ReturnType<CreditsService['readLedgerPage']>>;

/**
 * Everything runs in the caller's transaction, so that credits, cursor and cards change together. A budget
 * that runs low enqueues the channel's notice; so does an account without credits (each once per period).
 * @param context `defaultBudget` applies to channels without a budget of their own
 */
export function createCreditsService(context: CreditsContext) {
  const change = async <T>(
    tx: Transaction,
    at: Instant | undefined,
    work: (book: CreditsTransaction) => T | Promise<T>,
  ): Promise<T> => (await openCredits(context, tx, at)).change(tx, work);
  return {
    /** Until the transaction ends, change the credits only through this book. */
    async openBook(tx: Transaction, at: Instant) {
      const state = await openCredits(context, tx, at);
      return {
        ...viewCredits(state),
        reserveCredits: (request: Omit<ReservationRequest, 'at'>) =>
          state.change(tx, (book) => reserveCredits(book, { ...request, at })),
        settleReservation: (id: string, answer: ResponseCredits) =>
          state.change(tx, (book) => settleReservation(book, id, answer)),
      };
    },
    readCredits: async (tx: ReadTransaction, at: Instant) =>
      viewCredits(await readCreditsState(context, tx, at)),
    reserveCredits: (tx: Transaction, request: ReservationRequest) =>
      change(tx, request.at, (book) => reserveCredits(book, request)),
    /**
     * Books a response. An unknown reservation is ignored, so settling twice has no effect. Costs that the
     * response leaves open (`assumed`, `repeated`) stay reserved until a balance proves them.
     */
    settleReservation: (tx: Transaction, id: string, answer: ResponseCredits, at: Instant) =>
      change(tx, at, (book) => settleReservation(book, id, answer)),
    /** The request was refused or never sent: nothing was charged. */
    releaseReservation: (tx: Transaction, id: string) =>
      change(tx, undefined, (book) => releaseReservation(book, id)),
    /** No response: stays reserved until a later response's `remaining` proves the cost. */
    markUnanswered: (tx: Transaction, id: string, at: Instant) =>
      change(tx, at, (book) => markReservationUnanswered(book, id)),
    /** A 402 for depleted credits: releases the reservation and records that the account can't pay. */
    recordCreditsDepleted: (
      tx: Transaction,
      id: string,
      answered: { readonly remaining?: number; readonly resetsAt?: Instant },
      at: Instant,
    ) => change(tx, at, (book) => recordCreditsDepleted(book, id, answered)),
    /** At start: reservations left open by a crash become unanswered. */
    recoverReservations: (tx: Transaction, at: Instant) =>
      change(tx, at, (book) => {
        for (const { id, state } of book.periodReservations)
          if (state === 'open') markReservationUnanswered(book, id);
      }),
    readBudgetState: async (tx: ReadTransaction, channel: ChannelId, at: Instant) =>
      viewCredits(await readCreditsState(context, tx, at)).readBudgetState(channel),
    async readBudgetStates(tx: ReadTransaction, at: Instant): Promise<readonly BudgetState[]> {
      const credits = await readCreditsState(context, tx, at);
      return credits.listBudgets().map((record) => buildBudgetState(credits, record));
    },
    /** Sets a channel's limit per period. Below what is already spent, the channel just can't buy more. */
    setBudget: (tx: Transaction, channel: ChannelId, limit: Credits | 'unlimited', by: UserId, at: Instant) =>
      change(tx, at, (book) => {
        setBudget(book, { channel, limit, by });
        return buildBudgetState(book, book.findBudget(channel));
      }),
    /**
     * Confirms a channel for an admin who is responsible for its spending: it gets its own default budget.
     * Before that it shares one default budget with all other such channels.
     * @returns false if it already has its own
     */
    confirmBudget: (tx: Transaction, channel: ChannelId, by: UserId, at: Instant) =>
      change(tx, at, (book) => confirmPooledBudget(book, { channel, by })),
    /** A non-admin subscribed in a channel: notifies admins once if the channel shares the pool. */
    notifyAdminsOfSubscription: (tx: Transaction, channel: ChannelId, by: UserId, at: Instant) =>
      change(tx, at, (book) => notifyAdminsOfPooledChannel(book, { channel, by, subscribed: true })),
    readAccountState: async (tx: ReadTransaction, at: Instant) =>
      buildAccountState(await readAccount(tx, at), at),
    /** Newest first. */
    async readLedger(
      tx: ReadTransaction,
      { channel, limit }: { readonly channel?: ChannelId; readonly limit: number },
    ): Promise<readonly LedgerEntry[]> {
      const entries =
        channel === undefined
          ? await tx.list(ledgerRecords, { limit, reverse: true })
          : await tx.list(channelLedgerRecords, { prefix: [channel], limit, reverse: true });
      return entries.map(({ value }) => toEntry(value));
    },
    /**
     * One page of a channel's charges, newest first; new ones don't shift it.
     * @returns `pending`: requests whose cost is not known yet, oldest first
     */
    async readLedgerPage(tx: ReadTransaction, { channel, size, turn }: LedgerPageRequest, at: Instant) {
      const state = await readCreditsState(context, tx, at);
      const { entries, ...more } = await readPage(tx, channelLedgerRecords, {
        prefix: [channel],
        size,
        turn,
        cursorOf: ({ at, order }) => [at, order],
      });
      return {
        ...more,
        entries: entries.map((it) => ({ ...toEntry(it), cursor: [it.at, it.order] as const })),
        pending: listPendingCharges(state, channel),
      };
    },
  };
}

function viewCredits(credits: CreditsState) {
  return {
    readBudgetState: (channel: ChannelId) => buildBudgetState(credits, credits.findBudget(channel)),
    readAccountState: () => buildAccountState(credits.account, credits.at),
    /** The most that a decision's requests without a settled answer may have cost. */
    readUnsettledCost: (decision: readonly (string | number)[]) =>
      credits.reservations
        .filter(({ purchase }) => isDeepEqual(purchase.decision, decision))
        .reduce((sum, { amount }) => sum + amount, 0),
  };
}

function buildBudgetState(credits: CreditsState, record: BudgetRecord): BudgetState {
  const { account, reservations, at } = credits;
  const period = chooseDisplayedPeriod(account);
  const limit = credits.computeLimit(record);
  const since = Math.max(period.openedAt, record.since);
  const sharers = credits.listSharers(record);
  const pool = {
    settled: sumSettled(sharers, period.number),
    reserved: sumReserved(reservations, sharers, period.number),
  };
  const lost = reservations.filter(({ state }) => state !== 'open');
  const uncertain = sumReserved(lost, sharers, period.number);
  const spending = { spent: pool.settled, left: limit - pool.settled, since, resetsAt: period.resetsAt };
  const runsOutAt = forecastRunOut(spending, at);
  return {
    channel: record.channel,
    limit: Number.isFinite(limit) ? toCredits(limit) : 'unlimited',
    isOwn: record.limit === undefined ? undefined : (true as const),
    pool: isPooled(record) ? pool : undefined,
    settled: getSettledInPeriod(record, period.number),
    reserved: sumReserved(reservations, [record], period.number),
    available: credits.computeAvailable(record),
    period: {
      startsAt: period.startsAt,
      resetsAt: period.resetsAt,
      confirmed: period.confirmed,
      isOver: at >= period.resetsAt ? (true as const) : undefined,
    },
    uncertain: uncertain > 0 ? uncertain : undefined,
    runsOutAt,
    isEarly: pool.settled > 0 && isTooEarlyToForecast(since, at) ? (true as const) : undefined,
  };
}

function buildAccountState(account: CreditAccountRecord, at: Instant): AccountState {
  const { period, remaining, byChannels, outside, spent, doubt, other } = account;
  const since = period.openedAt;
  const spending = { spent: byChannels + outside, left: remaining ?? 0, since, resetsAt: period.resetsAt };
  const runsOutAt = remaining === undefined ? undefined : forecastRunOut(spending, at);
  return {
    remaining,
    resetsAt: period.resetsAt,
    confirmed: period.confirmed,
    byChannels,
    outside,
    before: doubt && other ? { byChannels: other.byChannels, outside: other.outside } : undefined,
    runsOutAt,
    spentSince: spent && spent.remaining < MIN_PROJECTS_PAGE_SIZE ? spent.since : undefined,
    ...buildTrialFields(account),
  };
}

function toEntry({ order: _order, period: _period, ...entry }: LedgerRecord): LedgerEntry {
  return { ...entry, shares: entry.shares.filter((share) => share.credits > 0) };
}

/** What counts as reserved for the channel in the period that people see. */
function listPendingCharges({ account, reservations }: CreditsState, channel: ChannelId) {
  const { number } = chooseDisplayedPeriod(account);
  return reservations
    .filter((reservation) => isReservationCounted(reservation, number))
    .flatMap(({ purchase, user, at, state, shares }) => {
      const credits = findCreditsPaidByChannel({ shares }, channel);
      return credits > 0 ? [{ purchase, credits, state, at, user }] : [];
    });
}
