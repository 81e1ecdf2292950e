/** Who is told of a channel that shares the pool, of a decision about its budget, and of its limits. */
import { describe, expect, test } from 'vitest';
import { auditEntries } from '../../src/audit/audit.ts';
import { DAY } from '../../src/clock.ts';
import { budgetRecords } from '../../src/credits/records.ts';
import { ChannelId, UserId } from '../../src/ids.ts';
import { createLog } from '../../src/log.ts';
import { posts } from '../../src/outbox/posts.ts';
import { ANN, DATA, DESIGN, LOOKUP, openedBook, RESET, START, settledBook, WEB } from './books.ts';

const DIRECT = ChannelId.parse('D1');
const ADMINS = Array.from({ length: 12 }, (_, place) =>
  UserId.parse(`UADMIN${String(place).padStart(2, '0')}`),
);
const TOLD = ADMINS.slice(0, 10);

/** Nobody confirms a budget here unless a test says so. */
function announcingBook(admins?: readonly UserId[]) {
  const opened = openedBook(100, admins ? { adminsOf: async () => admins } : {});
  const { store, book, request } = opened;
  return {
    ...opened,
    /** Buys from the pool. */
    spend: async (channels: readonly ChannelId[], credits: number, user?: UserId) => {
      const wanted = request({ channels, maxCredits: 10, ...(user === undefined ? {} : { user }) });
      await store.transact((tx) => book.reserveCredits(tx, wanted));
      await opened.settle(wanted.id, credits, 900);
    },
    subscribe: (channel: ChannelId) =>
      store.transact((tx) => book.notifyAdminsOfSubscription(tx, channel, ANN, START)),
    confirm: (channel: ChannelId) => store.transact((tx) => book.confirmBudget(tx, channel, ANN, START)),
    /** Questions to admins: who is asked about which channel, and how often the post was changed. */
    asked: () =>
      store.read(async (tx) => {
        const entries = await tx.list(posts, { limit: 100 });
        return entries.flatMap(({ value: { channel: to, content, revision } }) =>
          content.kind === 'new-budget' ? [{ to: String(to), about: content.channel, revision }] : [],
        );
      }),
    announced: (channel: ChannelId) =>
      store.read(async (tx) => (await tx.get(budgetRecords, [channel]))?.announced),
  };
}

const audited = ({ store }: Pick<ReturnType<typeof openedBook>, 'store'>) =>
  store.read(async (tx) => {
    const entries = await tx.list(auditEntries, { limit: 100 });
    return entries.map(({ value: { by, channel, act } }) => ({ by, channel, act }));
  });

describe('a channel that spends from the pool', () => {
  test('is asked about once, of up to ten admins', async () => {
    const book = announcingBook(ADMINS);
    await book.spend([DESIGN], 5);
    await book.spend([DESIGN], 5);
    expect((await book.asked()).map(({ to }) => to)).toEqual(TOLD);
    expect(new Set((await book.asked()).map(({ about }) => about))).toEqual(new Set([DESIGN]));
  });

  test('is asked itself where no admin is known', async () => {
    for (const book of [announcingBook(), announcingBook([])]) {
      await book.spend([DESIGN], 5);
      expect(await book.asked()).toMatchObject([{ to: DESIGN, about: DESIGN }]);
    }
  });

  test('is noted with who caused it, and that it did not subscribe', async () => {
    const book = announcingBook(ADMINS);
    await book.spend([DESIGN], 5, ANN);
    expect(await book.announced(DESIGN)).toEqual({ at: START, by: ANN, subscribed: false });
  });

  test('but pays nothing is not asked about', async () => {
    const book = announcingBook();
    await book.spend([DESIGN, WEB], 1);
    expect((await book.asked()).map(({ about }) => about)).toEqual([DESIGN]);
  });

  test('is not asked about if it is a direct message or has its own budget', async () => {
    const book = announcingBook(ADMINS);
    await book.confirm(WEB);
    await book.setBudget(DATA, 50);
    for (const channel of [DIRECT, WEB, DATA]) await book.spend([channel], 5);
    expect(await book.asked()).toEqual([]);
  });
});

describe('a subscription in a channel without an admin’s word', () => {
  test('is asked about before anything is spent, and not again after that', async () => {
    const book = announcingBook();
    await book.subscribe(DESIGN);
    await book.spend([DESIGN], 5);
    expect(await book.asked()).toMatchObject([{ to: DESIGN, about: DESIGN }]);
    expect(await book.announced(DESIGN)).toEqual({ at: START, by: ANN, subscribed: true });
  });
});

describe('an admin’s decision', () => {
  const changes = async (book: ReturnType<typeof announcingBook>, channel: ChannelId) =>
    (await book.asked()).filter(({ about }) => about === channel).map(({ revision }) => revision);

  test('changes every question about the channel, no other', async () => {
    for (const decide of ['confirm', 'set'] as const) {
      const book = announcingBook(ADMINS);
      await book.subscribe(DESIGN);
      await book.subscribe(WEB);
      const before = await changes(book, DESIGN);
      await (decide === 'set' ? book.setBudget(DESIGN, 70) : book.confirm(DESIGN));
      expect(await changes(book, DESIGN)).toEqual(before.map((revision) => revision + 1));
      expect(await changes(book, WEB)).toEqual(before);
    }
  });

  test('changes no question again when the budget is set later', async () => {
    const book = announcingBook(ADMINS);
    await book.subscribe(DESIGN);
    await book.setBudget(DESIGN, 70);
    const decided = await changes(book, DESIGN);
    await book.setBudget(DESIGN, 80);
    expect(await changes(book, DESIGN)).toEqual(decided);
  });

  test('is in the audit log with the budget before and after, if it changed one', async () => {
    const book = announcingBook();
    for (const limit of [70, 70, 'unlimited'] as const) await book.setBudget(DESIGN, limit);
    const by = { by: ANN, channel: DESIGN };
    expect(await audited(book)).toEqual([
      { ...by, act: { kind: 'budget', from: 100, to: 70 } },
      { ...by, act: { kind: 'budget', from: 70, to: 'unlimited' } },
    ]);
  });

  test('for the default budget is in the audit log once', async () => {
    const book = announcingBook();
    await book.confirm(DESIGN);
    await book.confirm(DESIGN);
    const act = { kind: 'budget-confirmed', limit: 100 };
    expect(await audited(book)).toEqual([{ by: ANN, channel: DESIGN, act }]);
  });
});

