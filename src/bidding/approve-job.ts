/** Approves a job that waits for review, like a bid: stored claim, one request, stored response. */

import type { Instant } from '../clock.ts';
import { asError } from '../errors.ts';
import { seenProjects } from '../feed/records.ts';
import type { ChannelId, JobId } from '../ids.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { JobStatusReport } from '../marketplace/schema.ts';
import { isProjectQualified } from '../marketplace/wire/verdict.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import {
  type ApprovalSubject,
  compareApprovalFacts,
  hashApprovalFacts,
  isReviewEnded,
  listApprovalFacts,
  listAskers,
} from './approval-request.ts';
import { expireIfDue } from './approval-requests.ts';
import { recordApprovalAudit } from './audit-bid.ts';
import type { BiddingContext, JobApprovalRequest, JobApprovalResult, WithAttempts } from './bidding.ts';
import {
  type ApprovalResponse,
  carryApprovalUncertainty,
  classifyApprovalFailure,
  decideApprovalClaim,
} from './decide-bid.ts';
import { toProjectKey } from './decide-job.ts';
import { postHeldMessage } from './held-order.ts';
import { parseReviewState } from './job-status-text.ts';
import type { JobTracker } from './job-tracker.ts';
import { buildJob } from './link-job.ts';
import { planOrder, readOrderRules } from './plan-order.ts';
import { findOrPostAnchor, refreshMessages } from './post-bid-news.ts';
import { readApprovalSubject } from './read-approval-subject.ts';
import { applyApprovalToJob, recordApprovalResponse } from './record-approval-response.ts';
import { connectsRef, type Job, type JobApproval, jobs } from './records.ts';

/** @param look refreshes the job and settles open questions from it */
export function approveJob(
  context: BiddingContext & WithAttempts,
  look: JobTracker['refreshJob'],
  order: JobApprovalRequest,
): Promise<JobApprovalResult> {
  return context.attempts.approvals.run(order.job, async () => {
    const claim = await claimAfterLook(context, look, order);
    if (claim.kind !== 'claimed') return claim;
    return { kind: 'asked', job: await sendClaimedApproval(context, claim.job, claim.approval) };
  });
}

type Claimed =
  | { readonly kind: 'claimed'; readonly job: Job; readonly approval: JobApproval }
  | Exclude<JobApprovalResult, { kind: 'asked' }>;

/** Reads the job first, so that the person approves what they were shown. */
async function claimAfterLook(
  context: BiddingContext & WithAttempts,
  look: JobTracker['refreshJob'],
  order: JobApprovalRequest,
): Promise<Claimed> {
  const { store, clock } = context;
  const before = await store.read((tx) => tx.get(jobs, [order.job]));
  if (before && before.channel !== order.authorizedChannel) return { kind: 'moved' };
  if (before && decideApprovalClaim(before, order.seenAttempt, true).kind === 'taken')
    return { kind: 'taken', job: before };
  const looked = await look(order.job);
  // A job whose approval got no answer and that can't be read: the person decides.
  if (looked.kind === 'failed' && before?.approval?.state !== 'unknown') return looked;
  const status = looked.kind === 'found' ? looked.status : undefined;
  const claim = await store.transact((tx) => claimApproval(tx, context, order, status, clock.now()));
  if (claim) return claim;
  throw new Error(`Job ${order.job} was read but not stored`);
}

/**
 * Claims the next attempt if it may be sent and the job still is what the person was shown.
 * @param status as just read; an unknown job is stored from it
 * @returns undefined for an unknown job without a status
 */
async function claimApproval(
  tx: Transaction,
  context: BiddingContext,
  order: JobApprovalRequest,
  status: JobStatusReport | undefined,
  at: Instant,
): Promise<Claimed | undefined> {
  const { by, channel, authorizedChannel, seenAttempt } = order;
  const stored = await tx.get(jobs, [order.job]);
  if (stored?.channel !== authorizedChannel) return { kind: 'moved' };
  const onRecord = stored && (await expireIfDue(tx, stored, at));
  if (!onRecord && status && !(await isAsShown(tx, status, order))) return { kind: 'changed', changes: [] };
  const job = onRecord ?? (status && (await beginJob(tx, channel, order.job, status, at)));
  if (!job) return undefined;
  const decision = decideApprovalClaim(job, seenAttempt, status !== undefined);
  if (decision.kind !== 'claim') {
    if (!onRecord) await tx.put(jobs, job);
    return { kind: decision.kind, job };
  }
  if (isReviewEnded(job)) return { kind: 'closed', job };
  const subject = await readApprovalSubject(tx, job);
  const facts = listApprovalFacts(subject);
  if (onRecord && hashApprovalFacts(facts) !== order.shown)
    return { kind: 'changed', changes: compareApprovalFacts(job.review?.shown ?? [], facts) };
  return claimByRules(tx, context, { job, isNew: !onRecord, subject, by, attempt: decision.attempt }, at);
}

