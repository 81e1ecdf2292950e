/** Writes credits within one transaction: changes are stored at once and visible to later reads. */
import type { Instant } from '../clock.ts';
import type { ChannelId, UserId } from '../ids.ts';
import type { Log } from '../log.ts';
import { type ReadTransaction, scanCollection, type Transaction } from '../storage/store.ts';
import type { BillingPeriods } from './billing-periods.ts';
import {
  applyBillingPeriods,
  type BudgetDefaults,
  type CreditsState,
  computeAvailableBudget,
  computeAvailableInPeriod,
  isPooled,
  isReservationCountedInPeriod,
  isReservationExpired,
  pickBillingPeriods,
  readBudgetRecord,
  readCreditsState,
  rollOverBudget,
} from './credits-state.ts';
import {
  type BudgetRecord,
  budgetRecords,
  type CreditAccountRecord,
  creditAccounts,
  creditReservations,
  type ReservationRecord,
  reservationKey,
} from './records.ts';

export interface CreditsContext extends BudgetDefaults {
  /** Admins with a known ID for a channel. Missing: none is known. */
  readonly adminsOf?: (tx: ReadTransaction, channel: ChannelId) => Promise<readonly UserId[]>;
  readonly log: Log;
}

export interface CreditsTransaction {
  readonly context: CreditsContext;
  readonly tx: Transaction;
  readonly account: CreditAccountRecord;
  readonly periods: BillingPeriods;
  /** Reservations that count in this period, oldest first. */
  readonly periodReservations: readonly ReservationRecord[];
  /** Reservations that count in this period or in the account's other one. */
  readonly reservations: readonly ReservationRecord[];
  putAccount(change: Partial<CreditAccountRecord>): Promise<void>;
  /** The next position in the order of events. */
  nextSeq(): Promise<number>;
  /** Changes the periods, and drops reservations that can't be settled any more. */
  putPeriods(periods: BillingPeriods): Promise<void>;
  findReservation(id: string): ReservationRecord | undefined;
  putReservation(reservation: ReservationRecord): Promise<void>;
  deleteReservation(reservation: ReservationRecord): Promise<void>;
  readBudgetRecord(channel: ChannelId, at: Instant): Promise<BudgetRecord>;
  putBudget(record: BudgetRecord): Promise<void>;
  listBudgetRecords(): Promise<BudgetRecord[]>;
  /** Records of channels that share the pool. */
  readonly pooled: readonly BudgetRecord[];
  /** Credits that a channel can still reserve, in every period that it must fit. */
  computeAvailableBudget(record: BudgetRecord): number;
  computeAvailableInPeriod(period: number, record: BudgetRecord): number;
}

/** @param at undefined: don't roll the period */
export async function openCreditsTransaction(
  context: CreditsContext,
  tx: Transaction,
  at: Instant | undefined,
): Promise<CreditsTransaction> {
  const book = new Writing(context, tx, await readCreditsState(tx, context.team, at));
  await book.dropExpired();
  return book;
}

class Writing implements CreditsTransaction {
  readonly context: CreditsContext;
  readonly tx: Transaction;
  account: CreditAccountRecord;
  reservations: readonly ReservationRecord[];
  pooled: readonly BudgetRecord[];
  #expired: readonly ReservationRecord[];

  constructor(context: CreditsContext, tx: Transaction, view: CreditsState) {
    this.context = context;
    this.tx = tx;
    this.account = view.account;
    this.reservations = view.reservations;
    this.pooled = view.pooled;
    this.#expired = view.expired;
  }

  get periods(): BillingPeriods {
    return pickBillingPeriods(this.account);
  }

  get periodReservations(): readonly ReservationRecord[] {
    return this.reservations.filter((one) => isReservationCountedInPeriod(one, this.account.period.number));
  }

  async dropExpired(): Promise<void> {
    const expired = this.#expired;
    this.#expired = [];
    for (const reservation of expired) await this.deleteReservation(reservation);
    if (expired.length > 0)
      this.context.log.warn('Unanswered requests were never settled, and their billing period has ended', {
        requests: expired.length,
        credits: expired.reduce((sum, { amount }) => sum + amount, 0),
      });
  }

  async putAccount(change: Partial<CreditAccountRecord>): Promise<void> {
    this.account = { ...this.account, ...change };
    await this.tx.put(creditAccounts, [this.context.team], this.account);
  }

  async nextSeq(): Promise<number> {
    const ticks = this.account.ticks + 1;
    await this.putAccount({ ticks });
    return ticks;
  }

  async putPeriods(periods: BillingPeriods): Promise<void> {
    this.account = applyBillingPeriods(this.account, periods);
    await this.putAccount({});
    this.#expired = this.reservations.filter((one) => isReservationExpired(one, this.account));
    await this.dropExpired();
  }

  findReservation(id: string): ReservationRecord | undefined {
    return this.reservations.find((reservation) => reservation.id === id);
  }

  async putReservation(reservation: ReservationRecord): Promise<void> {
    const others = this.reservations.filter(({ id }) => id !== reservation.id);
    this.reservations = [...others, reservation].toSorted((a, b) => a.openedSeq - b.openedSeq);
    await this.tx.put(creditReservations, reservationKey(this.context.team, reservation), reservation);
  }

  async deleteReservation(reservation: ReservationRecord): Promise<void> {
    this.reservations = this.reservations.filter(({ id }) => id !== reservation.id);
    await this.tx.delete(creditReservations, reservationKey(this.context.team, reservation));
  }

  readBudgetRecord(channel: ChannelId, at: Instant): Promise<BudgetRecord> {
    return readBudgetRecord(this.tx, this.context.team, channel, this.account, at);
  }

  async putBudget(record: BudgetRecord): Promise<void> {
    const others = this.pooled.filter(({ channel }) => channel !== record.channel);
    this.pooled = isPooled(record) ? [...others, record] : others;
    await this.tx.put(budgetRecords, [this.context.team, record.channel], record);
  }

  async listBudgetRecords(): Promise<BudgetRecord[]> {
    const found: BudgetRecord[] = [];
    for await (const { value } of scanCollection(this.tx, budgetRecords, { prefix: [this.context.team] }))
      found.push(rollOverBudget(value, this.account));
    return found;
  }

  computeAvailableBudget(record: BudgetRecord): number {
    return computeAvailableBudget(record, this, this.context);
  }

  computeAvailableInPeriod(period: number, record: BudgetRecord): number {
    return computeAvailableInPeriod(period, record, this, this.context);
  }
}
