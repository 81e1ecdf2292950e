/** Why the AI disqualified a project, where somebody is about to overrule it. */
import type { KnownBlock } from '@slack/types';
import type { ProjectBidding } from '../../bidding/project-bidding.ts';
import type { Verdict } from '../../marketplace/schema.ts';
import { listProjectJobs } from './bid-buttons.ts';
import { plainTextSection } from './block-builders.ts';
import { excerptText } from './excerpt.ts';
import { findDisqualificationReason, isPossiblyWaitingForReview, isWaitingForReview } from './job-text.ts';

const LONGEST_REASON = 1_500;

/** In full, as plain text; `[1,500 of 3,000 characters]` where it is longer. */
export function disqualifiedBlock(reason: string): KnownBlock {
  const why = excerptText(reason, LONGEST_REASON);
  return plainTextSection(`🚫 The AI disqualified this project${why ? `: ${why}` : ' without a reason.'}`);
}

/**
 * Nothing while no job waits for review, or may.
 * @param shown how many characters of the verdict's reason the message shows anyway
 */
export function disqualificationBlocks(
  bidding: ProjectBidding,
  verdict: Verdict | undefined,
  shown: number,
): KnownBlock[] {
  const job = listProjectJobs(bidding).findLast(
    (each) => isWaitingForReview(each) || isPossiblyWaitingForReview(each),
  );
  const reason = job && findDisqualificationReason(job, verdict);
  if (reason === undefined) return [];
  return reason === verdict?.reason && reason.length <= shown ? [] : [disqualifiedBlock(reason)];
}
