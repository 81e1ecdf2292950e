/** The state of credits at a moment: read once, rolled to a new period after a reset, and stored once. */
import type { Instant } from '../clock.ts';
import { recordLostRequest } from '../decisions/decisions.ts';
import type { ChannelId, Credits, UserId } from '../ids.ts';
import type { Log } from '../log.ts';
import { listAllValues, type ReadTransaction, type Transaction } from '../storage/store.ts';
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
  EMPTY_BALANCE_TALLY,
  type ReservationRecord,
} from './records.ts';

export interface CreditsContext {
  readonly defaultBudget: Credits;
  /** Admins with a known ID for a channel. Missing: none is known. */
  readonly adminsOf?: (tx: ReadTransaction, channel: ChannelId) => Promise<readonly UserId[]>;
  readonly log: Log;
}

type StoredCredits = Pick<CreditsState, 'account' | 'reservations' | 'budgets'>;

export class CreditsState {
  readonly context: CreditsContext;
  /** Now; 0 if the period wasn't rolled. */
  readonly at: Instant;
  account: CreditAccountRecord;
  /** Oldest first. */
  reservations: readonly ReservationRecord[];
  /** As stored, perhaps in an earlier period. */
  readonly budgets: Map<ChannelId, BudgetRecord>;

  constructor(context: CreditsContext, at: Instant, { account, reservations, budgets }: StoredCredits) {
    this.context = context;
    this.at = at;
    this.account = account;
    this.reservations = reservations;
    this.budgets = budgets;
  }

  /** A channel's record in this period, or a new one. */
  findBudget(channel: ChannelId): BudgetRecord {
    const stored = this.budgets.get(channel);
    if (stored) return rollOverBudget(stored, this.account);
    const period = this.account.period.number;
    return { channel, since: this.at, period, settled: 0, ahead: 0, isPooled: true };
  }

  listBudgets(): BudgetRecord[] {
    return [...this.budgets.values()].map((record) => rollOverBudget(record, this.account));
  }

  /** All channels that share this channel's limit: the pool, or the channel alone. */
  listSharers(record: BudgetRecord): readonly BudgetRecord[] {
    if (!isPooled(record)) return [record];
    const others = [...this.budgets.values()].filter(
      (one) => isPooled(one) && one.channel !== record.channel,
    );
    return [record, ...others];
  }

  /** The most that a channel, or the whole pool, may spend per period; Infinity when unlimited. */
  computeLimit(record: BudgetRecord): number {
    const limit = record.limit ?? this.context.defaultBudget;
    return limit === 'unlimited' ? Number.POSITIVE_INFINITY : limit;
  }

  /** Credits that a channel can still reserve, in every period that it must fit. */
  computeAvailable(record: BudgetRecord): number {
    const { period, other, doubt } = this.account;
    const inCurrent = this.computeAvailableInPeriod(period.number, record);
    if (!doubt || !other) return inCurrent;
    return Math.min(inCurrent, this.computeAvailableInPeriod(other.period.number, record));
  }

  computeAvailableInPeriod(period: number, record: BudgetRecord): number {
    const sharers = this.listSharers(record);
    const used = sumSettled(sharers, period) + sumReserved(this.reservations, sharers, period);
    return Math.max(0, this.computeLimit(record) - used);
  }
}

type Write = (tx: Transaction) => Promise<unknown>;

/** Changes within one transaction: visible at once, and stored at its end, each record once. */
export class CreditsTransaction extends CreditsState {
  /** The last write of each changed record. */
  readonly #records = new Map<string, Write>();
  #additions: Write[] = [];

  get periods(): BillingPeriods {
    return pickBillingPeriods(this.account);
  }

  get periodReservations(): readonly ReservationRecord[] {
    const { number } = this.account.period;
    return this.reservations.filter((one) => isReservationCounted(one, number));
  }

