/**
 * Creates a job: stored claim, one request, stored response, and its news. Never retries on its own. Why:
 * docs/decisions/0009-bidding.md.
 */
import { findProjectAliases } from '../aliases/project-aliases.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Instant } from '../clock.ts';
import { asError } from '../errors.ts';
import type { BidId, ProjectKey, TeamId } from '../ids.ts';
import type { CreateJobRequest } from '../marketplace/client.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { BidNews } from '../outbox/news.ts';
import { setupsStates, storedSetups } from '../setups/setups.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import { openApprovalRequest } from './approval-requests.ts';
import { recordBidAudit, recordBidAuditResult } from './audit-bid.ts';
import type {
  BiddingContext,
  BidSubmission,
  BidSubmissionResult,
  BidWithJob,
  WithAttempts,
} from './bidding.ts';
import {
  applyBidResponse,
  type BidResponse,
  carryBidUncertainty,
  classifyBidFailure,
  decideBidClaim,
  findBid,
  findUnshownBids,
  isUncertainBid,
  toBidResponse,
  toCreateJobRequest,
} from './decide-bid.ts';
import { isJobForOtherProject, pickJobStateFields } from './decide-job.ts';
import {
  buildJobForBid,
  buildJobFromId,
  linkJobToBid,
  readJobOfBid,
  recordBidProjectAlias,
  recordJobById,
} from './link-job.ts';
import { anchorForBid, postBidNews, refreshMessages } from './post-bid-news.ts';
import { joinBidWithJob, listBidsOnProject } from './project-bidding.ts';
import { type Bid, bidId, bidKey, bids, type Job } from './records.ts';

export async function createBid(
  context: BiddingContext & WithAttempts,
  order: BidSubmission,
): Promise<BidSubmissionResult> {
  const { store, attempts, team } = context;
  const request = toCreateJobRequest(order.request);
  for (;;) {
    // Attempts are named by their bid, so its id is needed before the claim.
    const { id } = await store.read((tx) => findTarget(tx, team, order));
    const outcome = await attempts.bids.run(id, () => claimAndAsk(context, order, request, id));
    if (outcome !== 'moved') return outcome;
  }
}

/** @returns `moved` when two names of the project were linked meanwhile, so the order is about another bid */
async function claimAndAsk(
  context: BiddingContext & WithAttempts,
  order: BidSubmission,
  request: CreateJobRequest,
  id: BidId,
): Promise<BidSubmissionResult | 'moved'> {
  const { store, clock, attempts, marketplace, log } = context;
  const claim = await store.transact((tx) => claimBid(tx, context, order, id, clock.now()));
  if (claim === 'moved' || claim.kind !== 'claimed') return claim;
  const { bid } = claim;
  const { setup } = request;
  const view = await attempts.bids.askOnce<BidResponse, BidWithJob>(id, {
    ask: async () => {
      const { job, message } = await marketplace.createJob(request, { lane: 'bid' });
      return toBidResponse(job, message);
    },
    classify: (thrown) => {
      if (!(thrown instanceof MarketplaceError))
        log.error('Bid failed because of an internal error', { setup, error: asError(thrown) });
      return classifyBidFailure(thrown);
    },
    record: (tx, answer, at) => recordBidResponse(tx, bid, answer, at),
    apply: (answer, at) => viewWithoutRecord(bid, answer, at),
  });
  return { kind: 'asked', view };
}

interface Target {
  readonly id: BidId;
  /** The existing bid of the project and the setup. */
  readonly there: Bid | undefined;
  readonly all: readonly Bid[];
}

/** Finds the bid of an order under any name of its project. */
async function findTarget(
  tx: ReadTransaction,
  team: TeamId,
  { project, request }: Pick<BidSubmission, 'project' | 'request'>,
): Promise<Target> {
  const { marketplaceJobId, setup } = request;
  const all = await listBidsOnProject(tx, team, { project, marketplaceJobId });
  const { jobIds } = await findProjectAliases(tx, team, { marketplaceJobId });
  const there = findBid(all, jobIds, setup);
  return { id: there?.id ?? bidId(marketplaceJobId, setup), there, all };
}

type Claimed =
  | { readonly kind: 'claimed'; readonly bid: Bid }
  | Exclude<BidSubmissionResult, { kind: 'asked' }>;

