/** The chain of decisions: any single change, deletion or move of an entry is found, wherever it is. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LedgerLink } from '../../src/audit/audit.ts';
import { DAY } from '../../src/clock.ts';
import { chainEntry, hashEntry, type NewEntry, toCost, toShownText } from '../../src/decisions/chain.ts';
import type { LedgerEntry } from '../../src/decisions/records.ts';
import {
  type LedgerBreak,
  readDeletedUpTo,
  type StoredLedgerRecord,
  verifyLedger,
} from '../../src/decisions/verify-ledger.ts';
import { ChannelId, JobId, UserId } from '../../src/ids.ts';

const ANN = UserId.parse('U1');
const WEB = ChannelId.parse('C1');
const START = Date.parse('2026-03-01T12:00:00Z');

const texts = fc.string({ unit: 'binary', maxLength: 40 });
const approvals = fc.record({
  title: texts,
  letter: texts,
  connects: fc.option(fc.nat(99), { nil: undefined }),
  job: fc.integer({ min: 1, max: 9 }).map((id) => JobId.parse(id)),
  outcomes: fc.integer({ min: 0, max: 2 }),
});
type Approval = typeof approvals extends fc.Arbitrary<infer T> ? T : never;
const ledgers = fc.array(approvals, { minLength: 1, maxLength: 12 });

type Records = readonly StoredLedgerRecord[];

/** A ledger as stored: approvals, some with one or two outcomes. @param step between two approvals, ms */
function fill(all: readonly Approval[], step = 1_000) {
  const entries: LedgerEntry[] = [];
  const append = (entry: NewEntry) => entries.push(chainEntry(entry, entries.at(-1)));
  for (const [count, { title, letter, connects, job, outcomes }] of all.entries()) {
    const at = START + count * step;
    const details = { shown: toShownText([{ name: 'letter', text: letter }]), cost: toCost({ connects }) };
    const decision = { entry: 'decision', by: ANN, channel: WEB, kind: 'approve' } as const;
    const of = append({ ...decision, at, subject: title, audit: [at, 1], ...details });
    for (let n = 0; n < outcomes; n++) append({ entry: 'outcome', at: at + n, of, result: 'approved', job });
  }
  const links = entries.map(({ seq, hash }) => ({ seq, hash }));
  const records = entries.map((value): StoredLedgerRecord => ({ place: value.seq, value }));
  const audited = entries.map(({ at, seq, hash }) => ({ at, ledger: { seq, hash } }));
  return { records, links, audited, head: { ...links.at(-1) } };
}

const copy = (value: unknown): Record<string, unknown> => JSON.parse(JSON.stringify(value));

/** The content with one value changed, for each value in it. */
function changeEach(content: unknown): readonly unknown[] {
  if (typeof content === 'number') return [content + 1];
  if (typeof content !== 'object' || content === null) return [`${String(content)}x`];
  return Object.entries(content).flatMap(([name, value]) =>
    changeEach(value).map((other) => Object.assign(structuredClone(content), { [name]: other })),
  );
}

const placesOf = (breaks: readonly LedgerBreak[]) =>
  breaks.map((found) => ('seq' in found ? found.seq : undefined));

