/** The credits state at a moment, read from the store: rolled to a new period after a reset. */
import type { Instant } from '../clock.ts';
import type { ChannelId, Credits, TeamId } from '../ids.ts';
import { type ReadTransaction, scanCollection } from '../storage/store.ts';
import { EMPTY_BALANCE_TALLY } from './balance-tally.ts';
import {
  advanceBillingPeriods,
  type BillingPeriod,
  type BillingPeriods,
  buildInitialBillingPeriod,
} from './billing-periods.ts';
import {
  type BudgetRecord,
  budgetRecords,
  type CreditAccountRecord,
  creditAccounts,
  creditReservations,
  type ReservationRecord,
} from './records.ts';
import { getHighestEverBalance } from './trial.ts';

export interface CreditsState {
  readonly account: CreditAccountRecord;
  /** Reservations that count in this period or in the account's other one, oldest first. */
  readonly reservations: readonly ReservationRecord[];
  /** Records of channels that share the pool. */
  readonly pooled: readonly BudgetRecord[];
  /**
   * Unanswered reservations of an earlier period. Their cost can't be proven any more, and they don't count
   * in this one.
   */
  readonly expired: readonly ReservationRecord[];
}

export interface BudgetDefaults {
  readonly team: TeamId;
  readonly defaultBudget: Credits;
}

export function pickBillingPeriods({ period, other, doubt, claim }: CreditAccountRecord): BillingPeriods {
  return { period, other: other?.period, doubt, claim };
}

/** The account with changed periods. A new period starts without the old reading, tally and 402 state. */
export function applyBillingPeriods(
  account: CreditAccountRecord,
  { period, other, doubt, claim }: BillingPeriods,
): CreditAccountRecord {
  const counted = (of: BillingPeriod) => {
    const { byChannels, outside } = countsOf(account, of.number);
    return { byChannels, outside };
  };
  const { ticks, balance, tally, remaining, spent } = account;
  const isSame = period.number === account.period.number;
  return {
    ...counted(period),
    period,
    ticks,
    tally: isSame ? tally : EMPTY_BALANCE_TALLY,
    ...(isSame ? { remaining, spent } : {}),
    balance,
    highestBalance: getHighestEverBalance(account),
    doubt,
    claim,
    other: other && { period: other, ...counted(other) },
  };
}

function countsOf(account: CreditAccountRecord, period: number): { byChannels: number; outside: number } {
  if (period === account.period.number) return account;
  if (period === account.other?.period.number) return account.other;
  return { byChannels: 0, outside: 0 };
}

/** @param at undefined: don't roll the period */
export async function readCreditsState(
  tx: ReadTransaction,
  team: TeamId,
  at: Instant | undefined,
): Promise<CreditsState> {
  const stored = await tx.get(creditAccounts, [team]);
  const account = rolled(stored ?? newAccount(at ?? 0), at);
  const all: ReservationRecord[] = [];
  for await (const { value } of scanCollection(tx, creditReservations, { prefix: [team] })) all.push(value);
  const expired = all.filter((one) => isReservationExpired(one, account));
  const pooled = [];
  for await (const { value } of scanCollection(tx, budgetRecords, { prefix: [team] }))
    if (isPooled(value)) pooled.push(value);
  return { account, reservations: all.filter((one) => !expired.includes(one)), pooled, expired };
}

/** Whether the reservation counts in none of the account's periods. */
export function isReservationExpired(
  reservation: ReservationRecord,
  { period, other }: CreditAccountRecord,
): boolean {
  return !isReservationCountedInPeriod(
    reservation,
    Math.min(period.number, other?.period.number ?? period.number),
  );
}

/**
 * Requests in flight stay reserved across a rollover, because the server may charge them to the new period.
 * Requests lost before it don't.
 */
export function isReservationCountedInPeriod({ state, period }: ReservationRecord, number: number): boolean {
  return state === 'open' || period >= number;
}

function newAccount(at: Instant): CreditAccountRecord {
  return {
    period: buildInitialBillingPeriod(at),
    tally: EMPTY_BALANCE_TALLY,
    byChannels: 0,
    outside: 0,
    ticks: 0,
  };
}

function rolled(account: CreditAccountRecord, at: Instant | undefined): CreditAccountRecord {
  if (at === undefined) return account;
  const before = pickBillingPeriods(account);
  const periods = advanceBillingPeriods(before, at);
  return periods === before ? account : applyBillingPeriods(account, periods);
}

