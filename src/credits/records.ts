/** Stored records of credits. */

import { z } from 'zod';
import { DAY } from '../clock.ts';
import { ChannelId, UserId } from '../ids.ts';
import { readWithoutInvalidFields, replaceRecordFields } from '../storage/invalid-records.ts';
import { collection } from '../storage/store.ts';
import { BillingPeriod, DifferingResetDate, PeriodUncertainty } from './billing-periods.ts';

/** Readings since the last quiet moment, when no request was in flight. */
export const BalanceTally = z.object({
  /** `remaining` at the last quiet moment; everything before it is accounted for. */
  base: z.number().optional(),
  /** Charged by responses since then. */
  consumed: z.number(),
  /** The smallest `remaining` since then: the server's last value, whatever the order of responses. */
  lowest: z.number().optional(),
  /** The highest `openedSeq` of the requests answered since then. */
  openedSeq: z.number().optional(),
  /** Position of the last response without a balance. Only a request opened later can show that balance. */
  lastSilentSeq: z.number().optional(),
});
export type BalanceTally = z.infer<typeof BalanceTally>;

export const EMPTY_BALANCE_TALLY: BalanceTally = { consumed: 0 };

export const CreditAccountRecord = z.object({
  period: BillingPeriod,
  tally: BalanceTally,
  /** From the latest response of this period. */
  remaining: z.number().optional(),
  /** Spent in this period by channels, and by others. */
  byChannels: z.number(),
  outside: z.number(),
  /** The last 402, until the balance rises or the period ends. */
  spent: z
    .object({
      since: z.number(),
      remaining: z.number(),
      /** When a 402 last arrived, or a request was last sent to check. */
      triedAt: z.number(),
      resetsAt: z.number().optional(),
    })
    .optional(),
  /** Since when channels know that the account is out of credits, until they hear that the feed goes on. */
  outSince: z.number().optional(),
  /** The other period that responses may still prove, see billing-periods.ts; amounts count in both. */
  other: z.object({ period: BillingPeriod, byChannels: z.number(), outside: z.number() }).optional(),
  doubt: PeriodUncertainty.optional(),
  claim: DifferingResetDate.optional(),
  /** From the latest response of any period. */
  balance: z.number().optional(),
  /** The highest balance ever; missing before the first response. */
  highestBalance: z.number().optional(),
  /** Counts opened, lost and settled requests and ledger entries: the order of events. */
  ticks: z.number(),
});
export type CreditAccountRecord = z.infer<typeof CreditAccountRecord>;

export const BudgetRecord = z.object({
  channel: ChannelId,
  /** Missing: the configured default. */
  limit: z.union([z.number(), z.literal('unlimited')]).optional(),
  /** Who set the limit, and when. */
  by: UserId.optional(),
  at: z.number().optional(),
  /** No admin has confirmed the channel yet, so it shares the pool. */
  isPooled: z.literal(true).optional(),
  /** The admin who gave the channel its own default budget. */
  confirmed: z.object({ by: UserId, at: z.number() }).optional(),
  /** When admins were notified of its first subscription or spending, and who caused it. */
  announced: z.object({ at: z.number(), by: UserId.optional(), subscribed: z.boolean() }).optional(),
  since: z.number(),
  /** The period of `settled`; it counts as 0 in a later period. */
  period: z.number(),
  settled: z.number(),
  /** The same for the account's other period. */
  other: z.object({ period: z.number(), settled: z.number() }).optional(),
  /** See `splitCost`. */
  ahead: z.number(),
});
export type BudgetRecord = z.infer<typeof BudgetRecord>;

/** The purpose of a request, for the ledger. */
export const PurchaseRecord = z.object({
  endpoint: z.enum(['filter-projects', 'result-projects', 'lookup']),
  subject: z.string(),
  /** Who requested the backfill that it is for. */
  backfillBy: UserId.optional(),
  /** The decision that requested the backfill: its audit entry's key. */
  decision: z.array(z.union([z.string(), z.number()])).optional(),
});
export type PurchaseRecord = z.infer<typeof PurchaseRecord>;