describe('any ledger', () => {
  it('is complete after any appends, whatever order the records are read in', () => {
    fc.assert(
      fc.property(ledgers, (all) => {
        const { records, head } = fill(all);
        const checked = verifyLedger(records.toReversed(), head);
        expect(checked.breaks).toEqual([]);
        expect(checked.entries).toBe(all.length + all.reduce((sum, { outcomes }) => sum + outcomes, 0));
        expect(checked.counts.get('approve')).toBe(all.length);
        // As it comes back from a disk or a database.
        expect(verifyLedger(copy({ records })['records'] as never, copy(head)).breaks).toEqual([]);
      }),
    );
  });

  it('shows each changed value at its entry', () => {
    fc.assert(
      fc.property(ledgers, fc.nat(), fc.nat(), (all, which, where) => {
        const { records, head } = fill(all);
        const at = which % records.length;
        const changed = changeEach(records[at]?.value);
        const tampered = records.with(at, { place: at + 1, value: changed[where % changed.length] });
        expect(placesOf(verifyLedger(tampered, head).breaks)).toContain(at + 1);
      }),
      { numRuns: 200 },
    );
  });

  it('shows which entry is missing', () => {
    fc.assert(
      fc.property(ledgers, fc.nat(), (all, which) => {
        const { records, head } = fill(all);
        const at = which % records.length;
        const { breaks } = verifyLedger(records.toSpliced(at, 1), head);
        const isLast = at === records.length - 1;
        expect(breaks).toEqual([{ kind: isLast ? 'cut' : 'missing', from: at + 1, to: at + 1 }]);
      }),
    );
  });

  it('shows two entries that were swapped, even with their numbers', () => {
    fc.assert(
      fc.property(ledgers, fc.nat(), fc.nat(), fc.boolean(), (all, one, other, renumbers) => {
        const { records, head } = fill(all);
        const [a, b] = [one % records.length, other % records.length];
        fc.pre(a !== b);
        const moved = (from: number, to: number) => {
          const value = copy(records[from]?.value);
          return { place: to + 1, value: renumbers ? { ...value, seq: to + 1 } : value };
        };
        const { breaks } = verifyLedger(records.with(a, moved(b, a)).with(b, moved(a, b)), head);
        expect(placesOf(breaks)).toEqual(expect.arrayContaining([a + 1, b + 1]));
      }),
    );
  });
});

const APPROVAL: Approval = { title: 'Shop', letter: 'Hi', connects: 16, job: JobId.parse(1), outcomes: 0 };
const FOUR = [APPROVAL, APPROVAL, APPROVAL, APPROVAL];

function replaceEntry(all: Records, place: number, value: unknown): Records {
  return all.with(place - 1, { place, value });
}

/** Changes an entry together with its own hash. */
function forge(all: Records, place: number, change: object): Records {
  const forged = { ...copy(all[place - 1]?.value), ...change };
  return replaceEntry(all, place, { ...forged, hash: hashEntry(forged) });
}

/** Such as `missing 2 3, not-last 4`. */
const textOf = (breaks: readonly LedgerBreak[]) =>
  breaks.map((found) => Object.values(found).join(' ')).join(', ');

describe('a ledger of four entries shows exactly what is wrong, if', () => {
  it.each<[string, (all: Records) => Records, string]>([
    ['one has other content and its hash', (all) => forge(all, 3, { subject: 'forged' }), 'unlinked 4'],
    ['the last has other content and its hash', (all) => forge(all, 4, { at: 1 }), 'not-last 4'],
    ['two are gone', (all) => all.toSpliced(1, 2), 'missing 2 3'],
    ['all are gone', () => [], 'cut 1 4'],
    ['one is no entry', (all) => replaceEntry(all, 2, null), 'misplaced 2'],
    ['one is the copy of another', (all) => replaceEntry(all, 2, all[2]?.value), 'misplaced 2'],
    ['one is there twice', (all) => [...all, ...all.slice(1, 2)], 'misplaced 2'],
    ['one more has no number', (all) => [...all, { place: 'x', value: null }], 'misplaced 0'],
  ])('%s', (_, tamper, breaks) => {
    const { records, head } = fill(FOUR);
    expect(textOf(verifyLedger(tamper(records), head).breaks)).toBe(breaks);
  });

  it.each<[string, (links: readonly LedgerLink[]) => unknown, string]>([
    ['the record of its end is gone', () => undefined, 'no-head'],
    ['the record of its end is older', (links) => links[2], 'not-last 4'],
    ['the record of its end has a wrong number', (links) => ({ ...links[3], seq: 3 }), 'not-last 4'],
    [
      'two are said to be deleted, but are there',
      (links) => ({ ...links[3], deleted: links[1] }),
      'misplaced 1, misplaced 2',
    ],
  ])('%s', (_, headOf, breaks) => {
    const { records, links } = fill(FOUR);
    expect(textOf(verifyLedger(records, headOf(links)).breaks)).toBe(breaks);
  });
});

