/** What the credit book keeps in the store. */
import { z } from 'zod';
import { ChannelId, TeamId, UserId } from '../ids.ts';
import { withOlderFields } from '../storage/older-names.ts';
import { readWithoutInvalidFields, withFields } from '../storage/read-invalid-record.ts';
import type { Collection, Key } from '../storage/store.ts';
import { BalanceTally } from './balance-tally.ts';
import { BillingPeriod, PeriodUncertainty, ResetDateClaim } from './billing-periods.ts';

export const CreditAccountRecord = z.object({
  period: BillingPeriod,
  tally: BalanceTally,
  /** As the latest answer of this period told. */
  remaining: z.number().optional(),
  /** Spent in this period by channels, and by others. */
  byChannels: z.number(),
  outside: z.number(),
  /** What the last 402 told, until the balance rises or the period ends. */
  spent: z
    .object({
      since: z.number(),
      remaining: z.number(),
      /** When we last learned that, or last let a request find out. */
      triedAt: z.number(),
      resetsAt: z.number().optional(),
    })
    .optional(),
  /** Of the period beside the present one that answers may still prove, see billing-periods.ts; counted in both. */
  other: z.object({ period: BillingPeriod, byChannels: z.number(), outside: z.number() }).optional(),
  doubt: PeriodUncertainty.optional(),
  claim: ResetDateClaim.optional(),
  /** As the latest answer of any period told. */
  balance: z.number().optional(),
  /** The highest that any answer has shown, ever; missing before the first, and in older data (see trial.ts). */
  highestBalance: z.number().optional(),
  /** Counts openings, givings up, settlements and ledger entries: the order in which things happened. */
  ticks: z.number(),
});
export type CreditAccountRecord = z.infer<typeof CreditAccountRecord>;

export const BudgetRecord = z.object({
  team: TeamId,
  channel: ChannelId,
  /** Missing: the default of the configuration. */
  limit: z.union([z.number(), z.literal('unlimited')]).optional(),
  /** Who set the limit, and when. */
  by: UserId.optional(),
  at: z.number().optional(),
  /** No admin stands behind the channel's spending yet, so it shares the pool. Missing also in data older than the pool. */
  isPooled: z.literal(true).optional(),
  /** The admin who gave it the default budget to itself. */
  confirmed: z.object({ by: UserId, at: z.number() }).optional(),
  /** When admins heard of its first subscription or spending, and whose that was. */
  announced: z.object({ at: z.number(), by: UserId.optional(), subscribed: z.boolean() }).optional(),
  /** Since when the channel has a record. */
  since: z.number(),
  /** The period that `settled` belongs to; 0 for a later one. */
  period: z.number(),
  settled: z.number(),
  /** What counts in the other period of the account. */
  other: z.object({ period: z.number(), settled: z.number() }).optional(),
  /** See split-cost.ts. */
  ahead: z.number(),
});
export type BudgetRecord = z.infer<typeof BudgetRecord>;

export const CreditPool = z.object({ since: z.number() });
export type CreditPool = z.infer<typeof CreditPool>;

export const PurchaseRecord = z.object({
  endpoint: z.enum(['filter-projects', 'result-projects', 'lookup']),
  subject: z.string(),
});

export const CreditShare = z.object({ channel: ChannelId, credits: z.number() });
export type CreditShare = z.infer<typeof CreditShare>;

export const ReservationRecord = withOlderFields(
  z.object({
    id: z.string(),
    purchase: PurchaseRecord,
    user: UserId.optional(),
    /** The period in which it was made, or given up. */
    period: z.number(),
    /**
     * open: the request is under way · unanswered: given up without an answer · unproven: no answer can tell any more what
     * it cost; held until the period ends.
     */
    state: z.enum(['open', 'unanswered', 'unproven']),
    openedSeq: z.number(),
    lostSeq: z.number().optional(),
    amount: z.number(),
    shares: z.array(CreditShare),
    /** The unanswered reservation that this retry of the same purchase has borrowed its amount from. */
    borrowedFrom: z.string().optional(),
    /** The balance as it was known when the request was sent. */
    balance: z.number().optional(),
  }),
  { openedAs: 'openedSeq', givenUpAs: 'lostSeq' },
);
export type ReservationRecord = z.infer<typeof ReservationRecord>;

export const LedgerRecord = z.object({
  at: z.number(),
  order: z.number(),
  period: z.number(),
  purchase: z.union([PurchaseRecord, z.object({ endpoint: z.literal('outside'), subject: z.string() })]),
  user: UserId.optional(),
  credits: z.number(),
  shares: z.array(CreditShare),
});
export type LedgerRecord = z.infer<typeof LedgerRecord>;

/** Key: [team]. */
export const creditAccounts: Collection<CreditAccountRecord> = {
  name: 'credit-account',
  schema: CreditAccountRecord,
  indexes: {},
  essential: { readInvalid: (onDisk) => readWithoutInvalidFields(CreditAccountRecord, onDisk) },
};

/** Key: [team, channel]. */
export const budgetRecords: Collection<BudgetRecord> = {
  name: 'credit-budgets',
  schema: BudgetRecord,
  indexes: {},
  // A limit that can't be read allows nothing until somebody sets it.
  essential: { readInvalid: (onDisk) => readWithoutInvalidFields(BudgetRecord, onDisk, { limit: 0 }) },
};

/** Since when channels without an admin's word share a pool. Key: [team]. */
export const creditPools: Collection<CreditPool> = { name: 'credit-pools', schema: CreditPool, indexes: {} };

/** Those not settled yet. Key: [team, opened as, id]: oldest first. */
export const creditReservations: Collection<ReservationRecord> = {
  name: 'credit-reservations',
  schema: ReservationRecord,
  indexes: {},
  essential: { readInvalid: readUnfitReservation },
};

/** It holds what it reserves until the period ends. */
function readUnfitReservation(onDisk: unknown): ReservationRecord | undefined {
  const purchase = { endpoint: 'lookup', subject: '' } as const;
  return readWithoutInvalidFields(ReservationRecord, withFields(onDisk, { state: 'unproven' }), { purchase });
}

/** Key: [team, at, order]. */
export const ledgerRecords: Collection<LedgerRecord> = {
  name: 'credit-ledger',
  schema: LedgerRecord,
  indexes: {},
};

/** A copy of each entry for each channel that shares it. Key: [team, channel, at, order]. */
export const channelLedgerRecords: Collection<LedgerRecord> = {
  name: 'credit-ledger-by-channel',
  schema: LedgerRecord,
  indexes: {},
};

export function reservationKey(team: TeamId, reservation: ReservationRecord): Key {
  return [team, reservation.openedSeq, reservation.id];
}
