/** Reads the ledger: what was charged, when and for what; and the requests whose cost is not known yet. */
import { omitUndefined } from '../base/omit-undefined.ts';
import type { ChannelId, TeamId } from '../ids.ts';
import { readPage } from '../storage/read-page.ts';
import type { ReadTransaction } from '../storage/store.ts';
import type { LedgerEntry, LedgerPage, LedgerPageRequest, PendingCharge } from './credits.ts';
import { type CreditsState, chooseDisplayedPeriod, isReservationCounted } from './credits-state.ts';
import {
  channelLedgerRecords,
  findCreditsPaidByChannel,
  type LedgerRecord,
  ledgerRecords,
} from './records.ts';

function toEntry({ at, purchase, user, credits, shares, balance, isProvenLater }: LedgerRecord): LedgerEntry {
  return {
    at,
    purchase,
    ...omitUndefined({ user, balance, isProvenLater }),
    credits,
    shares: shares.filter((share) => share.credits > 0),
  };
}

/** Newest first. */
export async function readLedger(
  tx: ReadTransaction,
  team: TeamId,
  { channel, limit }: { readonly channel?: ChannelId; readonly limit: number },
): Promise<readonly LedgerEntry[]> {
  const entries =
    channel === undefined
      ? await tx.list(ledgerRecords, { prefix: [team], limit, reverse: true })
      : await tx.list(channelLedgerRecords, { prefix: [team, channel], limit, reverse: true });
  return entries.map(({ value }) => toEntry(value));
}

export async function readLedgerPage(
  tx: ReadTransaction,
  team: TeamId,
  { channel, size, turn }: LedgerPageRequest,
): Promise<Omit<LedgerPage, 'pending'>> {
  const { entries, ...more } = await readPage(tx, channelLedgerRecords, {
    prefix: [team, channel],
    size,
    ...omitUndefined({ turn }),
    cursorOf: ({ at, order }) => [at, order],
  });
  return {
    ...more,
    entries: entries.map((record) => ({ ...toEntry(record), cursor: [record.at, record.order] })),
  };
}

/** What counts as reserved for the channel in the period that people see. */
export function listPendingCharges(
  { account, reservations }: CreditsState,
  channel: ChannelId,
): readonly PendingCharge[] {
  const { number } = chooseDisplayedPeriod(account);
  return reservations
    .filter((reservation) => isReservationCounted(reservation, number))
    .flatMap(({ purchase, user, at, state, shares }) => {
      const credits = findCreditsPaidByChannel({ shares }, channel);
      return credits > 0 ? [{ purchase, credits, state, at, ...omitUndefined({ user }) }] : [];
    });
}