it('a ledger without entries is broken, unless there never were any', () => {
  const [link] = fill([APPROVAL]).links;
  const check = (records: Records, head: unknown) => textOf(verifyLedger(records, head).breaks);
  expect(check([], { ...link, deleted: link })).toBe('cut 1 1');
  expect(check([{ place: 1, value: null }], undefined)).toBe('misplaced 1, no-head');
  expect(verifyLedger([], undefined)).toEqual({ entries: 0, counts: new Map(), breaks: [] });
});

it('tells how many entries of each kind there are, and the first and the last', () => {
  const { records, links, head } = fill([APPROVAL, APPROVAL, { ...APPROVAL, outcomes: 2 }]);
  const [deleted, first, , , last] = links;
  const stored = { ...head, deleted };
  expect([stored, head, undefined].map(readDeletedUpTo)).toEqual([1, 0, 0]);
  expect(verifyLedger(records.slice(1), stored)).toEqual({
    entries: 4,
    counts: new Map(Object.entries({ approve: 2, outcome: 2 })),
    first: { ...first, at: START + 1_000, what: 'approve' },
    last: { ...last, at: START + 2_001, what: 'outcome' },
    deletedUpTo: 1,
    breaks: [],
  });
});

it('checks an entry of another version by its hash alone', () => {
  const { records } = fill([APPROVAL]);
  const forged = forge(records, 1, { entry: 9, at: 'today', kind: undefined, level: 9 });
  const { hash } = LedgerLink.parse(forged[0]?.value);
  const first = { seq: 1, at: 0, what: '', hash };
  expect(verifyLedger(forged, { seq: 1, hash })).toMatchObject({ first, breaks: [] });
});

it.each([
  { days: 201, deleted: 1, wrong: '' },
  { days: 201, deleted: 2, wrong: 'not-as-audited 2' },
  { days: 200, deleted: 1, wrong: 'not-as-audited 1' },
])('of entries every $days days, $deleted deleted for their age: "$wrong"', ({ days, deleted, wrong }) => {
  const { records, links, audited, head } = fill([APPROVAL, APPROVAL, APPROVAL], days * DAY);
  const stored = { ...head, deleted: links[deleted - 1] };
  const { breaks } = verifyLedger(records.slice(deleted), stored, { audited });
  expect(textOf(breaks)).toBe(wrong);
});

it('the audit log shows what was replaced or cut off, however old, and names a broken entry once', () => {
  const { records, links, audited, head } = fill([APPROVAL, APPROVAL], 401 * DAY);
  const forged = fill([{ ...APPROVAL, title: 'forged' }, APPROVAL], 401 * DAY);
  const check = (all: Records, end: unknown) => textOf(verifyLedger(all, end, { audited }).breaks);
  expect(check(forged.records, forged.head)).toBe('not-as-audited 1, not-as-audited 2');
  expect(check(records.slice(0, 1), links[0])).toBe('not-as-audited 2');
  expect(check(replaceEntry(records, 1, null), head)).toBe('misplaced 1');
});

it('a noted number and hash show a ledger that was replaced with all its hashes', () => {
  const { records, links, head } = fill(FOUR);
  const forged = fill([{ ...APPROVAL, title: 'forged' }, APPROVAL, APPROVAL, APPROVAL]);
  const check = (all: Records, end: unknown, place: number) =>
    textOf(verifyLedger(all, end, { noted: links[place - 1] }).breaks);
  expect(check(records, head, 2)).toBe('');
  expect(check(forged.records, forged.head, 2)).toBe('not-as-noted 2');
  const rest = { ...head, deleted: links[1] };
  const kept = [1, 2, 3].map((place) => check(records.slice(2), rest, place));
  expect(kept).toEqual(['not-as-noted 1', '', '']);
});
