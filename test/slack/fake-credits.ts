/** Credits of one channel: what it may spend and has spent is in the state. */

import type { CreditsService, LedgerPage } from '../../src/credits/create-credits.ts';
import type { AccountState, BudgetState } from '../../src/credits/credits.ts';
import type { Credits } from '../../src/ids.ts';
import { never } from './never.ts';
import { CHANNEL, NOW } from './samples.ts';

interface FakeCreditsState {
  limit: Credits | 'unlimited';
  readonly settled: number;
  readonly ownBudget: boolean;
  readonly ledger: LedgerPage;
}

const RESETS_AT = NOW + 1_000_000_000;

export function fakeCredits(state: FakeCreditsState): CreditsService {
  const budget = (): BudgetState => ({
    channel: CHANNEL,
    limit: state.limit,
    ...(state.ownBudget ? { isOwn: true as const } : {}),
    settled: state.settled,
    reserved: 0,
    available: state.limit === 'unlimited' ? Number.POSITIVE_INFINITY : state.limit - state.settled,
    period: { startsAt: NOW, resetsAt: RESETS_AT, confirmed: true },
  });
  const account: AccountState = { resetsAt: RESETS_AT, confirmed: true, byChannels: 0, outside: 0 };
  return {
    openBook: never('openBook'),
    readCredits: async () => ({
      readBudgetState: budget,
      readAccountState: () => account,
      readUnsettledCost: () => 0,
    }),
    reserveCredits: never('reserve'),
    settleReservation: never('settle'),
    releaseReservation: never('release'),
    markUnanswered: never('leaveUnanswered'),
    recordCreditsDepleted: never('refuseDepleted'),
    recoverReservations: never('recover'),
    readLedger: never('ledger'),
    readLedgerPage: async () => state.ledger,
    confirmBudget: async () => true,
    notifyAdminsOfSubscription: never('announce'),
    readBudgetState: async () => budget(),
    readBudgetStates: async () => (state.ownBudget ? [budget()] : []),
    readAccountState: async () => account,
    async setBudget(_tx, _channel, limit) {
      state.limit = limit;
      return budget();
    },
  };
}
