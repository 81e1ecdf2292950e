/** The contract of bidding: what commands, buttons and modals ask of it. A named person stands behind every call. */
import type { BidId, ChannelId, JobId, ProjectKey, UserId } from '../ids.ts';
import type { MarketplaceError } from '../marketplace/errors.ts';
import type { JobStatusReport } from '../marketplace/schema.ts';
import type { Bid, BidRequest, Job } from './records.ts';

/** A bid and the job that it became, or that stands in its way. */
export interface BidWithJob {
  readonly bid: Bid;
  readonly job?: Job;
}

export interface BidSubmission {
  readonly request: BidRequest;
  readonly project: ProjectKey;
  readonly title: string;
  readonly url?: string;
  readonly channel: ChannelId;
  readonly by: UserId;
  /** By bid: the attempt whose end the person saw when they decided. Missing: none. */
  readonly seenAttempts: Readonly<Record<string, number>>;
  /** By bid on the project, whatever its setup: the attempt that the person's form showed. */
  readonly shownAttempts: Readonly<Record<string, number>>;
}

export type BidSubmissionResult =
  /** This call asked the marketplace; `view.bid.state` says what came of it (never `sending`). */
  | { readonly kind: 'asked'; readonly view: BidWithJob }
  /** Nothing was sent: another attempt than `seen` is there, or one is under way, or a job was created already. */
  | { readonly kind: 'taken'; readonly view: BidWithJob }
  /** Nothing was sent: these bids with other setups may be jobs, and the person's form did not show them. */
  | { readonly kind: 'not-shown'; readonly views: readonly BidWithJob[] };

export interface JobApprovalRequest {
  readonly job: JobId;
  readonly by: UserId;
  /** Where it was pressed: a job without a record gets its message there. */
  readonly channel: ChannelId;
  /** The job's own channel, where the person has the right to approve; undefined: it has no record, and they have it everywhere. */
  readonly authorizedChannel: ChannelId | undefined;
  /** The approval's attempt that the person saw; 0: none. */
  readonly seenAttempt: number;
}

export type JobApprovalResult =
  /** This call asked the marketplace; `job.approval.state` says what came of it. */
  | { readonly kind: 'asked'; readonly job: Job }
  /** Nothing was sent: somebody approved it, or is about to, or another attempt than `seen` is there. */
  | { readonly kind: 'taken'; readonly job: Job }
  /** Nothing was sent: it does not wait for review (any more). */
  | { readonly kind: 'not-waiting'; readonly job: Job }
  /** Nothing was sent: its channel is not the one that the person's right was decided for. */
  | { readonly kind: 'moved' }
  /** Nothing was sent: the job could not be read; `not-found`: there is none. */
  | { readonly kind: 'failed'; readonly error: MarketplaceError };

/** What can be found out of a bid without an answer. Nothing here has an effect. */
export interface BidEvidence {
  readonly view: BidWithJob;
  /** How many proposals the setup has sent since, as far as its counters tell. */
  readonly sentSince?: number;
}

export type JobRefreshResult =
  /** `job`: what we keep of it; missing for a job that was never bid or approved through us. */
  | { readonly kind: 'found'; readonly status: JobStatusReport; readonly job?: Job }
  | { readonly kind: 'failed'; readonly error: MarketplaceError; readonly job?: Job };

export interface BiddingService {
  /** Follows jobs until stopped; first settles what a former run left without an answer. */
  runJobTracking(signal: AbortSignal): Promise<void>;

  /**
   * Creates a job: stores the claim, asks once, records the answer, and tells card and thread. Whatever happens, at most one
   * request is sent for one `seen` of one project and setup, and none beside a bid on the project that the person was not shown.
   * @throws StorageError when the claim could not be stored: nothing was sent then.
   */
  submitBid(order: BidSubmission): Promise<BidSubmissionResult>;
  /** Looks for traces of a bid without an answer; a claim whose bid is settled meanwhile comes back as it is. */
  checkBidEvidence(id: BidId): Promise<BidEvidence | undefined>;

  /** Approves a job that waits for review, in the same way as `bid`. The caller has checked that the person may. */
  approveJob(order: JobApprovalRequest): Promise<JobApprovalResult>;

  /**
   * A job as it stands now. One that we follow is brought up to date by it (and followed anew, where it was left or gone); one that
   * answers an unknown bid of ours settles that bid.
   */
  refreshJob(job: JobId): Promise<JobRefreshResult>;
}
