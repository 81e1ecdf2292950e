/** Approving a job that waits for review, in the same way as a bid: a stored claim, one request, its answer on record. */
import { withoutTilde } from '../aliases/project-aliases.ts';
import type { Instant } from '../clock.ts';
import { asError } from '../errors.ts';
import { projectRecordKey, seenProjects } from '../feed/records.ts';
import { type ChannelId, type JobId, ProjectKey, type TeamId } from '../ids.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { JobStatus } from '../marketplace/schema.ts';
import { isQualified } from '../marketplace/verdict-words.ts';
import { known } from '../marketplace/wire-values.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import { auditApproval } from './audit-bid.ts';
import type { ApproveOrder, ApproveOutcome, Bidding } from './bidding.ts';
import type { BiddingContext } from './context.ts';
import {
  type ApprovalAnswer,
  decideApproval,
  doubtOfApproval,
  isApprovalOpen,
  readApprovalFailure,
} from './decide-approval.ts';
import { homeOfJob } from './homes.ts';
import { newJob } from './link-job.ts';
import { afterApproval, recordApprovalAnswer } from './record-approval-answer.ts';
import { type Approval, type Job, jobKey, jobs } from './records.ts';
import { showAnew } from './tell.ts';
import { approvalMatter, type WithUnderWay } from './under-way.ts';

/** @param look reads the job anew, and settles by it what it can */
export function approveJob(
  context: BiddingContext & WithUnderWay,
  look: Bidding['look'],
  order: ApproveOrder,
): Promise<ApproveOutcome> {
  const { underWay, clock } = context;
  const matter = approvalMatter(order.job);
  return underWay.during(matter, async () => {
    const claim = await claimAfterLook(context, look, order);
    if (claim.kind !== 'claimed') return claim;
    const answer = await ask(context, order.job);
    const at = clock.now();
    const { job, approval } = claim;
    const recorded = await underWay.record(matter, (tx) =>
      recordApprovalAnswer(tx, job, approval, answer, at),
    );
    return { kind: 'asked', job: recorded ?? afterApproval(job, approval, answer, at) };
  });
}

type Claimed =
  | { readonly kind: 'claimed'; readonly job: Job; readonly approval: Approval }
  | Exclude<ApproveOutcome, { kind: 'asked' }>;

/** A job that is not known, seems not to wait, or may have been approved already, is read once before it is decided. */
async function claimAfterLook(
  context: BiddingContext & WithUnderWay,
  look: Bidding['look'],
  order: ApproveOrder,
): Promise<Claimed> {
  const { store, clock } = context;
  const before = await store.read((tx) => tx.get(jobs, jobKey(context.team, order.job)));
  // It may be told by now what came of it, so that there is nothing to repeat; where it can't be read, the person decides.
  if (before?.approval?.state === 'unknown' && isApprovalOpen(before)) await look(order.job);
  const first = await store.transact((tx) => claimApproval(tx, context, order, undefined, clock.now()));
  if (first && first.kind !== 'not-waiting') return first;
  const looked = await look(order.job);
  if (looked.kind === 'failed') return looked;
  const { status } = looked;
  const second = await store.transact((tx) => claimApproval(tx, context, order, status, clock.now()));
  if (second) return second;
  throw new Error(`Job ${order.job} was read but not stored`);
}

/**
 * Claims the next attempt where it may be sent.
 * @param status as just read; a job that is not on record is put there by it
 * @returns undefined for a job of which nothing is known
 */
async function claimApproval(
  tx: Transaction,
  { team }: BiddingContext,
  order: ApproveOrder,
  status: JobStatus | undefined,
  at: Instant,
): Promise<Claimed | undefined> {
  const { by, channel, rightIn, seen } = order;
  const onRecord = await tx.get(jobs, jobKey(team, order.job));
  if (onRecord?.channel !== rightIn) return { kind: 'moved' };
  const job = onRecord ?? (status && (await beginJob(tx, team, channel, order.job, status, at)));
  if (!job) return undefined;
  const decision = decideApproval(job, seen, status !== undefined);
  if (decision.kind !== 'claim') {
    if (!onRecord) await tx.put(jobs, jobKey(team, job.id), job);
    return { kind: decision.kind, job };
  }
  const overrides = await isKnownToOverride(tx, job);
  const audit = await auditApproval(tx, { team, at, by, channel: job.channel }, job, overrides);
  const doubt = doubtOfApproval(job.approval);
  const approval: Approval = { state: 'sending', by, at, attempt: decision.attempt, audit, ...doubt };
  const claimed = { ...job, approval };
  await tx.put(jobs, jobKey(team, job.id), claimed);
  await showAnew(tx, claimed);
  return { kind: 'claimed', job: claimed, approval };
}

/** A job that was not created here, with a home in the channel where somebody approves it. */
async function beginJob(
  tx: Transaction,
  team: TeamId,
  channel: ChannelId,
  id: JobId,
  status: JobStatus,
  at: Instant,
): Promise<Job> {
  const project = projectOf(status.marketplaceJobId);
  const found = project && (await tx.get(seenProjects, projectRecordKey(team, project)));
  const home = await homeOfJob(tx, { team, channel, id, project }, at);
  const place = { team, channel, home, ...known({ project, title: found?.project.title }) };
  return newJob({ ...status, id }, place, at);
}

/** A marketplace job id of a tilde and digits, or of digits alone, is the key of its project. */
function projectOf(marketplaceJobId: string | undefined): ProjectKey | undefined {
  const digits = withoutTilde(marketplaceJobId ?? '');
  return /^\d{1,40}$/u.test(digits) ? ProjectKey.parse(`~${digits}`) : undefined;
}

async function isKnownToOverride(tx: ReadTransaction, { team, project }: Job): Promise<boolean> {
  if (project === undefined) return false;
  const found = await tx.get(seenProjects, projectRecordKey(team, project));
  return isQualified(found?.project.verdict) === false;
}

/** Asks exactly once; see `createBid`. */
async function ask({ marketplace, log }: BiddingContext, id: JobId): Promise<ApprovalAnswer> {
  try {
    const { job } = await marketplace.approveJob(id, { lane: 'bid' });
    return { kind: 'approved', job };
  } catch (thrown) {
    if (!(thrown instanceof MarketplaceError))
      log.error('Approval failed because of an internal error', { job: id, error: asError(thrown) });
    return readApprovalFailure(thrown);
  }
}
