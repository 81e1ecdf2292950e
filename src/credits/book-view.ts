/** The book as it stands at a moment, read from the store: the period rolled on where its reset has passed. */
import type { Instant } from '../clock.ts';
import type { ChannelId, Credits, TeamId } from '../ids.ts';
import { type ReadTransaction, scan } from '../storage/store.ts';
import { firstPeriod, type Period, rollPeriod } from './periods.ts';
import { NO_TALLY } from './reckoning.ts';
import {
  type AccountRecord,
  accounts,
  type BudgetRecord,
  budgetRecords,
  type ReservationRecord,
  reservations,
} from './records.ts';

export interface BookView {
  readonly account: AccountRecord;
  /** Reservations that count in this period, oldest first. */
  readonly held: readonly ReservationRecord[];
  /** Unanswered ones of an earlier period: nothing can prove them any more, and they cost nothing in this one. */
  readonly expired: readonly ReservationRecord[];
}

export interface BudgetRules {
  readonly team: TeamId;
  readonly defaultBudget: Credits;
}

/** The account at the beginning of a period: what was told and spent before says nothing about it. */
export function enterPeriod(account: AccountRecord, period: Period): AccountRecord {
  return { period, tally: NO_TALLY, byChannels: 0, outside: 0, ticks: account.ticks };
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
  return { account, held: all.filter((one) => !expired.includes(one)), expired };
}

/**
 * Those under way stay reserved across a rollover, since the server may charge them to the new period; those given up
 * before it do not.
 */
export function hasExpired(reservation: ReservationRecord, account: AccountRecord): boolean {
  return reservation.state !== 'open' && reservation.period < account.period.number;
}

function newAccount(at: Instant): AccountRecord {
  return { period: firstPeriod(at), tally: NO_TALLY, byChannels: 0, outside: 0, ticks: 0 };
}

function rolled(account: AccountRecord, at: Instant | undefined): AccountRecord {
  const period = at === undefined ? account.period : rollPeriod(account.period, at);
  return period.number === account.period.number ? account : enterPeriod(account, period);
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
  return { team, channel, since: at, period: account.period.number, settled: 0, ahead: 0 };
}

export function inPeriod(record: BudgetRecord, account: AccountRecord): BudgetRecord {
  const { number } = account.period;
  return record.period === number ? record : { ...record, period: number, settled: 0 };
}

/** The most that a channel may spend a period; Infinity when unlimited. */
export function limitOf(record: BudgetRecord, rules: BudgetRules): number {
  const limit = record.limit ?? rules.defaultBudget;
  return limit === 'unlimited' ? Number.POSITIVE_INFINITY : limit;
}

export function reservedBy(held: readonly ReservationRecord[], channel: ChannelId): number {
  let reserved = 0;
  for (const { shares } of held)
    for (const share of shares) if (share.channel === channel) reserved += share.credits;
  return reserved;
}

/** What can still be reserved on a channel's budget. */
export function availableTo(
  record: BudgetRecord,
  held: readonly ReservationRecord[],
  rules: BudgetRules,
): number {
  return Math.max(0, limitOf(record, rules) - record.settled - reservedBy(held, record.channel));
}
