/** Decides whether a bid may be sent, and applies its response. Pure. */
import { removeJobIdTilde } from '../aliases/project-aliases.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Instant } from '../clock.ts';
import { JobId } from '../ids.ts';
import type { CreateJobRequest } from '../marketplace/client.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { CreatedJob } from '../marketplace/schema.ts';
import { isJobSkipped } from './job-status-text.ts';
import type { Bid, BiddingRefusal, BidRequest } from './records.ts';

/**
 * Whether an unknown job may exist: the newest attempt or an earlier one went unanswered. A later refusal or
 * skip proves nothing about it.
 */
export function isUncertainBid({ state, doubtSince }: Pick<Bid, 'state' | 'doubtSince'>): boolean {
  if (state === 'unknown') return true;
  return doubtSince !== undefined && (state === 'refused' || state === 'skipped');
}

/** The doubt that an unanswered attempt passes on to the next one. */
export function carryBidUncertainty(
  bid: Pick<Bid, 'state' | 'at' | 'doubtSince' | 'doubtAudit' | 'audit' | 'before'> | undefined,
): Pick<Bid, 'doubtSince' | 'doubtAudit' | 'before'> | undefined {
  if (!bid || !isUncertainBid(bid)) return undefined;
  const { state, at, doubtSince = at, doubtAudit, audit, before } = bid;
  return omitUndefined({ doubtSince, doubtAudit: state === 'unknown' ? audit : doubtAudit, before });
}

/** Whether the marketplace may have a job for the bid: sending, created or uncertain. */
export function mayBidHaveJob(bid: Pick<Bid, 'state' | 'doubtSince'>): boolean {
  return bid.state === 'sending' || bid.state === 'created' || isUncertainBid(bid);
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
  const weight = (bid: T): number =>
    bid.state === 'sending' || bid.state === 'created' ? 2 : Number(isUncertainBid(bid));
  const [first] = own.sort((a, b) => weight(b) - weight(a) || b.at - a.at);
  return first;
}

export type AttemptClaimDecision =
  | { readonly kind: 'claim'; readonly attempt: number }
  | { readonly kind: 'taken' };

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
  if (scheduledAt === undefined) return omitUndefined({ ...rest, scheduledInMinutes });
  return omitUndefined({ ...rest, scheduledAt: new Date(scheduledAt).toISOString() });
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
  return { kind: isJobSkipped(job) ? 'skipped' : 'created', job, ...omitUndefined({ message }) };
}

/** An error of our own after the call counts as unanswered: the request may have been sent. */
export function classifyBidFailure(thrown: unknown): BidResponse {
  if (!(thrown instanceof MarketplaceError)) return { kind: 'unknown' };
  const { job: shown, serverMessage } = thrown.details;
  // A skipped job may arrive as an error response; it still belongs to the bid.
  if (thrown.effect === 'none' && shown && isJobSkipped(shown)) return toBidResponse(shown, serverMessage);
  const job = JobId.safeParse(thrown.details.jobId).data;
  if (thrown.effect === 'unknown')
    return { kind: 'unknown', ...omitUndefined({ job, httpStatus: thrown.details.status }) };
  return { kind: 'refused', refusal: toBiddingRefusal(thrown), ...omitUndefined({ job }) };
}

export function toBiddingRefusal({ code, details }: MarketplaceError): BiddingRefusal {
  const { serverMessage, fields, retryAfterMs } = details;
  return omitUndefined({ code, serverMessage, fields: fields && { ...fields }, retryAfterMs });
}

export function applyBidResponse(claimed: Bid, answer: BidResponse, at: Instant): Bid {
  const settled = { ...claimed, state: answer.kind, answeredAt: at };
  switch (answer.kind) {
    case 'created':
    case 'skipped':
      return omitUndefined({
        ...settled,
        job: answer.job.id,
        message: answer.message,
        setupName: answer.job.setupName ?? claimed.setupName,
      });
    case 'refused':
      return omitUndefined({ ...settled, refusal: answer.refusal, job: answer.job });
    case 'unknown':
      return omitUndefined({
        ...settled,
        httpStatus: answer.httpStatus,
        doubtSince: claimed.doubtSince ?? claimed.at,
      });
  }
}
