/**
 * News, each posted once: a proposal's outcome, and updates of a bid or a job for its thread. Only numbers
 * and names; the Slack side words them.
 */
import { z } from 'zod';
import { JobId, ProposalId, SetupId, UserId } from '../ids.ts';

/** `outbid`: others boost higher. */
export const ProposalOutcome = z.enum(['viewed', 'interviewed', 'hired', 'withdrawn', 'outbid']);
export type ProposalOutcome = z.infer<typeof ProposalOutcome>;

export const OutcomeNews = z.object({
  proposal: ProposalId,
  /** Only new ones. */
  outcomes: z.array(ProposalOutcome),
  title: z.string().optional(),
  freelancer: z.string().optional(),
  profile: z.string().optional(),
  template: z.string().optional(),
  variant: z.string().optional(),
  connects: z.number().optional(),
  boost: z.number().optional(),
  position: z.number().optional(),
  submittedAt: z.number().optional(),
});
export type OutcomeNews = z.infer<typeof OutcomeNews>;

/** Totals of proposals that got no message of their own. */
export const OutcomeCounts = z.object({
  /** With `heldBack`, a proposal that had news twice may count twice. */
  proposals: z.number(),
  /** They happened while Slack refused the channel. */
  heldBack: z.literal(true).optional(),
  counts: z.array(z.object({ outcome: ProposalOutcome, count: z.number() })),
});
export type OutcomeCounts = z.infer<typeof OutcomeCounts>;

const ListedOutcome = z.object({ at: z.number(), news: OutcomeNews });
export type ListedOutcome = z.infer<typeof ListedOutcome>;

/**
 * One message for outcomes of several proposals. hour: small ones, grows for an hour · together: what arrived
 * with too many others.
 */
export const OutcomeList = z.object({
  of: z.enum(['hour', 'together']),
  /** Oldest first. */
  entries: z.array(ListedOutcome),
  /** Totals of earlier ones that the list has no room for. */
  rest: OutcomeCounts.optional(),
});
export type OutcomeList = z.infer<typeof OutcomeList>;

const setup = { setup: SetupId.optional(), setupName: z.string().optional() };
const state = {
  job: JobId,
  /** In the server's words. */
  status: z.string(),
  statusTitle: z.string().optional(),
  scheduledAt: z.string().optional(),
  reason: z.string().optional(),
};
/** An earlier attempt of the bid or approval got no response and may have taken effect. */
const doubt = { doubt: z.literal(true).optional() };
/** The response that left the request's result open; missing: there was no response. */
const answered = { httpStatus: z.number().optional() };
const refusal = {
  /** A MarketplaceErrorCode. */
  code: z.string(),
  serverMessage: z.string().optional(),
  fields: z.record(z.string(), z.string()).optional(),
  /** Who canceled or rejected it before it was sent. */
  endedBy: UserId.optional(),
};

export const BidNews = z.discriminatedUnion('about', [
  /** `elsewhere`: the project that the marketplace names for the job, if it isn't the one that was bid on. */
  z.object({
    about: z.literal('bid-created'),
    by: UserId,
    title: z.string(),
    ...setup,
    ...state,
    elsewhere: z.string().optional(),
  }),
  /** `message`: the marketplace's own, while it gives no reason yet. */
  z.object({
    about: z.literal('bid-skipped'),
    by: UserId,
    title: z.string(),
    ...setup,
    ...state,
    ...doubt,
    message: z.string().optional(),
  }),
  /** `job`: the existing job that blocks the bid. */
  z.object({
    about: z.literal('bid-refused'),
    by: UserId,
    title: z.string(),
    ...setup,
    ...refusal,
    ...doubt,
    job: JobId.optional(),
  }),
  z.object({ about: z.literal('bid-unknown'), by: UserId, title: z.string(), ...setup, ...answered }),
  /** A bid with an unknown result turned out to have created this job. */
  z.object({ about: z.literal('bid-found'), by: UserId, title: z.string(), ...state }),
  /**
   * `by` pressed the button; `approvedBy` is the marketplace's name for the approver. `overrode`: the AI's
   * reason, empty if it gave none.
   */
  z.object({
    about: z.literal('job-approved'),
    by: UserId,
    approvedBy: z.string().optional(),
    overrode: z.string().optional(),
    ...state,
  }),
  z.object({ about: z.literal('approval-refused'), by: UserId, job: JobId, ...refusal, ...doubt }),
  z.object({ about: z.literal('approval-unknown'), by: UserId, job: JobId, ...answered }),
  /** `asker`: who asked for the approval. The job stays open on the marketplace. */
  z.object({
    about: z.literal('approval-rejected'),
    by: UserId,
    job: JobId,
    reason: z.string(),
    asker: UserId.optional(),
  }),
  /** Nobody answered the request in time; `second`: not enough people did. */
  z.object({
    about: z.literal('approval-expired'),
    job: JobId,
    hours: z.number(),
    asker: UserId.optional(),
    second: z.literal(true).optional(),
  }),
  z.object({ about: z.literal('job-changed'), ...state }),
  z.object({ about: z.literal('job-failed'), ...state, errorMessage: z.string() }),
  z.object({ about: z.literal('job-sent'), ...state, applicationUid: z.string() }),
  z.object({
    about: z.literal('proposal-found'),
    job: JobId,
    proposal: z.number(),
    connects: z.number().optional(),
    boost: z.number().optional(),
    position: z.number().optional(),
  }),
  /** News of the proposal that a job became. */
  z.object({
    about: z.literal('proposal-outcome'),
    job: JobId,
    proposal: z.number(),
    outcomes: z.array(ProposalOutcome),
  }),
  /** The job is no longer tracked, although it is still open; a button checks it again. */
  z.object({ about: z.literal('job-left'), job: JobId, hours: z.number() }),
  /** The marketplace doesn't know the job anymore. */
  z.object({ about: z.literal('job-gone'), job: JobId }),
]);
export type BidNews = z.infer<typeof BidNews>;
