/** The book as it stands at a moment, read from the store: the period rolled on where its reset has passed. */
import type { Instant } from '../clock.ts';
import type { ChannelId, Credits, TeamId } from '../ids.ts';
import { type ReadTransaction, scanCollection } from '../storage/store.ts';
import { EMPTY_BALANCE_TALLY } from './balance-tally.ts';
import { type BillingPeriod, type BillingPeriods, firstPeriod, rollPeriods } from './billing-periods.ts';
import {
  type BudgetRecord,
  budgetRecords,
  type CreditAccountRecord,
  creditAccounts,
  creditReservations,
  type ReservationRecord,
} from './records.ts';
import { highestBalance } from './trial.ts';

export interface CreditsState {
  readonly account: CreditAccountRecord;
  /** Reservations that count in this period or in the account's other one, oldest first. */
  readonly reservations: readonly ReservationRecord[];
  /** The records of channels that share the pool. */
  readonly pooled: readonly BudgetRecord[];
  /** Unanswered ones of an earlier period: nothing can prove them any more, and they cost nothing in this one. */
  readonly expired: readonly ReservationRecord[];
}

export interface BudgetRules {
  readonly team: TeamId;
  readonly defaultBudget: Credits;
}

export function pickPeriods({ period, other, doubt, claim }: CreditAccountRecord): BillingPeriods {
  return { period, other: other?.period, doubt, claim };
}

/** The account with another belief of its periods; in a new one, what was told and spent before says nothing about it. */
export function withPeriods(
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
    highestBalance: highestBalance(account),
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

/** @param at undefined: without rolling the period on */
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

/** Whether it counts in no period that is believed or may still be. */
export function isReservationExpired(
  reservation: ReservationRecord,
  { period, other }: CreditAccountRecord,
): boolean {
  return !countsInPeriod(reservation, Math.min(period.number, other?.period.number ?? period.number));
}

/**
 * Those under way stay reserved across a rollover, since the server may charge them to the new period; those given up
 * before it do not.
 */
export function countsInPeriod({ state, period }: ReservationRecord, number: number): boolean {
  return state === 'open' || period >= number;
}

function newAccount(at: Instant): CreditAccountRecord {
  return { period: firstPeriod(at), tally: EMPTY_BALANCE_TALLY, byChannels: 0, outside: 0, ticks: 0 };
}

function rolled(account: CreditAccountRecord, at: Instant | undefined): CreditAccountRecord {
  if (at === undefined) return account;
  const before = pickPeriods(account);
  const periods = rollPeriods(before, at);
  return periods === before ? account : withPeriods(account, periods);
}

/** The periods that a channel's spending has to fit: while this one is in doubt, the one before it as well. */
export function bindingPeriods({ period, other, doubt }: CreditAccountRecord): readonly BillingPeriod[] {
  return doubt && other ? [period, other.period] : [period];
}

/** The period that people are shown: while this one is in doubt, the one before it. */
export function chooseDisplayedPeriod({ period, other, doubt }: CreditAccountRecord): BillingPeriod {
  return doubt && other ? other.period : period;
}

/** A channel's record in this period; a new one where it has none. */
export async function readBudgetRecord(
  tx: ReadTransaction,
  team: TeamId,
  channel: ChannelId,
  account: CreditAccountRecord,
  at: Instant,
): Promise<BudgetRecord> {
  const stored = await tx.get(budgetRecords, [team, channel]);
  if (stored) return rollOverBudget(stored, account);
  return { team, channel, since: at, period: account.period.number, settled: 0, ahead: 0, isPooled: true };
}

/** Whether it shares the pool: no admin set its budget, or confirmed it. */
export function isPooled(record: BudgetRecord): boolean {
  return record.isPooled === true && record.limit === undefined;
}

/** Everyone whose spending counts against the same limit as this channel's: the pool, or the channel alone. */
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

/** What a channel has settled in a period; nothing in one that began after its record was written. */
export function getSettledInPeriod({ period, settled, other }: BudgetRecord, number: number): number {
  if (period === number) return settled;
  return other?.period === number ? other.settled : 0;
}

/** The most that a channel (or the pool, all together) may spend a period; Infinity when unlimited. */
export function computeBudgetLimit(record: BudgetRecord, rules: BudgetRules): number {
  const limit = record.limit ?? rules.defaultBudget;
  return limit === 'unlimited' ? Number.POSITIVE_INFINITY : limit;
}

/** What these channels have reserved. @param number of the period in which it counts */
export function sumReserved(
  reserved: readonly ReservationRecord[],
  channels: readonly Pick<BudgetRecord, 'channel'>[],
  number: number,
): number {
  const among = new Set(channels.map(({ channel }) => channel));
  let sum = 0;
  for (const reservation of reserved) {
    if (!countsInPeriod(reservation, number)) continue;
    for (const share of reservation.shares) if (among.has(share.channel)) sum += share.credits;
  }
  return sum;
}

/** What these channels have settled in a period. */
export function sumSettled(records: readonly BudgetRecord[], number: number): number {
  return records.reduce((sum, record) => sum + getSettledInPeriod(record, number), 0);
}

/** What can still be reserved on a channel's budget, in every period that it has to fit. */
export function computeAvailableBudget(
  record: BudgetRecord,
  view: Omit<CreditsState, 'expired'>,
  rules: BudgetRules,
): number {
  return Math.min(
    ...bindingPeriods(view.account).map(({ number }) =>
      computeAvailableInPeriod(number, record, view, rules),
    ),
  );
}

/** @param number of the period that is looked at */
export function computeAvailableInPeriod(
  number: number,
  record: BudgetRecord,
  { reservations, pooled }: Pick<CreditsState, 'reservations' | 'pooled'>,
  rules: BudgetRules,
): number {
  const sharers = listBudgetSharers(record, pooled);
  const used = sumSettled(sharers, number) + sumReserved(reservations, sharers, number);
  return Math.max(0, computeBudgetLimit(record, rules) - used);
}
