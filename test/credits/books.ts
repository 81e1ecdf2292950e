/** A credit book on an in-memory store, with helpers for its tests. */

import { type CreditsService, createCreditsService } from '../../src/credits/create-credits.ts';
import type { PurchaseRecord, ReservationRequest } from '../../src/credits/credits.ts';
import type { CreditsContext } from '../../src/credits/credits-state.ts';
import { ChannelId, toCredits, UserId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import type { ResponseCredits } from '../../src/marketplace/schema.ts';
import { type ChannelNotice, posts } from '../../src/outbox/posts.ts';
import { createMemoryStore } from '../memory-store.ts';

export const ANN = UserId.parse('UANN');
export const DESIGN = ChannelId.parse('CDESIGN');
export const WEB = ChannelId.parse('CWEB');
export const DATA = ChannelId.parse('CDATA');
export const START = Date.UTC(2026, 0, 5, 9);
export const RESET = Date.UTC(2026, 1, 1);
type MemoryStore = ReturnType<typeof createMemoryStore>;

export const FILTER: PurchaseRecord = { endpoint: 'filter-projects', subject: '7' };
export const LOOKUP: PurchaseRecord = { endpoint: 'lookup', subject: '~01' };

/** @param more beside the defaults; `store` of another book that this one shares */
export function openedBook(
  defaultBudget = 500,
  { store = createMemoryStore(), ...more }: Partial<CreditsContext> & { readonly store?: MemoryStore } = {},
) {
  const defaults = { defaultBudget: toCredits(defaultBudget), log: silentLog };
  const book = createCreditsService({ ...defaults, ...more });
  let count = 0;
  // Each of another filter, since a filter's next page waits for its lost one.
  const request = (change: Partial<ReservationRequest> = {}): ReservationRequest => ({
    id: `r${++count}`,
    purchase: count === 1 ? FILTER : { endpoint: 'filter-projects', subject: String(100 + count) },
    channels: [DESIGN],
    maxCredits: 100,
    minCredits: 10,
    at: START,
    ...change,
  });
  const api = {
    book,
    store,
    request,
    /** Confirms the channels' budgets first. */
    reserve: (change: Partial<ReservationRequest> = {}) => {
      const wanted = request(change);
      return store.transact(async (tx) => {
        for (const channel of wanted.channels) await book.confirmBudget(tx, channel, ANN, wanted.at);
        return book.reserveCredits(tx, wanted);
      });
    },
    settle: (id: string, consumed: number, remaining: number, at = START, resetsAt: number = RESET) =>
      api.tell(id, { consumed, remaining, resetsAt }, at),
    tell: (id: string, answer: ResponseCredits, at = START) =>
      store.transact((tx) => book.settleReservation(tx, id, { resetsAt: RESET, ...answer }, at)),
    lose: (id: string, at = START) => store.transact((tx) => book.markUnanswered(tx, id, at)),
    release: (id: string) => store.transact((tx) => book.releaseReservation(tx, id)),
    refuse: (id: string, told: Parameters<CreditsService['recordCreditsDepleted']>[2], at = START) =>
      store.transact((tx) => book.recordCreditsDepleted(tx, id, told, at)),
    recover: (at = START) => store.transact((tx) => book.recoverReservations(tx, at)),
    setBudget: (channel: ChannelId, limit: number | 'unlimited', at = START) =>
      store.transact((tx) =>
        book.setBudget(tx, channel, limit === 'unlimited' ? limit : toCredits(limit), ANN, at),
      ),
    budget: (channel: ChannelId, at = START) => store.read((tx) => book.readBudgetState(tx, channel, at)),
    account: (at = START) => store.read((tx) => book.readAccountState(tx, at)),
    ledger: (channel?: ChannelId) =>
      store.read((tx) => book.readLedger(tx, { limit: 100, ...(channel === undefined ? {} : { channel }) })),
    /** Buys with an immediate answer. */
    async buy(
      consumed: number,
      remaining: number,
      change: Partial<ReservationRequest> = {},
      resetsAt = RESET,
    ) {
      const wanted = request(change);
      const reserved = await api.reserve(wanted);
      if (reserved.kind !== 'reserved') throw new Error(`not reserved: ${reserved.kind}`);
      return api.settle(wanted.id, consumed, remaining, wanted.at, resetsAt);
    },
    /** Notices to channels, oldest first. */
    notices: (): Promise<{ readonly channel: string; readonly notice: ChannelNotice }[]> =>
      store.read(async (tx) => {
        const all = await tx.list(posts, { index: 'byAge', limit: 100 });
        return all.flatMap(({ value: { channel, content } }) =>
          content.kind === 'notice' ? [{ channel, notice: content.notice }] : [],
        );
      }),
  };
  return api;
}

/** A book after its first answer, with 1,000 credits on the account. */
export async function settledBook(defaultBudget = 500, more: Parameters<typeof openedBook>[1] = {}) {
  const book = openedBook(defaultBudget, more);
  await book.buy(0, 1_000);
  return book;
}
