import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../src/log.ts';
import type { AnyCollection } from '../../src/storage/memory/records.ts';
import { openJournalStore } from '../../src/storage/open-journal-store.ts';
import type { Key, Store, Transaction } from '../../src/storage/store.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { MemoryDisk } from '../kit/memory-disk.ts';
import { seededRandom } from '../seeded-random.ts';
import { allNotes, loose, type NoteText, notes, team } from './collections.ts';

const folder = '/data';

function open(
  disk: MemoryDisk,
  snapshotAfterBytes: number,
  collection: AnyCollection = notes,
): Promise<Store> {
  return openJournalStore({
    team,
    folder,
    collections: [collection],
    log: silentLog,
    clock: new ManualClock(),
    disk,
    snapshotAfterBytes,
  });
}

const STRANGE: Key = [team, 'of a newer version'];
const STRANGE_VALUE = { key: [...STRANGE], text: { of: ['a', 'newer'] }, rank: null };

/** A record that this version can't read is there from the beginning. */
async function putStrange(disk: MemoryDisk): Promise<void> {
  const newer = await open(disk, 200, loose);
  await newer.transact((tx) => tx.put(loose, STRANGE_VALUE));
  await newer.close();
}

async function expectStrange(disk: MemoryDisk): Promise<void> {
  const newer = await open(disk, 200, loose);
  const found = await newer.read((tx) => tx.get(loose, STRANGE));
  expect(JSON.stringify(found)).toBe(JSON.stringify(STRANGE_VALUE));
}

/** One transaction: puts a text under a name, or deletes the name. */
interface Change {
  readonly name: string;
  readonly text: string | undefined;
}
type State = ReadonlyMap<string, NoteText>;

function apply(state: State, changes: readonly Change[]): State {
  const next = new Map(state);
  for (const { name, text } of changes) {
    if (text === undefined) next.delete(name);
    else next.set(name, { text, rank: text.length });
  }
  return next;
}

async function carryOut(tx: Transaction, changes: readonly Change[]): Promise<void> {
  for (const { name, text } of changes) {
    if (text === undefined) await tx.delete(notes, [team, name]);
    else await tx.put(notes, { key: [team, name], text, rank: text.length });
  }
}

function asRecords(state: State): [Key, NoteText][] {
  return [...state].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, note]) => [[team, name], note]);
}

/** The states after each transaction, and how many of them are known to be stored. */
class History {
  states: State[] = [new Map()];
  acknowledged = 0;

  add(changes: readonly Change[]): number {
    this.states.push(apply(this.last, changes));
    return this.states.length - 1;
  }

  get last(): State {
    return this.states.at(-1) ?? new Map();
  }

  /** Continues from the recovered state. @throws when acknowledged changes are missing */
  async settleOn(store: Store): Promise<void> {
    const found = await allNotes(store);
    const at = this.states.findLastIndex(
      (state) => JSON.stringify(asRecords(state)) === JSON.stringify(found),
    );
    if (at < this.acknowledged)
      expect(found, `a state after ${this.acknowledged} or more changes`).toEqual(asRecords(this.last));
    this.states = [this.states[at] ?? new Map()];
    this.acknowledged = 0;
    await expectAllReads(store, asRecords(this.last));
  }
}

async function expectAllReads(store: Store, records: readonly [Key, NoteText][]): Promise<void> {
  const byRank = await store.read((tx) => tx.list(notes, { index: 'rank', prefix: [team], limit: 1_000 }));
  const expected = records.toSorted(([, a], [, b]) => (a.rank ?? 0) - (b.rank ?? 0));
  expect(byRank.map(({ key }) => key)).toEqual(expected.map(([key]) => key));
  const keys = [[team, 'never stored'] as const, ...records.map(([key]) => key)];
  const many = await store.read((tx) => tx.getMany(notes, keys));
  expect(many).toEqual([undefined, ...records.map(([key, value]) => ({ key, ...value }))]);
}

describe('a loss of power', () => {
  /** Twelve transactions, some concurrent, with snapshots in between and a restart halfway. */
  async function script(disk: MemoryDisk, history: History): Promise<void> {
    let store = await open(disk, 200);
    const commit = (changes: readonly Change[]) => {
      const number = history.add(changes);
      return store
        .transact((tx) => carryOut(tx, changes))
        .then(() => {
          history.acknowledged = Math.max(history.acknowledged, number);
        });
    };
    for (const n of [1, 2, 3]) await commit([{ name: `single${n}`, text: 'x'.repeat(n) }]);
    await Promise.all([4, 5, 6].map((n) => commit([{ name: `shared${n}`, text: 'y' }])));
    await store.close();
    store = await open(disk, 200);
    await commit([
      { name: 'single1', text: undefined },
      { name: 'single2', text: 'changed' },
    ]);
    await Promise.all([8, 9, 10].map((n) => commit([{ name: 'same', text: 'z'.repeat(n) }])));
    for (const n of [11, 12]) await commit([{ name: `late${n}`, text: 'w' }]);
    await store.close();
  }

  it('at any step keeps every confirmed transaction, and none in part', async () => {
    const whole = new MemoryDisk();
    await script(whole, new History());
    expect(whole.steps).toBeGreaterThan(60);
    for (let crashAt = 1; crashAt <= whole.steps; crashAt++) {
      for (let seed = 0; seed < 4; seed++) {
        const disk = new MemoryDisk();
        disk.crashAt = crashAt;
        const history = new History();
        await Promise.race([script(disk, history), disk.crashed]);
        const store = await open(disk.restart(seededRandom(crashAt * 4 + seed)), 200);
        await history.settleOn(store);
      }
    }
  });

  it('during recovery loses nothing either', async () => {
    for (let crashAt = 1; crashAt < 40; crashAt++) {
      const random = seededRandom(crashAt);
      const disk = new MemoryDisk();
      disk.crashAt = 45;
      const history = new History();
      await Promise.race([script(disk, history), disk.crashed]);
      const second = disk.restart(random);
      second.crashAt = crashAt;
      await Promise.race([open(second, 200).then((store) => store.close()), second.crashed]);
      await history.settleOn(await open(second.restart(random), 200));
    }
  });
});

