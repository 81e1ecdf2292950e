import fc from 'fast-check';
import { expect, it, onTestFinished, vi } from 'vitest';
import { silentLog } from '../../src/log.ts';
import { openJournalStore } from '../../src/storage/open-journal-store.ts';
import { JsonPacker } from '../../src/storage/packed-json.ts';
import type { Store, Transaction } from '../../src/storage/store.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { MemoryDisk } from '../kit/memory-disk.ts';
import { seededRandom } from '../seeded-random.ts';
import { allNotes, type NoteText, packedNotes, putNote, team } from './collections.ts';

function open(disk: MemoryDisk) {
  const clock = new ManualClock();
  const collections = [packedNotes];
  return openJournalStore({
    team,
    folder: '/data',
    collections,
    log: silentLog,
    clock,
    disk,
    snapshotAfterBytes: 200_000,
  });
}

const text = fc
  .tuple(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom('— so. ', 'more ', '\ud83d'),
    fc.nat(2_000),
  )
  .map(([own, repeated, times]) => own + repeated.repeat(times));
const name = fc.nat(30).map((number) => `n${number}`);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('put' as const), name, text }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), name }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('give up' as const), name, text }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('close' as const, 'crash' as const) }) },
);

class Play {
  readonly #model = new Map<string, NoteText>();
  #disk = new MemoryDisk();
  #store = open(this.#disk);

  async take(each: typeof step extends fc.Arbitrary<infer S> ? S : never): Promise<void> {
    const store = await this.#store;
    switch (each.kind) {
      case 'put':
        await putNote(store, each.name, each.text, each.text.length);
        this.#model.set(each.name, { text: each.text, rank: each.text.length });
        return;
      case 'delete':
        await store.transact((tx) => tx.delete(packedNotes, [team, each.name]));
        this.#model.delete(each.name);
        return;
      case 'give up':
        return giveUp(store, each.name, each.text);
      case 'close':
        await store.close();
        return this.#restart();
      case 'crash':
        return this.#restart();
    }
  }

  async check(): Promise<void> {
    const store = await this.#store;
    const expected = [...this.#model].sort(([a], [b]) => (a < b ? -1 : 1));
    expect(await allNotes(store)).toEqual(expected.map(([key, value]) => [[team, key], value]));
    const keys = expected.map(([key]) => [team, key] as const);
    const many = await store.read((tx) => tx.getMany(packedNotes, keys));
    expect(many).toEqual(expected.map(([name, value]) => ({ key: [team, name], ...value })));
    const byRank = { index: 'rank', prefix: [team] as const, limit: 100 };
    const ranks = (await store.read((tx) => tx.list(packedNotes, byRank))).map(({ value }) => value.rank);
    expect(ranks).toEqual(expected.map(([, { rank = 0 }]) => rank).sort((a, b) => a - b));
  }

  #restart(): void {
    this.#disk = this.#disk.restart(seededRandom(1));
    this.#store = open(this.#disk);
  }
}

async function giveUp(store: Store, called: string, tried: string): Promise<void> {
  const given = store.transact(async (tx) => {
    await tx.put(packedNotes, { key: [team, called], text: tried });
    throw new Error('given up');
  });
  await expect(given).rejects.toThrow('given up');
}

it('packed long records keep their last values in each order, through aborts and restarts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const play = new Play();
      for (const each of steps) {
        await play.take(each);
        await play.check();
      }
    }),
    { numRuns: 25 },
  );
});

it('a packed record cannot be changed by whoever reads it', async () => {
  const store = await open(new MemoryDisk());
  await putNote(store, 'a', 'as it was');
  const read = () => store.read((tx) => tx.get(packedNotes, [team, 'a']));
  const note = await read();
  expect(() => Object.assign(note ?? {}, { text: 'changed' })).toThrow(TypeError);
  expect(await read()).toEqual({ key: [team, 'a'], text: 'as it was' });
});

it('packed records take no more room after aborted transactions or ones the disk refused', async () => {
  const pack = vi.spyOn(JsonPacker.prototype, 'pack');
  onTestFinished(() => pack.mockRestore());
  const disk = new MemoryDisk();
  const store = await open(disk);
  const letter = (at: number) =>
    Array.from({ length: 200 }, (_, word) => (word * 7919 + at * 104_729).toString(36)).join(' ');
  const writeAll = (tx: Transaction) =>
    Promise.all(
      Array.from({ length: 400 }, (_, at) =>
        tx.put(packedNotes, { key: [team, `n${at}`], text: letter(at) }),
      ),
    );
  await store.transact(writeAll);
  const packer = pack.mock.contexts[0] as JsonPacker;
  const before = packer.bytes;
  for (let again = 0; again < 10; again++) {
    const given = store.transact(async (tx) => {
      await writeAll(tx);
      throw new Error('given up');
    });
    await expect(given).rejects.toThrow('given up');
    disk.fault = () => 'ENOSPC';
    await expect(store.transact(writeAll)).rejects.toThrow('full');
    disk.fault = () => undefined;
  }
  await store.transact(writeAll);
  expect(packer.bytes / before).toBeLessThan(1.5);
  expect(packer.bytes / before).toBeGreaterThan(0.7);
});
