/** What a channel is told of its credits, each once. */
import type { Instant } from '../clock.ts';
import type { ChannelId } from '../ids.ts';
import { enqueueNotice } from '../outbox/outbox.ts';
import { SMALLEST_PAGE } from './book.ts';
import { isPooled, limitOf, settledBy, sharersOf } from './book-view.ts';
import { forecastRunOut } from './forecast.ts';
import type { OpenBook } from './open-book.ts';
import type { BudgetRecord } from './records.ts';
import { trialMark } from './trial.ts';

const WARN_AT = 0.8;

/** What a channel has to hear after its spending went from `before` to `after`. Pure. */
export function crossing(before: number, after: number, limit: number): 'low' | 'spent' | undefined {
  if (limit - after < SMALLEST_PAGE) return before < after ? 'spent' : undefined;
  return before < limit * WARN_AT && after >= limit * WARN_AT ? 'low' : undefined;
}

/** What counts against the limit of a channel: its own spending, or the pool's. */
function usedOf(book: OpenBook, record: BudgetRecord): number {
  return settledBy(sharersOf(record, book.pooled), book.account.period.number);
}

/**
 * Told once a period and limit: a raised budget that runs low again is told again. Of the pool the channel hears that
 * was charged, and each other one when it can't buy.
 */
export async function tellSpending(
  book: OpenBook,
  charged: number,
  record: BudgetRecord,
  at: Instant,
): Promise<void> {
  const limit = limitOf(record, book.context);
  const used = usedOf(book, record);
  const news = crossing(used - charged, used, limit);
  if (news === 'spent') await tellBudgetSpent(book, record, at);
  if (news === 'low') await tellBudgetLow(book, record, limit, at);
}

async function tellBudgetLow(
  book: OpenBook,
  record: BudgetRecord,
  limit: number,
  at: Instant,
): Promise<void> {
  const { resetsAt } = book.account.period;
  const used = usedOf(book, record);
  const runsOutAt = forecastRunOut(
    { spent: used, left: limit - used, since: spendingSince(book, record), resetsAt },
    at,
  );
  await enqueueNotice(book.tx, addressed(book, record.channel, `budget-low:${limitKey(record, limit)}`, at), {
    about: 'budget-low',
    used,
    limit,
    resetsAt,
    ...(isPooled(record) ? { isShared: true } : {}),
    ...(runsOutAt === undefined ? {} : { runsOutAt }),
    ...trialMark(book.account),
  });
}

/** No page can be bought any more on this budget; lookups may still. Nothing is told of a budget that only waits for answers. */
export async function tellBudgetSpent(book: OpenBook, record: BudgetRecord, at: Instant): Promise<void> {
  const limit = limitOf(record, book.context);
  const left = Math.max(0, limit - usedOf(book, record));
  if (left >= SMALLEST_PAGE) return;
  await enqueueNotice(
    book.tx,
    addressed(book, record.channel, `budget-spent:${limitKey(record, limit)}`, at),
    {
      about: 'budget-spent',
      left,
      limit,
      ...(isPooled(record) ? { isShared: true } : {}),
      resetsAt: book.account.period.resetsAt,
      ...trialMark(book.account),
    },
  );
}

/** The pool and a budget of the same size are told of apart. */
function limitKey(record: BudgetRecord, limit: number): string {
  return isPooled(record) ? `shared:${limit}` : String(limit);
}

/** Every channel with a record hears that the account is spent, while it is. */
export async function tellAccountSpent(book: OpenBook, at: Instant): Promise<void> {
  const { spent, period } = book.account;
  if (!spent || spent.remaining >= SMALLEST_PAGE) return;
  const resetsAt = spent.resetsAt ?? (period.confirmed ? period.resetsAt : undefined);
  for (const { channel } of await book.allBudgets())
    await enqueueNotice(book.tx, addressed(book, channel, 'account-spent', at), {
      about: 'account-credits-spent',
      remaining: spent.remaining,
      ...(resetsAt === undefined ? {} : { resetsAt }),
      ...trialMark(book.account),
    });
}

export function spendingSince(book: Pick<OpenBook, 'account'>, record: BudgetRecord): Instant {
  return Math.max(book.account.period.openedAt, record.since);
}

function addressed(book: OpenBook, channel: ChannelId, matter: string, at: Instant) {
  return { team: book.context.team, channel, matter: `${matter}:${book.account.period.number}`, at };
}
