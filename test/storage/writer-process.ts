/** Commits one change after another and prints each number once stored; its test kills it. */
import { z } from 'zod';
import { machineClock } from '../../src/clock.ts';
import { TeamId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { Secret } from '../../src/secret.ts';
import { openJournalStore } from '../../src/storage/open-journal-store.ts';
import { openPostgresStore } from '../../src/storage/open-postgres-store.ts';
import { connectDatabase } from '../../src/storage/postgres/database.ts';
import { Leases } from '../../src/storage/postgres/leases.ts';
import { migrateDatabase } from '../../src/storage/postgres/migrations.ts';
import type { Collection, OpenedStore } from '../../src/storage/store.ts';

const Written = z.object({ number: z.number().int(), filler: z.string() });
export const written: Collection<z.infer<typeof Written>> = { name: 'written', schema: Written, indexes: {} };
export const writtenBy = TeamId.parse('T1');

const common = { collections: [written], log: silentLog, clock: machineClock };

/** @param place a folder, or a database's URL.  */
export async function openWritten(place: string): Promise<OpenedStore> {
  if (!place.startsWith('postgres:'))
    return openJournalStore({ ...common, folder: place, snapshotAfterBytes: 5_000 });
  const url = new Secret(place);
  const database = connectDatabase({ url });
  const leases = new Leases({ url, clock: machineClock, onLost: () => undefined });
  await migrateDatabase(database);
  const { store } = await openPostgresStore({ ...common, team: writtenBy, database, leases });
  const closeStore = store.close.bind(store);
  return Object.assign(store, {
    async close() {
      await closeStore();
      await leases.close();
      await database.end({ timeout: 0 });
    },
  });
}

/** Writes endlessly, two changes at a time, with a snapshot after every few. */
export async function writeForever(place: string, say: (line: string) => void): Promise<void> {
  const store = await openWritten(place);
  const last = await store.read((tx) => tx.list(written, { prefix: [writtenBy], limit: 1, reverse: true }));
  const write = async (number: number) => {
    const value = { number, filler: 'x'.repeat(200) };
    await store.transact((tx) => tx.put(written, [writtenBy, number], value));
    say(`${number}\n`);
  };
  for (let number = (last[0]?.value.number ?? 0) + 1; ; number += 2)
    await Promise.all([write(number), write(number + 1)]);
}
