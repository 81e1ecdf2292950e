/** Channels' budgets: setting or confirming one, and the posts when one begins, runs low or is spent. */

import { recordDecision } from '../decisions/decisions.ts';
import type { ChannelId, Credits, UserId } from '../ids.ts';
import { enqueueNotice, enqueuePost, listPostIdsByPrefix, markPostChanged } from '../outbox/outbox.ts';
import { type ChannelNotice, PostId } from '../outbox/posts.ts';
import { buildTrialFields, forecastRunOut } from './balance.ts';
import { MIN_PROJECTS_PAGE_SIZE } from './credits.ts';
import { type CreditsTransaction, isPooled, sumSettled } from './credits-state.ts';
import type { BudgetRecord } from './records.ts';

const WARN_AT = 0.8;
/** Most direct messages about one channel. */
const MOST_TOLD = 10;

interface BudgetOrder {
  readonly channel: ChannelId;
  readonly limit: Credits | 'unlimited';
  readonly by: UserId;
}

export function setBudget(book: CreditsTransaction, { channel, limit, by }: BudgetOrder): void {
  const { at, context } = book;
  const { isPooled: wasPooled, ...before } = book.findBudget(channel);
  book.putBudget({ ...before, limit, by, at });
  if (wasPooled) refreshNewBudgetPosts(book, channel);
  if (before.limit === limit) return;
  const from = before.limit ?? context.defaultBudget;
  const act = { kind: 'budget', from, to: limit } as const;
  book.addWrite((tx) => recordDecision(tx, { at, by, channel, act }));
}

/** Takes a channel out of the pool for the admin who confirms it. @returns whether it was in the pool */
export function confirmPooledBudget(book: CreditsTransaction, { channel, by }: Omit<BudgetOrder, 'limit'>) {
  const { at, context } = book;
  const record = book.findBudget(channel);
  if (!isPooled(record)) return false;
  const { isPooled: _, ...confirmed } = record;
  book.putBudget({ ...confirmed, confirmed: { by, at } });
  refreshNewBudgetPosts(book, channel);
  const act = { kind: 'budget-confirmed', limit: context.defaultBudget } as const;
  book.addWrite((tx) => recordDecision(tx, { at, by, channel, act }));
  return true;
}

function newBudgetPostId(channel: ChannelId, to: string): PostId {
  return PostId.parse(`new-budget:${channel}:${to}`);
}

/**
 * Notifies admins once when a channel subscribes or spends from the pool, so that they can give it its own
 * budget. Without known admins it posts to the channel itself, where an admin can press the button.
 */
export function notifyAdminsOfPooledChannel(
  book: CreditsTransaction,
  { channel, by, subscribed }: Pick<BudgetOrder, 'channel'> & { by: UserId | undefined; subscribed: boolean },
): void {
  const { at, context } = book;
  const { defaultBudget: limit } = context;
  const record = book.findBudget(channel);
  // Direct messages need no decision: only their user is there, and their lookups count in the pool.
  if (!isPooled(record) || record.announced || channel.startsWith('D')) return;
  book.putBudget({ ...record, announced: { at, subscribed, by } });
  book.addWrite(async (tx) => {
    const admins = (await context.adminsOf?.(tx, channel)) ?? [];
    const content = { kind: 'new-budget', channel, limit } as const;
    for (const to of admins.length > 0 ? admins.slice(0, MOST_TOLD) : [channel])
      await enqueuePost(tx, { id: newBudgetPostId(channel, to), channel: to, content, order: at, at });
  });
}

function refreshNewBudgetPosts(book: CreditsTransaction, channel: ChannelId): void {
  book.addWrite(async (tx) => {
    for (const id of await listPostIdsByPrefix(tx, newBudgetPostId(channel, ''), MOST_TOLD + 1))
      await markPostChanged(tx, id);
  });
}

/** Whether the warning is due: 80% is spent, or less than two pages are left. */
function isBudgetLow(used: number, limit: number): boolean {
  return used >= limit * WARN_AT || limit - used < 2 * MIN_PROJECTS_PAGE_SIZE;
}

/** The notice that is due once a charge has raised the spending to `used`. */
export function decideBudgetNotice(used: number, limit: number): 'low' | 'spent' | undefined {
  if (limit - used < MIN_PROJECTS_PAGE_SIZE) return 'spent';
  return isBudgetLow(used, limit) ? 'low' : undefined;
}

/**
 * The most that a request which needs `minCredits` may take. Before the warning, a page leaves enough for
 * another, so that the warning comes first.
 */
