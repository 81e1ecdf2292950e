/** Why the AI disqualified a project, where somebody is about to overrule it. */
import type { KnownBlock } from '@slack/types';
import type { ProjectBidding } from '../../bidding/project-bidding.ts';
import type { Verdict } from '../../marketplace/schema.ts';
import { jobsOf } from './bid-buttons.ts';
import { excerpt } from './excerpt.ts';
import { disqualification, mayWaitForReview, waitsForReview } from './job-words.ts';
import { plainSection } from './parts.ts';

const LONGEST_REASON = 1_500;

/** In full, as plain text; `[1,500 of 3,000 characters]` where it is longer. */
export function disqualifiedBlock(reason: string): KnownBlock {
  const why = excerpt(reason, LONGEST_REASON);
  return plainSection(`🚫 The AI disqualified this project${why ? `: ${why}` : ' without a reason.'}`);
}

/**
 * Nothing while no job waits for review, or may.
 * @param shown how many characters of the verdict's reason the message shows anyway
 */
export function overruledBlocks(
  bidding: ProjectBidding,
  verdict: Verdict | undefined,
  shown: number,
): KnownBlock[] {
  const job = jobsOf(bidding).findLast((each) => waitsForReview(each) || mayWaitForReview(each));
  const reason = job && disqualification(job, verdict);
  if (reason === undefined) return [];
  return reason === verdict?.reason && reason.length <= shown ? [] : [disqualifiedBlock(reason)];
}
