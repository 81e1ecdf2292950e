import { expect, test } from 'vitest';
import { z } from 'zod';
import { TeamId } from '../src/ids.ts';
import { type Collection, type Key, scanCollection } from '../src/storage/store.ts';
import { createMemoryStore } from './memory-store.ts';

const team = TeamId.parse('T1');
interface Thing {
  readonly name: string;
  readonly size?: number | undefined;
}
const things: Collection<Thing> = {
  name: 'things',
  schema: z.object({ name: z.string(), size: z.number().optional() }),
  indexes: { bySize: (thing) => (thing.size === undefined ? undefined : [team, thing.size]) },
};
const key = (...parts: (string | number)[]): Key => [team, ...parts];

async function filled() {
  const store = createMemoryStore();
  await store.transact(async (tx) => {
    await tx.put(things, key('b'), { name: 'b', size: 2 });
    await tx.put(things, key(10), { name: '10', size: 1 });
    await tx.put(things, key('a', 1), { name: 'a1', size: 2 });
    await tx.put(things, key('a'), { name: 'a' });
    await tx.put(things, key(9), { name: '9', size: 3 });
  });
  return store;
}

test('lists in the order of keys: numbers first, a short key before its extensions', async () => {
  const store = await filled();
  const names = await store.read(async (tx) =>
    (await tx.list(things, { prefix: [team], limit: 9 })).map((e) => e.value.name),
  );
  expect(names).toEqual(['9', '10', 'a', 'a1', 'b']);
});

test('lists ranges, backwards, by index, and goes on behind a position', async () => {
  const store = await filled();
  await store.read(async (tx) => {
    const names = async (options: object) =>
      (await tx.list(things, { prefix: [team], limit: 9, ...options })).map((e) => e.value.name);
    expect(await names({ from: [10], to: ['b'] })).toEqual(['10', 'a', 'a1']);
    expect(await names({ index: 'bySize' })).toEqual(['10', 'a1', 'b', '9']);
    expect(await names({ prefix: key('a') })).toEqual(['a', 'a1']);
    const [first] = await tx.list(things, { prefix: [team], limit: 1, reverse: true });
    expect(await names({ reverse: true, ...(first ? { after: first.position } : {}) })).toEqual([
      'a1',
      'a',
      '10',
      '9',
    ]);
    const all: string[] = [];
    for await (const entry of scanCollection(tx, things, { prefix: [team], index: 'bySize' }, 2))
      all.push(entry.value.name);
    expect(all).toEqual(['10', 'a1', 'b', '9']);
  });
});

test('a failed transaction leaves nothing behind, and sees its own changes before', async () => {
  const store = await filled();
  const failing = store.transact(async (tx) => {
    await tx.put(things, key('c'), { name: 'c' });
    await tx.delete(things, key('a'));
    expect(await tx.get(things, key('a'))).toBeUndefined();
    expect((await tx.list(things, { prefix: key('c'), limit: 1 })).length).toBe(1);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await store.read((tx) => tx.get(things, key('a')))).toEqual({ name: 'a' });
  expect(await store.read((tx) => tx.get(things, key('c')))).toBeUndefined();
});

test('reads many records at once, in the order asked', async () => {
  const store = await filled();
  const keys = [key('b'), key('missing'), key(9)];
  const found = await store.read((tx) => tx.getMany(things, keys));
  expect(found.map((thing) => thing?.name)).toEqual(['b', undefined, '9']);
});
