/** Sets a channel's budget, or confirms its default budget. */
import { recordAuditEntry } from '../audit/audit.ts';
import type { Instant } from '../clock.ts';
import type { ChannelId, Credits, UserId } from '../ids.ts';
import { isPooled } from './credits-state.ts';
import type { CreditsTransaction } from './credits-transaction.ts';
import { refreshNewBudgetPosts } from './new-budget-posts.ts';
import { creditPools } from './records.ts';

interface BudgetOrder {
  readonly channel: ChannelId;
  readonly limit: Credits | 'unlimited';
  readonly by: UserId;
}

export async function setBudget(
  book: CreditsTransaction,
  { channel, limit, by }: BudgetOrder,
  at: Instant,
): Promise<void> {
  const { tx, context } = book;
  const { isPooled: wasPooled, ...before } = await book.readBudgetRecord(channel, at);
  await book.putBudget({ ...before, limit, by, at });
  if (wasPooled) await refreshNewBudgetPosts(tx, context.team, channel);
  if (before.limit === limit) return;
  const from = before.limit ?? context.defaultBudget;
  const act = { kind: 'budget', from, to: limit } as const;
  await recordAuditEntry(tx, { team: context.team, at, by, channel, act });
}

/** Takes a channel out of the pool for the admin who confirms it. @returns whether it was in the pool */
export async function confirmPooledBudget(
  book: CreditsTransaction,
  { channel, by }: Omit<BudgetOrder, 'limit'>,
  at: Instant,
): Promise<boolean> {
  const { tx, context } = book;
  const record = await book.readBudgetRecord(channel, at);
  if (!isPooled(record)) return false;
  const { isPooled: _, ...confirmed } = record;
  await book.putBudget({ ...confirmed, confirmed: { by, at } });
  await refreshNewBudgetPosts(tx, context.team, channel);
  const act = { kind: 'budget-confirmed', limit: context.defaultBudget } as const;
  await recordAuditEntry(tx, { team: context.team, at, by, channel, act });
  return true;
}

/**
 * Runs once, at the first start of a version with the pool. Channels that already had a subscription or a
 * record keep their own default budget.
 * @param channels with a subscription
 */
export async function exemptExistingChannelsFromPool(
  book: CreditsTransaction,
  channels: readonly ChannelId[],
  at: Instant,
): Promise<void> {
  const { tx, context } = book;
  if (await tx.get(creditPools, [context.team])) return;
  await tx.put(creditPools, [context.team], { since: at });
  for (const channel of new Set(channels)) {
    const { isPooled: _, ...record } = await book.readBudgetRecord(channel, at);
    await book.putBudget(record);
  }
}
