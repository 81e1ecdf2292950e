/**
 * The team's rules for spending connects: what a channel can choose, what it has chosen, and the connects
 * that bids use up each week.
 */
import { z } from 'zod';
import { DAY } from '../clock.ts';
import { ChannelId, UserId } from '../ids.ts';
import { readWithoutInvalidFields, replaceRecordFields } from '../storage/invalid-records.ts';
import { collection, type ReadTransaction } from '../storage/store.ts';

/** A channel's rules for spending. Without a record, every rule is off. */
export const SpendingRules = z.object({
  channel: ChannelId,
  /** Counts changes, so that a form shows whether it is outdated. */
  revision: z.number().int(),
  /** How long a request waits with Cancel before it's sent; 0: not at all. */
  cancelSeconds: z.number().int().min(0),
  /** A second approval is needed above this bid amount; missing: for no amount. */
  amountAbove: z.number().optional(),
  /** A second approval is needed above this many connects, the boost included. */
  connectsAbove: z.number().optional(),
  /** A second approval is needed for clients without hires and without spending. */
  newClients: z.boolean(),
  /** How many people must approve, besides the one who sends the bid or approves the job first. */
  approvals: z.number().int().min(1).max(3),
  /** A job's bidder, and all who asked for its approval, can't give any where a second one is needed. */
  notByAsker: z.boolean(),
  /** Most connects in a week, for the channel, and for each person in it. */
  channelCap: z.number().optional(),
  personCap: z.number().optional(),
});
export type SpendingRules = z.infer<typeof SpendingRules>;

/** With rules that can't be read, every bid needs a second approval until an admin saves them again. */
const STRICTEST = { amountAbove: 0, connectsAbove: 0, newClients: true, notByAsker: true };

export const spendingRules = collection({
  name: 'spending-rules',
  schema: SpendingRules,
  key: (it) => [it.channel],
  essential: {
    readInvalid: (onDisk) =>
      readWithoutInvalidFields(SpendingRules, replaceRecordFields(onDisk, STRICTEST), {
        revision: 0,
        cancelSeconds: 0,
        approvals: 1,
      }),
  },
});

/** What one bid, or one job from elsewhere, uses of a week's connects. */
export const ConnectsUse = z.object({
  /** `bid:<id>` or `job:<id>`. */
  ref: z.string(),
  user: UserId,
  /** 0 after a refusal or a cancellation. */
  connects: z.number(),
  /** Where it counts: in its own channel first, then in others that found the project and have a cap. */
  weeks: z.array(
    z.object({
      channel: ChannelId,
      /** The Monday of the week, in the channel's time zone: `2026-11-23`. */
      week: z.string(),
      timezone: z.string(),
    }),
  ),
  at: z.number(),
});
export type ConnectsUse = z.infer<typeof ConnectsUse>;

/** Far longer than a proposal takes to show what it spent. */
const CONNECTS_KEPT_MS = 60 * DAY;

export const connectsUses = collection({
  name: 'connects-uses',
  schema: ConnectsUse,
  key: (it) => [it.ref],
  indexes: { byAge: (it) => [it.at] },
  keepFor: { ms: CONNECTS_KEPT_MS },
});

/** The total of a channel's week, or of one person's in it. */
export const ConnectsWeek = z.object({
  channel: ChannelId,
  /** `channel`, or a user's id. */
  subject: z.string(),
  week: z.string(),
  connects: z.number(),
  /** The warning at 80 % was posted. */
  warned: z.literal(true).optional(),
  at: z.number(),
});
export type ConnectsWeek = z.infer<typeof ConnectsWeek>;

export const connectsWeeks = collection({
  name: 'connects-weeks',
  schema: ConnectsWeek,
  key: (it) => [it.channel, it.subject, it.week],
  indexes: { byAge: (it) => [it.at] },
  keepFor: { ms: CONNECTS_KEPT_MS },
});

/** In seconds; 0: off. */
export const CANCEL_SECONDS = [0, 10, 30, 60, 300] as const;

export const MOST_APPROVALS = 3;

/** What an admin can change. */
export type SpendingChoices = Omit<SpendingRules, 'channel' | 'revision'>;

export const NO_SPENDING_RULES: SpendingChoices = {
  cancelSeconds: 0,
  newClients: false,
  approvals: 1,
  notByAsker: false,
};

/** A channel's rules; all off if nobody has set any. */
export async function readSpendingRules(tx: ReadTransaction, channel: ChannelId): Promise<SpendingRules> {
  const stored = await tx.get(spendingRules, [channel]);
  return stored ?? { channel, revision: 0, ...NO_SPENDING_RULES };
}

/** Nothing was sent: it would exceed a weekly cap. */
export interface CapExceeded {
  readonly kind: 'over-cap';
  readonly of: 'channel' | 'person';
  readonly cap: number;
  /** This week, without the new bid. */
  readonly used: number;
  /** What the bid would add. */
  readonly asks: number;
  /** It is the cap of another channel that found the project, which people here may not see. */
  readonly isElsewhere: boolean;
}
