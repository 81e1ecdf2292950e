/** The ledger: one entry for each charged response, and for spending by others. */
import { omitUndefined } from '../base/omit-undefined.ts';
import { DAY } from '../clock.ts';
import type { ChannelId, TeamId } from '../ids.ts';
import { deleteOldRecords } from '../storage/delete-old-records.ts';
import type { Key, ReadTransaction } from '../storage/store.ts';
import type { LedgerEntry } from './credits-service.ts';
import type { CreditsTransaction } from './credits-transaction.ts';
import { channelLedgerRecords, type LedgerRecord, ledgerRecords } from './records.ts';

/** Older entries are deleted. A year and a month allow a comparison with the same month last year. */
const KEPT_MS = 396 * DAY;
/** More than one per new entry, so that old ones run out. */
const FORGOTTEN_AT_ONCE = 3;

export async function addLedgerEntry(
  book: CreditsTransaction,
  entry: Omit<LedgerRecord, 'order' | 'period'>,
  period?: number,
): Promise<void> {
  const { tx, context } = book;
  const order = await book.nextSeq();
  const old = { at: entry.at, keptMs: KEPT_MS, limit: FORGOTTEN_AT_ONCE };
  const record = { ...entry, order, period: period ?? book.account.period.number };
  await tx.put(ledgerRecords, [context.team, entry.at, order], record);
  await deleteOldRecords(tx, ledgerRecords, { ...old, prefix: [context.team] });
  for (const { channel, credits } of entry.shares) {
    if (credits === 0) continue;
    const prefix: Key = [context.team, channel];
    await tx.put(channelLedgerRecords, [...prefix, entry.at, order], record);
    await deleteOldRecords(tx, channelLedgerRecords, { ...old, prefix });
  }
}

/** Newest first. */
export async function readLedger(
  tx: ReadTransaction,
  team: TeamId,
  options: { readonly channel?: ChannelId; readonly limit: number },
): Promise<readonly LedgerEntry[]> {
  const { channel, limit } = options;
  const entries =
    channel === undefined
      ? await tx.list(ledgerRecords, { prefix: [team], limit, reverse: true })
      : await tx.list(channelLedgerRecords, { prefix: [team, channel], limit, reverse: true });
  return entries.map(({ value }) => ({
    at: value.at,
    purchase: value.purchase,
    ...omitUndefined({ user: value.user }),
    credits: value.credits,
    shares: value.shares.filter(({ credits }) => credits > 0),
  }));
}
