import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { silentLog } from '../../src/log.ts';
import { createDiskCache } from '../../src/storage/shelves/disk-cache.ts';
import type { ItemCache, ShelvedItem } from '../../src/storage/shelves/item-cache.ts';
import { MemoryDisk } from '../kit/memory-disk.ts';
import { seededRandom } from '../seeded-random.ts';

const folder = '/data/proposals';
const Note = z.object({ text: z.string() });
type Note = z.infer<typeof Note>;

function open(disk: MemoryDisk): ItemCache<Note> {
  return createDiskCache({ folder, schema: Note, log: silentLog, disk });
}

function note(shelf: string, key: number, text: string): ShelvedItem<Note> {
  return { shelf, key, at: key, value: { text } };
}

/** The files of the next start: `shelf/key` -> text. */
async function contents(
  disk: MemoryDisk,
): Promise<{ readonly found: Map<string, string>; readonly damaged: number }> {
  const found = new Map<string, string>();
  const damaged = await open(disk).load((shelf, items) => {
    for (const { key, value } of items) found.set(`${shelf}/${key}`, value.text);
  });
  return { found, damaged };
}

const big = 'x'.repeat(1_000);

describe('shelves', () => {
  it('come back after a restart, the last word of each thing', async () => {
    const disk = new MemoryDisk();
    const shelves = open(disk);
    await shelves.load(() => undefined);
    await shelves.put([note('7-2026-01', 1, 'a'), note('7-2026-02', 2, 'b'), note('7-2026-01', 3, 'ü\n"')]);
    await shelves.put([note('7-2026-01', 1, 'changed')]);
    expect(disk.paths()).toEqual([`${folder}/7-2026-01.jsonl`, `${folder}/7-2026-02.jsonl`]);
    expect(await contents(disk.restart(seededRandom(1)))).toEqual({
      found: new Map([
        ['7-2026-01/1', 'changed'],
        ['7-2026-01/3', 'ü\n"'],
        ['7-2026-02/2', 'b'],
      ]),
      damaged: 0,
    });
  });

  it('lose the torn line alone, wherever it is torn, and go on behind what is good', async () => {
    const whole = new MemoryDisk();
    await open(whole).put([note('s', 1, 'first'), note('s', 2, 'second')]);
    const text = whole.text(`${folder}/s.jsonl`);
    const start = text.indexOf('\n') + 1;
    for (let cut = start; cut < text.length; cut++) {
      const disk = new MemoryDisk();
      disk.overwrite(`${folder}/s.jsonl`, text.slice(0, cut));
      const shelves = open(disk);
      expect(await shelves.load(() => undefined)).toBe(cut === start ? 0 : 1);
      await shelves.put([note('s', 3, 'third')]);
      expect((await contents(disk)).found).toEqual(
        new Map([
          ['s/1', 'first'],
          ['s/3', 'third'],
        ]),
      );
    }
  });

  it('lose a damaged line alone, and count it', async () => {
    const disk = new MemoryDisk();
    await open(disk).put([1, 2, 3].map((key) => note('s', key, `text${key}`)));
    disk.overwrite(`${folder}/s.jsonl`, disk.text(`${folder}/s.jsonl`).replace('text2', 'tExt2'));
    expect(await contents(disk)).toEqual({
      found: new Map([
        ['s/1', 'text1'],
        ['s/3', 'text3'],
      ]),
      damaged: 1,
    });
  });

  it('leave out what no longer fits its schema', async () => {
    const disk = new MemoryDisk();
    const other = createDiskCache({ folder, schema: z.object({ n: z.number() }), log: silentLog, disk });
    await other.put([{ shelf: 's', key: 1, at: 1, value: { n: 1 } }]);
    await open(disk).put([note('s', 2, 'fits')]);
    expect(await contents(disk)).toEqual({ found: new Map([['s/2', 'fits']]), damaged: 1 });
  });

  it('tell of a full disk, and work on when it has room', async () => {
    const disk = new MemoryDisk();
    const shelves = open(disk);
    await shelves.put([note('s', 1, 'before')]);
    disk.fault = (operation) => (operation === 'write' ? 'ENOSPC' : undefined);
    await expect(shelves.put([note('s', 2, 'refused')])).rejects.toMatchObject({ code: 'full' });
    disk.fault = () => undefined;
    await shelves.put([note('s', 3, 'after')]);
    expect(await contents(disk.restart(seededRandom(3)))).toEqual({
      found: new Map([
        ['s/1', 'before'],
        ['s/3', 'after'],
      ]),
      damaged: 0,
    });
  });

  it('are rewritten when more than half is outdated, and only then', async () => {
    const disk = new MemoryDisk();
    const shelves = open(disk);
    const path = `${folder}/s.jsonl`;
    await shelves.put(Array.from({ length: 100 }, (_, key) => note('s', key, big)));
    await shelves.put(Array.from({ length: 100 }, (_, key) => note('s', key, `${big}2`)));
    await shelves.waitUntilIdle();
    expect(disk.text(path).split('\n')).toHaveLength(201);
    await shelves.put([note('s', 5, `${big}3`)]);
    await shelves.waitUntilIdle();
    expect(disk.text(path).split('\n')).toHaveLength(101);
    await shelves.put([note('s', 6, 'on the new file')]);
    const { found, damaged } = await contents(disk.restart(seededRandom(5)));
    expect([found.size, damaged]).toEqual([100, 0]);
    expect([found.get('s/4'), found.get('s/5'), found.get('s/6')]).toEqual([
      `${big}2`,
      `${big}3`,
      'on the new file',
    ]);
  });

  it('stay as they are when a rewrite finds no room', async () => {
    const disk = new MemoryDisk();
    const shelves = open(disk);
    for (const n of [1, 2, 3]) {
      await shelves.put(Array.from({ length: 100 }, (_, key) => note('s', key, `${big}${n}`)));
      disk.fault = (operation) => (operation === 'create' ? 'ENOSPC' : undefined);
    }
    await shelves.waitUntilIdle();
    disk.fault = () => undefined;
    expect((await contents(disk)).found.get('s/42')).toBe(`${big}3`);
    expect(disk.paths()).toEqual([`${folder}/s.jsonl`]);
  });

  it('are taken away as a whole', async () => {
    const disk = new MemoryDisk();
    const shelves = open(disk);
    await shelves.put([note('a', 1, 'x'), note('b', 1, 'x')]);
    await shelves.dropShelves(['a', 'c']);
    expect((await contents(disk.restart(seededRandom(1)))).found).toEqual(new Map([['b/1', 'x']]));
  });

  it('refuse a name that would leave their folder', async () => {
    await expect(open(new MemoryDisk()).put([note('../s', 1, 'x')])).rejects.toThrow('../s');
  });
});

