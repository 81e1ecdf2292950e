/** What a digest and the weekly note tell: numbers and names only, gathered once and kept; the wording is Slack's side's. */
import { z } from 'zod';
import { ChannelId, FilterId, InvitationUid, JobId, ProjectKey, SetupId, UserId } from '../ids.ts';
import { ProposalOutcome } from '../outbox/outcome-news.ts';

const instant = z.number();

/** Why a project is among the best. */
export const BestProjectReason = z.discriminatedUnion('why', [
  /** The AI qualifier's decision, in the server's words, and its reason. */
  z.object({ why: z.literal('verdict'), decision: z.string(), reason: z.string().optional() }),
  z.object({ why: z.literal('rating'), rating: z.number(), reviews: z.number().optional() }),
  /** US dollars. */
  z.object({ why: z.literal('spent'), spent: z.number() }),
  /** 0 to 1. */
  z.object({ why: z.literal('hire-rate'), rate: z.number() }),
  z.object({ why: z.literal('verified') }),
  z.object({ why: z.literal('fresh'), ageMs: z.number() }),
  /** Several filters of the channel found it. */
  z.object({ why: z.literal('filters'), count: z.number() }),
]);
export type BestProjectReason = z.infer<typeof BestProjectReason>;

const toldProject = z.object({
  project: ProjectKey,
  title: z.string(),
  url: z.string(),
  publishedAt: instant.optional(),
});
export const BestProject = toldProject.extend({ reasons: z.array(BestProjectReason) });
export type BestProject = z.infer<typeof BestProject>;

export const DigestFacts = z.object({
  channel: ChannelId,
  /** What it covers: from `from` on, before `to`. */
  from: instant,
  to: instant,
  timezone: z.string(),
  /** Asked for by somebody, not by its hour. */
  askedBy: UserId.optional(),
  /** When it should have come; `missed` counts digests before it that nobody got, and which this one covers. */
  late: z.object({ dueAt: instant, missed: z.number() }).optional(),
  projects: z.object({
    told: z.number(),
    /** Best first. */
    best: z.array(BestProject),
    /** Told and nobody claimed, skipped or bid; newest first, as many as the thread holds. */
    unclaimed: z.number(),
    unclaimedList: z.array(toldProject),
  }),
  invitations: z.object({
    came: z.number(),
    /** Not claimed, not bid on, and not answered as far as the server tells. */
    waiting: z.number(),
    list: z.array(
      z.object({
        uid: InvitationUid,
        title: z.string(),
        profile: z.string().optional(),
        invitedAt: instant.optional(),
      }),
    ),
  }),
  bids: z.object({
    made: z.number(),
    /** Made before `from` and not settled yet; missing: all of them are listed, as digests did that were made in former times. */
    open: z.number().optional(),
    /** Made since `from`, or not settled yet; newest first, as many as the thread holds. */
    list: z.array(
      z.object({
        title: z.string(),
        by: UserId.optional(),
        setupName: z.string().optional(),
        job: JobId.optional(),
        /** Of the bid, or in the server's words of its job. */
        state: z.string(),
        statusTitle: z.string().optional(),
        waitsForApproval: z.boolean(),
        sent: z.boolean(),
      }),
    ),
  }),
  outcomes: z.object({
    counts: z.array(z.object({ outcome: ProposalOutcome, count: z.number() })),
    list: z.array(
      z.object({ outcome: ProposalOutcome, title: z.string().optional(), freelancer: z.string().optional() }),
    ),
  }),
  /** Of the proposals sent since `from` by the profiles that the channel follows; missing: it follows none. */
  connects: z
    .object({
      proposals: z.number(),
      /** Of so many of them the marketplace tells what they cost; missing in digests of former times. */
      priced: z.number().optional(),
      spent: z.number(),
      boost: z.number(),
    })
    .optional(),
  credits: z.object({
    /** Since `from`. */
    spent: z.number(),
    settled: z.number(),
    limit: z.union([z.number(), z.literal('unlimited')]),
    resetsAt: instant,
    confirmed: z.boolean(),
    runsOutAt: instant.optional(),
    /** Nothing can be said yet of when they run out. */
    isEarly: z.literal(true).optional(),
    /** `settled` and `limit` are of the budget that all unconfirmed channels share. */
    isShared: z.literal(true).optional(),
    accountLeft: z.number().optional(),
    accountRunsOutAt: instant.optional(),
    /** It may be a trial, whose credits don't renew. */
    accountLooksLikeTrial: z.literal(true).optional(),
  }),
  /** Those that have used four fifths of their daily limit, or more. */
  setups: z.array(z.object({ id: SetupId, name: z.string(), sentToday: z.number(), dailyLimit: z.number() })),
  /** Which of the channel's feeds bring nothing just now, or did not at some time since `from`. */
  feeds: z.array(
    z.object({
      feed: z.enum(['filter', 'invitations', 'outcomes', 'all']),
      id: z.number().optional(),
      name: z.string().optional(),
      state: z.enum(['failing', 'failed', 'paused', 'stopped', 'out-of-budget']),
      /** A MarketplaceErrorCode, or Slack's code. */
      code: z.string().optional(),
      since: instant.optional(),
    }),
  ),
});
export type DigestFacts = z.infer<typeof DigestFacts>;

/** What a week tells of a channel's filters, so that they can be improved. */
export const FilterTuningFacts = z.object({
  channel: ChannelId,
  from: instant,
  to: instant,
  timezone: z.string(),
  filters: z.array(
    z.object({
      filter: FilterId,
      name: z.string().optional(),
      rules: z.string(),
      told: z.number(),
      claimed: z.number(),
      bid: z.number(),
      /** By SkipReason. */
      skipped: z.record(z.string(), z.number()),
      /** Nobody did anything with them. */
      left: z.number(),
      /** Kept from the channel by its mutes. */
      muted: z.number(),
      /** A rule that would have kept most of those skipped away, in the query language, with how many of which. */
      advice: z
        .object({
          rule: z.string(),
          skippedWithout: z.number(),
          skipped: z.number(),
          wantedLost: z.number(),
        })
        .optional(),
    }),
  ),
  mutes: z.array(z.object({ what: z.enum(['country', 'word']), value: z.string(), kept: z.number() })),
});
export type FilterTuningFacts = z.infer<typeof FilterTuningFacts>;
