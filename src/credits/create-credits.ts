/** The credits service on the store, and its ledger. Contract: credits.ts. Why: docs/decisions/0002-credits.md. */
import { isDeepStrictEqual } from 'node:util';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Instant } from '../clock.ts';
import { type ChannelId, type TeamId, toCredits } from '../ids.ts';
import { readPage } from '../storage/read-page.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import { buildTrialFields, forecastRunOut, isTooEarlyToForecast } from './balance.ts';
import { confirmPooledBudget, notifyAdminsOfPooledChannel, setBudget } from './budgets.ts';
import {
  type AccountState,
  type BudgetState,
  type CreditsService,
  type CreditsView,
  type LedgerEntry,
  type LedgerPage,
  type LedgerPageRequest,
  MIN_PROJECTS_PAGE_SIZE,
  type PendingCharge,
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

/** @param context `defaultBudget` applies to channels without a budget of their own */
export function createCreditsService(context: CreditsContext): CreditsService {
  const { team } = context;
  const change = async <T>(
    tx: Transaction,
    at: Instant | undefined,
    work: (book: CreditsTransaction) => T | Promise<T>,
  ) => (await openCredits(context, tx, at)).change(tx, work);
  return {
    async openBook(tx, at) {
      const state = await openCredits(context, tx, at);
      return {
        ...viewCredits(state),
        reserveCredits: (request) => state.change(tx, (book) => reserveCredits(book, { ...request, at })),
        settleReservation: (id, answer) => state.change(tx, (book) => settleReservation(book, id, answer)),
      };
    },
    readCredits: async (tx, at) => viewCredits(await readCreditsState(context, tx, at)),
    reserveCredits: (tx, request) => change(tx, request.at, (book) => reserveCredits(book, request)),
    settleReservation: (tx, id, answer, at) => change(tx, at, (book) => settleReservation(book, id, answer)),
    releaseReservation: (tx, id) => change(tx, undefined, (book) => releaseReservation(book, id)),
    markUnanswered: (tx, id, at) => change(tx, at, (book) => markReservationUnanswered(book, id)),
    recordCreditsDepleted: (tx, id, answered, at) =>
      change(tx, at, (book) => recordCreditsDepleted(book, id, answered)),
    recoverReservations: (tx, at) =>
      change(tx, at, (book) => {
        for (const { id, state } of book.periodReservations)
          if (state === 'open') markReservationUnanswered(book, id);
      }),
    readBudgetState: async (tx, channel, at) =>
      viewCredits(await readCreditsState(context, tx, at)).readBudgetState(channel),
    async readBudgetStates(tx, at) {
      const credits = await readCreditsState(context, tx, at);
      return credits.listBudgets().map((record) => buildBudgetState(credits, record));
    },
    setBudget: (tx, channel, limit, by, at) =>
      change(tx, at, (book) => {
        setBudget(book, { channel, limit, by });
        return buildBudgetState(book, book.findBudget(channel));
      }),
    confirmBudget: (tx, channel, by, at) =>
      change(tx, at, (book) => confirmPooledBudget(book, { channel, by })),
    notifyAdminsOfSubscription: (tx, channel, by, at) =>
      change(tx, at, (book) => notifyAdminsOfPooledChannel(book, { channel, by, subscribed: true })),
    readAccountState: async (tx, at) => buildAccountState(await readAccount(tx, team, at), at),
    readLedger: (tx, options) => readLedger(tx, team, options),
    async readLedgerPage(tx, request, at) {
      const state = await readCreditsState(context, tx, at);
      const pending = listPendingCharges(state, request.channel);
      return { ...(await readLedgerPage(tx, team, request)), pending };
    },
  };
}

function viewCredits(credits: CreditsState): CreditsView {
  return {
    readBudgetState: (channel) => buildBudgetState(credits, credits.findBudget(channel)),
    readAccountState: () => buildAccountState(credits.account, credits.at),
    readUnsettledCost: (decision) =>
      credits.reservations
        .filter(({ purchase }) => isDeepStrictEqual(purchase.decision, decision))
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
    ...(record.limit === undefined ? {} : { isOwn: true as const }),
    ...(isPooled(record) ? { pool } : {}),
    settled: getSettledInPeriod(record, period.number),
    reserved: sumReserved(reservations, [record], period.number),
    available: credits.computeAvailable(record),
    period: {
      startsAt: period.startsAt,
      resetsAt: period.resetsAt,
      confirmed: period.confirmed,
      ...(at >= period.resetsAt ? { isOver: true as const } : {}),
    },
    ...(uncertain > 0 ? { uncertain } : {}),
    ...omitUndefined({ runsOutAt }),
    ...(pool.settled > 0 && isTooEarlyToForecast(since, at) ? { isEarly: true as const } : {}),
  };
}

function buildAccountState(account: CreditAccountRecord, at: Instant): AccountState {
  const { period, remaining, byChannels, outside, spent, doubt, other } = account;
  const since = period.openedAt;
  const spending = { spent: byChannels + outside, left: remaining ?? 0, since, resetsAt: period.resetsAt };
  const runsOutAt = remaining === undefined ? undefined : forecastRunOut(spending, at);
  return {
    ...omitUndefined({ remaining }),
    resetsAt: period.resetsAt,
    confirmed: period.confirmed,
    byChannels,
    outside,
    ...(doubt && other ? { before: { byChannels: other.byChannels, outside: other.outside } } : {}),
    ...omitUndefined({ runsOutAt }),
    ...(spent && spent.remaining < MIN_PROJECTS_PAGE_SIZE ? { spentSince: spent.since } : {}),
    ...buildTrialFields(account),
  };
}

function toEntry({ at, purchase, user, credits, shares, balance, isProvenLater }: LedgerRecord): LedgerEntry {
  return {
    at,
    purchase,
    ...omitUndefined({ user, balance, isProvenLater }),
    credits,
    shares: shares.filter((share) => share.credits > 0),
  };
}

/** Newest first. */
export async function readLedger(
  tx: ReadTransaction,
  team: TeamId,
  { channel, limit }: { readonly channel?: ChannelId; readonly limit: number },
): Promise<readonly LedgerEntry[]> {
  const entries =
    channel === undefined
      ? await tx.list(ledgerRecords, { prefix: [team], limit, reverse: true })
      : await tx.list(channelLedgerRecords, { prefix: [team, channel], limit, reverse: true });
  return entries.map(({ value }) => toEntry(value));
}

export async function readLedgerPage(
  tx: ReadTransaction,
  team: TeamId,
  { channel, size, turn }: LedgerPageRequest,
): Promise<Omit<LedgerPage, 'pending'>> {
  const { entries, ...more } = await readPage(tx, channelLedgerRecords, {
    prefix: [team, channel],
    size,
    ...omitUndefined({ turn }),
    cursorOf: ({ at, order }) => [at, order],
  });
  return {
    ...more,
    entries: entries.map((record) => ({ ...toEntry(record), cursor: [record.at, record.order] })),
  };
}

/** What counts as reserved for the channel in the period that people see. */
function listPendingCharges(
  { account, reservations }: CreditsState,
  channel: ChannelId,
): readonly PendingCharge[] {
  const { number } = chooseDisplayedPeriod(account);
  return reservations
    .filter((reservation) => isReservationCounted(reservation, number))
    .flatMap(({ purchase, user, at, state, shares }) => {
      const credits = findCreditsPaidByChannel({ shares }, channel);
      return credits > 0 ? [{ purchase, credits, state, at, ...omitUndefined({ user }) }] : [];
    });
}
