/** Stores what is read about a job, its status and its proposal, and posts its news, in one transaction. */

import { isDeepEqual } from '../base/is-deep-equal.ts';
import { type Instant, type RandomSource, SECOND } from '../clock.ts';
import { toCost } from '../decisions/decisions.ts';
import type { JobStatusReport, Proposal } from '../marketplace/schema.ts';
import type { BidNews, ProposalOutcome } from '../outbox/news.ts';
import { correctConnects } from '../spending/weekly-connects.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import { withApprovalRequest } from './approval-requests.ts';
import { recordApprovalAuditResult, recordProposalResults } from './audit-bid.ts';
import type { BiddingContext } from './bidding.ts';
import {
  applyJobStatus,
  applyStatusFailure,
  decideNextStatusCheck,
  findPendingProposalUid,
  isJobFinished,
  JOB_TRACKING_HOURS,
} from './decide-job.ts';
import { endHeldApproval } from './held-order.ts';
import { parseReviewState } from './job-status-text.ts';
import { recordBidProjectAlias } from './link-job.ts';
import { postJobNews, refreshMessages } from './post-bid-news.ts';
import { releaseUnspentConnects } from './record-approval-response.ts';
import { bids, connectsRef, type Job, jobs, type LinkedProposal } from './records.ts';
import { resolveUncertainBid } from './uncertain-bids.ts';

const SOON_MS = 15 * SECOND;

function visible({ readAt: _readAt, told: _told, follow, ...rest }: Job) {
  return { ...rest, follow: follow.state };
}

async function storeJobAndPostNews(
  tx: Transaction,
  before: Job,
  now: Job,
  news: readonly BidNews[],
  at: Instant,
): Promise<Job> {
  const posted = await postJobNews(tx, now, news, at);
  await tx.put(jobs, posted);
  if (news.length === 0 && !isDeepEqual(visible(before), visible(posted))) await refreshMessages(tx, posted);
  return posted;
}

/** Whether the job changed while the check ran, or an approval is in flight, whose response matters more. */
function isOvertaken(asked: Job, now: Job): boolean {
  return (
    now.readAt !== asked.readAt ||
    now.applicationUid !== asked.applicationUid ||
    now.approval?.attempt !== asked.approval?.attempt ||
    now.approval?.state !== asked.approval?.state ||
    now.approval?.state === 'sending'
  );
}

/** Never ends the tracking. */
async function postponed(tx: Transaction, job: Job, at: Instant): Promise<Job> {
  const { follow } = job;
  if (follow.state !== 'following' || follow.dueAt > at) return job;
  const later: Job = { ...job, follow: { ...follow, dueAt: at + SOON_MS } };
  await tx.put(jobs, later);
  return later;
}

/**
 * Changes a job by a result that was requested at the state `asked`. An outdated result changes nothing; the
 * job is checked again soon.
 * @param change computes it from the record inside the transaction
 * @returns the stored job; undefined if it was deleted
 * @throws StorageError
 */
async function changeJobIfCurrent(
  context: BiddingContext,
  asked: Job,
  change: (job: Job, at: Instant, random: RandomSource) => { job: Job; news: readonly BidNews[] },
): Promise<Job | undefined> {
  const { store, clock } = context;
  const at = clock.now();
  // Drawn outside the transaction, because a store may run it twice.
  const drawn = context.random();
  return store.transact(async (tx) => {
    const before = await tx.get(jobs, [asked.id]);
    if (!before || isOvertaken(asked, before)) return before && postponed(tx, before, at);
    const { job: changed, news } = change(before, at, () => drawn);
    const job = await withApprovalRequest(tx, changed, at);
    const bid = job.bid === undefined ? undefined : await tx.get(bids, [job.bid]);
    if (bid && job.marketplaceJobId !== before.marketplaceJobId)
      await recordBidProjectAlias(tx, bid, job, at);
    const { approval } = job;
    if (approval && approval.state !== before.approval?.state)
      await recordApprovalAuditResult(tx, approval, job, at);
    if (job.proposal && !before.proposal)
      await recordProposalResults(tx, job, [sentResult(job.proposal)], at);
    const stored = await storeJobAndPostNews(tx, before, job, news, at);
    await settleJobConnects(tx, before, stored, at);
    return closeHeldApproval(tx, stored, at);
  });
}

function newsOfLeaving(before: Job, follow: Job['follow']): readonly BidNews[] {
  const isLeft = follow.state === 'left' && before.follow.state !== 'left';
  return isLeft ? [{ about: 'job-left', job: before.id, hours: JOB_TRACKING_HOURS }] : [];
}

/** The tracking state after a check. A changed status starts again from the first pause. */
function followAfter(
  before: Job,
  now: Job,
  at: Instant,
  random: RandomSource,
  again: boolean,
): Job['follow'] {
  const { follow } = before;
  const isSent = now.applicationUid !== before.applicationUid && findPendingProposalUid(now) !== undefined;
  // The search for a job's proposal is a round of its own that begins at once.
  if (isSent) return { state: 'following', since: at, step: -1, dueAt: at };
  if (again && (follow.state === 'left' || follow.state === 'gone')) {
    return decideNextStatusCheck({ state: 'following', since: at, step: 0, dueAt: at }, now, at, random);
  }
  const moves = follow.state === 'following' && now.status !== before.status;
  return decideNextStatusCheck(moves ? { ...follow, step: 0 } : follow, now, at, random);
}

/**
 * Applies a status check to the job, and to the uncertain bid that created it.
 * @param asked the job when the check was sent, at `askedAt`; undefined: not stored
 * @param again a person refreshes: tracking that had ended starts again
 * @returns the stored job
 * @throws StorageError
 */
