/**
 * Decides whether a bid or an approval may be sent, applies its response, and tells whether a bid has reached
 * the client or still may, and whether its connects are free again. Pure.
 */
import { removeJobIdTilde } from '../aliases/project-aliases.ts';
import type { Instant } from '../clock.ts';
import { JobId } from '../ids.ts';
import type { CreateJobRequest } from '../marketplace/client.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { ApprovedJob, CreatedJob } from '../marketplace/schema.ts';
import { isJobSkipped, isPendingReview, parseReviewState } from './job-status-text.ts';
import type { Bid, BiddingRefusal, BidRequest, Job, JobApproval } from './records.ts';

/**
 * Whether an unknown job may exist: the newest attempt or an earlier one went unanswered. A later refusal or
 * skip proves nothing about it.
 */
export function isUncertainBid({ state, doubtSince }: Pick<Bid, 'state' | 'doubtSince'>): boolean {
  if (state === 'unknown') return true;
  return doubtSince !== undefined && (state === 'refused' || state === 'skipped' || state === 'held');
}

/** Whether it ended before anything was sent, as by Cancel. An earlier attempt may have been sent. */
export function wasNeverSent({ state, hold }: Pick<Bid, 'state' | 'hold'>): boolean {
  return state === 'refused' && hold?.ended !== undefined && hold.ended.kind !== 'sent';
}

/** The doubt that an unanswered attempt passes on to the next one. */
export function carryBidUncertainty(
  bid: Pick<Bid, 'state' | 'at' | 'doubtSince' | 'doubtAudit' | 'audit' | 'before'> | undefined,
): Pick<Bid, 'doubtSince' | 'doubtAudit' | 'before'> | undefined {
  if (!bid || !isUncertainBid(bid)) return undefined;
  const { state, at, doubtSince = at, doubtAudit, audit, before } = bid;
  return { doubtSince, doubtAudit: state === 'unknown' ? audit : doubtAudit, before };
}

/** Whether no other attempt may begin: the bid waits to be sent, is being sent, or has its job. */
export function isBidStanding({ state }: Pick<Bid, 'state'>): boolean {
  return state === 'held' || state === 'sending' || state === 'created';
}

/** Whether the marketplace may have a job for the bid, or soon will. */
export function mayBidHaveJob(bid: Pick<Bid, 'state' | 'doubtSince'>): boolean {
  return isBidStanding(bid) || isUncertainBid(bid);
}

/**
 * Bids with other setups that may have a job and that the form didn't show. Only a person who has seen them
 * may bid beside them.
 * @param bids all bids on the project
 * @param shown by bid, the attempt that the form showed
 */
export function findUnshownBids(
  bids: readonly Bid[],
  chosen: Bid['id'],
  shown: Readonly<Record<string, number>>,
): readonly Bid[] {
  return bids.filter((bid) => bid.id !== chosen && mayBidHaveJob(bid) && shown[bid.id] !== bid.attempt);
}

/**
 * The setup's bid on the project with these job ids. Before two names were linked, each may have had a bid:
 * then the one most likely to have a job.
 */
export function findBid<T extends Pick<Bid, 'request' | 'state' | 'doubtSince' | 'at'>>(
  all: readonly T[],
  jobIds: readonly string[],
  setup: Bid['request']['setup'],
): T | undefined {
  const own = all.filter(
    ({ request }) => request.setup === setup && jobIds.includes(removeJobIdTilde(request.marketplaceJobId)),
  );
  const weight = (bid: T): number => (isBidStanding(bid) ? 2 : Number(isUncertainBid(bid)));
  const [first] = own.sort((a, b) => weight(b) - weight(a) || b.at - a.at);
  return first;
}

type AttemptClaimDecision = { readonly kind: 'claim'; readonly attempt: number } | { readonly kind: 'taken' };

/**
 * Claims the next attempt if the person saw the newest one ended, or saw that there was none. Otherwise it is
 * taken: in flight, created, or a newer attempt than the person saw.
 * @param seen the attempt that the person saw; 0: none
 */
