import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { clearEachOldRecord, deleteOldRecords } from '../../src/storage/delete-old-records.ts';
import type { Collection, Store, Transaction } from '../../src/storage/store.ts';
import { createMemoryStore } from '../memory-store.ts';
import { allNotes, type Note, notes, putNote, team } from './collections.ts';

const BY_AGE = { index: 'rank', prefix: [team] } as const;
let store: Store;

async function left(): Promise<readonly (number | undefined)[]> {
  return (await allNotes(store)).map(([, { rank }]) => rank).toSorted((a = 0, b = 0) => a - b);
}

function clear(before: number, limit: number, keeps?: (note: Note) => boolean): Promise<void> {
  const older = { ...BY_AGE, at: before, keptMs: 0, limit, ...(keeps ? { keeps } : {}) };
  return store.transact((tx) => deleteOldRecords(tx, notes, older));
}

beforeEach(async () => {
  store = createMemoryStore({ collections: [notes, things] });
  for (const rank of [40, 10, 30, 20]) await putNote(store, `note ${100 - rank}`, 'x', rank);
});

describe('clearing out the old', () => {
  it('takes the oldest, as many as it may, and what has just reached its age stays', async () => {
    await clear(30, 1);
    expect(await left()).toEqual([20, 30, 40]);
    await clear(30, 9);
    expect(await left()).toEqual([30, 40]);
    await clear(30, 9);
    expect(await left()).toEqual([30, 40]);
  });

  it('leaves what is not to go yet, and takes it once it may go', async () => {
    await clear(99, 9, ({ rank }) => rank === 20);
    expect(await left()).toEqual([20]);
    await clear(99, 9);
    expect(await left()).toEqual([]);
  });

  it('by no clock that is ahead: what the trusted moment has not reached stays', async () => {
    store = createMemoryStore({ collections: [notes, things], trustedNow: () => 25 });
    for (const rank of [40, 10, 30, 20]) await putNote(store, `note ${100 - rank}`, 'x', rank);
    await clear(99, 9);
    expect(await left()).toEqual([30, 40]);
  });

  it('not at all before any moment can be trusted', async () => {
    store = createMemoryStore({ collections: [notes, things], trustedNow: () => Number.NEGATIVE_INFINITY });
    await putNote(store, 'a', 'x', 10);
    await clear(99, 9);
    expect(await left()).toEqual([10]);
  });

  it('leaves what has no age', async () => {
    await putNote(store, 'timeless', 'x');
    await clear(99, 9);
    expect(await left()).toEqual([undefined]);
  });

  it('goes by the keys where no index is named, and keeps to its prefix', async () => {
    await store.transact(async (tx) => {
      for (const at of [1, 2, 3]) await tx.put(notes, [team, 'log', at], { text: 'log', rank: at });
      await deleteOldRecords(tx, notes, { prefix: [team, 'log'], at: 5, keptMs: 2, limit: 9 });
    });
    expect(await left()).toEqual([3, 10, 20, 30, 40]);
  });

  it('with each record that is added bounds how many there are', async () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(gaps, async (waited) => {
        store = createMemoryStore({ collections: [notes, things] });
        let at = 0;
        for (const [number, gap] of waited.entries()) {
          at += gap;
          await clear(at - 50, 2);
          await putNote(store, String(number), 'x', at);
        }
        // Without new records, each call deletes two more.
        for (let turn = 0; turn < waited.length; turn++) await clear(at - 50, 2);
        for (const rank of await left()) expect(rank).toBeGreaterThanOrEqual(at - 50);
      }),
      { numRuns: 50 },
    );
  });
});

const Thing = z.object({ id: z.number(), at: z.number() });
const things: Collection<z.infer<typeof Thing>> = {
  name: 'things',
  schema: Thing,
  indexes: { byAge: ({ at }) => [at] },
};

async function storeWith(count: number) {
  const store = createMemoryStore({ collections: [notes, things] });
  await store.transact(async (tx) => {
    for (let id = 0; id < count; id++) await tx.put(things, [id], { id, at: id });
  });
  const left = () => store.read((tx) => tx.list(things, { limit: 1_000 }));
  return { store, left };
}

it('shows each that is older once, oldest first, and leaves what is not deleted', async () => {
  const { store, left } = await storeWith(350);
  const shown: number[] = [];
  const clear = async (tx: Transaction, { id }: { id: number }) => {
    shown.push(id);
    if (id % 2 === 0) await tx.delete(things, [id]);
  };
  const old = { collection: things, at: 300, keptMs: 0, clear };
  await clearEachOldRecord(store, old, new AbortController().signal);
  expect(shown).toEqual(Array.from({ length: 300 }, (_, id) => id));
  expect(await left()).toHaveLength(200);
});

it('ends with the transaction that is under way when it is to stop', async () => {
  const { store, left } = await storeWith(350);
  const stop = new AbortController();
  const clear = async (tx: Transaction, { id }: { id: number }) => {
    stop.abort();
    await tx.delete(things, [id]);
  };
  await clearEachOldRecord(store, { collection: things, at: 360, keptMs: 10, clear }, stop.signal);
  expect(await left()).toHaveLength(250);
});