const put = fc.array(
  fc.record({
    shelf: fc.constantFrom('a', 'b'),
    key: fc.integer({ min: 1, max: 40 }),
    length: fc.integer({ min: 1, max: 6_000 }),
  }),
  { minLength: 1, maxLength: 20 },
);
const step = fc.record({
  put,
  end: fc.oneof(
    { weight: 6, arbitrary: fc.constant({ kind: 'well' as const }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('crash' as const), after: fc.nat(9) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('fault' as const),
        code: fc.constantFrom('ENOSPC', 'EIO'),
        operations: fc.subarray(
          ['write', 'sync', 'truncate', 'append', 'create', 'rename', 'syncFolder'] as const,
          {
            minLength: 1,
          },
        ),
      }),
    },
  ),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Cache files, and their possible contents after any restart. */
class Pair {
  #disk = new MemoryDisk();
  #shelves = open(this.#disk);
  readonly #random: () => number;
  /** By file: the possible texts; '' for none. A confirmed one is the only possible text. */
  readonly #possible = new Map<string, Set<string>>();
  #count = 0;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  async take({ put: items, end }: Step): Promise<void> {
    this.#count += 1;
    const placed = items.map(({ shelf, key, length }) =>
      note(shelf, key, `${this.#count}:${'x'.repeat(length)}`),
    );
    this.#trouble(end);
    const work = this.#shelves.put(placed).then(
      () => true,
      () => false,
    );
    const isConfirmed = await Promise.race([work, this.#disk.crashed.then(() => false)]);
    if (end.kind === 'fault') await Promise.race([this.#shelves.waitUntilIdle(), this.#disk.crashed]);
    this.#disk.fault = () => undefined;
    for (const { shelf, key, value } of placed) this.#expect(`${shelf}/${key}`, value.text, isConfirmed);
    if (end.kind === 'crash') await this.#restart();
  }

  async check(): Promise<void> {
    const { found } = await contents(this.#disk.restart(this.#random));
    for (const [place, texts] of this.#possible) expect(texts).toContain(found.get(place) ?? '');
  }

  #trouble(end: Step['end']): void {
    if (end.kind === 'crash') this.#disk.crashAt = this.#disk.steps + 1 + end.after;
    if (end.kind !== 'fault') return;
    const refused: readonly string[] = end.operations;
    this.#disk.fault = (operation) => (refused.includes(operation) ? end.code : undefined);
  }

  #expect(place: string, text: string, isConfirmed: boolean): void {
    const before = isConfirmed ? [] : (this.#possible.get(place) ?? ['']);
    this.#possible.set(place, new Set([...before, text]));
  }

  async #restart(): Promise<void> {
    this.#disk = this.#disk.restart(this.#random);
    this.#shelves = open(this.#disk);
    await this.#shelves.load(() => undefined);
  }
}

it('after puts, faults, crashes, and restarts, a thing is its last put or an unconfirmed one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20 }), fc.nat(), async (steps, seed) => {
      const pair = new Pair(seed);
      for (const each of steps) await pair.take(each);
      await pair.check();
    }),
    { numRuns: 200 },
  );
});
