/** Stored records of bidding: bids, their jobs, requests for approval and tracking state. */
import { z } from 'zod';
import { removeJobIdTilde } from '../aliases/project-aliases.ts';
import { DAY } from '../clock.ts';
import { BidId, ChannelId, JobId, ProjectKey, SetupId, UserId } from '../ids.ts';
import { PostId } from '../outbox/posts.ts';
import { findHoldMoment, Notified, SpendingHold } from '../spending/hold.ts';
import {
  readRecordField,
  readWithoutInvalidFields,
  replaceRecordFields,
} from '../storage/invalid-records.ts';
import { collection } from '../storage/store.ts';
import { isPendingReview } from './job-status-text.ts';

const instant = z.number();

/** A validated body for `POST /auto-bidding/jobs/create`. */
export const BidRequest = z.object({
  setup: SetupId,
  marketplaceJobId: z.string(),
  /** The marketplace service's own number of the project. */
  projectId: z.number().optional(),
  /** 5 to 1,000,000. */
  bidAmount: z.number().optional(),
  boostConnects: z.number().optional(),
  /** Wins over `scheduledInMinutes`. */
  scheduledAt: instant.optional(),
  /** 15 to 60. */
  scheduledInMinutes: z.number().optional(),
  coverLetter: z.string().optional(),
  answers: z.array(z.object({ question: z.string(), answer: z.string() })).optional(),
});
export type BidRequest = z.infer<typeof BidRequest>;

/** The marketplace's refusal; escape it before people see it. */
const BiddingRefusal = z.object({
  /** A MarketplaceErrorCode. */
  code: z.string(),
  serverMessage: z.string().optional(),
  fields: z.record(z.string(), z.string()).optional(),
  retryAfterMs: z.number().optional(),
});
export type BiddingRefusal = z.infer<typeof BiddingRefusal>;

/** The most similar letter that was sent to another client lately. */
export const SimilarLetter = z.object({
  percent: z.number(),
  /** When the other one was sent. */
  at: instant,
  /** Of the other project; untrusted text. Missing: it isn't for this channel. */
  title: z.string().optional(),
});
export type SimilarLetter = z.infer<typeof SimilarLetter>;

/** A fact that a request for approval showed: its start as text, and a hash of all of it. */
export const ApprovalFact = z.object({
  name: z.enum([
    'job',
    'job-id',
    'project-id',
    'title',
    'budget',
    'client',
    'setup',
    'rate',
    'boost',
    'schedule',
    'letter',
    'answers',
    'verdict',
    'connects',
  ]),
  text: z.string(),
  hash: z.string(),
});
export type ApprovalFact = z.infer<typeof ApprovalFact>;

/** The request that asks people to approve a waiting job. */
export const ApprovalReview = z.object({
  /** Counts the job's requests: after a rejection, someone may ask again. */
  round: z.number().int().min(1),
  at: instant,
  /** Who asks: the bidder, or who asked again. Missing: the job was made elsewhere. */
  by: UserId.optional(),
  /** Everyone who asked so far, in this and earlier requests. */
  askers: z.array(UserId).optional(),
  /** When it counts as rejected; missing: never. */
  expiresAt: instant.optional(),
  /** What it showed first, to name what changed since. */
  shown: z.array(ApprovalFact),
  /** The bid's price in connects, from a lookup. */
  connects: z.number().optional(),
  /** Missing: it isn't posted yet. */
  posted: Notified.optional(),
  ended: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('rejected'), by: UserId, at: instant, reason: z.string() }),
      z.object({ kind: z.literal('expired'), at: instant }),
    ])
    .optional(),
});
export type ApprovalReview = z.infer<typeof ApprovalReview>;

/**
 * A bid on one project with one setup. There is one record for both, however often people press: the claim
 * that is stored before the request is sent.
 */
