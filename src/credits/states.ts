/** What people are shown of the book. */
import type { Instant } from '../clock.ts';
import { type ChannelId, credits } from '../ids.ts';
import { type ReadTransaction, scan } from '../storage/store.ts';
import { type AccountState, type BudgetState, SMALLEST_PAGE } from './book.ts';
import {
  availableTo,
  type BookView,
  type BudgetRules,
  inPeriod,
  isPooled,
  limitOf,
  readBook,
  readBudget,
  reservedBy,
  settledBy,
  settledIn,
  sharersOf,
  shownPeriod,
} from './book-view.ts';
import { forecastRunOut, isEarly } from './forecast.ts';
import { type BudgetRecord, budgetRecords } from './records.ts';
import { trialMark } from './trial.ts';

export async function readBudgetState(
  tx: ReadTransaction,
  rules: BudgetRules,
  channel: ChannelId,
  at: Instant,
): Promise<BudgetState> {
  const view = await readBook(tx, rules.team, at);
  return budgetState(await readBudget(tx, rules.team, channel, view.account, at), view, rules, at);
}

/** Of every channel that has spent, reserved or been given a budget. */
export async function readBudgetStates(
  tx: ReadTransaction,
  rules: BudgetRules,
  at: Instant,
): Promise<readonly BudgetState[]> {
  const view = await readBook(tx, rules.team, at);
  const states: BudgetState[] = [];
  for await (const { value } of scan(tx, budgetRecords, { prefix: [rules.team] }))
    states.push(budgetState(inPeriod(value, view.account), view, rules, at));
  return states;
}

function budgetState(record: BudgetRecord, view: BookView, rules: BudgetRules, at: Instant): BudgetState {
  const period = shownPeriod(view.account);
  const settled = settledIn(record, period.number);
  const limit = limitOf(record, rules);
  const since = Math.max(period.openedAt, record.since);
  const sharers = sharersOf(record, view.pooled);
  const pool = {
    settled: settledBy(sharers, period.number),
    reserved: reservedBy(view.kept, sharers, period.number),
  };
  const spending = { spent: pool.settled, left: limit - pool.settled, since, resetsAt: period.resetsAt };
  const runsOutAt = forecastRunOut(spending, at);
  return {
    channel: record.channel,
    limit: Number.isFinite(limit) ? credits(limit) : 'unlimited',
    ...(record.limit === undefined ? {} : { isOwn: true as const }),
    ...(isPooled(record) ? { pool } : {}),
    settled,
    reserved: reservedBy(view.kept, [record], period.number),
    available: availableTo(record, view, rules),
    period: {
      startsAt: period.startsAt,
      resetsAt: period.resetsAt,
      confirmed: period.confirmed,
      ...(at >= period.resetsAt ? { isOver: true as const } : {}),
    },
    ...(runsOutAt === undefined ? {} : { runsOutAt }),
    ...(pool.settled > 0 && isEarly(since, at) ? { isEarly: true as const } : {}),
  };
}

export async function readAccountState(
  tx: ReadTransaction,
  rules: BudgetRules,
  at: Instant,
): Promise<AccountState> {
  const { account } = await readBook(tx, rules.team, at);
  const { period, remaining, byChannels, outside, spent } = account;
  const since = period.openedAt;
  const spending = { spent: byChannels + outside, left: remaining ?? 0, since, resetsAt: period.resetsAt };
  const runsOutAt = remaining === undefined ? undefined : forecastRunOut(spending, at);
  return {
    ...(remaining === undefined ? {} : { remaining }),
    resetsAt: period.resetsAt,
    confirmed: period.confirmed,
    byChannels,
    outside,
    ...(runsOutAt === undefined ? {} : { runsOutAt }),
    ...(spent && spent.remaining < SMALLEST_PAGE ? { spentSince: spent.since } : {}),
    ...trialMark(account),
  };
}
