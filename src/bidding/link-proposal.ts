/** Reads the proposal of a sent job by its application uid, and links it. */

import { omitUndefined } from '../base/omit-undefined.ts';
import type { Proposal } from '../marketplace/schema.ts';
import type { BidNews } from '../outbox/news.ts';
import type { BiddingContext } from './context.ts';
import { decideNextStatusCheck } from './job-schedule.ts';
import { changeJobIfCurrent } from './record-job-status.ts';
import type { Job, LinkedProposal } from './records.ts';

export function toLinkedProposal(proposal: Proposal): LinkedProposal {
  const { id, submittedAt, connects, boost, position } = proposal;
  const { viewed, interviewed, hired, withdrawn, boostOutbid } = proposal;
  const outcomes = { viewed, interviewed, hired, withdrawn, boostOutbid };
  return { id, ...outcomes, ...omitUndefined({ submittedAt, connects, boost, position }) };
}

/**
 * Fetches the proposal of a sent job and links it.
 * @throws MarketplaceError when it couldn't be read (`not-found`: not yet); StorageError; the signal's
 * reason.
 */
export async function fetchAndLinkProposal(
  context: BiddingContext,
  asked: Job,
  applicationUid: string,
  signal: AbortSignal,
): Promise<void> {
  const answer = await context.marketplace.fetchProposalByUid(applicationUid, { lane: 'tracking', signal });
  const proposal = toLinkedProposal(answer);
  const { id, connects, boost, position } = proposal;
  await changeJobIfCurrent(context, asked, (before, at, random) => {
    if (before.proposal) return { job: before, news: [] };
    const job = { ...before, proposal };
    const found: BidNews = {
      about: 'proposal-found',
      job: job.id,
      proposal: id,
      ...omitUndefined({ connects, boost, position }),
    };
    return { job: { ...job, follow: decideNextStatusCheck(job.follow, job, at, random) }, news: [found] };
  });
}
