/**
 * What commands, buttons and modals ask of bidding, and what it answers: a named person is responsible for
 * every call. At the end, what all parts of bidding need.
 */

import type { Instant } from '../clock.ts';
import type { Attempts } from '../effects/attempt.ts';
import type { BidId, ChannelId, JobId, UserId } from '../ids.ts';
import type { MarketplaceError } from '../marketplace/errors.ts';
import type { JobStatusReport } from '../marketplace/schema.ts';
import type { PostId } from '../outbox/posts.ts';
import type { SetupService, SetupServiceContext } from '../setups/setups.ts';
import type { Notified, SpendingHold } from '../spending/hold.ts';
import type { CapExceeded } from '../spending/spending.ts';
import type { Workspace } from '../workspace.ts';
import type { ApprovalChange } from './approval-request.ts';
import type { Order, TooSoon } from './plan-order.ts';
import type { ApprovalFact, Bid, Job } from './records.ts';

export { type BidDraft, BidForm } from './draft-records.ts';
export type { TooSoon } from './plan-order.ts';
export type { ApprovalReview, Bid, BidRequest, Job, JobApproval, LinkedProposal } from './records.ts';

/** A bid and its job: the one it created, or the one that blocks it. */
export interface BidWithJob {
  readonly bid: Bid;
  readonly job?: Job;
}

export interface BidSubmission
  extends Pick<
    Bid,
    'request' | 'project' | 'title' | 'url' | 'channel' | 'by' | 'connectsPrice' | 'similarLetter'
  > {
  /** By bid: the ended attempt that the person saw when they decided. Missing: none. */
  readonly seenAttempts: Readonly<Record<string, number>>;
  /** By bid on the project, with any setup: the attempt that the person's form showed. */
  readonly shownAttempts: Readonly<Record<string, number>>;
}

export type BidSubmissionResult =
  /** This call sent the request; `view.bid.state` is its result (never `sending`). */
  | { readonly kind: 'asked'; readonly view: BidWithJob }
  /** Nothing was sent yet: the bid waits for other people's approval, or for the end of the cancel window. */
  | { readonly kind: 'held'; readonly view: BidWithJob }
  /** Nothing was sent: it would exceed a weekly cap. */
  | CapExceeded
  | TooSoon
  /** Nothing was sent: there is a newer attempt than the person saw, one in flight, or a created job. */
  | { readonly kind: 'taken'; readonly view: BidWithJob }
  /** Nothing was sent: these bids with other setups may be jobs, and the person's form didn't show them. */
  | { readonly kind: 'not-shown'; readonly views: readonly BidWithJob[] };

export interface JobApprovalRequest {
  readonly job: JobId;
  readonly by: UserId;
  /** Where the person pressed: a job without a record gets its anchor message there. */
  readonly channel: ChannelId;
  /**
   * The job's channel, where the person may approve. undefined: the job has no record, and the person may
   * approve everywhere.
   */
  readonly authorizedChannel: ChannelId | undefined;
  /** The approval attempt that the person saw; 0: none. */
  readonly seenAttempt: number;
  /** `hashApprovalFacts` of what the person was shown. */
  readonly shown: string;
}

export type JobApprovalResult =
  /** This call sent the request; `job.approval.state` is its result. */
  | { readonly kind: 'asked'; readonly job: Job }
  /** Nothing was sent yet: as for a bid. */
  | { readonly kind: 'held'; readonly job: Job }
  /** Nothing was sent: it needs a second approval, and the person asked for this one. */
  | { readonly kind: 'own'; readonly job: Job }
  | CapExceeded
  /** Nothing was sent: the job is approved, an approval is in flight, or the person saw an older attempt. */
  | { readonly kind: 'taken'; readonly job: Job }
  /** Nothing was sent: the job doesn't wait for review (any more). */
  | { readonly kind: 'not-waiting'; readonly job: Job }
  /** Nothing was sent: the job isn't in `authorizedChannel`. */
  | { readonly kind: 'moved' }
  /** Nothing was sent: the job isn't what the person was shown. The changes are since its request. */
  | { readonly kind: 'changed'; readonly changes: readonly ApprovalChange[] }
  /** Nothing was sent: the request was rejected or has expired. Someone has to ask again. */
  | { readonly kind: 'closed'; readonly job: Job }
  /** Nothing was sent: the job couldn't be read; `not-found`: it doesn't exist. */
  | { readonly kind: 'failed'; readonly error: MarketplaceError };

