/** The app's stored books. */
import {
  type BudgetRecord,
  budgetRecords,
  type CreditAccountRecord,
  creditAccounts,
  creditReservations,
} from '../../src/credits/records.ts';
import { type Card, cards, type Subscription, subscriptions } from '../../src/feed/records.ts';
import type { TeamId } from '../../src/ids.ts';
import { type Post, posts } from '../../src/outbox/posts.ts';
import { type ReadTransaction, scanCollection } from '../../src/storage/store.ts';

export interface Books {
  readonly account: CreditAccountRecord | undefined;
  readonly budgets: readonly BudgetRecord[];
  readonly reserved: ReadonlyMap<string, number>;
  readonly subscriptions: readonly Subscription[];
  readonly posts: readonly Post[];
  /** Only claimed ones. */
  readonly claimed: readonly Card[];
}

export async function readBooks(tx: ReadTransaction, team: TeamId): Promise<Books> {
  const ofTeam = { prefix: [team] as const };
  const all = { accounts: [] as CreditAccountRecord[], budgets: [] as BudgetRecord[] };
  const subscribed: Subscription[] = [];
  const posted: Post[] = [];
  const claimed: Card[] = [];
  const reserved = new Map<string, number>();
  for await (const { value } of scanCollection(tx, creditAccounts, ofTeam)) all.accounts.push(value);
  for await (const { value } of scanCollection(tx, budgetRecords, ofTeam)) all.budgets.push(value);
  for await (const { value } of scanCollection(tx, subscriptions, ofTeam)) subscribed.push(value);
  for await (const { value } of scanCollection(tx, posts, ofTeam)) posted.push(value);
  for await (const { value } of scanCollection(tx, cards, ofTeam)) if (value.claim) claimed.push(value);
  for await (const { value } of scanCollection(tx, creditReservations, ofTeam))
    for (const { channel, credits } of value.shares)
      reserved.set(channel, (reserved.get(channel) ?? 0) + credits);
  return {
    account: all.accounts[0],
    budgets: all.budgets,
    reserved,
    subscriptions: subscribed,
    posts: posted,
    claimed,
  };
}