  putAccount(change: Partial<CreditAccountRecord>): void {
    this.account = { ...this.account, ...change };
    this.#records.set('account', (tx) => tx.put(creditAccounts, this.account));
  }

  /** The next position in the order of events. */
  nextSeq(): number {
    const ticks = this.account.ticks + 1;
    this.putAccount({ ticks });
    return ticks;
  }

  /** Changes the periods, and drops reservations that can't be settled any more. */
  putPeriods(periods: BillingPeriods): void {
    this.account = applyBillingPeriods(this.account, periods);
    this.putAccount({});
    this.dropExpired();
  }

  /** Unanswered requests of an earlier period: their cost can't be proven, and they count in no period. */
  dropExpired(): void {
    const { period, other } = this.account;
    const oldest = Math.min(period.number, other?.period.number ?? period.number);
    const expired = this.reservations.filter((one) => !isReservationCounted(one, oldest));
    for (const reservation of expired) {
      this.deleteReservation(reservation);
      noteCostOfDecision(this, reservation, undefined);
    }
    if (expired.length > 0)
      this.context.log.warn('Unanswered requests were never settled, and their billing period has ended', {
        requests: expired.length,
        credits: expired.reduce((sum, { amount }) => sum + amount, 0),
      });
  }

  findReservation(id: string): ReservationRecord | undefined {
    return this.reservations.find((reservation) => reservation.id === id);
  }

  putReservation(reservation: ReservationRecord): void {
    const others = this.reservations.filter(({ id }) => id !== reservation.id);
    this.reservations = [...others, reservation].toSorted((a, b) => a.openedSeq - b.openedSeq);
    this.#records.set(`reservation ${reservation.id}`, (tx) => tx.put(creditReservations, reservation));
  }

  deleteReservation(reservation: ReservationRecord): void {
    this.reservations = this.reservations.filter(({ id }) => id !== reservation.id);
    const key = [reservation.openedSeq, reservation.id] as const;
    this.#records.set(`reservation ${reservation.id}`, (tx) => tx.delete(creditReservations, key));
  }

  putBudget(record: BudgetRecord): void {
    this.budgets.set(record.channel, record);
    this.#records.set(`budget ${record.channel}`, (tx) => tx.put(budgetRecords, record));
  }

  addWrite(write: Write): void {
    this.#additions.push(write);
  }