export const Bid = z.object({
  id: BidId,
  project: ProjectKey,
  title: z.string(),
  url: z.string().optional(),
  /** Where the person asked; news go there. */
  channel: ChannelId,
  /** The thread anchor: the project's card, an invitation, or the bid's own message. */
  home: PostId,
  by: UserId,
  at: instant,
  request: BidRequest,
  similarLetter: SimilarLetter.optional(),
  setupName: z.string().optional(),
  /** Counts the sent requests. The next one needs a person who saw this number: no press runs twice. */
  attempt: z.number().int().min(1),
  /**
   * held: it waits for other people's approval or for its cancel window, and nothing was sent · sending: the
   * claim is stored, the response isn't · created · skipped: the marketplace made a job and
   * skipped it · refused: the marketplace refused, or nothing was sent · unknown: no response or an error, so
   * it may have taken effect.
   */
  state: z.enum(['held', 'sending', 'created', 'skipped', 'refused', 'unknown']),
  /** Why and how it waits, or waited, before it was sent. */
  hold: SpendingHold.optional(),
  shown: z.array(ApprovalFact).optional(),
  /** By bid: the attempts on the project, with other setups, that the held bid's form showed. */
  beside: z.record(z.string(), z.number()).optional(),
  /** Its price in connects, if the form showed it. */
  connectsPrice: z.number().optional(),
  answeredAt: instant.optional(),
  /** For an unknown state: the HTTP status of the unclear response. Missing: there was none. */
  httpStatus: z.number().optional(),
  /** Time of the first unanswered attempt that is still unclear. */
  doubtSince: instant.optional(),
  /** The audit entry of the last unanswered attempt before this one. */
  doubtAudit: z.array(z.union([z.string(), z.number()])).optional(),
  refusal: BiddingRefusal.optional(),
  /** The marketplace's message about the new job; escape it before people see it. */
  message: z.string().optional(),
  /** The created job; for a refusal, the blocking job. */
  job: JobId.optional(),
  /**
   * The setup's sent counters at the first unanswered attempt, or else at the newest one: evidence if no
   * response arrives.
   */
  before: z
    .object({ totalSent: z.number().optional(), sentToday: z.number().optional(), at: instant })
    .optional(),
  audit: z.array(z.union([z.string(), z.number()])),
});
export type Bid = z.infer<typeof Bid>;

export const BID_RETENTION_MS = 180 * DAY;

export const bids = collection({
  name: 'bids',
  schema: Bid,
  key: (it) => [it.id],
  indexes: {
    byProject: (it) => [it.project, it.id],
    /** [at] of claims without a stored response. */
    sending: (it) => (it.state === 'sending' ? [it.at] : undefined),
    /** [next moment, id] of bids that wait before they are sent. */
    held: ({ id, state, hold, request }) =>
      state === 'held' && hold ? [findHoldMoment(hold, request.scheduledAt), id] : undefined,
    /** [marketplace job id] of bids that may have created an unknown job, or are in flight. */
    doubtful: (it) =>
      it.state === 'unknown' || it.state === 'sending' || it.doubtSince !== undefined
        ? [removeJobIdTilde(it.request.marketplaceJobId)]
        : undefined,
    /** [marketplace job id, id] of bids on the project, under any key. */
    bySubject: (it) => [removeJobIdTilde(it.request.marketplaceJobId), it.id],
    byChannel: (it) => [it.channel, it.at],
    byAge: (it) => [it.at],
  },
  keepFor: { ms: BID_RETENTION_MS, keeps: ({ state }) => state === 'sending' || state === 'held' },
  essential: {
    readInvalid: (onDisk) =>
      readWithoutInvalidFields(Bid, replaceRecordFields(onDisk, { state: 'unknown' }), { audit: [] }),
  },
});

/** A requested approval; stored before the request is sent. */
const JobApproval = z.object({
  /** held: as in `Bid`. */
  state: z.enum(['held', 'sending', 'approved', 'refused', 'unknown']),
  by: UserId,
  at: instant,
  attempt: z.number().int().min(1),
  hold: SpendingHold.optional(),
  shown: z.array(ApprovalFact).optional(),
  /** The marketplace's name of the approver. */
  approvedBy: z.string().optional(),
  /** The approval overrode the AI: the AI's reason, or empty if it gave none. */
  overrode: z.string().optional(),
  /** For an unknown state: why a later approval was refused, which proves nothing about this one. */
  refusal: BiddingRefusal.optional(),
  /** For an unknown state: the HTTP status of the unclear response. Missing: there was none. */
  httpStatus: z.number().optional(),
  /** For an unknown state: status checks failed for too long, so a person may approve again. */
  mayRepeat: z.literal(true).optional(),
  /** The previous, unanswered approval: it may have taken effect. */
  doubt: z
    .object({
      by: UserId,
      at: instant,
      audit: z.array(z.union([z.string(), z.number()])),
      httpStatus: z.number().optional(),
    })
    .optional(),
  audit: z.array(z.union([z.string(), z.number()])),
});
export type JobApproval = z.infer<typeof JobApproval>;

const LinkedProposal = z.object({
  id: z.number(),
  submittedAt: instant.optional(),
  connects: z.number().optional(),
  boost: z.number().optional(),
  position: z.number().optional(),
  viewed: z.boolean(),
  interviewed: z.boolean(),
  hired: z.boolean(),
  withdrawn: z.boolean(),
  boostOutbid: z.boolean(),
});
export type LinkedProposal = z.infer<typeof LinkedProposal>;

