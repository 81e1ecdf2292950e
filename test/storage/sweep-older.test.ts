import { expect, it } from 'vitest';
import { z } from 'zod';
import { TeamId } from '../../src/ids.ts';
import type { Collection, Transaction } from '../../src/storage/store.ts';
import { clearEachOldRecord } from '../../src/storage/sweep-old-records.ts';
import { createMemoryStore } from '../memory-store.ts';

const team = TeamId.parse('T1');
const Thing = z.object({ id: z.number(), at: z.number() });
const things: Collection<z.infer<typeof Thing>> = {
  name: 'things',
  schema: Thing,
  indexes: { byAge: ({ at }) => [team, at] },
};

async function storeWith(count: number) {
  const store = createMemoryStore();
  await store.transact(async (tx) => {
    for (let id = 0; id < count; id++) await tx.put(things, [team, id], { id, at: id });
  });
  const left = () => store.read((tx) => tx.list(things, { prefix: [team], limit: 1_000 }));
  return { store, left };
}

it('shows each that is older once, oldest first, and leaves what is not deleted', async () => {
  const { store, left } = await storeWith(350);
  const shown: number[] = [];
  const clear = async (tx: Transaction, { id }: { id: number }) => {
    shown.push(id);
    if (id % 2 === 0) await tx.delete(things, [team, id]);
  };
  const old = { collection: things, team, at: 300, keptMs: 0, clear };
  await clearEachOldRecord(store, old, new AbortController().signal);
  expect(shown).toEqual(Array.from({ length: 300 }, (_, id) => id));
  expect(await left()).toHaveLength(200);
});

it('ends with the transaction that is under way when it is to stop', async () => {
  const { store, left } = await storeWith(350);
  const stop = new AbortController();
  const clear = async (tx: Transaction, { id }: { id: number }) => {
    stop.abort();
    await tx.delete(things, [team, id]);
  };
  await clearEachOldRecord(store, { collection: things, team, at: 360, keptMs: 10, clear }, stop.signal);
  expect(await left()).toHaveLength(250);
});
