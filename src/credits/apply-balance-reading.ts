/** Books what the server's balance proves: the cost of lost requests, and spending by others. */
import type { Instant } from '../clock.ts';
import { addBalanceReading, type BalanceReading, reconcileBalance } from './balance-tally.ts';
import { addRequestCostToLedger, chargeChannels, recordOutsideSpending } from './charging.ts';
import type { CreditsTransaction } from './credits-transaction.ts';
import type { ReservationRecord } from './records.ts';

export async function applyBalanceReading(
  book: CreditsTransaction,
  reading: BalanceReading,
  at: Instant,
): Promise<void> {
  const tally = addBalanceReading(book.account.tally, reading);
  const inFlight = book.periodReservations.filter(({ state }) => state === 'open').length;
  const lost = book.periodReservations.filter(({ state }) => state === 'unanswered');
  const judgement = reconcileBalance(
    tally,
    inFlight,
    lost.map(({ id, amount, lostSeq = 0 }) => ({ id, amount, lostSeq })),
  );
  switch (judgement.kind) {
    case 'wait':
      return book.putAccount({ tally });
    case 'unproven':
      await book.putAccount({ tally: judgement.tally });
      return holdUnproven(book, lost);
    case 'proven':
      await book.putAccount({ tally: judgement.tally });
      for (const { id, credits } of judgement.costs)
        await settleLost(book, book.findReservation(id), credits, at);
      return recordOutsideSpending(book, judgement.outside, at);
  }
}

/** Their cost is unknown, so their full amount stays reserved until the period ends. Nothing is booked. */
async function holdUnproven(book: CreditsTransaction, lost: readonly ReservationRecord[]): Promise<void> {
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
  book: CreditsTransaction,
  reservation: ReservationRecord | undefined,
  cost: number,
  at: Instant,
): Promise<void> {
  if (!reservation) return;
  await book.deleteReservation(reservation);
  if (cost === 0) return;
  const parts = await chargeChannels(book, reservation.shares, cost, at);
  await addRequestCostToLedger(book, reservation, parts, at);
}