/** A decision about a job's request for approval, other than approving. The caller has checked the role. */
export interface ApprovalOrder {
  readonly job: JobId;
  /** The request that the person saw. */
  readonly round: number;
  readonly by: UserId;
  /** The job's channel, where the person may approve. */
  readonly authorizedChannel: ChannelId;
}

export type ApprovalDecision =
  | { readonly kind: 'done'; readonly job: Job }
  /** Nothing was done: the request was answered before, or isn't the current one. */
  | { readonly kind: 'taken'; readonly job: Job }
  /** Nothing was done: the job isn't in `authorizedChannel`. */
  | { readonly kind: 'moved' };

/** The bid, or the job whose approval waits. */
export type HeldOrderRef =
  | { readonly bid: BidId; readonly job?: undefined }
  | { readonly job: JobId; readonly bid?: undefined };

/** A bid or an approval that waits, or waited. */
export type HeldOrder = Order & {
  readonly home: PostId;
  readonly attempt: number;
  /** The time that a new bid names for itself: later, the marketplace would refuse it. */
  readonly sendAt?: Instant | undefined;
  readonly hold: SpendingHold;
  readonly shown: readonly ApprovalFact[];
  readonly isHeld: boolean;
  readonly of: { readonly bid: Bid } | { readonly job: Job };
};

/** A decision about a bid or an approval that waits. The caller has checked the role. */
export interface HeldOrderDecision {
  readonly ref: HeldOrderRef;
  /** The attempt that the person saw. */
  readonly attempt: number;
  readonly by: UserId;
  /** The order's channel, where the person may decide. */
  readonly authorizedChannel: ChannelId;
}

export type HeldOrderResult =
  /** It counts; for an approval, `order` tells how many are missing. */
  | { readonly kind: 'done'; readonly order: HeldOrder }
  /** Nothing was done: it was sent, canceled or has ended otherwise, or no approval is missing. */
  | { readonly kind: 'taken'; readonly order: HeldOrder }
  /** Nothing was done: the person's approval counts already. */
  | { readonly kind: 'repeated'; readonly order: HeldOrder }
  /** Nothing was done: the person sent it, or asked for it. */
  | { readonly kind: 'own'; readonly order: HeldOrder }
  /** Nothing was approved: it isn't what the person was shown. */
  | { readonly kind: 'changed'; readonly order: HeldOrder; readonly changes: readonly ApprovalChange[] }
  /** Nothing was done: it isn't in `authorizedChannel`, or is gone. */
  | { readonly kind: 'moved' };

/** The people that a request for approval notifies: they may approve, and don't ask themselves. */
export type ApprovalAddressees = Omit<Notified, 'at'>;

/** Evidence about an unanswered bid. Collecting it changes nothing at the marketplace. */
export interface BidEvidence {
  readonly view: BidWithJob;
  /** Proposals that the setup has sent since, if its counters show it. */
  readonly sentSince?: number;
}

export type JobRefreshResult =
  /** `job`: our record of it; missing for a job that was never bid on or approved through Gigdesk. */
  | { readonly kind: 'found'; readonly status: JobStatusReport; readonly job?: Job }
  | { readonly kind: 'failed'; readonly error: MarketplaceError; readonly job?: Job };

export interface BiddingContext
  extends SetupServiceContext,
    Pick<Workspace, 'random' | 'timezone' | 'clockGuard'> {
  readonly setups: SetupService;
  /** The people that a request for approval notifies. Never throws. Missing: nobody. */
  readonly findApprovers?: (channel: ChannelId, except: readonly UserId[]) => Promise<ApprovalAddressees>;
  /**
   * Whether a person may bid and approve in a channel. undefined: Slack doesn't say now. Never throws.
   * Missing: everyone may.
   */
  readonly mayBid?: (user: UserId, channel: ChannelId) => Promise<boolean | undefined>;
}

/** For parts of bidding that send requests. */
export interface WithAttempts {
  readonly attempts: { readonly bids: Attempts<BidId, BidWithJob>; readonly approvals: Attempts<JobId, Job> };
}
