/** Approves a job that waits for review, like a bid: stored claim, one request, stored response. */
import { removeJobIdTilde } from '../aliases/project-aliases.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Instant } from '../clock.ts';
import { asError } from '../errors.ts';
import { seenProjectKey, seenProjects } from '../feed/records.ts';
import { type ChannelId, type JobId, ProjectKey, type TeamId } from '../ids.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { JobStatusReport } from '../marketplace/schema.ts';
import { isProjectQualified } from '../marketplace/wire/verdict.ts';
import type { BidNews } from '../outbox/news.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import {
  compareApprovalFacts,
  hashApprovalFacts,
  isReviewEnded,
  listApprovalFacts,
} from './approval-request.ts';
import { expireIfDue, readApprovalSubject } from './approval-requests.ts';
import { recordApprovalAudit, recordApprovalAuditResult } from './audit-bid.ts';
import type {
  BiddingContext,
  BiddingService,
  JobApprovalRequest,
  JobApprovalResult,
  WithAttempts,
} from './bidding.ts';
import {
  type ApprovalResponse,
  applyApprovalResponse,
  carryApprovalUncertainty,
  classifyApprovalFailure,
  decideApprovalClaim,
  resolveApproval,
} from './decide-bid.ts';
import { decideFirstStatusCheck, pickJobStateFields } from './decide-job.ts';
import { parseReviewState } from './job-status-text.ts';
import { buildJob } from './link-job.ts';
import { anchorForJob, postBidNews, refreshMessages } from './post-bid-news.ts';
import { type Job, type JobApproval, jobKey, jobs } from './records.ts';

/** @param look refreshes the job and settles open questions from it */
export function approveJob(
  context: BiddingContext & WithAttempts,
  look: BiddingService['refreshJob'],
  order: JobApprovalRequest,
): Promise<JobApprovalResult> {
  const { attempts, marketplace, log } = context;
  const id = order.job;
  return attempts.approvals.run(id, async () => {
    const claim = await claimAfterLook(context, look, order);
    if (claim.kind !== 'claimed') return claim;
    const { job: claimed, approval } = claim;
    const job = await attempts.approvals.askOnce<ApprovalResponse, Job>(id, {
      ask: async () => ({ kind: 'approved', job: (await marketplace.approveJob(id, { lane: 'bid' })).job }),
      classify: (thrown) => {
        if (!(thrown instanceof MarketplaceError))
          log.error('Approval failed because of an internal error', { job: id, error: asError(thrown) });
        return classifyApprovalFailure(thrown);
      },
      record: (tx, answer, at) => recordApprovalResponse(tx, claimed, approval, answer, at),
      apply: (answer, at) => applyApprovalToJob(claimed, approval, answer, at),
    });
    return { kind: 'asked', job };
  });
}

type Claimed =
  | { readonly kind: 'claimed'; readonly job: Job; readonly approval: JobApproval }
  | Exclude<JobApprovalResult, { kind: 'asked' }>;

/** Reads the job first, so that the person approves what they were shown. */
async function claimAfterLook(
  context: BiddingContext & WithAttempts,
  look: BiddingService['refreshJob'],
  order: JobApprovalRequest,
): Promise<Claimed> {
  const { store, clock, team } = context;
  const before = await store.read((tx) => tx.get(jobs, jobKey(team, order.job)));
  if (before && before.channel !== order.authorizedChannel) return { kind: 'moved' };
  if (before && isTaken(before, order.seenAttempt)) return { kind: 'taken', job: before };
  const looked = await look(order.job);
  // A job whose approval got no answer and that can't be read: the person decides.
  if (looked.kind === 'failed' && before?.approval?.state !== 'unknown') return looked;
  const status = looked.kind === 'found' ? looked.status : undefined;
  const claim = await store.transact((tx) => claimApproval(tx, context, order, status, clock.now()));
  if (claim) return claim;
  throw new Error(`Job ${order.job} was read but not stored`);
}

function isTaken(job: Job, seenAttempt: number): boolean {
  return decideApprovalClaim(job, seenAttempt, true).kind === 'taken';
}

/**
 * Claims the next attempt if it may be sent and the job still is what the person was shown.
 * @param status as just read; an unknown job is stored from it
 * @returns undefined for an unknown job without a status
 */
async function claimApproval(
  tx: Transaction,
  { team }: BiddingContext,
  order: JobApprovalRequest,
  status: JobStatusReport | undefined,
  at: Instant,
): Promise<Claimed | undefined> {
  const { by, channel, authorizedChannel, seenAttempt } = order;
  const stored = await tx.get(jobs, jobKey(team, order.job));
  if (stored?.channel !== authorizedChannel) return { kind: 'moved' };
  const onRecord = stored && (await expireIfDue(tx, stored, at));
  if (!onRecord && status && !(await isAsShown(tx, team, status, order)))
    return { kind: 'changed', changes: [] };
  const job = onRecord ?? (status && (await beginJob(tx, team, channel, order.job, status, at)));
  if (!job) return undefined;
  const decision = decideApprovalClaim(job, seenAttempt, status !== undefined);
  if (decision.kind !== 'claim') {
    if (!onRecord) await tx.put(jobs, jobKey(team, job.id), job);
    return { kind: decision.kind, job };
  }
  if (isReviewEnded(job)) return { kind: 'closed', job };
  const facts = listApprovalFacts(await readApprovalSubject(tx, team, job));
  if (onRecord && hashApprovalFacts(facts) !== order.shown)
    return { kind: 'changed', changes: compareApprovalFacts(job.review?.shown ?? [], facts) };
  const overrides = await isKnownToOverride(tx, job);
  const audit = await recordApprovalAudit(tx, { team, at, by, channel: job.channel }, job, overrides, facts);
  const doubt = carryApprovalUncertainty(job.approval);
  const approval: JobApproval = { state: 'sending', by, at, attempt: decision.attempt, audit, ...doubt };
  const claimed = { ...job, approval };
  await tx.put(jobs, jobKey(team, job.id), claimed);
  await refreshMessages(tx, claimed);
  return { kind: 'claimed', job: claimed, approval };
}

