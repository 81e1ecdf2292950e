/** The status of an auto bidding job in words: for cards, threads and `/gig job`. Pure. */
import type { Job, LinkedProposal } from '../../../bidding/bidding.ts';
import {
  isJobSkipped,
  isPendingReview,
  parseReviewState,
  UNKNOWN_JOB_STATUS,
} from '../../../bidding/job-status-text.ts';
import type { JobId, SetupId } from '../../../ids.ts';
import type { JobStatusReport, Verdict } from '../../../marketplace/schema.ts';
import { parseInstant } from '../../../marketplace/wire/values.ts';
import { isProjectQualified } from '../../../marketplace/wire/verdict.ts';
import { joinFacts } from '../block-builders.ts';
import { formatDate, safeLine } from '../mrkdwn.ts';
import { formatCount, formatNumber } from '../numbers.ts';

/** Fields shared by our record of a job and the server's status. */
export type JobStatusFields = Pick<
  JobStatusReport,
  | 'id'
  | 'status'
  | 'statusTitle'
  | 'scheduledAt'
  | 'reason'
  | 'errorMessage'
  | 'retryCount'
  | 'applicationUid'
> &
  Partial<Pick<Job, 'proposal' | 'approval' | 'review' | 'follow'>>;

/** A time from the server: in the reader's time zone if it is unambiguous, else unchanged. mrkdwn. */
export function marketplaceTimeText(words: string): string {
  const isZoned = /\d[\d:.]*\s?(?:z|[+-]\d{2}:?\d{2})$/iu.test(words.trim());
  const at = isZoned ? parseInstant(words) : undefined;
  return at === undefined || at < 0 ? safeLine(words, 60) : formatDate(at);
}

/** `Night shift`, or `setup 7` while its name is unknown. mrkdwn. */
export function setupNameText(of: {
  readonly setup?: SetupId | undefined;
  readonly setupName?: string | undefined;
}): string | undefined {
  const name = safeLine(of.setupName ?? '', 60);
  if (name) return name;
  return of.setup === undefined ? undefined : `setup ${of.setup}`;
}

export function jobLabel(id: JobId): string {
  return `bid #${id}`;
}

/** The status in the server's words; an undocumented one is shown as it is. mrkdwn. */
export function jobStatusLabel(job: Pick<JobStatusFields, 'status' | 'statusTitle'>): string {
  const words = safeLine(job.statusTitle ?? '', 80) || safeLine(job.status, 80);
  return words === '' || words === UNKNOWN_JOB_STATUS ? 'no status yet' : words;
}

/** Whether the job needs an approval. */
export function isWaitingForReview(job: JobStatusFields): boolean {
  return isPendingReview(job) && job.follow?.state !== 'gone';
}

/** Whether its status leaves open if it needs approval: an approver may try. */
export function isPossiblyWaitingForReview(job: JobStatusFields): boolean {
  return parseReviewState(job) === 'unclear' && job.follow?.state !== 'gone' && job.proposal === undefined;
}

/**
 * Why the AI disqualified the job's project, empty if it gave no reason; undefined: not disqualified, as far
 * as known.
 * @param verdict the project's, from a filter's list.
 */
export function findDisqualificationReason(
  job: Pick<JobStatusFields, 'reason'>,
  verdict: Verdict | undefined,
): string | undefined {
  if (isProjectQualified(verdict) === false) return verdict?.reason ?? '';
  return job.reason !== undefined && /disqualif/iu.test(job.reason) ? job.reason : undefined;
}

/** `16 connects · boost 10 connects · position 3`, if known. Not added up: connects may include the boost. */
export function connectsAndPositionText(of: {
  readonly connects?: number | undefined;
  readonly boost?: number | undefined;
  readonly position?: number | undefined;
}): string | undefined {
  const connects = of.connects === undefined ? undefined : formatCount(of.connects, 'connect');
  const boost = of.boost ? `boost ${formatCount(of.boost, 'connect')}` : undefined;
  const position = of.position === undefined ? undefined : `position ${formatNumber(of.position)}`;
  return joinFacts(connects, boost, position) || undefined;
}

function fateText(proposal: LinkedProposal): string {
  if (proposal.hired) return ':tada: hired';
  if (proposal.withdrawn) return 'withdrawn';
  if (proposal.interviewed) return ':speech_balloon: interviewed';
  return proposal.viewed ? ':eyes: viewed' : '';
}

/** `proposal sent · 16 connects · boost 10 connects · position 3 · viewed`. mrkdwn. */
export function linkedProposalText(proposal: LinkedProposal): string {
  return joinFacts(
    'proposal sent',
    connectsAndPositionText(proposal),
    proposal.boostOutbid ? 'boost outbid' : undefined,
    fateText(proposal),
  );
}

/** Its progress: `scheduled for today at 9:05`, `skipped: …`, or the server's own words. mrkdwn. */
export function jobStateText(job: JobStatusFields): string {
  if (isWaitingForReview(job)) return 'waiting for review';
  if (job.proposal) return linkedProposalText(job.proposal);
  if (job.applicationUid) return 'proposal sent';
  if (job.errorMessage !== undefined) {
    const after = job.retryCount ? ` after ${formatCount(job.retryCount, 'retry', 'retries')}` : '';
    return `failed${after}: ${safeLine(job.errorMessage, 200) || 'no reason given'}`;
  }
  const reason = safeLine(job.reason ?? '', 200);
  if (isJobSkipped(job)) return reason ? `skipped: ${reason}` : 'skipped';
  // Documented is `scheduled for bidding`.
  if (/schedul/iu.test(`${job.status} ${job.statusTitle ?? ''}`) && job.scheduledAt)
    return `scheduled for ${marketplaceTimeText(job.scheduledAt)}`;
  return reason ? `${jobStatusLabel(job)}: ${reason}` : jobStatusLabel(job);
}

/** Why a person's approval of a job doesn't count. */
export function askerText(id: JobId): string {
  return (
    `You asked for ${jobLabel(id)}, and it needs a second approval. ` +
    "In this channel, the person who asked can't give one."
  );
}
