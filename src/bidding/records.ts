/** What bidding keeps: bids, the jobs that came of them and how they are followed, and what people have begun to fill in. */
import { z } from 'zod';
import { withoutTilde } from '../aliases/project-aliases.ts';
import { BidId, ChannelId, DraftId, JobId, ProjectKey, SetupId, TeamId, UserId } from '../ids.ts';
import { PostId } from '../outbox/posts.ts';
import { readField, readWithoutInvalidFields, withFields } from '../storage/read-invalid-record.ts';
import type { Collection, Key } from '../storage/store.ts';
import { isPendingReview } from './job-status-text.ts';

const instant = z.number();

/** What is sent to `POST /auto-bidding/jobs/create`, checked. */
export const BidRequest = z.object({
  setup: SetupId,
  marketplaceJobId: z.string(),
  /** The service's own number of the project. */
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

/** The marketplace's refusal, for people after escaping. */
const BiddingRefusal = z.object({
  /** A MarketplaceErrorCode. */
  code: z.string(),
  serverMessage: z.string().optional(),
  fields: z.record(z.string(), z.string()).optional(),
  retryAfterMs: z.number().optional(),
});
export type BiddingRefusal = z.infer<typeof BiddingRefusal>;

/**
 * One project bid on with one setup. There is one record for both, whoever presses and however often: it is the claim that is
 * stored before the marketplace is asked. Key: [team, id].
 */
export const Bid = z.object({
  team: TeamId,
  id: BidId,
  project: ProjectKey,
  title: z.string(),
  url: z.string().optional(),
  /** Where it was asked for; its news go there. */
  channel: ChannelId,
  /** The card, or a message of its own, in whose thread the news stand. */
  home: PostId,
  by: UserId,
  at: instant,
  request: BidRequest,
  setupName: z.string().optional(),
  /** Counts the requests that were sent. The next needs a person who saw this number: no press is carried out twice. */
  attempt: z.number().int().min(1),
  /**
   * sending: the claim is stored, no answer is · created · skipped: the marketplace made a job and skipped it · refused: it
   * said no, or nothing was sent · unknown: no answer came, or an error, so it may have taken effect.
   */
  state: z.enum(['sending', 'created', 'skipped', 'refused', 'unknown']),
  answeredAt: instant.optional(),
  /** Of an unknown one: the HTTP status of the answer that left it open. Missing: nothing came. */
  httpStatus: z.number().optional(),
  /** When the first attempt was made that went without an answer, and of which nothing was learned since. */
  doubtSince: instant.optional(),
  /** The audit entry of the last attempt before this one that went without an answer. */
  doubtAudit: z.array(z.union([z.string(), z.number()])).optional(),
  refusal: BiddingRefusal.optional(),
  /** What the marketplace said of the job that it made, for people after escaping. */
  message: z.string().optional(),
  /** What it became; of a refusal, the job that stands in its way. */
  job: JobId.optional(),
  /** What the setup had sent when the first attempt in doubt was claimed, else the newest: evidence, should no answer come. */
  before: z
    .object({ totalSent: z.number().optional(), sentToday: z.number().optional(), at: instant })
    .optional(),
  /** Its audit entry. */
  audit: z.array(z.union([z.string(), z.number()])),
});
export type Bid = z.infer<typeof Bid>;

export const bids: Collection<Bid> = {
  name: 'bids',
  schema: Bid,
  indexes: {
    /** [team, project, id] */
    byProject: (it) => [it.team, it.project, it.id],
    /** [team, when]: claims without an answer on record. */
    sending: (it) => (it.state === 'sending' ? [it.team, it.at] : undefined),
    /** [team, marketplace job id]: those that may have become a job without our knowing, or are about to. */
    doubtful: (it) =>
      it.state === 'unknown' || it.state === 'sending' || it.doubtSince !== undefined
        ? [it.team, withoutTilde(it.request.marketplaceJobId)]
        : undefined,
    /** [team, marketplace job id, id]: bids on the project, under whatever key. */
    bySubject: (it) => [it.team, withoutTilde(it.request.marketplaceJobId), it.id],
    /** [team, when]: for clearing out the old. */
    byAge: (it) => [it.team, it.at],
  },
  essential: {
    readInvalid: (onDisk) => readWithoutInvalidFields(Bid, withFields(onDisk, { state: 'unknown' })),
  },
};

/** An approval that somebody asked for; stored before the marketplace is asked. */
const JobApproval = z.object({
  state: z.enum(['sending', 'approved', 'refused', 'unknown']),
  by: UserId,
  at: instant,
  attempt: z.number().int().min(1),
  /** The marketplace's name for who approved. */
  approvedBy: z.string().optional(),
  /** It overruled the AI: the AI's reason, empty where it gave none. */
  overrode: z.string().optional(),
  /** Of an unknown one: why a later one was refused, which tells nothing of it. */
  refusal: BiddingRefusal.optional(),
  /** Of an unknown one: the HTTP status of the answer that left it open. Missing: nothing came. */
  httpStatus: z.number().optional(),
  /** Of an unknown one: the job could not be read for long, so that nobody has to wait for that. */
  mayRepeat: z.literal(true).optional(),
  /** The one before it, to which no answer came: it may have taken effect. */
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

/** The proposal that a job became, as last read. */
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

/** An auto bidding job that we know. Key: [team, id]. */
export const Job = z.object({
  team: TeamId,
  id: JobId,
  /** Missing for one that was not created here. */
  bid: BidId.optional(),
  project: ProjectKey.optional(),
  title: z.string().optional(),
  marketplaceJobId: z.string().optional(),
  /** Where its news go, and under which message. */
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
  knownAt: instant,
  /**
   * Followed until it is settled: `step` counts the readings of this round, from `since` on. settled: nothing more is
   * expected · left: after 48 h without an end, until somebody presses Refresh · gone: the marketplace knows it no longer.
   */
  follow: z.discriminatedUnion('state', [
    z.object({ state: z.literal('following'), since: instant, step: z.number(), dueAt: instant }),
    z.object({ state: z.enum(['settled', 'left', 'gone']), at: instant }),
  ]),
  /** Counts what its thread was told, so that each change is told once. */
  told: z.number(),
});
export type Job = z.infer<typeof Job>;

export const jobs: Collection<Job> = {
  name: 'jobs',
  schema: Job,
  indexes: {
    /** [team, when due, id]: what is to be read next. */
    due: (it) => (it.follow.state === 'following' ? [it.team, it.follow.dueAt, it.id] : undefined),
    /** [team, project, id] */
    byProject: (it) => (it.project ? [it.team, it.project, it.id] : undefined),
    /** [team, application uid, id]: the job that became a proposal. */
    byApplication: (it) => (it.applicationUid ? [it.team, it.applicationUid, it.id] : undefined),
    /** [team, channel, when known]: what somebody has to approve. */
    waiting: (it) =>
      isPendingReview(it) && it.follow.state !== 'gone' ? [it.team, it.channel, it.knownAt] : undefined,
    /** [team, when]: approvals without an answer on record. */
    approving: (it) => (it.approval?.state === 'sending' ? [it.team, it.approval.at] : undefined),
    /** [team, when]: for clearing out the old. */
    byAge: (it) => [it.team, it.knownAt],
  },
  essential: { readInvalid: readUnfitJob },
};

/** Its approval may have taken effect, and nothing of it is read before somebody asks. */
function readUnfitJob(onDisk: unknown): Job | undefined {
  const approval = readField(onDisk, 'approval');
  const doubtful = readWithoutInvalidFields(JobApproval, withFields(approval, { state: 'unknown' }));
  return readWithoutInvalidFields(Job, onDisk, {
    follow: { state: 'left', at: 0 },
    approval: doubtful ?? { state: 'unknown', by: UserId.parse('unknown'), at: 0, attempt: 1, audit: [] },
  });
}

/** What a person typed into the bid modal, as typed. */
export const BidForm = z.object({
  setup: SetupId.optional(),
  marketplaceJobId: z.string(),
  projectId: z.string(),
  bidAmount: z.string(),
  boostConnects: z.string(),
  when: z.enum(['as-set-up', 'in-minutes', 'at']),
  inMinutes: z.string(),
  at: instant.optional(),
  coverLetter: z.string(),
  /** One for each of the draft's questions. */
  answers: z.array(z.string()),
});
export type BidForm = z.infer<typeof BidForm>;

export const EMPTY_BID_FORM: BidForm = {
  marketplaceJobId: '',
  projectId: '',
  bidAmount: '',
  boostConnects: '',
  when: 'as-set-up',
  inMinutes: '',
  coverLetter: '',
  answers: [],
};

/** A bid that somebody is filling in; kept so that nothing typed is lost. Key: [team, user, id]. */
export const BidDraft = z.object({
  team: TeamId,
  user: UserId,
  id: DraftId,
  channel: ChannelId,
  project: ProjectKey,
  title: z.string(),
  url: z.string().optional(),
  /** Screening questions; missing: not known, since nobody looked the project up. */
  questions: z.array(z.string()).optional(),
  /** What a bid on the project costs in connects, where a lookup told it. */
  connectsPrice: z.number().optional(),
  /** Whom the client accepts alone, where a lookup says so. */
  usOnly: z.boolean().optional(),
  ukOnly: z.boolean().optional(),
  form: BidForm,
  /** Inputs of 3,000 characters for each long text. */
  parts: z.number().int().min(1).max(2),
  /** By bid: the attempt whose end stands in the form; sending is the next one. Missing: there was none. */
  seen: z.record(z.string(), z.number()),
  /** By bid on the project: the attempt that the form shows, whatever its state. Missing: shows none. */
  shownBids: z.record(z.string(), z.number()).optional(),
  /** Counts the changes of `seen`, of `shownBids`, and of questions: a view that bears an older number shows what was before them. */
  shown: z.number().int().optional(),
  /** The value of `shown` since which these are the questions. */
  asks: z.number().int().optional(),
  /** When it was last sent: no form may be put over what comes of that. */
  sentAt: instant.optional(),
  /** It was opened again with what stood in it since then. */
  resumedFrom: instant.optional(),
  /** How often it was begun afresh, or its long texts were laid out anew. */
  afresh: z.number().int().optional(),
  at: instant,
});
export type BidDraft = z.infer<typeof BidDraft>;

export const bidDrafts: Collection<BidDraft> = {
  name: 'bid-drafts',
  schema: BidDraft,
  indexes: {
    /** [team, user, channel, project]: what somebody left unfinished. */
    byPlace: (it) => [it.team, it.user, it.channel, it.project],
    /** [team, user, last change] */
    byUser: (it) => [it.team, it.user, it.at],
    /** [team, when]: for clearing out the old. */
    byAge: (it) => [it.team, it.at],
  },
};

/** The first bid of a project and a setup; `findBid` finds it under any name of the project. */
export function bidId(marketplaceJobId: string, setup: SetupId): BidId {
  return BidId.parse(`${setup}:${withoutTilde(marketplaceJobId)}`);
}

export function bidKey(team: TeamId, id: BidId): Key {
  return [team, id];
}

export function jobKey(team: TeamId, id: JobId): Key {
  return [team, id];
}

export function bidDraftKey(team: TeamId, user: UserId, id: DraftId): Key {
  return [team, user, id];
}