/** A job without a record: only the marketplace's status could be shown. Stores nothing if it changed. */
async function isAsShown(
  tx: ReadTransaction,
  team: TeamId,
  status: JobStatusReport,
  { shown }: JobApprovalRequest,
): Promise<boolean> {
  if (parseReviewState(status) === 'over') return true;
  return hashApprovalFacts(listApprovalFacts(await readApprovalSubject(tx, team, status))) === shown;
}

/** A job created outside Gigdesk; its thread anchor is in the channel of the approval. */
async function beginJob(
  tx: Transaction,
  team: TeamId,
  channel: ChannelId,
  id: JobId,
  status: JobStatusReport,
  at: Instant,
): Promise<Job> {
  const project = projectOf(status.marketplaceJobId);
  const found = project && (await tx.get(seenProjects, seenProjectKey(team, project)));
  const home = await anchorForJob(tx, { team, channel, id, project }, at);
  const place = { team, channel, home, ...omitUndefined({ project, title: found?.project.title }) };
  return buildJob({ ...status, id }, place, at);
}

/** A marketplace job id of digits, with or without a tilde, is its project's key. */
function projectOf(marketplaceJobId: string | undefined): ProjectKey | undefined {
  const digits = removeJobIdTilde(marketplaceJobId ?? '');
  return /^\d{1,40}$/u.test(digits) ? ProjectKey.parse(`~${digits}`) : undefined;
}

async function isKnownToOverride(tx: ReadTransaction, { team, project }: Job): Promise<boolean> {
  if (project === undefined) return false;
  const found = await tx.get(seenProjects, seenProjectKey(team, project));
  return isProjectQualified(found?.project.verdict) === false;
}

/** The job was probably approved, cancelled or deleted elsewhere. */
const REFUSED_FOR_ITS_STATE: ReadonlySet<string> = new Set(['bad-request', 'not-found']);

/**
 * The job after the response. It is checked again soon if it was approved, may have been, or has another
 * state than expected.
 */
function applyApprovalToJob(job: Job, claimed: JobApproval, answer: ApprovalResponse, at: Instant): Job {
  const approval = resolveApproval(claimed, answer);
  switch (answer.kind) {
    case 'approved': {
      const { status, statusTitle, scheduledAt, setup, setupName } = answer.job;
      const { statusTitle: _before, ...rest } = job;
      const follow = decideFirstStatusCheck(scheduledAt, at);
      const details = omitUndefined({ statusTitle, scheduledAt, setup, setupName });
      return { ...rest, status, ...details, readAt: at, approval, follow };
    }
    case 'refused': {
      const isOther = approval.state === 'unknown' || REFUSED_FOR_ITS_STATE.has(answer.refusal.code);
      return isOther
        ? { ...job, approval, follow: decideFirstStatusCheck(undefined, at) }
        : { ...job, approval };
    }
    case 'unknown':
      return { ...job, approval, follow: decideFirstStatusCheck(undefined, at) };
  }
}

/**
 * Settles an approval's claim with its response: job, audit entry and news together. A closed claim stays as
 * it is. @returns the stored job
 */
export async function recordApprovalResponse(
  tx: Transaction,
  { team, id }: Job,
  claimed: JobApproval,
  answer: ApprovalResponse,
  at: Instant,
): Promise<Job | undefined> {
  const there = await tx.get(jobs, jobKey(team, id));
  const open = there?.approval;
  if (!open || open.attempt !== claimed.attempt || open.state !== 'sending') return there;
  const job = applyApprovalToJob(there, open, answer, at);
  await tx.put(jobs, jobKey(team, id), job);
  await recordApprovalAuditResult(tx, applyApprovalResponse(open, answer), job, at);
  await postBidNews(tx, job, `approval:${id}:${open.attempt}`, newsOf(job, open, answer), at);
  return job;
}

function newsOf(job: Job, { by, doubt }: JobApproval, answer: ApprovalResponse): BidNews {
  switch (answer.kind) {
    case 'approved': {
      const { approvedBy, overrode } = job.approval ?? {};
      return {
        about: 'job-approved',
        by,
        ...omitUndefined({ approvedBy, overrode }),
        ...pickJobStateFields(job),
      };
    }
    case 'refused': {
      const { code, serverMessage, fields } = answer.refusal;
      const refused = { by, job: job.id, code, ...omitUndefined({ serverMessage, fields }) };
      return { about: 'approval-refused', ...refused, ...(doubt ? { doubt: true } : {}) };
    }
    case 'unknown':
      return {
        about: 'approval-unknown',
        by,
        job: job.id,
        ...omitUndefined({ httpStatus: answer.httpStatus }),
      };
  }
}
