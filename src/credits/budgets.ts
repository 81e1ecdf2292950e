/** Setting a channel's budget. */
import { addAudit } from '../audit/audit.ts';
import type { Instant } from '../clock.ts';
import type { ChannelId, Credits, UserId } from '../ids.ts';
import type { OpenBook } from './open-book.ts';

interface BudgetOrder {
  readonly channel: ChannelId;
  readonly limit: Credits | 'unlimited';
  readonly by: UserId;
}

export async function setBudget(
  book: OpenBook,
  { channel, limit, by }: BudgetOrder,
  at: Instant,
): Promise<void> {
  const { tx, context } = book;
  const before = await book.budget(channel, at);
  await book.putBudget({ ...before, limit, by, at });
  if (before.limit === limit) return;
  const from = before.limit ?? context.defaultBudget;
  const act = { kind: 'budget', from, to: limit } as const;
  await addAudit(tx, { team: context.team, at, by, channel, act });
}