const change = fc.record({
  name: fc.integer({ min: 0, max: 60 }).map((n) => `n${n}`),
  text: fc.option(fc.constantFrom('a', 'bb', 'ccc', 'ü \u0000 "quoted"\n'), { nil: undefined, freq: 4 }),
});
const changes = fc.array(change, { minLength: 1, maxLength: 40 });
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('commit' as const), changes }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('abort' as const), changes }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('together' as const),
      all: fc.array(changes, { maxLength: 5 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('crash' as const),
      all: fc.array(changes, { maxLength: 5 }),
      after: fc.nat(12),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('fault' as const),
      all: fc.array(changes, { maxLength: 4 }),
      code: fc.constantFrom('ENOSPC', 'EIO'),
      operations: fc.subarray(['write', 'sync', 'truncate', 'append', 'syncFolder'] as const, {
        minLength: 1,
      }),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A store and its model. */
class Pair {
  disk = new MemoryDisk();
  readonly history = new History();
  readonly #random: () => number;
  readonly #snapshotAfterBytes: number;
  #store: Store | undefined;

  constructor(seed: number, snapshotAfterBytes: number) {
    this.#random = seededRandom(seed);
    this.#snapshotAfterBytes = snapshotAfterBytes;
  }

  async store(): Promise<Store> {
    this.#store ??= await open(this.disk, this.#snapshotAfterBytes);
    return this.#store;
  }

  async take(step: Step): Promise<void> {
    const store = await this.store();
    if (step.kind === 'commit') await this.#commit(store, step.changes);
    else if (step.kind === 'abort') await this.#abort(store, step.changes);
    else if (step.kind === 'together') await Promise.all(step.all.map((each) => this.#commit(store, each)));
    else if (step.kind === 'reopen') await this.#reopen(store);
    else if (step.kind === 'crash') await this.#crash(store, step.all, step.after);
    else await this.#refuse(store, step);
    await this.history.settleOn(await this.store());
    expect(await (await this.store()).read((tx) => tx.has(notes, STRANGE))).toBe(true);
  }

  async end(): Promise<void> {
    await this.#reopen(await this.store());
    await expectStrange(this.disk);
  }

  async #commit(store: Store, list: readonly Change[]): Promise<void> {
    const number = this.history.add(list);
    await store.transact((tx) => carryOut(tx, list));
    this.history.acknowledged = Math.max(this.history.acknowledged, number);
  }

  async #abort(store: Store, list: readonly Change[]): Promise<void> {
    const aborted = store.transact(async (tx) => {
      await carryOut(tx, list);
      throw new RangeError('aborted');
    });
    await expect(aborted).rejects.toThrow('aborted');
  }

  async #reopen(store: Store): Promise<void> {
    await store.close();
    this.#store = undefined;
  }

  async #crash(store: Store, all: readonly Change[][], after: number): Promise<void> {
    this.disk.crashAt = this.disk.steps + 1 + after;
    const work = all.map((each) => this.#commit(store, each));
    await Promise.race([Promise.all(work), this.disk.crashed]);
    this.disk = this.disk.restart(this.#random);
    this.#store = undefined;
  }

  /** While the disk fails, each transaction fails or is stored; afterwards the store works normally. */
  async #refuse(store: Store, { all, code, operations }: Extract<Step, { kind: 'fault' }>): Promise<void> {
    const refused: readonly string[] = operations;
    this.disk.fault = (operation) => (refused.includes(operation) ? code : undefined);
    const { acknowledged, states } = this.history;
    const outcomes = await Promise.allSettled(all.map((each) => store.transact((tx) => carryOut(tx, each))));
    this.disk.fault = () => undefined;
    this.history.states = states;
    this.history.acknowledged = acknowledged;
    for (const [at, outcome] of outcomes.entries()) {
      if (outcome.status === 'fulfilled') this.history.acknowledged = this.history.add(all[at] ?? []);
      else expect(outcome.reason).toMatchObject({ code: code === 'ENOSPC' ? 'full' : 'io' });
    }
    await this.#commit(store, [{ name: 'healed', text: 'a' }]);
  }
}

it('matches a model under random transactions, aborts, faults, crashes, snapshots, restarts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 25 }),
      fc.nat(),
      fc.constantFrom(0, 300, 5_000),
      async (steps, seed, snapshotAfterBytes) => {
        const pair = new Pair(seed, snapshotAfterBytes);
        await putStrange(pair.disk);
        for (const each of steps) await pair.take(each);
        await pair.end();
      },
    ),
    { numRuns: 150 },
  );
});
