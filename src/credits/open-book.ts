/** The book open for writing, within one transaction: what is changed is read back changed, and written at once. */
import type { Instant } from '../clock.ts';
import type { ChannelId, UserId } from '../ids.ts';
import type { Log } from '../log.ts';
import { type ReadTransaction, scan, type Transaction } from '../storage/store.ts';
import {
  availableTo,
  type BookView,
  type BudgetRules,
  countsIn,
  hasExpired,
  inPeriod,
  isPooled,
  periodsOf,
  readBook,
  readBudget,
  roomIn,
  withPeriods,
} from './book-view.ts';
import type { Periods } from './periods.ts';
import {
  type AccountRecord,
  accounts,
  type BudgetRecord,
  budgetRecords,
  type ReservationRecord,
  reservationKey,
  reservations,
} from './records.ts';

export interface BookContext extends BudgetRules {
  /** The admins who can be written to about a channel. Missing: none is known. */
  readonly adminsOf?: (tx: ReadTransaction, channel: ChannelId) => Promise<readonly UserId[]>;
  readonly log: Log;
}

export interface OpenBook {
  readonly context: BookContext;
  readonly tx: Transaction;
  readonly account: AccountRecord;
  readonly periods: Periods;
  /** Reservations that count in this period, oldest first. */
  readonly held: readonly ReservationRecord[];
  /** And those that count in the account's other one. */
  readonly kept: readonly ReservationRecord[];
  putAccount(change: Partial<AccountRecord>): Promise<void>;
  /** The next place in the order of what happens. */
  tick(): Promise<number>;
  /** Believes something else of the billing period, and lets go of what can't be settled any more. */
  putPeriods(periods: Periods): Promise<void>;
  find(id: string): ReservationRecord | undefined;
  putReservation(reservation: ReservationRecord): Promise<void>;
  dropReservation(reservation: ReservationRecord): Promise<void>;
  budget(channel: ChannelId, at: Instant): Promise<BudgetRecord>;
  putBudget(record: BudgetRecord): Promise<void>;
  allBudgets(): Promise<BudgetRecord[]>;
  /** Of channels that share the pool. */
  readonly pooled: readonly BudgetRecord[];
  /** What can be reserved on a channel's budget, in every period that it has to fit. */
  available(record: BudgetRecord): number;
  /** The same in one period, by its number. */
  roomIn(period: number, record: BudgetRecord): number;
}

/** @param at undefined: leave the period as it is */
export async function openBook(
  context: BookContext,
  tx: Transaction,
  at: Instant | undefined,
): Promise<OpenBook> {
  const book = new Writing(context, tx, await readBook(tx, context.team, at));
  await book.dropExpired();
  return book;
}

class Writing implements OpenBook {
  readonly context: BookContext;
  readonly tx: Transaction;
  account: AccountRecord;
  kept: readonly ReservationRecord[];
  pooled: readonly BudgetRecord[];
  #expired: readonly ReservationRecord[];

  constructor(context: BookContext, tx: Transaction, view: BookView) {
    this.context = context;
    this.tx = tx;
    this.account = view.account;
    this.kept = view.kept;
    this.pooled = view.pooled;
    this.#expired = view.expired;
  }

  get periods(): Periods {
    return periodsOf(this.account);
  }

  get held(): readonly ReservationRecord[] {
    return this.kept.filter((one) => countsIn(one, this.account.period.number));
  }

  async dropExpired(): Promise<void> {
    const expired = this.#expired;
    this.#expired = [];
    for (const reservation of expired) await this.dropReservation(reservation);
    if (expired.length > 0)
      this.context.log.warn('Unanswered requests were never settled, and their billing period has ended', {
        requests: expired.length,
        credits: expired.reduce((sum, { amount }) => sum + amount, 0),
      });
  }

  async putAccount(change: Partial<AccountRecord>): Promise<void> {
    this.account = { ...this.account, ...change };
    await this.tx.put(accounts, [this.context.team], this.account);
  }

  async tick(): Promise<number> {
    const ticks = this.account.ticks + 1;
    await this.putAccount({ ticks });
    return ticks;
  }

  async putPeriods(periods: Periods): Promise<void> {
    this.account = withPeriods(this.account, periods);
    await this.putAccount({});
    this.#expired = this.kept.filter((one) => hasExpired(one, this.account));
    await this.dropExpired();
  }

  find(id: string): ReservationRecord | undefined {
    return this.kept.find((reservation) => reservation.id === id);
  }

  async putReservation(reservation: ReservationRecord): Promise<void> {
    const others = this.kept.filter(({ id }) => id !== reservation.id);
    this.kept = [...others, reservation].toSorted((a, b) => a.openedAs - b.openedAs);
    await this.tx.put(reservations, reservationKey(this.context.team, reservation), reservation);
  }

  async dropReservation(reservation: ReservationRecord): Promise<void> {
    this.kept = this.kept.filter(({ id }) => id !== reservation.id);
    await this.tx.delete(reservations, reservationKey(this.context.team, reservation));
  }

  budget(channel: ChannelId, at: Instant): Promise<BudgetRecord> {
    return readBudget(this.tx, this.context.team, channel, this.account, at);
  }

  async putBudget(record: BudgetRecord): Promise<void> {
    const others = this.pooled.filter(({ channel }) => channel !== record.channel);
    this.pooled = isPooled(record) ? [...others, record] : others;
    await this.tx.put(budgetRecords, [this.context.team, record.channel], record);
  }

  async allBudgets(): Promise<BudgetRecord[]> {
    const found: BudgetRecord[] = [];
    for await (const { value } of scan(this.tx, budgetRecords, { prefix: [this.context.team] }))
      found.push(inPeriod(value, this.account));
    return found;
  }

  available(record: BudgetRecord): number {
    return availableTo(record, this, this.context);
  }

  roomIn(period: number, record: BudgetRecord): number {
    return roomIn(period, record, this, this.context);
  }
}
