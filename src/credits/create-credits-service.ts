/** The credits service on the store. Contract: credits-service.ts. Why: docs/decisions/0002-credits.md. */

import { confirmPooledBudget, exemptExistingChannelsFromPool, setBudget } from './budgets.ts';
import type { CreditsService } from './credits-service.ts';
import { type CreditsContext, openCreditsTransaction } from './credits-transaction.ts';
import { readLedger } from './ledger.ts';
import { notifyAdminsOfPooledChannel } from './new-budget-posts.ts';
import { reserveCredits } from './reserve-credits.ts';
import {
  markReservationUnanswered,
  recordCreditsDepleted,
  releaseReservation,
  settleReservation,
} from './settle-reservation.ts';
import { readAccountState, readBudgetState, readBudgetStates } from './states.ts';

/** @param context `defaultBudget` applies to channels without a budget of their own */
export function createCreditsService(context: CreditsContext): CreditsService {
  return {
    reserveCredits: async (tx, request) =>
      reserveCredits(await openCreditsTransaction(context, tx, request.at), request),
    settleReservation: async (tx, id, answer, at) =>
      settleReservation(await openCreditsTransaction(context, tx, at), id, answer, at),
    releaseReservation: async (tx, id) =>
      releaseReservation(await openCreditsTransaction(context, tx, undefined), id),
    markUnanswered: async (tx, id, at) =>
      markReservationUnanswered(await openCreditsTransaction(context, tx, at), id),
    recordCreditsDepleted: async (tx, id, told, at) =>
      recordCreditsDepleted(await openCreditsTransaction(context, tx, at), id, told, at),
    async recoverReservations(tx, at) {
      const book = await openCreditsTransaction(context, tx, at);
      const open = book.periodReservations.filter(({ state }) => state === 'open');
      for (const { id } of open) await markReservationUnanswered(book, id);
    },
    readBudgetState: (tx, channel, at) => readBudgetState(tx, context, channel, at),
    readBudgetStates: (tx, at) => readBudgetStates(tx, context, at),
    async setBudget(tx, channel, limit, by, at) {
      await setBudget(await openCreditsTransaction(context, tx, at), { channel, limit, by }, at);
      return readBudgetState(tx, context, channel, at);
    },
    async confirmBudget(tx, channel, by, at) {
      return confirmPooledBudget(await openCreditsTransaction(context, tx, at), { channel, by }, at);
    },
    async notifyAdminsOfSubscription(tx, channel, by, at) {
      await notifyAdminsOfPooledChannel(
        await openCreditsTransaction(context, tx, at),
        { channel, by, subscribed: true },
        at,
      );
    },
    async confirmExistingBudgets(tx, channels, at) {
      await exemptExistingChannelsFromPool(await openCreditsTransaction(context, tx, at), channels, at);
    },
    readAccountState: (tx, at) => readAccountState(tx, context, at),
    readLedger: (tx, options) => readLedger(tx, context.team, options),
  };
}
