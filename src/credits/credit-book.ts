/** The credit book on the store; see book.ts for its contract and docs/decisions/0002-credits.md for its reasons. */

import { announceFirst } from './announcing.ts';
import type { CreditBook } from './book.ts';
import { adoptBudgets, confirmBudget, setBudget } from './budgets.ts';
import { readLedger } from './ledger.ts';
import { type BookContext, openBook } from './open-book.ts';
import { reserve } from './reserving.ts';
import { leaveUnanswered, refuseDepleted, release, settle } from './settling.ts';
import { readAccountState, readBudgetState, readBudgetStates } from './states.ts';

/** @param context `defaultBudget`: of channels whose budget nobody has set */
export function createCreditBook(context: BookContext): CreditBook {
  return {
    reserve: async (tx, request) => reserve(await openBook(context, tx, request.at), request),
    settle: async (tx, id, answer, at) => settle(await openBook(context, tx, at), id, answer, at),
    release: async (tx, id) => release(await openBook(context, tx, undefined), id),
    leaveUnanswered: async (tx, id, at) => leaveUnanswered(await openBook(context, tx, at), id),
    refuseDepleted: async (tx, id, told, at) => refuseDepleted(await openBook(context, tx, at), id, told, at),
    async recover(tx, at) {
      const book = await openBook(context, tx, at);
      const open = book.held.filter(({ state }) => state === 'open');
      for (const { id } of open) await leaveUnanswered(book, id);
    },
    budget: (tx, channel, at) => readBudgetState(tx, context, channel, at),
    budgets: (tx, at) => readBudgetStates(tx, context, at),
    async setBudget(tx, channel, limit, by, at) {
      await setBudget(await openBook(context, tx, at), { channel, limit, by }, at);
      return readBudgetState(tx, context, channel, at);
    },
    async confirm(tx, channel, by, at) {
      return confirmBudget(await openBook(context, tx, at), { channel, by }, at);
    },
    async announce(tx, channel, by, at) {
      await announceFirst(await openBook(context, tx, at), { channel, by, subscribed: true }, at);
    },
    async adopt(tx, channels, at) {
      await adoptBudgets(await openBook(context, tx, at), channels, at);
    },
    account: (tx, at) => readAccountState(tx, context, at),
    ledger: (tx, options) => readLedger(tx, context.team, options),
  };
}
