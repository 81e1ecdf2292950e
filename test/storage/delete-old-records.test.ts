/** Records are deleted by their age, for as long as their collection keeps them. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { type DeleteOld, deleteOldRecords } from '../../src/storage/delete-old-records.ts';
import { type Collection, collection } from '../../src/storage/store.ts';
import { createMemoryStore } from '../memory-store.ts';

const Thing = z.object({ id: z.number(), at: z.number().optional(), isOpen: z.boolean().optional() });
type Thing = z.infer<typeof Thing>;

const things = collection({
  name: 'things',
  schema: Thing,
  key: ({ id }) => [id],
  indexes: { byAge: ({ at }) => (at === undefined ? undefined : [at]) },
  keepFor: { ms: 10, keeps: ({ isOpen = false }) => isOpen },
});

async function storeWith(
  all: readonly Thing[],
  { stored = things, trustedNow }: { stored?: Collection<Thing>; trustedNow?: () => number } = {},
) {
  const store = createMemoryStore({ collections: [stored], trustedNow });
  await store.transact(async (tx) => {
    for (const thing of all) await tx.put(stored, thing);
  });
  const end = new AbortController();
  return {
    end,
    deleteOld: (at: number, deleteOld?: DeleteOld<Thing>) =>
      deleteOldRecords(store, stored, at, end.signal, deleteOld),
    left: () =>
      store.read(async (tx) => (await tx.list(stored, { limit: 1_000 })).map(({ value }) => value.id)),
  };
}

const some = (count: number) => Array.from({ length: count }, (_, id) => ({ id, at: id }));

it('deletes what is older than its collection keeps it; what has just reached that age stays', async () => {
  const { deleteOld, left } = await storeWith(some(5));
  await deleteOld(12);
  expect(await left()).toEqual([2, 3, 4]);
});

it('leaves what is open until it no longer is, and what has no age', async () => {
  const { deleteOld, left } = await storeWith([{ id: 1, at: 1, isOpen: true }, { id: 2, at: 2 }, { id: 3 }]);
  await deleteOld(99);
  expect(await left()).toEqual([1, 3]);
});

it('goes by the keys without an index by age, and leaves a collection that keeps all', async () => {
  const byKey = await storeWith(some(5), { stored: { ...things, indexes: {} } });
  await byKey.deleteOld(12);
  expect(await byKey.left()).toEqual([2, 3, 4]);
  const forGood = await storeWith(some(5), { stored: { ...things, keepFor: undefined } });
  await forGood.deleteOld(99);
  expect(await forGood.left()).toHaveLength(5);
});

it('trusts no clock that is ahead, and deletes nothing before any moment can be trusted', async () => {
  const ahead = await storeWith(some(5), { trustedNow: () => 12 });
  await ahead.deleteOld(99);
  expect(await ahead.left()).toEqual([2, 3, 4]);
  const unknown = await storeWith(some(5), { trustedNow: () => Number.NEGATIVE_INFINITY });
  await unknown.deleteOld(99);
  expect(await unknown.left()).toHaveLength(5);
});

it('shows each old record once, oldest first, and goes past what is not deleted', async () => {
  const { deleteOld, left } = await storeWith(some(350));
  const shown: number[] = [];
  await deleteOld(310, async (tx, { key, value: { id } }) => {
    shown.push(id);
    if (id % 2 === 0) await tx.delete(things, key);
  });
  expect(shown).toEqual(Array.from({ length: 300 }, (_, id) => id));
  expect(await left()).toHaveLength(200);
});

it('ends with the transaction that is under way when it is to stop', async () => {
  const { deleteOld, left, end } = await storeWith(some(350));
  await deleteOld(360, async (tx, { key }) => {
    end.abort();
    await tx.delete(things, key);
  });
  expect(await left()).toHaveLength(250);
});
