/** The decision ledger: any single change, deletion or move of a stored entry is found, wherever it is. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LedgerLink } from '../../src/audit/audit.ts';
import { DAY } from '../../src/clock.ts';
import { recordDecision, recordDecisionResult } from '../../src/decisions/decisions.ts';
import { decisionHeads, decisions } from '../../src/decisions/records.ts';
import { type StoredLedgerRecord, verifyLedger } from '../../src/decisions/verify-ledger.ts';
import { ChannelId, JobId, TeamId, UserId } from '../../src/ids.ts';
import type { Key, Transaction } from '../../src/storage/store.ts';
import { createMemoryStore } from '../memory-store.ts';

const TEAM = TeamId.parse('T1');
const ANN = UserId.parse('U1');
const WEB = ChannelId.parse('C1');
const START = Date.parse('2026-03-01T12:00:00Z');

const texts = fc.string({ unit: 'binary', maxLength: 40 });
const jobs = fc.integer({ min: 1, max: 9 }).map((id) => JobId.parse(id));
const plays = fc.record({ title: texts, letter: texts, connects: fc.option(fc.nat(99), { nil: undefined }) });
type Play = typeof plays extends fc.Arbitrary<infer T> ? T : never;

function approve(tx: Transaction, at: number, job: JobId, { title, letter, connects }: Play): Promise<Key> {
  const act = { kind: 'approve', job, title, overrides: false } as const;
  const cost = connects === undefined ? undefined : { connects };
  const shown = [{ name: 'letter', text: letter }];
  return recordDecision(tx, { team: TEAM, at, by: ANN, channel: WEB, act }, { shown, cost });
}

async function readAll(store: ReturnType<typeof createMemoryStore>) {
  return store.read(async (tx) => {
    const all = await tx.list(decisions, { prefix: [TEAM], limit: 1_000 });
    const records: StoredLedgerRecord[] = all.map(({ key, value }) => ({ place: key[1], value }));
    return { records, head: await tx.get(decisionHeads, [TEAM]) };
  });
}

/** A ledger as stored: decisions, some with one or two outcomes. */
async function fill(all: readonly (Play & { job: JobId; outcomes: number })[]) {
  const store = createMemoryStore();
  for (const [count, play] of all.entries())
    await store.transact(async (tx) => {
      const at = START + count * 1_000;
      const audit = await approve(tx, at, play.job, play);
      for (let n = 0; n < play.outcomes; n++)
        await recordDecisionResult(tx, audit, at + n, {
          kind: n === 0 ? 'unknown' : 'approved',
          job: play.job,
        });
    });
  return readAll(store);
}

const ledgers = fc
  .array(fc.record({ play: plays, job: jobs, outcomes: fc.integer({ min: 0, max: 2 }) }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((all) => all.map(({ play, ...rest }) => ({ ...play, ...rest })));

const copy = (value: unknown): Record<string, unknown> => JSON.parse(JSON.stringify(value));

/** Every place in a value where a leaf can be changed. */
function leaves(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, each]) => leaves(each, [...path, name]));
}

function changeLeaf(value: Record<string, unknown>, path: readonly string[]): void {
  const inner = path.slice(0, -1).reduce<Record<string, unknown>>((at, name) => at[name] as never, value);
  const name = path.at(-1) ?? '';
  const leaf = inner[name];
  inner[name] = typeof leaf === 'number' ? leaf + 1 : `${String(leaf)}x`;
}