/** Unless rules for spending forbid it. @param claim `isNew`: of the job, only its anchor is stored */
async function claimByRules(
  tx: Transaction,
  { setups, timezone }: BiddingContext,
  claim: Pick<JobApproval, 'by' | 'attempt'> & { job: Job; isNew: boolean; subject: ApprovalSubject },
  at: Instant,
): Promise<Claimed> {
  const { job, isNew, subject, by, attempt } = claim;
  const { id, channel } = job;
  const order = { channel, subject, sender: by, askers: listAskers(job), ref: connectsRef(job) };
  const plan = await planOrder(tx, order, await readOrderRules(tx, setups, order), timezone, at);
  if (plan.kind === 'own') return { kind: 'own', job };
  if (plan.kind === 'over-cap') {
    if (isNew) await tx.put(jobs, job);
    return plan;
  }
  const overrides = await isKnownToOverride(tx, job);
  const facts = listApprovalFacts(subject);
  const audit = await recordApprovalAudit(tx, { at, by, channel }, job, overrides, facts);
  const asked = { by, at, attempt, audit, ...carryApprovalUncertainty(job.approval) };
  const held = plan.kind === 'hold' ? { hold: plan.hold, shown: plan.shown } : undefined;
  const approval: JobApproval = { state: held ? 'held' : 'sending', ...asked, ...held };
  const claimed = { ...job, approval };
  await tx.put(jobs, claimed);
  await refreshMessages(tx, claimed);
  if (!held) return { kind: 'claimed', job: claimed, approval };
  if (!held.hold.second) {
    const { home } = claimed;
    await postHeldMessage(tx, { channel, home, attempt, hold: held.hold, ref: { job: id } }, [], at);
  }
  return { kind: 'held', job: claimed };
}

/** A job without a record: only the marketplace's status could be shown. Stores nothing if it changed. */
async function isAsShown(tx: ReadTransaction, status: JobStatusReport, { shown }: JobApprovalRequest) {
  if (parseReviewState(status) === 'over') return true;
  return hashApprovalFacts(listApprovalFacts(await readApprovalSubject(tx, status))) === shown;
}

/** A job created outside Gigdesk; its thread anchor is in the channel of the approval. */
async function beginJob(
  tx: Transaction,
  channel: ChannelId,
  id: JobId,
  status: JobStatusReport,
  at: Instant,
): Promise<Job> {
  const project = toProjectKey(status.marketplaceJobId);
  const found = project && (await tx.get(seenProjects, [project]));
  const home = await findOrPostAnchor(tx, { channel, project }, { kind: 'job', job: id }, at);
  const place = { channel, home, project, title: found?.project.title };
  return buildJob({ ...status, id }, place, at);
}

async function isKnownToOverride(tx: ReadTransaction, { project }: Job): Promise<boolean> {
  if (project === undefined) return false;
  const found = await tx.get(seenProjects, [project]);
  return isProjectQualified(found?.project.verdict) === false;
}

/** @param approval as claimed, in state `sending`, within `attempts.approvals.run` */
export function sendClaimedApproval(
  { attempts, marketplace, log }: BiddingContext & WithAttempts,
  claimed: Job,
  approval: JobApproval,
): Promise<Job> {
  const { id } = claimed;
  return attempts.approvals.askOnce<ApprovalResponse, Job>(id, {
    ask: async () => ({ kind: 'approved', job: (await marketplace.approveJob(id, { lane: 'bid' })).job }),
    classify: (thrown) => {
      if (!(thrown instanceof MarketplaceError))
        log.error('Approval failed because of an internal error', { job: id, error: asError(thrown) });
      return classifyApprovalFailure(thrown);
    },
    record: (tx, answer, at) => recordApprovalResponse(tx, claimed, approval, answer, at),
    apply: (answer, at) => applyApprovalToJob(claimed, approval, answer, at),
  });
}
