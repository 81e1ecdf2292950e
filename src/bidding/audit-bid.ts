/** Audit entries for bids and approvals. */
import { type AuditedAction, type AuditResult, recordAuditEntry, recordAuditResult } from '../audit/audit.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Instant } from '../clock.ts';
import { type ChannelId, type TeamId, TeamId as teamId, type UserId } from '../ids.ts';
import type { Transaction } from '../storage/store.ts';
import type { Bid, Job, JobApproval } from './records.ts';

interface Entry {
  readonly team: TeamId;
  readonly at: Instant;
  readonly by: UserId;
  readonly channel: ChannelId;
}

/** Writes a claim's entry. @returns its key, in the form that records store */
async function writeAuditEntry(
  tx: Transaction,
  { team, at, by, channel }: Entry,
  act: AuditedAction,
): Promise<Bid['audit']> {
  return [...(await recordAuditEntry(tx, { team, at, by, channel, act }))];
}

export function recordBidAudit(tx: Transaction, bid: Omit<Bid, 'audit' | 'home'>): Promise<Bid['audit']> {
  const { title, setupName, attempt } = bid;
  const { marketplaceJobId, setup, bidAmount, boostConnects } = bid.request;
  const what = { title, marketplaceJobId, setup, setupName, attempt, bidAmount, boostConnects };
  return writeAuditEntry(tx, bid, { kind: 'bid', ...omitUndefined(what) });
}

/** @param entry who approves, and the job's channel */
export function recordApprovalAudit(
  tx: Transaction,
  entry: Entry,
  job: Job,
  overrides: boolean,
): Promise<Bid['audit']> {
  return writeAuditEntry(tx, entry, {
    kind: 'approve',
    job: job.id,
    overrides,
    ...omitUndefined({ title: job.title }),
  });
}

/** A request rejected here; nothing is sent, so the entry has no result. */
export async function recordRejectionAudit(
  tx: Transaction,
  entry: Entry,
  { id, title }: Job,
  reason: string,
): Promise<void> {
  await writeAuditEntry(tx, entry, {
    kind: 'approval-rejected',
    job: id,
    reason,
    ...omitUndefined({ title }),
  });
}

interface HeldDecision extends Entry {
  readonly title?: string | undefined;
  readonly job?: Job['id'] | undefined;
  readonly attempt: number;
}

/** A person canceled, approved or rejected what waits before it is sent; nothing is sent by it. */
export async function recordHeldDecisionAudit(
  tx: Transaction,
  kind: 'bid-canceled' | 'second-approval' | 'second-rejected',
  { title, job, attempt, ...entry }: HeldDecision,
): Promise<void> {
  await writeAuditEntry(tx, entry, { kind, attempt, ...omitUndefined({ title, job }) });
}

/** A person approved several jobs at once; each has an entry of its own, too. */
export async function recordSeveralApprovalsAudit(
  tx: Transaction,
  entry: Entry,
  counts: { readonly chosen: number; readonly of: number },
): Promise<void> {
  await writeAuditEntry(tx, entry, { kind: 'several-approvals', ...counts });
}

function writeAuditResult(tx: Transaction, audit: Bid['audit'], result: AuditResult): Promise<void> {
  const [team, ...rest] = audit;
  return recordAuditResult(tx, [teamId.parse(team), ...rest], result);
}

/** @param words the server's words for the job's status */
export async function recordBidAuditResult(
  tx: Transaction,
  bid: Bid,
  words: string | undefined,
): Promise<void> {
  const { code, serverMessage } = bid.refusal ?? {};
  const { state: kind, job, httpStatus } = bid;
  if (kind === 'sending' || kind === 'held') return;
  await writeAuditResult(
    tx,
    bid.audit,
    omitUndefined({ kind, job, code, httpStatus, words: serverMessage ?? words }),
  );
}

export async function recordApprovalAuditResult(
  tx: Transaction,
  { state, audit, refusal, httpStatus }: JobApproval,
  job: Job,
): Promise<void> {
  if (state === 'sending' || state === 'held') return;
  const words = refusal ? refusal.serverMessage : (job.statusTitle ?? job.status);
  await writeAuditResult(
    tx,
    audit,
    omitUndefined({ kind: state, job: job.id, code: refusal?.code, httpStatus, words }),
  );
}