/** Periods that a channel's spending must fit: the current one; in doubt, the previous one as well. */
export function listPeriodsLimitingSpending({
  period,
  other,
  doubt,
}: CreditAccountRecord): readonly BillingPeriod[] {
  return doubt && other ? [period, other.period] : [period];
}

/** The period to show to people: the previous one while the current one is in doubt. */
export function chooseDisplayedPeriod({ period, other, doubt }: CreditAccountRecord): BillingPeriod {
  return doubt && other ? other.period : period;
}

/** A channel's record in this period, or a new one. */
export async function readBudgetRecord(
  tx: ReadTransaction,
  team: TeamId,
  channel: ChannelId,
  account: CreditAccountRecord,
  at: Instant,
): Promise<BudgetRecord> {
  const stored = await findStoredBudget(tx, team, channel);
  if (stored) return rollOverBudget(stored, account);
  return { team, channel, since: at, period: account.period.number, settled: 0, ahead: 0, isPooled: true };
}

/** Whether the channel shares the pool: no admin set or confirmed its budget. */
export function isPooled(record: BudgetRecord): boolean {
  return record.isPooled === true && record.limit === undefined;
}

/** All channels that share this channel's limit: the pool, or the channel alone. */
export function listBudgetSharers(
  record: BudgetRecord,
  pooled: readonly BudgetRecord[],
): readonly BudgetRecord[] {
  if (!isPooled(record)) return [record];
  return [record, ...pooled.filter(({ channel }) => channel !== record.channel)];
}

export function rollOverBudget(record: BudgetRecord, { period, other }: CreditAccountRecord): BudgetRecord {
  const { other: _, ...rest } = record;
  const settled = getSettledInPeriod(record, period.number);
  if (!other) return { ...rest, period: period.number, settled };
  const { number } = other.period;
  return {
    ...rest,
    period: period.number,
    settled,
    other: { period: number, settled: getSettledInPeriod(record, number) },
  };
}

/** A channel's settled credits in a period; 0 if the period began after the record was written. */
export function getSettledInPeriod({ period, settled, other }: BudgetRecord, number: number): number {
  if (period === number) return settled;
  return other?.period === number ? other.settled : 0;
}

/** The most that a channel, or the whole pool, may spend per period; Infinity when unlimited. */
export function computeBudgetLimit(record: BudgetRecord, rules: BudgetDefaults): number {
  const limit = record.limit ?? rules.defaultBudget;
  return limit === 'unlimited' ? Number.POSITIVE_INFINITY : limit;
}

/** Reserved credits of these channels. @param number the period in which they count */
export function sumReserved(
  reserved: readonly ReservationRecord[],
  channels: readonly Pick<BudgetRecord, 'channel'>[],
  number: number,
): number {
  const among = new Set(channels.map(({ channel }) => channel));
  let sum = 0;
  for (const reservation of reserved) {
    if (!isReservationCountedInPeriod(reservation, number)) continue;
    for (const share of reservation.shares) if (among.has(share.channel)) sum += share.credits;
  }
  return sum;
}

export function sumSettled(records: readonly BudgetRecord[], number: number): number {
  return records.reduce((sum, record) => sum + getSettledInPeriod(record, number), 0);
}

/** Credits that a channel can still reserve, in every period that it must fit. */
export function computeAvailableBudget(
  record: BudgetRecord,
  view: Omit<CreditsState, 'expired'>,
  rules: BudgetDefaults,
): number {
  return Math.min(
    ...listPeriodsLimitingSpending(view.account).map(({ number }) =>
      computeAvailableInPeriod(number, record, view, rules),
    ),
  );
}

/** @param number the period to compute */
export function computeAvailableInPeriod(
  number: number,
  record: BudgetRecord,
  { reservations, pooled }: Pick<CreditsState, 'reservations' | 'pooled'>,
  rules: BudgetDefaults,
): number {
  const sharers = listBudgetSharers(record, pooled);
  const used = sumSettled(sharers, number) + sumReserved(reservations, sharers, number);
  return Math.max(0, computeBudgetLimit(record, rules) - used);
}

/** undefined: the channel has neither a budget of its own nor spent anything. */
export async function findStoredBudget(
  tx: ReadTransaction,
  team: TeamId,
  channel: ChannelId,
): Promise<BudgetRecord | undefined> {
  return tx.get(budgetRecords, [team, channel]);
}
