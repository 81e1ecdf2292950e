/** Booking what the server's balance proves: the cost of lost requests, and what others spent. */
import type { Instant } from '../clock.ts';
import { bookOutside, charge, enter } from './charging.ts';
import type { OpenBook } from './open-book.ts';
import { addReading, judge, type Reading } from './reckoning.ts';
import type { ReservationRecord } from './records.ts';

export async function reckon(book: OpenBook, reading: Reading, at: Instant): Promise<void> {
  const tally = addReading(book.account.tally, reading);
  const underWay = book.held.filter(({ state }) => state === 'open').length;
  const lost = book.held.filter(({ state }) => state === 'unanswered');
  const judgement = judge(
    tally,
    underWay,
    lost.map(({ id, amount, givenUpAs = 0 }) => ({ id, amount, givenUpAs })),
  );
  switch (judgement.kind) {
    case 'wait':
      return book.putAccount({ tally });
    case 'unproven':
      await book.putAccount({ tally: judgement.tally });
      return holdUnproven(book, lost);
    case 'proven':
      await book.putAccount({ tally: judgement.tally });
      for (const { id, credits } of judgement.costs) await settleLost(book, book.find(id), credits, at);
      return bookOutside(book, judgement.outside, at);
  }
}

/** They may have cost all that they hold, so they hold it until the period ends; nothing is booked that nobody knows. */
async function holdUnproven(book: OpenBook, lost: readonly ReservationRecord[]): Promise<void> {
  for (const reservation of lost) await book.putReservation({ ...reservation, state: 'unproven' });
  if (lost.length > 0)
    book.context.log.warn(
      "The cost of unanswered requests can't be determined; their credits stay reserved",
      {
        requests: lost.length,
        credits: lost.reduce((sum, { amount }) => sum + amount, 0),
      },
    );
}

async function settleLost(
  book: OpenBook,
  reservation: ReservationRecord | undefined,
  cost: number,
  at: Instant,
): Promise<void> {
  if (!reservation) return;
  await book.dropReservation(reservation);
  if (cost === 0) return;
  const parts = await charge(book, reservation.shares, cost, at);
  await enter(book, reservation, parts, at);
}
