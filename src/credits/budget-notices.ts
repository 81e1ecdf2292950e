/** Posts a channel's credit notices, each once. */
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Instant } from '../clock.ts';
import type { ChannelId } from '../ids.ts';
import { enqueueNotice } from '../outbox/outbox.ts';
import { MIN_PROJECTS_PAGE_SIZE } from './credits-service.ts';
import { computeBudgetLimit, isPooled, listBudgetSharers, sumSettled } from './credits-state.ts';
import type { CreditsTransaction } from './credits-transaction.ts';
import { forecastRunOut } from './forecast.ts';
import type { BudgetRecord } from './records.ts';
import { buildTrialFields } from './trial.ts';

const WARN_AT = 0.8;

/** The notice for spending that rises from `before` to `after`. Pure. */
export function decideBudgetNotice(
  before: number,
  after: number,
  limit: number,
): 'low' | 'spent' | undefined {
  if (limit - after < MIN_PROJECTS_PAGE_SIZE) return before < after ? 'spent' : undefined;
  return before < limit * WARN_AT && after >= limit * WARN_AT ? 'low' : undefined;
}

/** Spending against the channel's limit: its own, or the pool's. */
function usedOf(book: CreditsTransaction, record: BudgetRecord): number {
  return sumSettled(listBudgetSharers(record, book.pooled), book.account.period.number);
}

/**
 * Posts once per period and limit, so that a raised budget that runs low again posts again. For the pool, the
 * charged channel gets the notice, and every other one when it can't buy.
 */
export async function postBudgetNotices(
  book: CreditsTransaction,
  charged: number,
  record: BudgetRecord,
  at: Instant,
): Promise<void> {
  const limit = computeBudgetLimit(record, book.context);
  const used = usedOf(book, record);
  const news = decideBudgetNotice(used - charged, used, limit);
  if (news === 'spent') await postBudgetSpentNotice(book, record, at);
  if (news === 'low') await postBudgetLowNotice(book, record, limit, at);
}

async function postBudgetLowNotice(
  book: CreditsTransaction,
  record: BudgetRecord,
  limit: number,
  at: Instant,
): Promise<void> {
  const { resetsAt } = book.account.period;
  const used = usedOf(book, record);
  const runsOutAt = forecastRunOut(
    { spent: used, left: limit - used, since: getSpendingStartTime(book, record), resetsAt },
    at,
  );
  await enqueueNotice(book.tx, addressed(book, record.channel, `budget-low:${limitKey(record, limit)}`, at), {
    about: 'budget-low',
    used,
    limit,
    resetsAt,
    ...(isPooled(record) ? { isShared: true } : {}),
    ...omitUndefined({ runsOutAt }),
    ...buildTrialFields(book.account),
  });
}

/** For a budget that can't buy a page, but maybe lookups; not for one that only waits for responses. */
export async function postBudgetSpentNotice(
  book: CreditsTransaction,
  record: BudgetRecord,
  at: Instant,
): Promise<void> {
  const limit = computeBudgetLimit(record, book.context);
  const left = Math.max(0, limit - usedOf(book, record));
  if (left >= MIN_PROJECTS_PAGE_SIZE) return;
  await enqueueNotice(
    book.tx,
    addressed(book, record.channel, `budget-spent:${limitKey(record, limit)}`, at),
    {
      about: 'budget-spent',
      left,
      limit,
      ...(isPooled(record) ? { isShared: true } : {}),
      resetsAt: book.account.period.resetsAt,
      ...buildTrialFields(book.account),
    },
  );
}

/** Separates the pool from a budget of the same size. */
function limitKey(record: BudgetRecord, limit: number): string {
  return isPooled(record) ? `shared:${limit}` : String(limit);
}

/** Posts to every channel with a record while the account has no credits for a page. */
export async function postAccountSpentNotices(book: CreditsTransaction, at: Instant): Promise<void> {
  const { spent, period } = book.account;
  if (!spent || spent.remaining >= MIN_PROJECTS_PAGE_SIZE) return;
  const resetsAt = spent.resetsAt ?? (period.confirmed ? period.resetsAt : undefined);
  for (const { channel } of await book.listBudgetRecords())
    await enqueueNotice(book.tx, addressed(book, channel, 'account-spent', at), {
      about: 'account-credits-spent',
      remaining: spent.remaining,
      ...omitUndefined({ resetsAt }),
      ...buildTrialFields(book.account),
    });
}

export function getSpendingStartTime(
  book: Pick<CreditsTransaction, 'account'>,
  record: BudgetRecord,
): Instant {
  return Math.max(book.account.period.openedAt, record.since);
}

function addressed(book: CreditsTransaction, channel: ChannelId, matter: string, at: Instant) {
  return { team: book.context.team, channel, matter: `${matter}:${book.account.period.number}`, at };
}