describe('the chain', () => {
  it('is complete after any appends, whatever order the records are read in', async () => {
    await fc.assert(
      fc.asyncProperty(ledgers, async (all) => {
        const { records, head } = await fill(all);
        const checked = verifyLedger(TEAM, records.toReversed(), head);
        expect(checked.breaks).toEqual([]);
        expect(checked.entries).toBe(all.length + all.reduce((sum, { outcomes }) => sum + outcomes, 0));
        expect(checked.counts.get('approve')).toBe(all.length);
        // As it comes back from a disk or a database.
        expect(verifyLedger(TEAM, copy({ records })['records'] as never, copy(head)).breaks).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  it('shows each changed value at its entry', async () => {
    await fc.assert(
      fc.asyncProperty(ledgers, fc.nat(), fc.nat(), async (all, which, where) => {
        const { records, head } = await fill(all);
        const at = which % records.length;
        const value = copy(records[at]?.value);
        const paths = leaves(value);
        changeLeaf(value, paths[where % paths.length] ?? []);
        const tampered = records.with(at, { place: at + 1, value });
        const { breaks } = verifyLedger(TEAM, tampered, head);
        const places = breaks.map((found) => ('seq' in found ? found.seq : undefined));
        expect(places).toContain(at + 1);
      }),
      { numRuns: 200 },
    );
  });

  it('shows which entry is missing', async () => {
    await fc.assert(
      fc.asyncProperty(ledgers, fc.nat(), async (all, which) => {
        const { records, head } = await fill(all);
        const at = which % records.length;
        const { breaks } = verifyLedger(TEAM, records.toSpliced(at, 1), head);
        const isLast = at === records.length - 1;
        expect(breaks).toEqual([{ kind: isLast ? 'cut' : 'missing', from: at + 1, to: at + 1 }]);
      }),
      { numRuns: 100 },
    );
  });

  it('shows two entries that were swapped, even with their numbers', async () => {
    await fc.assert(
      fc.asyncProperty(ledgers, fc.nat(), fc.nat(), fc.boolean(), async (all, one, other, renumbers) => {
        const { records, head } = await fill(all);
        const [a, b] = [one % records.length, other % records.length];
        fc.pre(a !== b);
        const moved = (from: number, to: number) => {
          const value = copy(records[from]?.value);
          return { place: to + 1, value: renumbers ? { ...value, seq: to + 1 } : value };
        };
        const { breaks } = verifyLedger(TEAM, records.with(a, moved(b, a)).with(b, moved(a, b)), head);
        const places = breaks.map((found) => ('seq' in found ? found.seq : undefined));
        expect(places).toEqual(expect.arrayContaining([a + 1, b + 1]));
      }),
      { numRuns: 100 },
    );
  });

  it('shows an entry that was replaced together with its own hash', async () => {
    const play = { title: 'a', letter: 'b', connects: 3, job: JobId.parse(1), outcomes: 1 };
    const { records, head } = await fill([play, play, play]);
    const other = (await fill([play, { ...play, title: 'forged' }, play])).records;
    const forged = other[2] ?? expect.fail('no entry');
    // Its own content and its link to the entry before are right; the entry after it doesn't follow it.
    const { breaks } = verifyLedger(TEAM, records.with(2, forged), head);
    expect(breaks).toEqual([{ kind: 'unlinked', seq: 4 }]);
  });

  it('shows a head that is gone or behind, and an entry after it', async () => {
    const play = { title: 'a', letter: 'b', connects: 3, job: JobId.parse(1), outcomes: 0 };
    const { records, head } = await fill([play, play]);
    const older = (await fill([play])).head;
    expect(verifyLedger(TEAM, records, undefined).breaks).toEqual([{ kind: 'no-head' }]);
    expect(verifyLedger(TEAM, records, older).breaks).toEqual([{ kind: 'not-last', seq: 2 }]);
    expect(verifyLedger(TEAM, [], head).breaks).toEqual([{ kind: 'cut', from: 1, to: 2 }]);
    expect(verifyLedger(TEAM, [], undefined)).toEqual({ entries: 0, counts: new Map(), breaks: [] });
  });

  it('shows a chain that was computed anew, by a hash that was noted before', async () => {
    const play = { title: 'a', letter: 'b', connects: 3, job: JobId.parse(1), outcomes: 0 };
    const before = await fill([play, play]);
    const { hash = '' } = before.head ?? {};
    const forged = await fill([{ ...play, title: 'other' }, play, play]);
    expect(verifyLedger(TEAM, forged.records, forged.head).breaks).toEqual([]);
    expect(verifyLedger(TEAM, before.records, before.head, { noted: { seq: 2, hash } }).breaks).toEqual([]);
    const { breaks } = verifyLedger(TEAM, forged.records, forged.head, { noted: { seq: 2, hash } });
    expect(breaks).toEqual([{ kind: 'not-as-noted', seq: 2 }]);
  });
});

it('an outcome names its decision, and a decision before the ledger gets none', async () => {
  const store = createMemoryStore();
  const play = { title: 'Shop', letter: 'Hi', connects: 16 };
  await store.transact(async (tx) => {
    const first = await approve(tx, START, JobId.parse(5), play);
    const second = await approve(tx, START, JobId.parse(6), play);
    await recordDecisionResult(tx, second, START + 1, { kind: 'approved', job: JobId.parse(6) });
    await recordDecisionResult(tx, first, START + 2, { kind: 'refused', code: 'bad-request' });
    await recordDecisionResult(tx, [TEAM, 1, 1], START + 3, { kind: 'approved' });
  });
  const { records } = await readAll(store);
  const told = records.map(({ value }) => value as Record<string, unknown>);
  expect(told.map(({ entry, of, result, subject }) => ({ entry, of, result, subject }))).toEqual([
    { entry: 'decision', subject: 'Shop' },
    { entry: 'decision', subject: 'Shop' },
    { entry: 'outcome', of: 2, result: 'approved' },
    { entry: 'outcome', of: 1, result: 'refused' },
  ]);
  expect(told[0]).toMatchObject({ by: ANN, cost: { connects: 16 }, shown: { text: 'letter: Hi' } });
});

it('entries that were deleted before their time are missed, as if for their age', async () => {
  const store = createMemoryStore();
  const play = { title: 'Shop', letter: 'Hi', connects: 16 };
  for (const day of [0, 1, 401]) {
    const at = START + day * DAY;
    await store.transact((tx) => approve(tx, at, JobId.parse(1), play));
  }
  const { records, head } = await readAll(store);
  const [second, third] = records.map(({ value }) => LedgerLink.parse(value));
  const deleted = head?.deleted;
  if (!second || !third || !deleted) return expect.fail('the first entry is still there');
  const audited = [
    { at: START, ledger: deleted },
    { at: START + DAY, ledger: second },
    { at: START + 401 * DAY, ledger: third },
  ];
  expect(verifyLedger(TEAM, records, head, { audited }).breaks).toEqual([]);
  const cut = verifyLedger(TEAM, records.slice(1), { ...head, deleted: second }, { audited });
  expect(cut.breaks).toEqual([{ kind: 'not-as-audited', seq: 2 }]);
});

it('old entries go with the audit log, and the rest stays verifiable', async () => {
  let now = START;
  const store = createMemoryStore({ trustedNow: () => now });
  const play = { title: 'Shop', letter: 'Hi', connects: 16 };
  for (let day = 0; day < 450; day += 10) {
    now = START + day * DAY;
    await store.transact((tx) => approve(tx, now, JobId.parse(1), play));
  }
  const { records, head } = await readAll(store);
  expect(records.length).toBeLessThanOrEqual(41);
  expect(verifyLedger(TEAM, records, head)).toMatchObject({
    breaks: [],
    deletedUpTo: 45 - records.length,
    first: { seq: 46 - records.length },
  });
  const without = { ...head, deleted: undefined };
  expect(verifyLedger(TEAM, records, without).breaks).toEqual([
    { kind: 'missing', from: 1, to: 45 - records.length },
  ]);
});
