/**
 * The contract of the credit book: what each channel may spend in a billing period, what it has spent, and what is
 * reserved for requests under way. A hard promise: settled + reserved never exceeds a channel's budget.
 */
import type { Instant } from '../clock.ts';
import type { ChannelId, Credits, UserId } from '../ids.ts';
import type { ResponseCredits } from '../marketplace/schema.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';

/** A page of projects can't be smaller than this. Source: docs/marketplace-api.md, Limits. */
export const MIN_PROJECTS_PAGE = 10;
export const MAX_PROJECTS_PAGE = 100;

/** What a request is for; told in the ledger. */
export type Purchase =
  | { readonly endpoint: 'filter-projects'; readonly subject: string }
  | { readonly endpoint: 'result-projects'; readonly subject: string }
  | { readonly endpoint: 'lookup'; readonly subject: string };

export interface ReservationRequest {
  /** Unique for this request; names the reservation. */
  readonly id: string;
  readonly purchase: Purchase;
  /** Channels that would share the cost. */
  readonly channels: readonly ChannelId[];
  /** The most that would be bought; what can be paid may be less. */
  readonly maxCredits: number;
  /** Fewer are of no use: 1 for a lookup, SMALLEST_PAGE for a page; 0 for one that is known to cost nothing. */
  readonly minCredits: number;
  readonly user?: UserId;
  readonly at: Instant;
}

export type ReservationResult =
  | {
      readonly kind: 'reserved';
      /** What the request may cost at the most: use it as the page's `limit`. From `minCredits` to `want`. */
      readonly amount: number;
      /** Channels that take part: those that had `minCredits` left. */
      readonly payers: readonly ChannelId[];
      /** Channels that could not: they are out of budget. */
      readonly broke: readonly ChannelId[];
    }
  | { readonly kind: 'no-budget'; readonly broke: readonly ChannelId[] }
  /** Requests that brought no answer stand in the way: any answer's balance, of a request that costs nothing, frees them. */
  | { readonly kind: 'unanswered'; readonly broke: readonly ChannelId[] }
  /** The account itself has nothing left, or less than `minCredits`, as a 402 has told; `until` the reset where known. */
  | {
      readonly kind: 'account-spent';
      readonly remaining: number;
      readonly until?: Instant;
      readonly looksLikeTrial?: true;
    };

export interface BudgetState {
  readonly channel: ChannelId;
  /** `unlimited`: bounded by the account alone. */
  readonly limit: Credits | 'unlimited';
  /** Somebody has set the limit for this channel; else it is the default of the configuration. */
  readonly isOwn?: true;
  readonly settled: number;
  readonly reserved: number;
  /**
   * Set while no admin has confirmed the channel: `limit` is one budget for all such channels, of which they together have
   * settled and reserved this; `available` is what is left of it.
   */
  readonly pool?: { readonly settled: number; readonly reserved: number };
  /** What can still be reserved; Infinity when unlimited. */
  readonly available: number;
  readonly period: {
    readonly startsAt: Instant;
    readonly resetsAt: Instant /** Told by the server, not assumed. */;
    readonly confirmed: boolean;
    /** The reset is due, but no answer has confirmed it yet: what was spent still counts. */
    readonly isOver?: true;
  };
  /** When, at the pace of this period, the budget is used up; undefined: not before the reset, or too early to say. */
  readonly runsOutAt?: Instant;
  /** Something was spent, but not for long enough to tell a pace. */
  readonly isEarly?: true;
}

/** What is held, for requests under way or without an answer, of the budget that a channel spends from. */
export function getReservedFromBudget({ reserved, pool }: Pick<BudgetState, 'reserved' | 'pool'>): number {
  return pool?.reserved ?? reserved;
}

