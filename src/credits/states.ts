/** Budget and account states for display. */
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Instant } from '../clock.ts';
import { type ChannelId, toCredits } from '../ids.ts';
import { type ReadTransaction, scanCollection } from '../storage/store.ts';
import { type AccountState, type BudgetState, MIN_PROJECTS_PAGE_SIZE } from './credits-service.ts';
import {
  type BudgetDefaults,
  type CreditsState,
  chooseDisplayedPeriod,
  computeAvailableBudget,
  computeBudgetLimit,
  getSettledInPeriod,
  isPooled,
  listBudgetSharers,
  readBudgetRecord,
  readCreditsState,
  rollOverBudget,
  sumReserved,
  sumSettled,
} from './credits-state.ts';
import { forecastRunOut, isTooEarlyToForecast } from './forecast.ts';
import { type BudgetRecord, budgetRecords } from './records.ts';
import { buildTrialFields } from './trial.ts';

export async function readBudgetState(
  tx: ReadTransaction,
  rules: BudgetDefaults,
  channel: ChannelId,
  at: Instant,
): Promise<BudgetState> {
  const view = await readCreditsState(tx, rules.team, at);
  return budgetState(await readBudgetRecord(tx, rules.team, channel, view.account, at), view, rules, at);
}

/** Every channel that has spent, reserved or received a budget. */
export async function readBudgetStates(
  tx: ReadTransaction,
  rules: BudgetDefaults,
  at: Instant,
): Promise<readonly BudgetState[]> {
  const view = await readCreditsState(tx, rules.team, at);
  const states: BudgetState[] = [];
  for await (const { value } of scanCollection(tx, budgetRecords, { prefix: [rules.team] }))
    states.push(budgetState(rollOverBudget(value, view.account), view, rules, at));
  return states;
}

function budgetState(
  record: BudgetRecord,
  view: CreditsState,
  rules: BudgetDefaults,
  at: Instant,
): BudgetState {
  const period = chooseDisplayedPeriod(view.account);
  const settled = getSettledInPeriod(record, period.number);
  const limit = computeBudgetLimit(record, rules);
  const since = Math.max(period.openedAt, record.since);
  const sharers = listBudgetSharers(record, view.pooled);
  const pool = {
    settled: sumSettled(sharers, period.number),
    reserved: sumReserved(view.reservations, sharers, period.number),
  };
  const spending = { spent: pool.settled, left: limit - pool.settled, since, resetsAt: period.resetsAt };
  const runsOutAt = forecastRunOut(spending, at);
  return {
    channel: record.channel,
    limit: Number.isFinite(limit) ? toCredits(limit) : 'unlimited',
    ...(record.limit === undefined ? {} : { isOwn: true as const }),
    ...(isPooled(record) ? { pool } : {}),
    settled,
    reserved: sumReserved(view.reservations, [record], period.number),
    available: computeAvailableBudget(record, view, rules),
    period: {
      startsAt: period.startsAt,
      resetsAt: period.resetsAt,
      confirmed: period.confirmed,
      ...(at >= period.resetsAt ? { isOver: true as const } : {}),
    },
    ...omitUndefined({ runsOutAt }),
    ...(pool.settled > 0 && isTooEarlyToForecast(since, at) ? { isEarly: true as const } : {}),
  };
}

export async function readAccountState(
  tx: ReadTransaction,
  rules: BudgetDefaults,
  at: Instant,
): Promise<AccountState> {
  const { account } = await readCreditsState(tx, rules.team, at);
  const { period, remaining, byChannels, outside, spent } = account;
  const since = period.openedAt;
  const spending = { spent: byChannels + outside, left: remaining ?? 0, since, resetsAt: period.resetsAt };
  const runsOutAt = remaining === undefined ? undefined : forecastRunOut(spending, at);
  return {
    ...omitUndefined({ remaining }),
    resetsAt: period.resetsAt,
    confirmed: period.confirmed,
    byChannels,
    outside,
    ...omitUndefined({ runsOutAt }),
    ...(spent && spent.remaining < MIN_PROJECTS_PAGE_SIZE ? { spentSince: spent.since } : {}),
    ...buildTrialFields(account),
  };
}