  /** Runs `change`, and stores what it changed. */
  async change<T>(tx: Transaction, change: (book: CreditsTransaction) => T | Promise<T>): Promise<T> {
    this.dropExpired();
    const result = await change(this);
    const writes = [...this.#records.values(), ...this.#additions];
    this.#records.clear();
    this.#additions = [];
    for (const write of writes) await write(tx);
    return result;
  }
}

/** Adds to the decision behind a lost request what it has cost. @param credits undefined: nobody will know */
export function noteCostOfDecision(
  book: CreditsTransaction,
  { purchase: { decision }, amount }: ReservationRecord,
  credits: number | undefined,
): void {
  const { at } = book;
  if (decision) book.addWrite((tx) => recordLostRequest(tx, [...decision], { credits, atMost: amount }, at));
}

async function readStoredCredits(tx: ReadTransaction, at: Instant | undefined): Promise<StoredCredits> {
  const account = await readAccount(tx, at);
  const reservations = await listAllValues(tx, creditReservations);
  const budgets = await listAllValues(tx, budgetRecords);
  return { account, reservations, budgets: new Map(budgets.map((record) => [record.channel, record])) };
}

export async function readCreditsState(context: CreditsContext, tx: ReadTransaction, at: Instant) {
  return new CreditsState(context, at, await readStoredCredits(tx, at));
}

/** @param at undefined: don't roll the period */
export async function readAccount(tx: ReadTransaction, at: Instant | undefined) {
  const account: CreditAccountRecord = (await tx.get(creditAccounts, [])) ?? {
    period: buildInitialBillingPeriod(at ?? 0),
    tally: EMPTY_BALANCE_TALLY,
    byChannels: 0,
    outside: 0,
    ticks: 0,
  };
  if (at === undefined) return account;
  const before = pickBillingPeriods(account);
  const periods = advanceBillingPeriods(before, at);
  return periods === before ? account : applyBillingPeriods(account, periods);
}

/** @param at undefined: don't roll the period */
export async function openCredits(context: CreditsContext, tx: Transaction, at: Instant | undefined) {
  return new CreditsTransaction(context, at ?? 0, await readStoredCredits(tx, at));
}

function pickBillingPeriods({ period, other, doubt, claim }: CreditAccountRecord): BillingPeriods {
  return { period, other: other?.period, doubt, claim };
}

/** The account with changed periods. A new period starts without the old reading, tally and 402 state. */
function applyBillingPeriods(
  account: CreditAccountRecord,
  { period, other, doubt, claim }: BillingPeriods,
): CreditAccountRecord {
  const { ticks, balance, highestBalance, tally, remaining, spent, outSince } = account;
  const isSame = period.number === account.period.number;
  return {
    ...countsOf(account, period),
    period,
    ticks,
    tally: isSame ? tally : EMPTY_BALANCE_TALLY,
    remaining: isSame ? remaining : undefined,
    spent: isSame ? spent : undefined,
    balance,
    outSince,
    highestBalance,
    doubt,
    claim,
    other: other && { period: other, ...countsOf(account, other) },
  };
}

function countsOf(account: CreditAccountRecord, { number }: BillingPeriod) {
  const counted = [account, account.other].find((each) => each?.period.number === number);
  return { byChannels: counted?.byChannels ?? 0, outside: counted?.outside ?? 0 };
}

/**
 * Requests in flight stay reserved across a rollover, because the server may charge them to the new period.
 * Requests lost before it don't.
 */
export function isReservationCounted({ state, period }: ReservationRecord, number: number): boolean {
  return state === 'open' || period >= number;
}

/** The period to show to people: the previous one while the current one is in doubt. */
export function chooseDisplayedPeriod({ period, other, doubt }: CreditAccountRecord): BillingPeriod {
  return doubt && other ? other.period : period;
}

/** Whether the channel shares the pool: no admin set or confirmed its budget. */
export function isPooled(record: BudgetRecord): boolean {
  return record.isPooled === true && record.limit === undefined;
}

function rollOverBudget(record: BudgetRecord, { period, other }: CreditAccountRecord): BudgetRecord {
  const { other: _, ...rest } = record;
  const current = { ...rest, period: period.number, settled: getSettledInPeriod(record, period.number) };
  if (!other) return current;
  const { number } = other.period;
  return { ...current, other: { period: number, settled: getSettledInPeriod(record, number) } };
}

/** A channel's settled credits in a period; 0 if the period began after the record was written. */
export function getSettledInPeriod({ period, settled, other }: BudgetRecord, number: number): number {
  if (period === number) return settled;
  return other?.period === number ? other.settled : 0;
}

export function sumSettled(records: readonly BudgetRecord[], period: number): number {
  return records.reduce((sum, record) => sum + getSettledInPeriod(record, period), 0);
}

/** Reserved credits of these channels. @param period in which they count */
export function sumReserved(
  reservations: readonly ReservationRecord[],
  channels: readonly Pick<BudgetRecord, 'channel'>[],
  period: number,
): number {
  const among = new Set(channels.map(({ channel }) => channel));
  let sum = 0;
  for (const reservation of reservations) {
    if (!isReservationCounted(reservation, period)) continue;
    for (const share of reservation.shares) if (among.has(share.channel)) sum += share.credits;
  }
  return sum;
}

/** undefined: the channel has neither a budget of its own nor spent anything. */
export async function findStoredBudget(tx: ReadTransaction, channel: ChannelId) {
  return tx.get(budgetRecords, [channel]);
}
