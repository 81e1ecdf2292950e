/** The pages of a channel's ledger, and the charges whose cost is not known yet. */
import { describe, expect, test } from 'vitest';
import { ANN, DATA, DESIGN, LOOKUP, type openedBook, START, settledBook, WEB } from './books.ts';

type Book = ReturnType<typeof openedBook>;
type Turn = { readonly to: 'older' | 'newer'; readonly than: readonly [number, number] };

const pageOf = ({ book, store }: Book, turn?: Turn, channel = DESIGN) =>
  store.read((tx) => book.readLedgerPage(tx, { channel, size: 3, ...(turn ? { turn } : {}) }, START));

/** Seven charges of 1 to 7 credits, two of them at the same moment. */
async function sevenCharges(): Promise<Book> {
  const book = await settledBook();
  let left = 1_000;
  for (let credits = 1; credits <= 7; credits++) {
    left -= credits;
    await book.buy(credits, left, { at: START + Math.floor(credits / 2) });
  }
  return book;
}

describe('a page of the ledger', () => {
  test('turns both ways without a gap, also between charges of one moment', async () => {
    const book = await sevenCharges();
    const read: number[] = [];
    let page = await pageOf(book);
    expect(page.hasNewer).toBe(false);
    for (;;) {
      read.push(...page.entries.map(({ credits }) => credits));
      const last = page.entries.at(-1);
      if (!page.hasOlder || !last) break;
      page = await pageOf(book, { to: 'older', than: last.cursor });
      expect(page.hasNewer).toBe(true);
    }
    expect(read).toEqual([7, 6, 5, 4, 3, 2, 1]);
    const [first] = page.entries;
    const newer = first && (await pageOf(book, { to: 'newer', than: first.cursor }));
    expect(newer?.entries.map(({ credits }) => credits)).toEqual([4, 3, 2]);
    expect(newer).toMatchObject({ hasOlder: true, hasNewer: true });
  });

  test('does not shift when a new charge comes', async () => {
    const book = await sevenCharges();
    const { entries } = await pageOf(book);
    await book.buy(9, 900, { at: START + 10 });
    const last = entries.at(-1);
    const older = last && (await pageOf(book, { to: 'older', than: last.cursor }));
    expect(older?.entries.map(({ credits }) => credits)).toEqual([4, 3, 2]);
  });

  test('has the balance after each response, and only the channel’s own charges', async () => {
    const book = await settledBook();
    await book.buy(3, 997, { channels: [DESIGN, WEB], purchase: LOOKUP, user: ANN });
    await book.buy(5, 992, { channels: [DATA] });
    const [only, ...more] = (await pageOf(book)).entries;
    expect(more).toEqual([]);
    expect(only).toMatchObject({ credits: 3, balance: 997, user: ANN, purchase: LOOKUP });
    expect(only?.shares.map(({ channel }) => channel).toSorted()).toEqual([DESIGN, WEB]);
  });
});

describe('a charge that is not certain', () => {
  test('is pending with the most it can cost, until a balance proves it', async () => {
    const book = await settledBook();
    await book.reserve({ id: 'running', maxCredits: 10 });
    await book.reserve({ id: 'lost', maxCredits: 50, channels: [DESIGN, WEB] });
    await book.lose('lost');
    const { pending } = await pageOf(book);
    expect(pending).toMatchObject([
      { state: 'open', credits: 10, at: START },
      { state: 'unanswered', credits: 25 },
    ]);
    expect((await pageOf(book, undefined, DATA)).pending).toEqual([]);
    await book.settle('running', 1, 999);
    await book.buy(0, 979);
    const after = await pageOf(book);
    expect(after.pending).toEqual([]);
    expect(after.entries).toMatchObject([
      { credits: 20, isProvenLater: true },
      { credits: 1, balance: 999 },
    ]);
    expect(after.entries[0]).not.toHaveProperty('balance');
  });
});