export const CreditShare = z.object({ channel: ChannelId, credits: z.number() });
export type CreditShare = z.infer<typeof CreditShare>;

export const ReservationRecord = z.object({
  id: z.string(),
  purchase: PurchaseRecord,
  user: UserId.optional(),
  /** The period in which the request was sent or lost. */
  period: z.number(),
  /**
   * open: the request is in flight · unanswered: lost without a response · unproven: the cost can't be
   * determined any more; reserved until the period ends.
   */
  state: z.enum(['open', 'unanswered', 'unproven']),
  openedSeq: z.number(),
  lostSeq: z.number().optional(),
  amount: z.number(),
  shares: z.array(CreditShare),
  /** The unanswered reservation of the same purchase from which this retry borrowed its amount. */
  borrowedFrom: z.string().optional(),
  /** The known balance when the request was sent. */
  balance: z.number().optional(),
  at: z.number(),
});
export type ReservationRecord = z.infer<typeof ReservationRecord>;

export const LedgerRecord = z.object({
  at: z.number(),
  order: z.number(),
  period: z.number(),
  purchase: z.union([PurchaseRecord, z.object({ endpoint: z.literal('outside'), subject: z.string() })]),
  user: UserId.optional(),
  credits: z.number(),
  shares: z.array(CreditShare),
  /** The account's balance after the response, if it contained one. */
  balance: z.number().optional(),
  /** The request had no answer, and a later balance proved its cost. */
  isProvenLater: z.literal(true).optional(),
});
export type LedgerRecord = z.infer<typeof LedgerRecord>;

export function findCreditsPaidByChannel(
  { shares }: { readonly shares: readonly CreditShare[] },
  channel: ChannelId,
): number {
  return shares.find((share) => share.channel === channel)?.credits ?? 0;
}

/** One record. */
export const creditAccounts = collection({
  name: 'credit-account',
  schema: CreditAccountRecord,
  key: () => [],
  essential: { readInvalid: (onDisk) => readWithoutInvalidFields(CreditAccountRecord, onDisk) },
});

export const budgetRecords = collection({
  name: 'credit-budgets',
  schema: BudgetRecord,
  key: (it) => [it.channel],
  // An unreadable limit allows nothing until a person sets a new one.
  essential: { readInvalid: (onDisk) => readWithoutInvalidFields(BudgetRecord, onDisk, { limit: 0 }) },
});

/** Unsettled reservations, oldest first. */
export const creditReservations = collection({
  name: 'credit-reservations',
  schema: ReservationRecord,
  key: (it) => [it.openedSeq, it.id],
  // An invalid reservation keeps its credits until the period ends.
  essential: {
    readInvalid: (onDisk) =>
      readWithoutInvalidFields(ReservationRecord, replaceRecordFields(onDisk, { state: 'unproven' }), {
        purchase: { endpoint: 'lookup', subject: '' },
        at: 0,
      }),
  },
});

/** A year and a month allow a comparison with the same month last year. */
const LEDGER_KEPT_MS = 396 * DAY;

export const ledgerRecords = collection({
  name: 'credit-ledger',
  schema: LedgerRecord,
  key: (it) => [it.at, it.order],
  keepFor: { ms: LEDGER_KEPT_MS },
});

const ChannelLedgerRecord = LedgerRecord.extend({ channel: ChannelId });

/** A copy of each entry for each channel that shares it. */
export const channelLedgerRecords = collection({
  name: 'credit-ledger-by-channel',
  schema: ChannelLedgerRecord,
  key: (it) => [it.channel, it.at, it.order],
  indexes: { byAge: ({ at }) => [at] },
  keepFor: { ms: LEDGER_KEPT_MS },
});
