/**
 * The ledger of human decisions: who decided, what was shown, what it cost, how it ended. Entries are only
 * added, in the transaction of the claim or the result they report, and each has the hash of the one before.
 * Why: docs/decisions/0005-bids.md.
 */
import {
  type AuditEntry,
  type AuditResult,
  linkAuditToLedger,
  recordAuditEntry,
  recordAuditResult,
} from '../audit/audit.ts';
import type { Instant } from '../clock.ts';
import type { Key, ReadTransaction, StoredEntry, Transaction } from '../storage/store.ts';
import { chainEntry, describeSubject, type NewEntry, type ShownFact, toCost, toShownText } from './chain.ts';
import {
  type DecisionCost,
  decisionHeads,
  decisions,
  type LedgerDecision,
  type LedgerEntry,
  type LedgerOutcome,
} from './records.ts';

export type { ShownFact } from './chain.ts';
export { toCost } from './chain.ts';
export type { DecisionCost, LedgerDecision, LedgerOutcome } from './records.ts';

/**
 * Deletes only the ledger's first entry, and notes that in the head: an unreadable one keeps later ones. The
 * newest stays, so that a ledger without entries is one that was cut.
 */
export async function deleteOldDecision(
  tx: Transaction,
  { key, value }: StoredEntry<LedgerEntry>,
): Promise<void> {
  const head = await tx.get(decisionHeads, []);
  if (!head || value.seq === head.seq || value.seq !== (head.deleted?.seq ?? 0) + 1) return;
  await tx.delete(decisions, key);
  await tx.put(decisionHeads, { ...head, deleted: { seq: value.seq, hash: value.hash } });
}

/** @param audit key of the audit entry that it is about: the two are linked */
async function appendEntry(tx: Transaction, entry: NewEntry, audit: Key): Promise<void> {
  const head = await tx.get(decisionHeads, []);
  const { seq, hash, ...rest } = chainEntry(entry, head);
  await tx.put(decisions, { ...rest, seq, hash });
  await tx.put(decisionHeads, { seq, hash, deleted: head?.deleted });
  await linkAuditToLedger(tx, audit, { seq, hash });
}

export interface DecisionDetails {
  /** What the person saw, line by line. */
  readonly shown?: readonly ShownFact[];
  readonly cost?: DecisionCost | undefined;
}

/**
 * Writes a decision's audit entry and its ledger entry.
 * @returns the audit entry's key, for `recordDecisionResult`
 */
export async function recordDecision(
  tx: Transaction,
  entry: Omit<AuditEntry, 'number' | 'answer'>,
  { shown = [], cost }: DecisionDetails = {},
): Promise<Key> {
  const key = await recordAuditEntry(tx, entry);
  const { at, by, channel, act } = entry;
  const decision = { entry: 'decision', at, by, kind: act.kind } as const;
  const details = { channel, shown: toShownText(shown), cost };
  await appendEntry(tx, { ...decision, subject: describeSubject(act), audit: [...key], ...details }, key);
  return key;
}

/** The decision of an audit entry. */
export async function findDecision(tx: ReadTransaction, audit: Key): Promise<LedgerDecision | undefined> {
  const [found] = await tx.list(decisions, { index: 'byAudit', prefix: audit, limit: 1 });
  return found?.value.entry === 'decision' ? found.value : undefined;
}

/** A bid has few: its result, its proposal, and what the client did. */
const MOST_OUTCOMES = 50;

/** How a decision ended, oldest first. */
export async function listOutcomes(tx: ReadTransaction, { seq }: LedgerDecision): Promise<LedgerOutcome[]> {
  const range = { index: 'byDecision', prefix: [seq] as const, limit: MOST_OUTCOMES };
  return (await tx.list(decisions, range)).flatMap(({ value }) => (value.entry === 'outcome' ? [value] : []));
}

const LONGEST_WORDS = 500;

export interface DecisionOutcome extends Pick<AuditResult, 'job' | 'template' | 'code' | 'words'> {
  /** An AuditResult's kind, or how the proposal ended. */
  readonly result: string;
  readonly cost?: DecisionCost | undefined;
}

/**
 * Adds how a decision ended, as far as known. Nothing is added for a decision that was deleted for its age.
 */
export async function recordOutcome(
  tx: Transaction,
  audit: Key,
  at: Instant,
  { result, words, ...more }: DecisionOutcome,
): Promise<void> {
  const decision = await findDecision(tx, audit);
  if (!decision) return;
  const details = { ...more, words: words?.slice(0, LONGEST_WORDS) };
  await appendEntry(tx, { entry: 'outcome', at, of: decision.seq, result, ...details }, audit);
}

/** Adds the result to the audit entry, and to the ledger. @param cost as far as known now */
export async function recordDecisionResult(
  tx: Transaction,
  audit: Key,
  at: Instant,
  answer: AuditResult,
  cost?: DecisionCost,
): Promise<void> {
  await recordAuditResult(tx, audit, answer);
  const { kind, job, template, code, words } = answer;
  await recordOutcome(tx, audit, at, { result: kind, job, template, code, words, cost });
}

type CreditCost = Pick<DecisionCost, 'credits' | 'uncertainCredits'>;

const LOST = 'lost-request';

/** `endedAs`: how the decision's work has ended. What was uncertain then is in `cost`. */
async function readCostSoFar(tx: ReadTransaction, audit: Key) {
  const decision = await findDecision(tx, audit);
  const outcomes = decision ? await listOutcomes(tx, decision) : [];
  const cost: CreditCost = outcomes.findLast((it) => it.cost)?.cost ?? {};
  return { cost, endedAs: outcomes.findLast(({ result }) => result !== LOST)?.result };
}

/** The cost of a decision's lost requests, as far as settled before it ended. */
export async function readLostCost(tx: ReadTransaction, audit: Key): Promise<CreditCost> {
  return (await readCostSoFar(tx, audit)).cost;
}

/**
 * Adds a lost request to the decision's cost. The latest outcome has the whole cost.
 * @param lost `credits` undefined: nothing can prove it any more. `atMost`: what was reserved for it
 */
export async function recordLostRequest(
  tx: Transaction,
  audit: Key,
  { credits, atMost }: { readonly credits: number | undefined; readonly atMost: number },
  at: Instant,
): Promise<void> {
  const { cost, endedAs } = await readCostSoFar(tx, audit);
  // Its end has said so.
  if (credits === undefined && endedAs !== undefined) return;
  const known = (cost.credits ?? 0) + (credits ?? 0);
  const before = cost.uncertainCredits ?? 0;
  const settled = endedAs === undefined ? 0 : atMost;
  const uncertain = credits === undefined ? before + atMost : Math.max(0, before - settled);
  await recordOutcome(tx, audit, at, {
    result: endedAs ?? LOST,
    words:
      credits === undefined
        ? `a request without an answer may have cost up to ${atMost} credits`
        : `a request without an answer cost ${credits} of at most ${atMost} credits`,
    cost: toCost({ credits: known, uncertainCredits: uncertain || undefined }),
  });
}
