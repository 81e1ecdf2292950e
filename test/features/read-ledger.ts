/** The ledger of decisions, read from the store and checked against the audit log. */
import { expect } from 'vitest';
import type { AuditEntry } from '../../src/audit/audit.ts';
import { decisionHeads, decisions, type LedgerEntry } from '../../src/decisions/records.ts';
import { readAuditedLink, verifyLedger } from '../../src/decisions/verify-ledger.ts';
import { TeamId } from '../../src/ids.ts';
import { type ReadTransaction, scanCollection } from '../../src/storage/store.ts';

export interface LedgerBooks {
  readonly entries: readonly LedgerEntry[];
  readonly head: unknown;
}

export async function readLedger(tx: ReadTransaction, team: string): Promise<LedgerBooks> {
  const prefix = [TeamId.parse(team)] as const;
  const entries: LedgerEntry[] = [];
  for await (const { value } of scanCollection(tx, decisions, { prefix })) entries.push(value);
  return { entries, head: await tx.get(decisionHeads, prefix) };
}

/** What is in the ledger: bids, approvals, budgets, subscriptions and the like. */
const DECIDED = new Set([
  'bid',
  'approve',
  'approval-rejected',
  'bid-canceled',
  'second-approval',
  'second-rejected',
  'template',
  'budget',
  'budget-confirmed',
  'access-changed',
  'access-decided',
  'subscribed',
  'unsubscribed',
  'account',
]);

/** Whole and unchanged, with one decision for each audited one, and its answer as the last outcome. */
export function expectLedgerComplete({ entries, head }: LedgerBooks, audit: readonly AuditEntry[]): void {
  const [first] = audit;
  const team = first?.team ?? '';
  const records = entries.map((value) => ({ place: value.seq, value }));
  const audited = audit.flatMap((it) => readAuditedLink(it) ?? []);
  expect(verifyLedger(team, records, head, { audited }).breaks).toEqual([]);
  const found = entries.filter((it) => it.entry === 'decision');
  const key = (parts: readonly (string | number)[]) => parts.join(' ');
  const decided = audit.filter(({ act }) => DECIDED.has(act.kind));
  expect(found.map((it) => key(it.audit))).toEqual(decided.map((it) => key([it.at, it.number])));
  const answers = new Set(['created', 'skipped', 'refused', 'unknown', 'approved', 'done', 'stopped']);
  for (const { at, number, answer, act } of decided) {
    const { seq } = found.find((it) => key(it.audit) === key([at, number])) ?? { seq: 0 };
    const outcomes = entries.flatMap((it) =>
      it.entry === 'outcome' && it.of === seq && answers.has(it.result) ? [it.result] : [],
    );
    expect(outcomes.at(-1), act.kind).toBe(answer?.kind);
  }
}