export function decideBidClaim(
  there: Pick<Bid, 'attempt' | 'state'> | undefined,
  seen: number,
): AttemptClaimDecision {
  const isOver = !there || ['refused', 'skipped', 'unknown'].includes(there.state);
  return isOver && (there?.attempt ?? 0) === seen ? { kind: 'claim', attempt: seen + 1 } : { kind: 'taken' };
}

/** The request in the client's terms. @throws RangeError for an invalid time; nothing was sent then. */
export function toCreateJobRequest(request: BidRequest): CreateJobRequest {
  const { scheduledAt, scheduledInMinutes, ...rest } = request;
  if (scheduledAt === undefined) return { ...rest, scheduledInMinutes };
  return { ...rest, scheduledAt: new Date(scheduledAt).toISOString() };
}

export type BidResponse =
  /** `message`: the marketplace's own words. */
  | { readonly kind: 'created' | 'skipped'; readonly job: CreatedJob; readonly message?: string }
  /** `job`: the job named by the refusal. */
  | { readonly kind: 'refused'; readonly refusal: BiddingRefusal; readonly job?: JobId }
  /** `httpStatus` of the unclear response; missing: there was none. */
  | { readonly kind: 'unknown'; readonly job?: JobId; readonly httpStatus?: number };

/** The response means that a job was created; its status shows whether the marketplace skipped it at once. */
export function toBidResponse(job: CreatedJob, message?: string): BidResponse {
  return { kind: isJobSkipped(job) ? 'skipped' : 'created', job, message };
}

/** An error of our own after the call counts as unanswered: the request may have been sent. */
export function classifyBidFailure(thrown: unknown): BidResponse {
  if (!(thrown instanceof MarketplaceError)) return { kind: 'unknown' };
  const { job: shown, serverMessage } = thrown.details;
  // A skipped job may arrive as an error response; it still belongs to the bid.
  if (thrown.effect === 'none' && shown && isJobSkipped(shown)) return toBidResponse(shown, serverMessage);
  const job = JobId.safeParse(thrown.details.jobId).data;
  if (thrown.effect === 'unknown') return { kind: 'unknown', job, httpStatus: thrown.details.status };
  return { kind: 'refused', refusal: toBiddingRefusal(thrown), job };
}

function toBiddingRefusal({ code, details }: MarketplaceError): BiddingRefusal {
  const { serverMessage, fields, retryAfterMs } = details;
  return { code, serverMessage, fields: fields && { ...fields }, retryAfterMs };
}

export function applyBidResponse(claimed: Bid, answer: BidResponse, at: Instant): Bid {
  const settled = { ...claimed, state: answer.kind, answeredAt: at };
  switch (answer.kind) {
    case 'created':
    case 'skipped': {
      const { job, message } = answer;
      return { ...settled, job: job.id, message, setupName: job.setupName ?? claimed.setupName };
    }
    case 'refused':
      return { ...settled, refusal: answer.refusal, job: answer.job };
    case 'unknown':
      return { ...settled, httpStatus: answer.httpStatus, doubtSince: claimed.doubtSince ?? claimed.at };
  }
}

/**
 * Whether the job has no approval, neither done nor in flight. An unanswered approval counts as done until a
 * status check settles it, checks fail for too long, or tracking ends.
 */
export function isApprovalOpen({ approval, follow }: Partial<Pick<Job, 'approval' | 'follow'>>): boolean {
  switch (approval?.state) {
    case undefined:
    case 'refused':
      return true;
    case 'held':
    case 'sending':
    case 'approved':
      return false;
    case 'unknown':
      return approval?.mayRepeat === true || follow?.state === 'left';
  }
}

/** The doubt that an unanswered approval passes on to the next one. */
export function carryApprovalUncertainty(approval: JobApproval | undefined): Pick<JobApproval, 'doubt'> {
  if (approval?.state !== 'unknown') return {};
  const { by, at, audit, httpStatus } = approval;
  return { doubt: { by, at, audit, httpStatus } };
}

type Approvable = Pick<Job, 'status' | 'statusTitle' | 'approval'> &
  Partial<Pick<Job, 'follow' | 'processedAt' | 'errorMessage' | 'applicationUid'>>;