async function claimBid(
  tx: Transaction,
  { team }: BiddingContext,
  order: BidSubmission,
  expected: BidId,
  at: Instant,
): Promise<Claimed | 'moved'> {
  const { request, project, title, url, channel, by, seenAttempts, shownAttempts, connectsPrice } = order;
  const { similarLetter } = order;
  // In the claim's own transaction: if two people press at once, the second finds the first one's claim.
  const { id, there, all } = await findTarget(tx, team, order);
  if (id !== expected) return 'moved';
  const decision = decideBidClaim(there, seenAttempts[id] ?? 0);
  if (decision.kind === 'taken') {
    if (there) return { kind: 'taken', view: await joinBidWithJob(tx, there) };
    // The bid that the person saw was deleted, so nobody knows whether it was sent: send nothing.
    throw new Error(`Bid ${id} was shown but is no longer stored`);
  }
  const notShown = findUnshownBids(all, id, shownAttempts);
  if (notShown.length > 0)
    return { kind: 'not-shown', views: await Promise.all(notShown.map((bid) => joinBidWithJob(tx, bid))) };
  const { attempt } = decision;
  const setup = await readSetup(tx, team, request.setup);
  const bid = {
    team,
    id,
    project,
    title,
    channel,
    by,
    at,
    request,
    attempt,
    state: 'sending' as const,
    ...omitUndefined({ url, setupName: setup.name, similarLetter }),
    ...(carryBidUncertainty(there) ?? omitUndefined({ before: setup.before })),
  };
  const audit = await recordBidAudit(tx, bid, connectsPrice);
  const home = await anchorForBid(tx, bid, at);
  const claimed = { ...bid, audit, home };
  await tx.put(bids, bidKey(team, id), claimed);
  await refreshMessages(tx, claimed);
  return { kind: 'claimed', bid: claimed };
}

/** The setup's name and its sent counters, from the stored list. */
async function readSetup(tx: ReadTransaction, team: Bid['team'], id: Bid['request']['setup']) {
  const stored = await tx.get(storedSetups, [team, id]);
  const state = await tx.get(setupsStates, [team]);
  const { name, totalSent, sentToday } = stored?.setup ?? {};
  const before = stored && state && { at: state.readAt, ...omitUndefined({ totalSent, sentToday }) };
  return { name, before };
}

/** Shown to the person when the response can't be stored. */
function viewWithoutRecord(claimed: Bid, answer: BidResponse, at: Instant): BidWithJob {
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
export async function recordBidResponse(
  tx: Transaction,
  claimed: Bid,
  answer: BidResponse,
  at: Instant,
): Promise<BidWithJob | undefined> {
  const key = bidKey(claimed.team, claimed.id);
  const there = await tx.get(bids, key);
  if (there?.attempt !== claimed.attempt || there.state !== 'sending')
    return there && joinBidWithJob(tx, there);
  const bid = applyBidResponse(there, answer, at);
  await tx.put(bids, key, bid);
  await keepJob(tx, bid, answer, at);
  await openApprovalRequest(tx, await readJobOfBid(tx, bid), at);
  const job = await readJobOfBid(tx, bid);
  const words = answer.kind === 'created' || answer.kind === 'skipped' ? wordsOf(job) : undefined;
  await recordBidAuditResult(tx, bid, words, at);
  const matter = `bid:${bid.id}:${bid.attempt}`;
  const elsewhere = isJobForOtherProject(bid, job) ? job?.project : undefined;
  await postBidNews(tx, bid, matter, newsOf(bid, answer, elsewhere), at);
  return omitUndefined({ bid, job });
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
  const what = { by, title, setup: bid.request.setup, ...omitUndefined({ setupName }) };
  const doubt = isUncertainBid(bid) ? { doubt: true as const } : {};
  switch (answer.kind) {
    case 'created':
    case 'skipped': {
      const { id, status, statusTitle, scheduledAt } = answer.job;
      const state = { ...what, job: id, status, ...omitUndefined({ statusTitle, scheduledAt }) };
      return answer.kind === 'created'
        ? { about: 'bid-created', ...state, ...omitUndefined({ elsewhere }) }
        : { about: 'bid-skipped', ...state, ...omitUndefined({ message: answer.message }), ...doubt };
    }
    case 'refused': {
      const { code, serverMessage, fields } = answer.refusal;
      return {
        about: 'bid-refused',
        ...what,
        code,
        ...omitUndefined({ serverMessage, fields, job: answer.job }),
        ...doubt,
      };
    }
    case 'unknown':
      return { about: 'bid-unknown', ...what, ...omitUndefined({ httpStatus: answer.httpStatus }) };
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
  await tx.put(bids, bidKey(bid.team, bid.id), bid);
  if (audit) await recordBidAuditResult(tx, { ...bid, audit }, wordsOf(job), at);
  const { by, title, id, attempt } = bid;
  const news: BidNews = { about: 'bid-found', by, title, ...pickJobStateFields(job) };
  await postBidNews(tx, bid, `bid-found:${id}:${attempt}:${job.id}`, news, at);
}
