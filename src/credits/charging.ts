/** Books costs on budgets, in the ledger, or as spending by others. */
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Instant } from '../clock.ts';
import { toCredits } from '../ids.ts';
import { postBudgetNotices } from './budget-notices.ts';
import type { Settlement } from './credits-service.ts';
import type { CreditsTransaction } from './credits-transaction.ts';
import { addLedgerEntry } from './ledger.ts';
import type { BudgetRecord, CreditShare, ReservationRecord } from './records.ts';
import { type CostPart, splitCost } from './split-cost.ts';

/** Moves credits from reserved `shares` to their channels' settled credits. */
export async function chargeChannels(
  book: CreditsTransaction,
  shares: readonly CreditShare[],
  amount: number,
  at: Instant,
): Promise<readonly CostPart[]> {
  const records: BudgetRecord[] = [];
  for (const { channel } of shares) records.push(await book.readBudgetRecord(channel, at));
  const parts = splitCost(
    amount,
    shares.map(({ channel, credits: cap }, place) => ({ channel, cap, ahead: records[place]?.ahead ?? 0 })),
  );
  for (const [place, record] of records.entries()) {
    const part = parts[place];
    if (!part) continue;
    const charged = { ...withMore(record, part.credits), ahead: part.ahead };
    await book.putBudget(charged);
    await postBudgetNotices(book, part.credits, charged, at);
  }
  const { byChannels, other } = book.account;
  await book.putAccount({
    byChannels: byChannels + amount,
    other: other && { ...other, byChannels: other.byChannels + amount },
  });
  return parts;
}

function withMore(record: BudgetRecord, credits: number): BudgetRecord {
  const { settled, other } = record;
  return {
    ...record,
    settled: settled + credits,
    other: other && { ...other, settled: other.settled + credits },
  };
}

/** Books a cost of the previous period, only there and only while that period may return. */
export async function chargePreviousPeriod(
  book: CreditsTransaction,
  parts: readonly CostPart[],
  at: Instant,
): Promise<void> {
  const { other } = book.account;
  if (!other) return;
  let sum = 0;
  for (const { channel, credits } of parts) {
    const record = await book.readBudgetRecord(channel, at);
    if (!record.other || credits === 0) continue;
    await book.putBudget({ ...record, other: { ...record.other, settled: record.other.settled + credits } });
    sum += credits;
  }
  await book.putAccount({ other: { ...other, byChannels: other.byChannels + sum } });
}

export async function recordOutsideSpending(
  book: CreditsTransaction,
  amount: number,
  at: Instant,
): Promise<void> {
  if (amount === 0) return;
  const { outside, other } = book.account;
  await book.putAccount({
    outside: outside + amount,
    other: other && { ...other, outside: other.outside + amount },
  });
  const purchase = { endpoint: 'outside', subject: 'account' } as const;
  await addLedgerEntry(book, { at, purchase, credits: amount, shares: [] });
}

/** Adds one ledger entry for a request's cost; none if it cost nothing. */
export async function addRequestCostToLedger(
  book: CreditsTransaction,
  reservation: ReservationRecord,
  parts: readonly CostPart[],
  at: Instant,
  period?: number,
): Promise<void> {
  const total = parts.reduce((sum, part) => sum + part.credits, 0);
  if (total === 0) return;
  const { purchase, user } = reservation;
  const shares = buildSettlement(parts).shares.map((share) => ({ ...share }));
  const entry = { at, purchase, ...omitUndefined({ user }), credits: total, shares };
  await addLedgerEntry(book, entry, period);
}

export function buildSettlement(parts: readonly CostPart[]): Settlement {
  return {
    shares: parts
      .filter((part) => part.credits > 0)
      .map((part) => ({ channel: part.channel, credits: toCredits(part.credits) })),
  };
}
