/** One project costs one credit: retrying a lost lookup reserves no second credit. */
import { describe, expect, test } from 'vitest';
import { DATA, DESIGN, LOOKUP, openedBook, settledBook } from './books.ts';

const one = { purchase: LOOKUP, maxCredits: 1, minCredits: 1 };

/** A lookup gets lost and is retried with its reserved credit, the channel's only one. */
async function askedAgain(book: ReturnType<typeof openedBook>) {
  await book.setBudget(DESIGN, 1);
  await book.reserve({ id: 'lost', ...one });
  await book.lose('lost');
  expect(await book.reserve({ id: 'retry', ...one })).toMatchObject({ kind: 'reserved' });
}

describe('a lookup that is asked for again', () => {
  test('and answered at its second try costs no more than one, whoever else spends', async () => {
    const book = await settledBook();
    await askedAgain(book);
    await book.tell('retry', { consumed: 0, remaining: 998, repeated: true });
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 1, reserved: 0 });
    expect(await book.account()).toMatchObject({ byChannels: 1, outside: 1 });
  });

  test('and answered at its second try holds no more than one before the first balance', async () => {
    const book = openedBook();
    await askedAgain(book);
    await book.tell('retry', { consumed: 0, remaining: 999, repeated: true });
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 0, reserved: 1 });
  });

  test('and answered on its second try holds at most one while another request is running', async () => {
    const book = await settledBook();
    await book.reserve({ ...one, id: 'other', channels: [DATA], purchase: { ...LOOKUP, subject: '~09' } });
    await askedAgain(book);
    await book.tell('retry', { consumed: 0, remaining: 999, repeated: true });
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 0, reserved: 1 });
    await book.settle('other', 0, 999);
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 1, reserved: 0 });
  });

  test('repeatedly holds at most one until numbers arrive, and the first ones prove its cost', async () => {
    const book = await settledBook();
    await askedAgain(book);
    for (const id of ['retry', 'later', 'latest']) {
      if (id !== 'retry') await book.reserve({ id, ...one });
      await book.tell(id, { consumed: 1, remaining: 0, assumed: 'both' });
      expect(await book.budget(DESIGN)).toMatchObject({ settled: 0, reserved: 1 });
    }
    await book.buy(0, 999, { ...one, channels: [DATA] });
    expect(await book.budget(DESIGN)).toMatchObject({ settled: 1, reserved: 0 });
  });
});
