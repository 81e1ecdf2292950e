/** The book as it stands at a moment, read from the store: the period rolled on where its reset has passed. */
import type { Instant } from '../clock.ts';
import type { ChannelId, Credits, TeamId } from '../ids.ts';
import { type ReadTransaction, scan } from '../storage/store.ts';
import { firstPeriod, type Period, type Periods, rollPeriods } from './periods.ts';
import { NO_TALLY } from './reckoning.ts';
import {
  type AccountRecord,
  accounts,
  type BudgetRecord,
  budgetRecords,
  type ReservationRecord,
  reservations,
} from './records.ts';
import { highestBalance } from './trial.ts';

export interface BookView {
  readonly account: AccountRecord;
  /** Reservations that count in this period or in the account's other one, oldest first. */
  readonly kept: readonly ReservationRecord[];
  /** The records of channels that share the pool. */
  readonly pooled: readonly BudgetRecord[];
  /** Unanswered ones of an earlier period: nothing can prove them any more, and they cost nothing in this one. */
  readonly expired: readonly ReservationRecord[];
}

export interface BudgetRules {
  readonly team: TeamId;
  readonly defaultBudget: Credits;
}

export function periodsOf({ period, other, doubt, claim }: AccountRecord): Periods {
  return { period, other: other?.period, doubt, claim };
}

/** The account with another belief of its periods; in a new one, what was told and spent before says nothing about it. */
export function withPeriods(account: AccountRecord, { period, other, doubt, claim }: Periods): AccountRecord {
  const counted = (of: Period) => {
    const { byChannels, outside } = countsOf(account, of.number);
    return { byChannels, outside };
  };
  const { ticks, balance, tally, remaining, spent } = account;
  const isSame = period.number === account.period.number;
  return {
    ...counted(period),
    period,
    ticks,
    tally: isSame ? tally : NO_TALLY,
    ...(isSame ? { remaining, spent } : {}),
    balance,
    highestBalance: highestBalance(account),
    doubt,
    claim,
    other: other && { period: other, ...counted(other) },
  };
}

function countsOf(account: AccountRecord, period: number): { byChannels: number; outside: number } {
  if (period === account.period.number) return account;
  if (period === account.other?.period.number) return account.other;
  return { byChannels: 0, outside: 0 };
}

/** @param at undefined: without rolling the period on */
export async function readBook(
  tx: ReadTransaction,
  team: TeamId,
  at: Instant | undefined,
): Promise<BookView> {
  const stored = await tx.get(accounts, [team]);
  const account = rolled(stored ?? newAccount(at ?? 0), at);
  const all: ReservationRecord[] = [];
  for await (const { value } of scan(tx, reservations, { prefix: [team] })) all.push(value);
  const expired = all.filter((one) => hasExpired(one, account));
  const pooled = [];
  for await (const { value } of scan(tx, budgetRecords, { prefix: [team] }))
    if (isPooled(value)) pooled.push(value);
  return { account, kept: all.filter((one) => !expired.includes(one)), pooled, expired };
}

/** Whether it counts in no period that is believed or may still be. */
export function hasExpired(reservation: ReservationRecord, { period, other }: AccountRecord): boolean {
  return !countsIn(reservation, Math.min(period.number, other?.period.number ?? period.number));
}

/**
 * Those under way stay reserved across a rollover, since the server may charge them to the new period; those given up
 * before it do not.
 */
export function countsIn({ state, period }: ReservationRecord, number: number): boolean {
  return state === 'open' || period >= number;
}

function newAccount(at: Instant): AccountRecord {
  return { period: firstPeriod(at), tally: NO_TALLY, byChannels: 0, outside: 0, ticks: 0 };
}

function rolled(account: AccountRecord, at: Instant | undefined): AccountRecord {
  if (at === undefined) return account;
  const before = periodsOf(account);
  const periods = rollPeriods(before, at);
  return periods === before ? account : withPeriods(account, periods);
}

/** The periods that a channel's spending has to fit: while this one is in doubt, the one before it as well. */
export function bindingPeriods({ period, other, doubt }: AccountRecord): readonly Period[] {
  return doubt && other ? [period, other.period] : [period];
}

/** The period that people are shown: while this one is in doubt, the one before it. */
export function shownPeriod({ period, other, doubt }: AccountRecord): Period {
  return doubt && other ? other.period : period;
}

/** A channel's record in this period; a new one where it has none. */
export async function readBudget(
  tx: ReadTransaction,
  team: TeamId,
  channel: ChannelId,
  account: AccountRecord,
  at: Instant,
): Promise<BudgetRecord> {
  const stored = await tx.get(budgetRecords, [team, channel]);
  if (stored) return inPeriod(stored, account);
  return { team, channel, since: at, period: account.period.number, settled: 0, ahead: 0, isPooled: true };
}

/** Whether it shares the pool: no admin set its budget, or confirmed it. */
export function isPooled(record: BudgetRecord): boolean {
  return record.isPooled === true && record.limit === undefined;
}

/** Everyone whose spending counts against the same limit as this channel's: the pool, or the channel alone. */
export function sharersOf(record: BudgetRecord, pooled: readonly BudgetRecord[]): readonly BudgetRecord[] {
  if (!isPooled(record)) return [record];
  return [record, ...pooled.filter(({ channel }) => channel !== record.channel)];
}

export function inPeriod(record: BudgetRecord, { period, other }: AccountRecord): BudgetRecord {
  const { other: _, ...rest } = record;
  const settled = settledIn(record, period.number);
  if (!other) return { ...rest, period: period.number, settled };
  const { number } = other.period;
  return {
    ...rest,
    period: period.number,
    settled,
    other: { period: number, settled: settledIn(record, number) },
  };
}

/** What a channel has settled in a period; nothing in one that began after its record was written. */
export function settledIn({ period, settled, other }: BudgetRecord, number: number): number {
  if (period === number) return settled;
  return other?.period === number ? other.settled : 0;
}

/** The most that a channel (or the pool, all together) may spend a period; Infinity when unlimited. */
export function limitOf(record: BudgetRecord, rules: BudgetRules): number {
  const limit = record.limit ?? rules.defaultBudget;
  return limit === 'unlimited' ? Number.POSITIVE_INFINITY : limit;
}

/** What these channels have reserved. @param number of the period in which it counts */
export function reservedBy(
  reserved: readonly ReservationRecord[],
  channels: readonly Pick<BudgetRecord, 'channel'>[],
  number: number,
): number {
  const among = new Set(channels.map(({ channel }) => channel));
  let sum = 0;
  for (const reservation of reserved) {
    if (!countsIn(reservation, number)) continue;
    for (const share of reservation.shares) if (among.has(share.channel)) sum += share.credits;
  }
  return sum;
}

/** What these channels have settled in a period. */
export function settledBy(records: readonly BudgetRecord[], number: number): number {
  return records.reduce((sum, record) => sum + settledIn(record, number), 0);
}

/** What can still be reserved on a channel's budget, in every period that it has to fit. */
export function availableTo(
  record: BudgetRecord,
  view: Omit<BookView, 'expired'>,
  rules: BudgetRules,
): number {
  return Math.min(...bindingPeriods(view.account).map(({ number }) => roomIn(number, record, view, rules)));
}

/** @param number of the period that is looked at */
export function roomIn(
  number: number,
  record: BudgetRecord,
  { kept, pooled }: Pick<BookView, 'kept' | 'pooled'>,
  rules: BudgetRules,
): number {
  const sharers = sharersOf(record, pooled);
  const used = settledBy(sharers, number) + reservedBy(kept, sharers, number);
  return Math.max(0, limitOf(record, rules) - used);
}
