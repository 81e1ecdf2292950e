/** Audit and ledger entries for bids and approvals: each in the transaction of its claim or result. */
import type { AuditedAction, AuditResult } from '../audit/audit.ts';
import type { Instant } from '../clock.ts';
import {
  type DecisionDetails,
  type DecisionOutcome,
  recordDecision,
  recordDecisionResult,
  recordOutcome,
  type ShownFact,
  toCost,
} from '../decisions/decisions.ts';
import type { Key, Transaction } from '../storage/store.ts';
import { readCreatingBid } from './read-approval-subject.ts';
import type { ApprovalFact, Bid, Job, JobApproval } from './records.ts';

type Entry = Pick<Bid, 'at' | 'by' | 'channel'>;

/** Writes a claim's entries. @returns the audit entry's key, in the form that records store */
export async function writeAuditEntry(
  tx: Transaction,
  { at, by, channel }: Entry,
  act: AuditedAction,
  details: DecisionDetails,
): Promise<Bid['audit']> {
  return [...(await recordDecision(tx, { at, by, channel, act }, details))];
}

export function recordBidAudit(tx: Transaction, bid: Omit<Bid, 'audit' | 'home'>): Promise<Bid['audit']> {
  const { title, setupName, attempt, connectsPrice: connects } = bid;
  const { marketplaceJobId, setup, bidAmount, boostConnects } = bid.request;
  const what = { title, marketplaceJobId, setup, setupName, attempt, bidAmount, boostConnects };
  const details = { shown: listSentFacts(bid), cost: toCost({ connects, boostConnects }) };
  return writeAuditEntry(tx, bid, { kind: 'bid', ...what }, details);
}

/** What a request showed, with the hashes of what it showed only in part. */
export function listShownFacts(facts: readonly ApprovalFact[]) {
  return facts.map(({ name, text, hash }) => ({ name, text: `${text} [${hash}]` }));
}

/**
 * @param entry who approves, and the job's channel
 * @param facts what the person was shown
 */
export function recordApprovalAudit(
  tx: Transaction,
  entry: Entry,
  job: Job,
  overrides: boolean,
  facts: readonly ApprovalFact[],
): Promise<Bid['audit']> {
  const act = { kind: 'approve', job: job.id, overrides, title: job.title } as const;
  const boost = Number(facts.find(({ name }) => name === 'boost')?.text);
  const boostConnects = Number.isFinite(boost) ? boost : undefined;
  const cost = toCost({ connects: job.review?.connects, boostConnects });
  return writeAuditEntry(tx, entry, act, { shown: listShownFacts(facts), cost });
}

/** A request rejected here; nothing is sent, so the entry has no result. */
export async function recordRejectionAudit(
  tx: Transaction,
  entry: Entry,
  { id, title, review }: Job,
  reason: string,
): Promise<void> {
  const act = { kind: 'approval-rejected', job: id, reason, title } as const;
  const shown = [...listShownFacts(review?.shown ?? []), { name: 'reason', text: reason }];
  await writeAuditEntry(tx, entry, act, { shown });
}

/** undefined: the stored key can't be read, so its entries can't be found any more. */
function toKey([at, number]: Bid['audit']): Key | undefined {
  return at === undefined || number === undefined ? undefined : [at, number];
}

async function writeAuditResult(tx: Transaction, audit: Bid['audit'], at: Instant, result: AuditResult) {
  const key = toKey(audit);
  if (key) await recordDecisionResult(tx, key, at, result);
}

/** @param words the server's words for the job's status */
export async function recordBidAuditResult(
  tx: Transaction,
  bid: Bid,
  words: string | undefined,
  at: Instant,
): Promise<void> {
  const { code, serverMessage } = bid.refusal ?? {};
  const { state: kind, job, httpStatus } = bid;
  if (kind === 'sending' || kind === 'held') return;
  const result = { kind, job, code, httpStatus, words: serverMessage ?? words };
  await writeAuditResult(tx, bid.audit, at, result);
}

export async function recordApprovalAuditResult(
  tx: Transaction,
  { state, audit, refusal, httpStatus }: JobApproval,
  job: Job,
  at: Instant,
): Promise<void> {
  if (state === 'sending' || state === 'held') return;
  const words = refusal ? refusal.serverMessage : (job.statusTitle ?? job.status);
  const result = { kind: state, job: job.id, code: refusal?.code, httpStatus, words };
  await writeAuditResult(tx, audit, at, result);
}

/** How a job's proposal ended, as a further outcome of its bid, and of its approval. */
export async function recordProposalResults(
  tx: Transaction,
  job: Job,
  results: readonly Pick<DecisionOutcome, 'result' | 'cost'>[],
  at: Instant,
): Promise<void> {
  for (const audit of [(await readCreatingBid(tx, job))?.audit, job.approval?.audit]) {
    const key = audit && toKey(audit);
    if (!key) continue;
    for (const each of results) await recordOutcome(tx, key, at, { ...each, job: job.id });
  }
}

/** Fields that the bid leaves to its setup are left out. */
function listSentFacts(bid: Omit<Bid, 'audit' | 'home'>): readonly ShownFact[] {
  const { title, request, setupName, similarLetter } = bid;
  const { marketplaceJobId, projectId, setup, bidAmount, boostConnects, coverLetter, answers = [] } = request;
  const { scheduledAt, scheduledInMinutes: minutes } = request;
  const inMinutes = minutes === undefined ? '' : `in ${minutes} minutes`;
  return [
    { name: 'project', text: title },
    { name: 'project ~ID', text: marketplaceJobId },
    { name: 'project number', text: projectId?.toString() ?? '' },
    { name: 'setup', text: setupName === undefined ? String(setup) : `${setupName} (${setup})` },
    { name: 'rate', text: bidAmount?.toString() ?? '' },
    { name: 'boost', text: boostConnects?.toString() ?? '' },
    { name: 'scheduled', text: scheduledAt === undefined ? inMinutes : new Date(scheduledAt).toISOString() },
    {
      name: 'warning',
      text: similarLetter ? `${similarLetter.percent}% of the letter repeats another one` : '',
    },
    { name: 'letter', text: coverLetter ?? '' },
    ...answers.map(({ question, answer }) => ({ name: `answer to “${question}”`, text: answer })),
  ];
}
