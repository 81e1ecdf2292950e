/**
 * Contract of the credits service: what each channel may spend in a billing period, has spent, and has
 * reserved for requests in flight. Hard promise: settled + reserved never exceeds a channel's budget.
 */
import { type Clock, type Instant, SECOND } from '../clock.ts';
import { asError } from '../errors.ts';
import type { ChannelId, Credits, UserId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { PageTurn } from '../storage/read-page.ts';
import { StorageError, type Store, type Transaction } from '../storage/store.ts';

import type { LedgerRecord, PurchaseRecord, ReservationRecord } from './records.ts';

export type { BudgetRecord, PurchaseRecord } from './records.ts';

/** The smallest page of projects. Source: docs/marketplace-api.md, Limits. */
export const MIN_PROJECTS_PAGE_SIZE = 10;
export const MAX_PROJECTS_PAGE_SIZE = 100;
/** Pause until the store is tried again. */
const RETRY_MS = 5 * SECOND;

export interface ReservationRequest {
  /** Unique for this request; identifies the reservation. */
  readonly id: string;
  readonly purchase: PurchaseRecord;
  readonly channels: readonly ChannelId[];
  /** The most to buy; the budgets may allow less. */
  readonly maxCredits: number;
  /**
   * The least that is useful: 1 for a lookup, MIN_PROJECTS_PAGE for a page; 0 for a request known to cost
   * nothing.
   */
  readonly minCredits: number;
  /** It needs its whole size, so it may take a budget past its warning. */
  readonly isWide?: boolean;
  readonly user?: UserId;
  readonly at: Instant;
}

export type ReservationResult =
  | {
      readonly kind: 'reserved';
      /** The most that the request may cost, `minCredits` to `maxCredits`: use it as the page's `limit`. */
      readonly amount: number;
      /** Channels that share the cost: those with at least `minCredits` left. */
      readonly payers: readonly ChannelId[];
      readonly broke: readonly ChannelId[];
    }
  | { readonly kind: 'no-budget'; readonly broke: readonly ChannelId[] }
  /** Unanswered requests hold the credits. A balance in any response frees them, even for a free request. */
  | { readonly kind: 'unanswered'; readonly broke: readonly ChannelId[] }
  /** After a 402 the account has less than `minCredits`; `until` is the reset, if known. */
  | {
      readonly kind: 'account-spent';
      readonly remaining: number;
      /** From when on a request may try again. */
      readonly retryAt: Instant;
      readonly until?: Instant;
      readonly looksLikeTrial?: true;
    };

export interface BudgetState {
  readonly channel: ChannelId;
  /** `unlimited`: only the account limits it. */
  readonly limit: Credits | 'unlimited';
  /** The channel's own limit; otherwise it is the configured default. */
  readonly isOwn?: true;
  readonly settled: number;
  readonly reserved: number;
  /** The most that requests without an answer may have cost this budget (the whole pool's). Missing: 0. */
  readonly uncertain?: number;
  /**
   * Set while no admin has confirmed the channel. `limit` is then one budget for all such channels, which
   * together have settled and reserved these amounts; `available` is the rest.
   */
  readonly pool?: { readonly settled: number; readonly reserved: number };
  /** Credits that can still be reserved; Infinity when unlimited. */
  readonly available: number;
  readonly period: {
    readonly startsAt: Instant;
    readonly resetsAt: Instant /** From the server, not assumed. */;
    readonly confirmed: boolean;
    /** The reset is due but no response has confirmed it: earlier spending still counts. */
    readonly isOver?: true;
  };
  /** When the budget runs out at this period's pace; undefined: not before the reset, or too early to say. */
  readonly runsOutAt?: Instant;
  /** Some credits were spent, but too recently for a forecast. */
  readonly isEarly?: true;
}

/** Credits reserved in the channel's budget, for requests in flight or unanswered. */
export function getReservedFromBudget({ reserved, pool }: Pick<BudgetState, 'reserved' | 'pool'>): number {
  return pool?.reserved ?? reserved;
}

export interface AccountState {
  /** From the latest response; undefined before the first. */
  readonly remaining?: number;
  readonly resetsAt: Instant;
  readonly confirmed: boolean;
  /** Spent in this period by all channels together. */
  readonly byChannels: number;
  /** Spent in this period outside the bot, as far as the server's numbers prove it. */
  readonly outside: number;
  /** What was spent in the period before, while budgets still show that one. */
  readonly before?: { readonly byChannels: number; readonly outside: number };
  readonly runsOutAt?: Instant;
  /** Set while a 402 keeps us from buying. */
  readonly spentSince?: Instant;
  /** The account may be a trial, whose credits neither renew nor can be topped up; see `buildTrialFields`. */
  readonly looksLikeTrial?: true;
}

export interface Settlement {
  /** Each channel's cost; adds up to the charge reported by the server. */
  readonly shares: readonly { readonly channel: ChannelId; readonly credits: Credits }[];
  /** The highest possible cost, earlier tries included, if the response doesn't show it. */
  readonly atMost?: number;
}

export interface LedgerPageRequest {
  readonly channel: ChannelId;
  readonly size: number;
  /** Missing: the newest page. */
  readonly turn?: PageTurn;
}

/** Credits reserved in a channel for a request whose cost is not known yet. */
export interface PendingCharge extends Pick<ReservationRecord, 'purchase' | 'user' | 'at' | 'state'> {
  /** The most that the channel pays. */
  readonly credits: number;
}

export type LedgerEntry = Omit<LedgerRecord, 'order' | 'period'>;

/**
 * Marks a reservation as unanswered, and retries until the store accepts it. A seemingly open request blocks
 * every balance check.
 * @returns when it is stored, the store is closed, or `signal` aborts; then the next start marks it. Never
 * throws.
 */
export async function markReservationUnansweredWithRetries(
  parts: {
    readonly store: Store;
    readonly credits: { markUnanswered(tx: Transaction, id: string, at: Instant): Promise<void> };
    readonly clock: Clock;
    readonly log: Log;
  },
  id: string,
  signal?: AbortSignal,
): Promise<void> {
  const { store, credits, clock, log } = parts;
  for (let tries = 1; !signal?.aborted; tries++) {
    try {
      await store.transact((tx) => credits.markUnanswered(tx, id, clock.now()));
      return;
    } catch (thrown) {
      if (thrown instanceof StorageError && thrown.code === 'closed') return;
      if (tries === 1) log.error("Couldn't store the end of a request, retrying", { error: asError(thrown) });
    }
    await clock.sleep(RETRY_MS, signal).catch(() => undefined);
  }
}
