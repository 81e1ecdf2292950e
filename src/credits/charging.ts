/** Writing costs down: on budgets, in the ledger, or as spent by others. */
import type { Instant } from '../clock.ts';
import { credits } from '../ids.ts';
import type { Settlement } from './book.ts';
import { addEntry } from './ledger.ts';
import { tellSpending } from './notices.ts';
import type { OpenBook } from './open-book.ts';
import type { BudgetRecord, ReservationRecord, Share } from './records.ts';
import { type Part, split } from './split.ts';

/** Moves credits from what is reserved by `shares` to what their channels have settled. */
export async function charge(
  book: OpenBook,
  shares: readonly Share[],
  amount: number,
  at: Instant,
): Promise<readonly Part[]> {
  const records: BudgetRecord[] = [];
  for (const { channel } of shares) records.push(await book.budget(channel, at));
  const parts = split(
    amount,
    shares.map(({ channel, credits: cap }, place) => ({ channel, cap, ahead: records[place]?.ahead ?? 0 })),
  );
  for (const [place, record] of records.entries()) {
    const part = parts[place];
    if (!part) continue;
    const charged = { ...record, settled: record.settled + part.credits, ahead: part.ahead };
    await book.putBudget(charged);
    await tellSpending(book, record.settled, charged, at);
  }
  await book.putAccount({ byChannels: book.account.byChannels + amount });
  return parts;
}

/** Spent on the account by others than our channels. */
export async function bookOutside(book: OpenBook, amount: number, at: Instant): Promise<void> {
  if (amount === 0) return;
  await book.putAccount({ outside: book.account.outside + amount });
  const purchase = { endpoint: 'outside', subject: 'account' } as const;
  await addEntry(book, { at, purchase, credits: amount, shares: [] });
}

/** One entry of the ledger for what a request has cost; none where it cost nothing. */
export async function enter(
  book: OpenBook,
  reservation: ReservationRecord,
  parts: readonly Part[],
  at: Instant,
  period?: number,
): Promise<void> {
  const total = parts.reduce((sum, part) => sum + part.credits, 0);
  if (total === 0) return;
  const { purchase, user } = reservation;
  const shares = settlementOf(parts).shares.map((share) => ({ ...share }));
  const entry = { at, purchase, ...(user === undefined ? {} : { user }), credits: total, shares };
  await addEntry(book, entry, period);
}

export function settlementOf(parts: readonly Part[]): Settlement {
  return {
    shares: parts
      .filter((part) => part.credits > 0)
      .map((part) => ({ channel: part.channel, credits: credits(part.credits) })),
  };
}