export interface AccountState {
  /** As the latest answer told; undefined before the first. */
  readonly remaining?: number;
  readonly resetsAt: Instant;
  readonly confirmed: boolean;
  /** Spent in this period by channels, all together. */
  readonly byChannels: number;
  /** Spent in this period outside the bot, as far as the server's numbers prove it. */
  readonly outside: number;
  readonly runsOutAt?: Instant;
  /** Set while a 402 keeps us from buying. */
  readonly spentSince?: Instant;
  /** It may be a trial, whose credits neither renew nor can be topped up; see trial.ts. */
  readonly looksLikeTrial?: true;
}

export interface Settlement {
  /** What each channel paid; sums up to what the server told that it charged. */
  readonly shares: readonly { readonly channel: ChannelId; readonly credits: Credits }[];
  /** What it can have cost, earlier tries included, where the answer does not tell that. */
  readonly atMost?: number;
}

/**
 * All of it happens in the caller's transaction, so that money, cursor and cards change together.
 * Crossing 80 % of a budget enqueues the channel's notice; so does an account that is spent (once each per period).
 */
export interface CreditsService {
  reserveCredits(tx: Transaction, request: ReservationRequest): Promise<ReservationResult>;
  /**
   * The answer came. A reservation that is not there any more is left so (settling twice is settling once). What the
   * answer does not tell (`assumed`, `repeated`) stays reserved until a balance proves it.
   */
  settleReservation(tx: Transaction, id: string, answer: ResponseCredits, at: Instant): Promise<Settlement>;
  /** Refused or never sent: nothing was charged. */
  releaseReservation(tx: Transaction, id: string): Promise<void>;
  /** No answer came: kept until a later answer's `remaining` proves what it cost. */
  markUnanswered(tx: Transaction, id: string, at: Instant): Promise<void>;
  /** A 402 for depleted credits: releases, and remembers that the account can't pay. */
  recordCreditsDepleted(
    tx: Transaction,
    id: string,
    told: { readonly remaining?: number; readonly resetsAt?: Instant },
    at: Instant,
  ): Promise<void>;
  /** At start: reservations that a crash left open become unanswered. */
  recoverReservations(tx: Transaction, at: Instant): Promise<void>;

  readBudgetState(tx: ReadTransaction, channel: ChannelId, at: Instant): Promise<BudgetState>;
  readBudgetStates(tx: ReadTransaction, at: Instant): Promise<readonly BudgetState[]>;
  /** Sets the most that a channel may consume a period. Below what is spent already: it just buys nothing more. */
  setBudget(
    tx: Transaction,
    channel: ChannelId,
    limit: Credits | 'unlimited',
    by: UserId,
    at: Instant,
  ): Promise<BudgetState>;
  /**
   * An admin stands behind what a channel spends: it has the default budget to itself. Until then it shares one default
   * budget with all other such channels. @returns false where it does so already
   */
  confirmBudget(tx: Transaction, channel: ChannelId, by: UserId, at: Instant): Promise<boolean>;
  /** Somebody who is no admin has subscribed in a channel: admins hear of it, once, if it shares the pool. */
  notifyAdminsOfSubscription(tx: Transaction, channel: ChannelId, by: UserId, at: Instant): Promise<void>;
  /** At start: once, channels that were followed before there was a pool are confirmed. */
  confirmExistingBudgets(tx: Transaction, channels: readonly ChannelId[], at: Instant): Promise<void>;
  readAccountState(tx: ReadTransaction, at: Instant): Promise<AccountState>;
  /** Newest first. */
  readLedger(
    tx: ReadTransaction,
    options: { readonly channel?: ChannelId; readonly limit: number },
  ): Promise<readonly LedgerEntry[]>;
}

export interface LedgerEntry {
  readonly at: Instant;
  /** `outside`: spent by others on the same account. */
  readonly purchase: Purchase | { readonly endpoint: 'outside'; readonly subject: string };
  readonly user?: UserId;
  readonly credits: number;
  readonly shares: readonly { readonly channel: ChannelId; readonly credits: number }[];
}
