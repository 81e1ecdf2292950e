/** The stored content of digests: only numbers and names. The Slack side words them. */
import { z } from 'zod';
import type { Instant } from '../clock.ts';
import { FitReason } from '../feed/fit-reasons.ts';
import { BidId, ChannelId, InvitationUid, JobId, ProjectKey, SetupId, UserId } from '../ids.ts';
import { ProposalOutcome } from '../outbox/news.ts';
import { PostId } from '../outbox/posts.ts';

const instant = z.number();

/** From `from` on and before `to`. */
export interface ChannelTimeRange {
  readonly channel: ChannelId;
  readonly from: Instant;
  readonly to: Instant;
}

const toldProject = z.object({
  project: ProjectKey,
  title: z.string(),
  url: z.string(),
  publishedAt: instant.optional(),
});
export const BestProject = toldProject.extend({
  reasons: z.array(FitReason),
  /** Of its fit, 0 to 100. */
  points: z.number(),
  budget: z.object({ type: z.string().optional(), amount: z.string().optional() }).optional(),
});
export type BestProject = z.infer<typeof BestProject>;

/** What the charts in a digest's thread show; missing ones have no data. */
export const DigestCharts = z.object({
  /** Credits spent by the end of each day of the billing period. Of a long one, 20 days. */
  burn: z
    .array(
      z.object({
        /** Local, `2026-11-20`. */
        day: z.string(),
        spent: z.number(),
        /** What an even pace would have spent of the channel's own budget; missing: it has none. */
        pace: z.number().optional(),
      }),
    )
    .optional(),
  /** Outcomes of the proposals sent in the last `days`, without replies to invitations. */
  stages: z
    .object({
      days: z.number(),
      sent: z.number(),
      viewed: z.number(),
      interviewed: z.number(),
      hired: z.number(),
      invited: z.object({ sent: z.number(), hired: z.number() }),
    })
    .optional(),
  /** Projects of the last `days` by when they were published. */
  arrivals: z
    .object({
      days: z.number(),
      /** From midnight, for every two hours. */
      byTime: z.array(z.number()),
      /** From Monday. */
      byWeekday: z.array(z.number()),
    })
    .optional(),
});
export type DigestCharts = z.infer<typeof DigestCharts>;

export const DigestFacts = z.object({
  channel: ChannelId,
  /** Covers times from `from` on and before `to`. */
  from: instant,
  to: instant,
  timezone: z.string(),
  /** Set if a person requested the digest. */
  askedBy: UserId.optional(),
  /**
   * When the digest was due. `missed` counts earlier digests that were never posted; this one covers them.
   */
  late: z.object({ dueAt: instant, missed: z.number() }).optional(),
  projects: z.object({
    told: z.number(),
    /** Best first. */
    best: z.array(BestProject),
    /** Posted, but not claimed, skipped or bid on. The list is newest first, as many as the thread fits. */
    unclaimed: z.number(),
    unclaimedList: z.array(toldProject),
  }),
  invitations: z.object({
    came: z.number(),
    /** Not claimed, not bid on, and not answered as far as the server says. */
    waiting: z.number(),
    list: z.array(
      z.object({
        uid: InvitationUid,
        title: z.string(),
        profile: z.string().optional(),
        invitedAt: instant.optional(),
        /** Its card. */
        post: PostId,
      }),
    ),
  }),
  /** Median times of the projects since `from`, in ms; missing: none was claimed or bid on. */
  response: z
    .object({ card: z.number().optional(), claim: z.number().optional(), bid: z.number().optional() })
    .optional(),
  bids: z.object({
    made: z.number(),
    /** Sent before `from` and still open. */
    open: z.number(),
    /** Sent since `from` or still open; newest first, as many as the thread fits. */
    list: z.array(
      z.object({
        title: z.string(),
        /** Missing for jobs that no bid of ours created. */
        bid: BidId.optional(),
        by: UserId.optional(),
        setupName: z.string().optional(),
        job: JobId.optional(),
        /** The bid's state, or its job's in the server's words. */
        state: z.string(),
        statusTitle: z.string().optional(),
        waitsForApproval: z.boolean(),
        sent: z.boolean(),
        /** The card, invitation or message that shows it and has its buttons. */
        post: PostId,
      }),
    ),
  }),
  outcomes: z.object({
    counts: z.array(z.object({ outcome: ProposalOutcome, count: z.number() })),
    list: z.array(
      z.object({ outcome: ProposalOutcome, title: z.string().optional(), freelancer: z.string().optional() }),
    ),
  }),
  /** For proposals that the channel's profiles sent since `from`; missing: it follows no profiles. */
  connects: z
    .object({
      proposals: z.number(),
      /** How many of them have a known price. */
      priced: z.number(),
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
    /** Not enough data for a forecast yet. */
    isEarly: z.literal(true).optional(),
    /** `settled` and `limit` belong to the budget that all unconfirmed channels share. */
    isShared: z.literal(true).optional(),
    accountLeft: z.number().optional(),
    accountRunsOutAt: instant.optional(),
    /** The account may be a trial, whose credits don't renew. */
    accountLooksLikeTrial: z.literal(true).optional(),
  }),
  /** Setups that have used at least 80% of their daily limit. */
  setups: z.array(z.object({ id: SetupId, name: z.string(), sentToday: z.number(), dailyLimit: z.number() })),
  /** The channel's feeds that don't work now, or failed at some time since `from`. */
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
  /** Missing: there is nothing to show. */
  charts: DigestCharts.optional(),
});
export type DigestFacts = z.infer<typeof DigestFacts>;
