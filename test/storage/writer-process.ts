/** Commits one change after another and prints each number once stored; its test kills it. */
import { z } from 'zod';
import { machineClock } from '../../src/clock.ts';
import { TeamId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { openJournalStore } from '../../src/storage/open-journal-store.ts';
import type { Collection } from '../../src/storage/store.ts';

const Written = z.object({ number: z.number().int(), filler: z.string() });
export const written: Collection<z.infer<typeof Written>> = { name: 'written', schema: Written, indexes: {} };
export const writtenBy = TeamId.parse('T1');

/** Writes endlessly, two changes at a time, with a snapshot after every few. */
export async function writeForever(folder: string, say: (line: string) => void): Promise<void> {
  const store = await openJournalStore({
    folder,
    collections: [written],
    log: silentLog,
    clock: machineClock,
    snapshotAfterBytes: 5_000,
  });
  const last = await store.read((tx) => tx.list(written, { prefix: [writtenBy], limit: 1, reverse: true }));
  const write = async (number: number) => {
    const value = { number, filler: 'x'.repeat(200) };
    await store.transact((tx) => tx.put(written, [writtenBy, number], value));
    say(`${number}\n`);
  };
  for (let number = (last[0]?.value.number ?? 0) + 1; ; number += 2)
    await Promise.all([write(number), write(number + 1)]);
}