/**
 * Like `decideBidClaim`, for a job that waits for review or may wait.
 * @param seen the approval's attempt; 0: none
 * @param isFresh the job was just read; only then may an unclear status be tried
 */
export function decideApprovalClaim(
  job: Approvable,
  seen: number,
  isFresh: boolean,
): AttemptClaimDecision | { readonly kind: 'not-waiting' } {
  if (!isApprovalOpen(job) || (job.approval?.attempt ?? 0) !== seen) return { kind: 'taken' };
  const state = parseReviewState(job);
  const mayAsk = state === 'waits' || (isFresh && state === 'unclear');
  return mayAsk ? { kind: 'claim', attempt: seen + 1 } : { kind: 'not-waiting' };
}

export type ApprovalResponse =
  | { readonly kind: 'approved'; readonly job: ApprovedJob }
  | { readonly kind: 'refused'; readonly refusal: BiddingRefusal }
  /** `httpStatus` of the unclear response; missing: there was none. */
  | { readonly kind: 'unknown'; readonly httpStatus?: number };

export function classifyApprovalFailure(thrown: unknown): ApprovalResponse {
  if (!(thrown instanceof MarketplaceError)) return { kind: 'unknown' };
  if (thrown.effect === 'none') return { kind: 'refused', refusal: toBiddingRefusal(thrown) };
  return { kind: 'unknown', httpStatus: thrown.details.status };
}

/** The approval after its own response. */
export function applyApprovalResponse(asked: JobApproval, answer: ApprovalResponse): JobApproval {
  const { doubt: _, ...claimed } = asked;
  switch (answer.kind) {
    case 'approved': {
      const { approvedBy, wasAiDisqualified, qualificationReason } = answer.job;
      const overrode = wasAiDisqualified ? (qualificationReason ?? '') : undefined;
      return { ...claimed, state: 'approved', approvedBy, overrode };
    }
    case 'refused':
      return { ...claimed, state: 'refused', refusal: answer.refusal };
    case 'unknown':
      return { ...claimed, state: 'unknown', httpStatus: answer.httpStatus };
  }
}

/**
 * The job's approval after a response. After a refusal, an unanswered earlier approval stays in doubt: it may
 * be the reason for the refusal.
 */
export function resolveApproval(claimed: JobApproval, answer: ApprovalResponse): JobApproval {
  const { doubt, attempt, hold } = claimed;
  if (answer.kind !== 'refused' || !doubt) return applyApprovalResponse(claimed, answer);
  return { ...doubt, hold, state: 'unknown', attempt, refusal: answer.refusal, mayRepeat: true };
}

function wasSent({ applicationUid, proposal }: Job): boolean {
  return applicationUid !== undefined || proposal !== undefined;
}

/** Whether the job has ended without a proposal: skipped, failed, deleted, or not approved here. */
export function hasJobFailed(job: Job): boolean {
  const { errorMessage, follow, review, approval } = job;
  if (wasSent(job)) return false;
  if (isJobSkipped(job) || errorMessage) return true;
  // An approval without an answer may have sent it.
  if (approval && (approval.state === 'unknown' || approval.doubt)) return false;
  return follow.state === 'gone' || (review?.ended !== undefined && isPendingReview(job));
}

/** Whether the bid was sent, or may have been, or still may be. Canceled and refused bids weren't. */
export function isBidInPlay(bid: Bid, job: Job | undefined): boolean {
  if (bid.state !== 'created' || bid.doubtSince !== undefined) return mayBidHaveJob(bid);
  return !job || !hasJobFailed(job);
}

/**
 * Whether nothing was spent, and nothing will be without a new attempt.
 * @param bid missing: the job was made elsewhere
 * @param job the bid's, or the one from elsewhere
 */
export function hasSpentNothing(bid: Bid | undefined, job: Job | undefined): boolean {
  if (bid?.doubtSince !== undefined) return false;
  if (bid && bid.state !== 'created') return !mayBidHaveJob(bid);
  if (!job || wasSent(job)) return false;
  return hasJobFailed(job) || job.approval?.state === 'refused';
}
