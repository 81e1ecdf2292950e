/** What the audit log is told of bids and approvals. */
import { type AuditAct, type AuditAnswer, addAudit, answerAudit } from '../audit/audit.ts';
import type { Instant } from '../clock.ts';
import { type ChannelId, type TeamId, TeamId as teamId, type UserId } from '../ids.ts';
import { known } from '../marketplace/wire-values.ts';
import type { Transaction } from '../storage/store.ts';
import type { Approval, Bid, Job } from './records.ts';

interface Entry {
  readonly team: TeamId;
  readonly at: Instant;
  readonly by: UserId;
  readonly channel: ChannelId;
}

/** Writes the entry of a claim. @returns its key, as records keep it. */
async function write(
  tx: Transaction,
  { team, at, by, channel }: Entry,
  act: AuditAct,
): Promise<Bid['audit']> {
  return [...(await addAudit(tx, { team, at, by, channel, act }))];
}

export function auditBid(tx: Transaction, bid: Omit<Bid, 'audit' | 'home'>): Promise<Bid['audit']> {
  const { title, setupName, attempt } = bid;
  const { marketplaceJobId, setup, bidAmount, boostConnects } = bid.request;
  const what = { title, marketplaceJobId, setup, setupName, attempt, bidAmount, boostConnects };
  return write(tx, bid, { kind: 'bid', ...known(what) });
}

/** @param entry who approves, and in which channel the job is */
export function auditApproval(
  tx: Transaction,
  entry: Entry,
  job: Job,
  overrides: boolean,
): Promise<Bid['audit']> {
  return write(tx, entry, { kind: 'approve', job: job.id, overrides, ...known({ title: job.title }) });
}

function answer(tx: Transaction, audit: Bid['audit'], told: AuditAnswer): Promise<void> {
  const [team, ...rest] = audit;
  return answerAudit(tx, [teamId.parse(team), ...rest], told);
}

/** @param words the server's, of a job */
export async function auditBidAnswer(tx: Transaction, bid: Bid, words: string | undefined): Promise<void> {
  if (bid.state === 'sending') return;
  const { code, serverMessage } = bid.refusal ?? {};
  const { state, job, httpStatus } = bid;
  await answer(tx, bid.audit, known({ kind: state, job, code, httpStatus, words: serverMessage ?? words }));
}

export async function auditApprovalAnswer(
  tx: Transaction,
  { state, audit, refusal, httpStatus }: Approval,
  job: Job,
): Promise<void> {
  if (state === 'sending') return;
  const words = refusal ? refusal.serverMessage : (job.statusTitle ?? job.status);
  await answer(tx, audit, known({ kind: state, job: job.id, code: refusal?.code, httpStatus, words }));
}