describe('a notice of a budget', () => {
  test('does not come for an answer that cost nothing', async () => {
    const book = await settledBook();
    await book.setBudget(DESIGN, 5);
    await book.buy(0, 1_000, { purchase: LOOKUP, maxCredits: 1, minCredits: 1 });
    expect(await book.notices()).toEqual([]);
  });

  test('does not say that it is spent where it still buys a page, just none as large as wanted', async () => {
    const book = await settledBook();
    await book.setBudget(DESIGN, 10);
    expect(await book.reserve({ minCredits: 20 })).toMatchObject({ kind: 'no-budget' });
    expect(await book.notices()).toEqual([]);
    expect(await book.reserve({ minCredits: 10 })).toMatchObject({ amount: 10, broke: [] });
  });

  test('forecasts from when the channel began, not from when the account did', async () => {
    const book = await settledBook();
    await book.buy(0, 1_000, { channels: [WEB], at: START + 4 * DAY });
    const at = START + 8 * DAY;
    await book.buy(400, 600, { channels: [WEB], maxCredits: 400, at });
    expect(await book.notices()).toEqual([
      {
        channel: WEB,
        notice: { about: 'budget-low', used: 400, limit: 500, resetsAt: RESET, runsOutAt: at + DAY },
      },
    ]);
  });

  test('says that it is the shared one that runs low', async () => {
    const book = announcingBook();
    const wanted = book.request({ minCredits: 80 });
    await book.store.transact((tx) => book.book.reserveCredits(tx, wanted));
    await book.settle(wanted.id, 80, 900);
    expect((await book.notices()).map(({ notice }) => notice)).toMatchObject([
      { about: 'budget-low', used: 80, limit: 100, isShared: true },
    ]);
  });

  test('comes again for a pool that a larger default budget has raised', async () => {
    const small = announcingBook();
    await small.spend([DESIGN], 10);
    const reserve = async (book: Pick<typeof small, 'book' | 'request' | 'store'>, credits: number) => {
      const wanted = book.request({ id: `page-${credits}`, maxCredits: credits, minCredits: credits });
      await book.store.transact((tx) => book.book.reserveCredits(tx, wanted));
    };
    await reserve(small, 85);
    await small.settle('page-85', 85, 815);
    const large = openedBook(200, { store: small.store });
    await reserve(large, 100);
    await large.settle('page-100', 100, 715);
    expect((await large.notices()).map(({ notice }) => notice)).toMatchObject([
      { about: 'budget-spent', limit: 100, isShared: true },
      { about: 'budget-spent', limit: 200, isShared: true },
    ]);
  });
});

describe('the log warns', () => {
  const loggedBook = async () => {
    const lines: Record<string, unknown>[] = [];
    const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
    const book = await settledBook(500, { log });
    lines.length = 0;
    return { ...book, lines };
  };

  test('of a charge beyond the reservation, by how much, and not of one within it', async () => {
    const book = await loggedBook();
    await book.buy(10, 990, { maxCredits: 20 });
    expect(book.lines).toEqual([]);
    await book.buy(30, 960, { maxCredits: 20 });
    expect(book.lines).toMatchObject([{ level: 40, reserved: 20, beyond: 10 }]);
  });

  test('of lost requests whose cost nothing can prove, how many and how much they hold', async () => {
    const book = await loggedBook();
    await book.buy(0, 1_100);
    expect(book.lines).toEqual([]);
    for (const [id, maxCredits] of [
      ['one', 20],
      ['two', 10],
    ] as const) {
      await book.reserve({ id, maxCredits });
      await book.lose(id);
    }
    await book.buy(0, 1_200);
    expect(book.lines).toMatchObject([{ level: 40, requests: 2, credits: 30 }]);
  });

  test('of lost requests that a new period ends unsettled, and tells of the period', async () => {
    const book = await loggedBook();
    await book.reserve({ id: 'lost', maxCredits: 20 });
    await book.lose('lost');
    const after = { at: RESET + 2 * DAY, minCredits: 0 };
    const next = Date.UTC(2026, 2, 1);
    await book.buy(0, 3_000, after, next);
    await book.buy(0, 3_000, after, next);
    await book.buy(0, 3_000, after, next);
    const warnings = book.lines.filter(({ level }) => level === 40);
    expect(warnings).toMatchObject([{ requests: 1, credits: 20 }]);
  });

  test('of nothing, but tells once of a period that begins', async () => {
    const book = await loggedBook();
    await book.buy(0, 1_000);
    const early = { at: START + DAY };
    const jumped = Date.UTC(2026, 1, 8);
    await book.buy(0, 2_000, early, jumped);
    await book.buy(0, 2_000, early, jumped);
    const periods = { from: { number: 1, resetsAt: RESET }, to: { number: 2, resetsAt: jumped } };
    expect(book.lines).toMatchObject([{ level: 30, ...periods }]);
  });
});
