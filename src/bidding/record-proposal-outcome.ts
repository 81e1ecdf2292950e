/** Applies a proposal's changes from elsewhere to its job: updates the card and posts in the thread. */

import { omitUndefined } from '../base/omit-undefined.ts';
import type { Instant } from '../clock.ts';
import { isDeepEqual } from '../feed/merge-project.ts';
import type { TeamId } from '../ids.ts';
import type { Proposal } from '../marketplace/schema.ts';
import type { BidNews, ProposalOutcome } from '../outbox/news.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import { toLinkedProposal } from './link-proposal.ts';
import { refreshMessages } from './post-bid-news.ts';
import { postJobNews } from './post-job-news.ts';
import { type Job, jobKey, jobs } from './records.ts';

/** Far more jobs than ever share one application. */
const MOST_JOBS = 20;

/** Our jobs with this application; usually at most one. */
export async function findJobsByApplication(
  tx: ReadTransaction,
  team: TeamId,
  applicationUid: string | undefined,
): Promise<readonly Job[]> {
  if (!applicationUid) return [];
  const range = { index: 'byApplication', prefix: [team, applicationUid], limit: MOST_JOBS } as const;
  return (await tx.list(jobs, range)).map((entry) => entry.value);
}

/**
 * @param news outcomes to post, and the link to the proposal if it is new; undefined: post nothing, because
 * everything is in the past
 */
export async function recordProposalOutcome(
  tx: Transaction,
  job: Job,
  read: Proposal,
  news: readonly ProposalOutcome[] | undefined,
  at: Instant,
): Promise<void> {
  const proposal = toLinkedProposal(read);
  const outcomes = news ?? [];
  if (outcomes.length === 0 && isDeepEqual(job.proposal, proposal)) return;
  const { id, connects, boost, position } = proposal;
  const lines: BidNews[] = [];
  if (news && !job.proposal)
    lines.push({
      about: 'proposal-found',
      job: job.id,
      proposal: id,
      ...omitUndefined({ connects, boost, position }),
    });
  if (outcomes.length > 0)
    lines.push({ about: 'proposal-outcome', job: job.id, proposal: id, outcomes: [...outcomes] });
  // Tracking only searched for the proposal, so it ends here.
  const follow: Job['follow'] = job.follow.state === 'following' ? { state: 'settled', at } : job.follow;
  const told = await postJobNews(tx, { ...job, proposal, follow }, lines, at);
  await tx.put(jobs, jobKey(told.team, told.id), told);
  if (lines.length === 0) await refreshMessages(tx, told);
}
