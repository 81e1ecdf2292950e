import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeSlot, decodeWeight, PostingBufferPool, PostingList } from '../../src/proposals/index-words.ts';

const change = fc.record({ list: fc.nat(4), place: fc.nat(3_000), weight: fc.integer({ min: 1, max: 40 }) });

it('lists in a shared buffer hold what was added and not removed, in order, and leave no trace', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 400 }), fc.nat(4), (changes, ended) => {
      const rooms = new PostingBufferPool();
      const lists = Array.from({ length: 5 }, () => new PostingList(rooms));
      const models = lists.map(() => new Map<number, number>());
      for (const { list, place, weight } of changes) {
        if (models[list]?.has(place)) lists[list]?.remove(place);
        else lists[list]?.add(place, weight);
        if (!models[list]?.delete(place)) models[list]?.set(place, Math.min(weight, 15));
        lists[list]?.remove(place + 5_000);
      }
      lists[ended]?.releaseBuffer();
      const another = new PostingList(rooms);
      for (let place = 0; place < 50; place++) another.add(place, 1);
      for (const [at, list] of lists.entries()) {
        if (at === ended) continue;
        const held = [...list.readAll()].map((posting) => [decodeSlot(posting), decodeWeight(posting)]);
        expect(held).toEqual([...(models[at] ?? [])].sort(([a], [b]) => a - b));
        expect(list.size).toBe(held.length);
      }
      expect([...another.readAll()].map(decodeSlot)).toEqual(Array.from({ length: 50 }, (_, place) => place));
    }),
  );
});

it('a list of thousands has room, and gives back what it has outgrown', () => {
  const rooms = new PostingBufferPool();
  const [long, short] = [new PostingList(rooms), new PostingList(rooms)];
  for (let place = 0; place < 5_000; place++) long.add(place, 2);
  for (let place = 0; place < 900; place++) short.add(place, 3);
  expect([...long.readAll()].map(decodeSlot)).toEqual(Array.from({ length: 5_000 }, (_, place) => place));
  expect([...short.readAll()].every((posting) => decodeWeight(posting) === 3)).toBe(true);
});