export function computeRequestCap(
  book: CreditsTransaction,
  record: BudgetRecord,
  available: number,
  minCredits: number,
): number {
  if (isBudgetLow(usedOf(book, record), book.computeLimit(record))) return available;
  return Math.min(available, Math.max(minCredits, available - MIN_PROJECTS_PAGE_SIZE));
}

/** Of its own limit, or the pool's. */
function usedOf(book: CreditsTransaction, record: BudgetRecord): number {
  return sumSettled(book.listSharers(record), book.account.period.number);
}

/**
 * Posts once per period and limit, so that a raised budget that runs low again posts again. For the pool, the
 * charged channel gets the notice, and every other one when it can't buy.
 */
export function postBudgetNotices(book: CreditsTransaction, charged: number, record: BudgetRecord): void {
  if (charged === 0) return;
  const news = decideBudgetNotice(usedOf(book, record), book.computeLimit(record));
  if (news === 'spent') postBudgetSpentNotice(book, record);
  if (news === 'low') postBudgetLowNotice(book, record);
}

function postBudgetLowNotice(book: CreditsTransaction, record: BudgetRecord): void {
  const { openedAt, resetsAt } = book.account.period;
  const used = usedOf(book, record);
  const limit = book.computeLimit(record);
  const since = Math.max(openedAt, record.since);
  const runsOutAt = forecastRunOut({ spent: used, left: limit - used, since, resetsAt }, book.at);
  postNotice(book, record.channel, `budget-low:${limitKey(record, limit)}`, {
    about: 'budget-low',
    used,
    limit,
    resetsAt,
    isShared: isPooled(record) ? true : undefined,
    runsOutAt,
    ...buildTrialFields(book.account),
  });
}

/** For a budget that can't buy a page, but maybe lookups; not for one that only waits for responses. */
export function postBudgetSpentNotice(book: CreditsTransaction, record: BudgetRecord): void {
  const limit = book.computeLimit(record);
  const left = Math.max(0, limit - usedOf(book, record));
  if (left >= MIN_PROJECTS_PAGE_SIZE) return;
  postNotice(book, record.channel, `budget-spent:${limitKey(record, limit)}`, {
    about: 'budget-spent',
    left,
    limit,
    isShared: isPooled(record) ? true : undefined,
    resetsAt: book.account.period.resetsAt,
    ...buildTrialFields(book.account),
  });
}

/** Separates the pool from a budget of the same size. */
function limitKey(record: BudgetRecord, limit: number): string {
  return isPooled(record) ? `shared:${limit}` : String(limit);
}

/** Posts to every channel with a record while the account has no credits for a page. */
export function postAccountSpentNotices(book: CreditsTransaction): void {
  const { spent } = book.account;
  if (!spent || spent.remaining >= MIN_PROJECTS_PAGE_SIZE) return;
  if (book.account.outSince !== spent.since) book.putAccount({ outSince: spent.since });
  for (const channel of book.budgets.keys())
    postNotice(book, channel, accountSpentMatter(spent.since), {
      about: 'account-credits-spent',
      remaining: spent.remaining,
      resetsAt: findKnownReset(book),
      ...buildTrialFields(book.account),
    });
}

function accountSpentMatter(since: number): string {
  return `account-spent:${since}`;
}

/** After a page was bought: channels that heard of an account without credits hear that the feed goes on. */
export function postAccountRefilledNotices(book: CreditsTransaction): void {
  const { outSince: since, spent } = book.account;
  if (since === undefined || spent) return;
  book.putAccount({ outSince: undefined });
  const channels = [...book.budgets.keys()];
  book.addWrite(async (tx) => {
    for (const channel of channels) {
      const heard = `notice:${channel}:${accountSpentMatter(since)}:`;
      if ((await listPostIdsByPrefix(tx, heard, 1)).length === 0) continue;
      const to = { channel, matter: `account-refilled:${since}`, at: book.at };
      await enqueueNotice(tx, to, { about: 'feed-recovered', since, filters: [] });
    }
  });
}

/** When an account without credits gets new ones, if the server said so. */
export function findKnownReset({ account: { spent, period } }: CreditsTransaction): number | undefined {
  return spent?.resetsAt ?? (period.confirmed ? period.resetsAt : undefined);
}

function postNotice(book: CreditsTransaction, channel: ChannelId, about: string, notice: ChannelNotice) {
  const to = { channel, matter: `${about}:${book.account.period.number}`, at: book.at };
  book.addWrite((tx) => enqueueNotice(tx, to, notice));
}
