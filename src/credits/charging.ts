/** Books costs: split among channels, on their budgets, in the ledger, or as spending by others. */
import { type ChannelId, toCredits } from '../ids.ts';
import { postBudgetNotices } from './budgets.ts';
import type { Settlement } from './credits.ts';
import type { CreditsTransaction } from './credits-state.ts';
import {
  type CreditShare,
  channelLedgerRecords,
  type LedgerRecord,
  ledgerRecords,
  type ReservationRecord,
} from './records.ts';

export interface CostSharer {
  readonly channel: ChannelId;
  /** The most that the channel can pay; Infinity without a limit. */
  readonly cap: number;
  /** Credits paid beyond its exact share so far, from indivisible remainders. */
  readonly ahead: number;
}

export interface CostPart {
  readonly channel: ChannelId;
  readonly credits: number;
  /** `CostSharer.ahead` after this split. */
  readonly ahead: number;
}

/**
 * Splits `amount` evenly, none above its cap; the others pay the excess. A remainder goes to those least
 * ahead, so that it rotates over time.
 * @returns a part for each party, in their order; they add up to `amount`, or to all caps if these are less.
 */
export function splitCost(amount: number, parties: readonly CostSharer[]): readonly CostPart[] {
  const shares = parties.map((party) => ({ ...party, credits: 0 }));
  let left = amount;
  for (;;) {
    const open = shares.filter(({ cap, credits }) => credits < cap);
    if (open.length === 0 || left === 0) break;
    // At least one each while there is enough for all; the remainder rotates.
    const each = Math.max(1, Math.floor(left / open.length));
    for (const share of open.toSorted((a, b) => a.ahead - b.ahead).slice(0, left)) {
      const paid = Math.min(each, share.cap - share.credits);
      share.credits += paid;
      left -= paid;
    }
  }
  return settleTurns(shares);
}

/**
 * Those who paid the most, or one less, shared a remainder: the difference to their mean adds to `ahead`.
 * Those who paid even less were limited by their cap, so nothing is added for them.
 */
function settleTurns(shares: readonly (CostSharer & { readonly credits: number })[]): readonly CostPart[] {
  const most = Math.max(0, ...shares.map(({ credits }) => credits));
  const level = shares.filter(({ credits }) => credits >= most - 1);
  const mean = sumCredits(level) / level.length;
  return shares.map((share) => {
    const { channel, credits, ahead } = share;
    if (!level.includes(share)) return { channel, credits, ahead };
    // Rounded, so that the last binary digit of added thirds never decides the turn.
    return { channel, credits, ahead: Math.round((ahead + credits - mean) * 1e6) / 1e6 };
  });
}

/** Splits `amount` among channels, each at most its reserved share. */
export function splitAmongShares(amount: number, shares: readonly CreditShare[]): readonly CostPart[] {
  return splitCost(
    amount,
    shares.map(({ channel, credits: cap }) => ({ channel, cap, ahead: 0 })),
  );
}

export function sumCredits(shares: readonly { readonly credits: number }[]): number {
  return shares.reduce((sum, { credits }) => sum + credits, 0);
}

/** Moves credits from reserved `shares` to their channels' settled credits. */
export function chargeChannels(book: CreditsTransaction, shares: readonly CreditShare[], amount: number) {
  const records = shares.map(({ channel }) => book.findBudget(channel));
  const parts = splitCost(
    amount,
    shares.map(({ channel, credits: cap }, place) => ({ channel, cap, ahead: records[place]?.ahead ?? 0 })),
  );
  for (const [place, record] of records.entries()) {
    const part = parts[place];
    if (!part) continue;
    const { credits, ahead } = part;
    const other = record.other && { ...record.other, settled: record.other.settled + credits };
    const charged = { ...record, settled: record.settled + credits, other, ahead };
    book.putBudget(charged);
    postBudgetNotices(book, credits, charged);
  }
  const { byChannels, other } = book.account;
  book.putAccount({
    byChannels: byChannels + amount,
    other: other && { ...other, byChannels: other.byChannels + amount },
  });
  return parts;
}

/** Books a cost of the previous period, only there and only while that period may return. */
export function chargePreviousPeriod(book: CreditsTransaction, parts: readonly CostPart[]): void {
  const { other } = book.account;
  if (!other) return;
  let sum = 0;
  for (const { channel, credits } of parts) {
    const record = book.findBudget(channel);
    if (!record.other || credits === 0) continue;
    book.putBudget({ ...record, other: { ...record.other, settled: record.other.settled + credits } });
    sum += credits;
  }
  book.putAccount({ other: { ...other, byChannels: other.byChannels + sum } });
}

export function recordOutsideSpending(book: CreditsTransaction, amount: number): void {
  if (amount === 0) return;
  const { outside, other } = book.account;
  book.putAccount({
    outside: outside + amount,
    other: other && { ...other, outside: other.outside + amount },
  });
  const purchase = { endpoint: 'outside', subject: 'account' } as const;
  addLedgerEntry(book, { purchase, credits: amount, shares: [] });
}

/**
 * Adds one ledger entry for a request's cost; none if it cost nothing.
 * @param period missing: the current one
 */
export function addRequestCostToLedger(
  book: CreditsTransaction,
  { purchase, user }: ReservationRecord,
  parts: readonly CostPart[],
  { period, ...proof }: Pick<LedgerRecord, 'balance' | 'isProvenLater'> & { readonly period?: number } = {},
): void {
  const credits = sumCredits(parts);
  if (credits === 0) return;
  const shares = [...buildSettlement(parts).shares];
  addLedgerEntry(book, { purchase, user, ...proof, credits, shares }, period);
}

export function asShare({ channel, credits }: CreditShare): CreditShare {
  return { channel, credits };
}

export function buildSettlement(parts: readonly CostPart[]): Settlement {
  return {
    shares: parts
      .filter((part) => part.credits > 0)
      .map((part) => ({ channel: part.channel, credits: toCredits(part.credits) })),
  };
}

/** The ledger has one entry for each charged response, and for spending by others. */
function addLedgerEntry(
  book: CreditsTransaction,
  entry: Omit<LedgerRecord, 'at' | 'order' | 'period'>,
  period = book.account.period.number,
): void {
  const record: LedgerRecord = { at: book.at, ...entry, order: book.nextSeq(), period };
  book.addWrite(async (tx) => {
    await tx.put(ledgerRecords, record);
    for (const { channel, credits } of record.shares)
      if (credits > 0) await tx.put(channelLedgerRecords, { ...record, channel });
  });
}
