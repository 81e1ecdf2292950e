/** Stores how a bid ended: bid, job, audit entry, connects and news together. */
import type { Instant } from '../clock.ts';
import type { ProjectKey } from '../ids.ts';
import type { BidNews } from '../outbox/news.ts';
import { releaseConnects } from '../spending/weekly-connects.ts';
import type { Transaction } from '../storage/store.ts';
import { withApprovalRequest } from './approval-requests.ts';
import { recordBidAuditResult } from './audit-bid.ts';
import { deleteBidDraft, findDraftOfBid } from './bid-drafts.ts';
import type { BidWithJob } from './bidding.ts';
import { applyBidResponse, type BidResponse, hasSpentNothing, isUncertainBid } from './decide-bid.ts';
import { isJobForOtherProject, pickJobStateFields } from './decide-job.ts';
import {
  buildJobForBid,
  buildJobFromId,
  linkJobToBid,
  readJobOfBid,
  recordBidProjectAlias,
  recordJobById,
} from './link-job.ts';
import { postBidNews, refreshMessages } from './post-bid-news.ts';
import { joinBidWithJob } from './project-bidding.ts';
import { type Bid, bids, connectsRef, type Job, jobs } from './records.ts';

/** Shown to the person when the response can't be stored. */
export function viewWithoutRecord(claimed: Bid, answer: BidResponse, at: Instant): BidWithJob {
  const bid = applyBidResponse(claimed, answer, at);
  switch (answer.kind) {
    case 'created':
    case 'skipped':
      return { bid, job: buildJobForBid(bid, answer.job, at) };
    case 'refused':
      return answer.job === undefined ? { bid } : { bid, job: buildJobFromId(bid, answer.job, at) };
    case 'unknown':
      return { bid };
  }
}

/**
 * Settles a claim with its response: bid, job, audit entry and news together. A closed claim stays as it is.
 * @returns the stored bid and job
 */
export async function recordBidResponse(tx: Transaction, claimed: Bid, answer: BidResponse, at: Instant) {
  const there = await tx.get(bids, [claimed.id]);
  if (there?.attempt !== claimed.attempt || there.state !== 'sending')
    return there && joinBidWithJob(tx, there);
  return settleBid(tx, there, answer, at);
}

/**
 * Settles a bid that waits or is being sent.
 * @param open as stored
 * @param isQuiet changes its messages in place, without news
 */
export async function settleBid(
  tx: Transaction,
  open: Bid,
  answer: BidResponse,
  at: Instant,
  isQuiet = false,
): Promise<BidWithJob> {
  const bid = applyBidResponse(open, answer, at);
  await tx.put(bids, bid);
  if (hasSpentNothing(bid, undefined)) await releaseConnects(tx, connectsRef({ bid: bid.id }), at);
  await keepJob(tx, bid, answer, at);
  if (answer.kind === 'created' && open.hold) {
    // A bid that waited has no open form any more that could do it.
    const draft = await findDraftOfBid(tx, bid);
    if (draft) await deleteBidDraft(tx, { user: bid.by }, draft.id);
  }
  const stored = await readJobOfBid(tx, bid);
  const job = stored && (await withApprovalRequest(tx, stored, at));
  if (job && job !== stored) await tx.put(jobs, job);
  const words = answer.kind === 'created' || answer.kind === 'skipped' ? wordsOf(job) : undefined;
  await recordBidAuditResult(tx, bid, words, at);
  const elsewhere = isJobForOtherProject(bid, job) ? job?.project : undefined;
  if (isQuiet) await refreshMessages(tx, bid);
  else await postBidNews(tx, bid, `bid:${bid.id}:${bid.attempt}`, newsOf(bid, answer, elsewhere), at);
  return { bid, job };
}

function wordsOf(job: Job | undefined): string | undefined {
  return job && (job.statusTitle ?? job.status);
}

async function keepJob(tx: Transaction, bid: Bid, answer: BidResponse, at: Instant): Promise<void> {
  switch (answer.kind) {
    case 'created':
    case 'skipped':
      await linkJobToBid(tx, bid, answer.job, at);
      await recordBidProjectAlias(tx, bid, answer.job, at);
      return;
    case 'refused':
    case 'unknown':
      if (answer.job !== undefined) await recordJobById(tx, bid, answer.job, at);
  }
}

function newsOf(bid: Bid, answer: BidResponse, elsewhere: ProjectKey | undefined): BidNews {
  const { by, title, setupName } = bid;
  const what = { by, title, setup: bid.request.setup, setupName };
  const doubt = { doubt: isUncertainBid(bid) ? (true as const) : undefined };
  switch (answer.kind) {
    case 'created':
    case 'skipped': {
      const { id, status, statusTitle, scheduledAt } = answer.job;
      const state = { ...what, job: id, status, statusTitle, scheduledAt };
      return answer.kind === 'created'
        ? { about: 'bid-created', ...state, elsewhere }
        : { about: 'bid-skipped', ...state, message: answer.message, ...doubt };
    }
    case 'refused': {
      const { code, serverMessage, fields } = answer.refusal;
      const refused = { code, serverMessage, fields, job: answer.job, endedBy: bid.hold?.ended?.by };
      return { about: 'bid-refused', ...what, ...refused, ...doubt };
    }
    case 'unknown':
      return { about: 'bid-unknown', ...what, httpStatus: answer.httpStatus };
  }
}

/**
 * Stores that an uncertain bid has created this job.
 * @param audit the entry of the attempt that created it, if known
 * @param job as stored
 */
export async function recordResolvedBid(
  tx: Transaction,
  bid: Bid,
  audit: Bid['audit'] | undefined,
  job: Job,
  at: Instant,
): Promise<void> {
  await tx.put(bids, bid);
  if (audit) await recordBidAuditResult(tx, { ...bid, audit }, wordsOf(job), at);
  const { by, title, id, attempt } = bid;
  const news: BidNews = { about: 'bid-found', by, title, ...pickJobStateFields(job) };
  await postBidNews(tx, bid, `bid-found:${id}:${attempt}:${job.id}`, news, at);
}