export async function recordJobStatus(
  context: BiddingContext,
  asked: Job | undefined,
  status: JobStatusReport,
  askedAt: Instant,
  again: boolean,
): Promise<Job | undefined> {
  let known = asked;
  if (asked?.bid === undefined) {
    const at = context.clock.now();
    known = (await context.store.transact((tx) => resolveUncertainBid(tx, status, at)))?.job ?? asked;
  }
  if (!known) return undefined;
  return changeJobIfCurrent(context, known, (before, at, random) => {
    const { job, news } = applyJobStatus(before, status, askedAt);
    const follow = followAfter(before, job, at, random, again);
    return { job: { ...job, follow }, news: [...news, ...newsOfLeaving(before, follow)] };
  });
}

/** Records that the marketplace doesn't know the job any more, and posts it once, unless it was finished. */
export function recordJobGone(context: BiddingContext, asked: Job): Promise<Job | undefined> {
  return changeJobIfCurrent(context, asked, (before, at) => {
    if (isJobFinished(before)) {
      const isOver = before.follow.state === 'following' && findPendingProposalUid(before) === undefined;
      return { job: isOver ? { ...before, follow: { state: 'settled', at } } : before, news: [] };
    }
    if (before.follow.state === 'gone') return { job: before, news: [] };
    const job: Job = { ...before, follow: { state: 'gone', at } };
    return { job, news: [{ about: 'job-gone', job: job.id }] };
  });
}

/** Postpones the check: an approval is in flight, and its response says more than a check. */
export async function postponeStatusCheck({ store, clock }: BiddingContext, job: Job): Promise<void> {
  const at = clock.now();
  await store.transact(async (tx) => {
    const now = await tx.get(jobs, [job.id]);
    if (now) await postponed(tx, now, at);
  });
}

/** Schedules the next check after a failed one, not before `notBefore`. Only the end of tracking is news. */
export function recordStatusFailure(context: BiddingContext, asked: Job, notBefore: Instant) {
  return changeJobIfCurrent(context, asked, (before, at, random) => {
    const next = decideNextStatusCheck(before.follow, before, at, random);
    const follow = next.state === 'following' ? { ...next, dueAt: Math.max(next.dueAt, notBefore) } : next;
    return { job: { ...applyStatusFailure(before, at), follow }, news: newsOfLeaving(before, follow) };
  });
}

function toLinkedProposal(proposal: Proposal): LinkedProposal {
  const { id, submittedAt, connects, boost, position } = proposal;
  const { viewed, interviewed, hired, withdrawn, boostOutbid } = proposal;
  const outcomes = { viewed, interviewed, hired, withdrawn, boostOutbid };
  return { id, ...outcomes, submittedAt, connects, boost, position };
}

/** For the ledger: the marketplace sent the bid, at this cost. */
function sentResult({ connects, boost }: LinkedProposal) {
  return { result: 'proposal-sent', cost: toCost({ connects, boostConnects: boost }) };
}

function newsOfFoundProposal({ id: job }: Job, { id, connects, boost, position }: LinkedProposal): BidNews {
  return { about: 'proposal-found', job, proposal: id, connects, boost, position };
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
  await changeJobIfCurrent(context, asked, (before, at, random) => {
    if (before.proposal) return { job: before, news: [] };
    const job = { ...before, proposal };
    const follow = decideNextStatusCheck(job.follow, job, at, random);
    return { job: { ...job, follow }, news: [newsOfFoundProposal(job, proposal)] };
  });
}

/** Far more jobs than ever share one application. */
const MOST_JOBS = 20;

/** Our jobs with this application; usually at most one. */
export async function findJobsByApplication(tx: ReadTransaction, applicationUid: string | undefined) {
  if (!applicationUid) return [];
  const range = { index: 'byApplication', prefix: [applicationUid], limit: MOST_JOBS } as const;
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
  const lines: BidNews[] = [];
  if (news && !job.proposal) lines.push(newsOfFoundProposal(job, proposal));
  if (outcomes.length > 0)
    lines.push({ about: 'proposal-outcome', job: job.id, proposal: proposal.id, outcomes: [...outcomes] });
  const results = [
    ...(job.proposal ? [] : [sentResult(proposal)]),
    ...outcomes.map((result) => ({ result })),
  ];
  await recordProposalResults(tx, job, results, at);
  // Tracking only searched for the proposal, so it ends here.
  const follow: Job['follow'] = job.follow.state === 'following' ? { state: 'settled', at } : job.follow;
  const posted = await postJobNews(tx, { ...job, proposal, follow }, lines, at);
  await tx.put(jobs, posted);
  await settleJobConnects(tx, job, posted, at);
  if (lines.length === 0) await refreshMessages(tx, posted);
}

/** The proposal says what it spent; a job that failed, or isn't approved, spent nothing. */
async function settleJobConnects(tx: Transaction, before: Job, now: Job, at: Instant): Promise<void> {
  const spent = now.proposal?.connects;
  if (spent !== undefined && spent !== before.proposal?.connects)
    await correctConnects(tx, connectsRef(now), spent, at);
  else await releaseUnspentConnects(tx, now, at);
}

/** An approval that waits for a job that needs none any more is never sent. @param job as stored */
async function closeHeldApproval(tx: Transaction, job: Job, at: Instant): Promise<Job> {
  if (job.approval?.state !== 'held') return job;
  if (parseReviewState(job) !== 'over' && job.follow.state !== 'gone') return job;
  return endHeldApproval(tx, job, 'closed', at);
}
