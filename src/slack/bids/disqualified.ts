/** Why the AI disqualified a project, shown to someone about to override it. Pure. */
import type { KnownBlock } from '@slack/types';
import type { ProjectBidsAndJobs } from '../../bidding/project-bidding.ts';
import type { Verdict } from '../../marketplace/schema.ts';
import { plainTextSection } from '../kit/block-builders.ts';
import { excerptText } from '../kit/text-parts.ts';
import {
  findDisqualificationReason,
  isPossiblyWaitingForReview,
  isWaitingForReview,
} from '../kit/words/job-text.ts';
import { listProjectJobs } from './bid-buttons.ts';

const LONGEST_REASON = 1_500;

/** Plain text, in full; a longer one is clipped, with `[1,500 of 3,000 characters]`. */
export function disqualifiedBlock(reason: string): KnownBlock {
  const why = excerptText(reason, LONGEST_REASON);
  return plainTextSection(`🚫 The AI disqualified this project${why ? `: ${why}` : ' without a reason.'}`);
}

/**
 * Empty unless a job waits for review, or may.
 * @param shown how many characters of the verdict's reason the message already shows
 */
export function disqualificationBlocks(
  bidding: ProjectBidsAndJobs,
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