/** A known auto bidding job. */
export const Job = z.object({
  id: JobId,
  /** Missing for a job created outside Gigdesk. */
  bid: BidId.optional(),
  /** Who sent the bid that created it. The bid's record may name a later attempt's person. */
  bidder: UserId.optional(),
  project: ProjectKey.optional(),
  title: z.string().optional(),
  marketplaceJobId: z.string().optional(),
  /** Where its news go: the channel and its thread anchor. */
  channel: ChannelId,
  home: PostId,
  setup: SetupId.optional(),
  setupName: z.string().optional(),
  bidAmount: z.string().optional(),

  /** As last read, in the server's words. */
  status: z.string(),
  statusTitle: z.string().optional(),
  scheduledAt: z.string().optional(),
  reason: z.string().optional(),
  processedAt: z.string().optional(),
  errorMessage: z.string().optional(),
  retryCount: z.number().optional(),
  applicationUid: z.string().optional(),
  readAt: instant,

  proposal: LinkedProposal.optional(),
  approval: JobApproval.optional(),
  review: ApprovalReview.optional(),
  knownAt: instant,
  /**
   * following: `step` counts the checks of this round, which began at `since`. settled: no more changes
   * expected · left: no end after 48 h; Refresh starts again · gone: the marketplace doesn't know the job any
   * more.
   */
  follow: z.discriminatedUnion('state', [
    z.object({ state: z.literal('following'), since: instant, step: z.number(), dueAt: instant }),
    z.object({ state: z.enum(['settled', 'left', 'gone']), at: instant }),
  ]),
  /** Counts the posted news, so that each change is posted once. */
  told: z.number(),
});
export type Job = z.infer<typeof Job>;

export const jobs = collection({
  name: 'jobs',
  schema: Job,
  key: (it) => [it.id],
  indexes: {
    /** [due time, id]: the next job to check. */
    due: (it) => (it.follow.state === 'following' ? [it.follow.dueAt, it.id] : undefined),
    byProject: (it) => (it.project ? [it.project, it.id] : undefined),
    /** [application uid, id] of jobs that became a proposal. */
    byApplication: (it) => (it.applicationUid ? [it.applicationUid, it.id] : undefined),
    /** [channel, known since] of jobs that wait for approval. */
    waiting: (it) =>
      isPendingReview(it) && it.follow.state !== 'gone' ? [it.channel, it.knownAt] : undefined,
    /** [at] of approvals without a stored response. */
    approving: (it) => (it.approval?.state === 'sending' ? [it.approval.at] : undefined),
    /** [next moment, id] of approvals that wait before they are sent. */
    held: ({ id, approval }) =>
      approval?.state === 'held' && approval.hold ? [findHoldMoment(approval.hold), id] : undefined,
    /** [requested at] of requests for approval that aren't posted yet. */
    unposted: (it) => (it.review && !it.review.posted ? [it.review.at] : undefined),
    /** [expiry time] of requests that nobody has answered. */
    expiring: (it) =>
      it.review?.expiresAt !== undefined && !it.review.ended && isPendingReview(it) && !isBeingApproved(it)
        ? [it.review.expiresAt]
        : undefined,
    byAge: (it) => [it.knownAt],
  },
  keepFor: {
    ms: BID_RETENTION_MS,
    keeps: ({ follow, approval }) =>
      follow.state === 'following' || approval?.state === 'sending' || approval?.state === 'held',
  },
  essential: { readInvalid: readUnfitJob },
});

function isBeingApproved({ approval, follow }: Job): boolean {
  return (approval !== undefined && approval.state !== 'refused') || follow.state === 'gone';
}

/** Its approval may have taken effect, so it counts as unknown. Tracking resumes when a person refreshes. */
function readUnfitJob(onDisk: unknown): Job | undefined {
  const approval = readRecordField(onDisk, 'approval');
  const unknown = replaceRecordFields(approval, { state: 'unknown' });
  const doubtful = readWithoutInvalidFields(JobApproval, unknown, { audit: [] });
  return readWithoutInvalidFields(Job, onDisk, {
    follow: { state: 'left', at: 0 },
    // A decision of another version counts as a rejection: people can ask again.
    review: { round: 1, at: 0, shown: [], ended: { kind: 'expired', at: 0 } },
    approval: doubtful ?? { state: 'unknown', by: UserId.parse('unknown'), at: 0, attempt: 1, audit: [] },
  });
}

/** The id of the first bid of a project and a setup; `findBid` finds it under any name of the project. */
export function bidId(marketplaceJobId: string, setup: SetupId): BidId {
  return BidId.parse(`${setup}:${removeJobIdTilde(marketplaceJobId)}`);
}

/** Names a bid, or a job from elsewhere, in the week's connects. */
export function connectsRef({ bid, id }: { readonly bid?: BidId | undefined; readonly id?: JobId }): string {
  return bid === undefined ? `job:${id}` : `bid:${bid}`;
}
