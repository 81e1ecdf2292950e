/** What a thread is told of a bid or a job, once each. Numbers and names only; the wording is Slack's side's. */
import { z } from 'zod';
import { JobId, SetupId, UserId } from '../ids.ts';
import { ProposalOutcome } from './outcome-news.ts';

const setup = { setup: SetupId.optional(), setupName: z.string().optional() };
const state = {
  job: JobId,
  /** In the server's words. */
  status: z.string(),
  statusTitle: z.string().optional(),
  scheduledAt: z.string().optional(),
  reason: z.string().optional(),
};
/** Of a bid or an approval: an attempt before it went without an answer, and may have taken effect. */
const doubt = { doubt: z.literal(true).optional() };
/** Of an answer that left open what the request did; missing: nothing came. */
const answered = { httpStatus: z.number().optional() };
const refusal = {
  /** A MarketplaceErrorCode. */
  code: z.string(),
  serverMessage: z.string().optional(),
  fields: z.record(z.string(), z.string()).optional(),
};

export const BidNews = z.discriminatedUnion('about', [
  /** `elsewhere`: the marketplace says that the job is for this project, not for the one that was bid on. */
  z.object({
    about: z.literal('bid-created'),
    by: UserId,
    title: z.string(),
    ...setup,
    ...state,
    elsewhere: z.string().optional(),
  }),
  /** `message`: the marketplace's own, where it gives no reason yet. */
  z.object({
    about: z.literal('bid-skipped'),
    by: UserId,
    title: z.string(),
    ...setup,
    ...state,
    ...doubt,
    message: z.string().optional(),
  }),
  /** `job`: the one that stands in its way. */
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
  /** A bid of which nothing was known turned out to have become this job. */
  z.object({ about: z.literal('bid-found'), by: UserId, title: z.string(), ...state }),
  /** `by` pressed; `approvedBy` is the marketplace's name for who approved. `overrode`: the AI's reason, empty where it gave none. */
  z.object({
    about: z.literal('job-approved'),
    by: UserId,
    approvedBy: z.string().optional(),
    overrode: z.string().optional(),
    ...state,
  }),
  z.object({ about: z.literal('approval-refused'), by: UserId, job: JobId, ...refusal, ...doubt }),
  z.object({ about: z.literal('approval-unknown'), by: UserId, job: JobId, ...answered }),
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
  /** Of the proposal that a job became: what has just become true of it. */
  z.object({
    about: z.literal('proposal-outcome'),
    job: JobId,
    proposal: z.number(),
    outcomes: z.array(ProposalOutcome),
  }),
  /** Not followed any further, though not settled; a button asks anew. */
  z.object({ about: z.literal('job-left'), job: JobId, hours: z.number() }),
  /** The marketplace knows it no longer. */
  z.object({ about: z.literal('job-gone'), job: JobId }),
]);
export type BidNews = z.infer<typeof BidNews>;
