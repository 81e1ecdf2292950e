/** A channel's budget and the account's credits, for the tests of messages. */
import type { BudgetState } from '../../../src/credits/credits.ts';
import { toCredits } from '../../../src/ids.ts';
import { CHANNEL, NOW } from '../samples.ts';

const DAY = 86_400_000;

export function aBudget(change: Partial<BudgetState> = {}): BudgetState {
  return {
    channel: CHANNEL,
    limit: toCredits(500),
    settled: 180,
    reserved: 20,
    uncertain: change.pool?.reserved ?? change.reserved ?? 20,
    available: 300,
    period: { startsAt: NOW - 10 * DAY, resetsAt: NOW + 20 * DAY, confirmed: true },
    ...change,
  };
}

export const ACCOUNT = {
  remaining: 8_200,
  resetsAt: NOW + 20 * DAY,
  confirmed: true,
  byChannels: 1_500,
  outside: 300,
};
