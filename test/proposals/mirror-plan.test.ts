import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { ProfileId } from '../../src/ids.ts';
import type { Proposal } from '../../src/marketplace/schema.ts';
import type { CopiedProposalRange, ProfileSync } from '../../src/profiles/records.ts';
import {
  decideNextCopyPage,
  detectAscendingOrder,
  inferServerPageSize,
  isProposalCopyComplete,
  mergePageIntoRanges,
  type ProposalPageFacts,
  type ProposalSortKey,
} from '../../src/proposals/copy-plan.ts';
import { MirrorMemory } from '../../src/proposals/mirror-memory.ts';
import {
  buildCacheFileName,
  decideMirrorChanges,
  parseCacheFileProfile,
} from '../../src/proposals/mirror-writer.ts';
import {
  chooseNextProfileSync,
  decideNextSweepPage,
  decideSyncStep,
  escalateSyncFailure,
  getNewestPageIntervalMs,
  getSyncRetryTime,
} from '../../src/proposals/sync-plan.ts';
import { applyPageRead, estimateMirrorProgress } from '../../src/proposals/sync-record.ts';
import { plainProposal } from '../plain-proposal.ts';

const profile = ProfileId.parse(7);

/** The list as numbers, newest first: 100, 99, … */
function places(from: number, to: number): ProposalSortKey[] {
  return Array.from({ length: from - to + 1 }, (_, n) => [from - n, from - n]);
}

const size = 10;

/** A page of a list from `newest` down to 1. */
function facts(page: number, newest: number, known: readonly ProposalSortKey[] = []): ProposalPageFacts {
  const from = newest - (page - 1) * size;
  const shown = places(from, Math.max(1, from - size + 1));
  const held = new Set(known.map(([at]) => at));
  return {
    page,
    size,
    itemCount: shown.length,
    sortKeys: shown,
    knownSortKeys: shown.filter(([at]) => held.has(at)),
    total: newest,
    ascending: false,
  };
}

function next(runs: readonly CopiedProposalRange[], total: number): number | undefined {
  return decideNextCopyPage(runs, { size, total, ascending: false });
}

describe('the next page of a copy', () => {
  it('is the first while nothing is held, and then the one behind what is', () => {
    expect(next([], 40)).toBe(1);
    const one = mergePageIntoRanges([], facts(1, 40));
    expect(one).toMatchObject([{ newest: [40, 40], oldest: [31, 31], end: 10, atEnd: false }]);
    expect(next(one, 40)).toBe(2);
    const two = mergePageIntoRanges(one, facts(2, 40, places(40, 31)));
    expect(two).toMatchObject([{ newest: [40, 40], oldest: [21, 21], end: 20 }]);
    expect(next(two, 40)).toBe(3);
  });

  it('moves along with what has come since, and holds on to something known', () => {
    const runs = mergePageIntoRanges(mergePageIntoRanges([], facts(1, 100)), facts(2, 100, places(100, 91)));
    // 25 have arrived: the stored ones end at position 45, on page 5.
    expect(next(runs, 125)).toBe(5);
    const grown = mergePageIntoRanges(runs, facts(5, 125, places(100, 81)));
    expect(grown).toMatchObject([{ newest: [100, 100], oldest: [76, 76], end: 50 }]);
  });

  it('after a newest page that joins nothing, fills the gap from there and goes on past known data', () => {
    const held = places(100, 61);
    const run: CopiedProposalRange = {
      newest: [100, 100],
      oldest: [61, 61],
      end: 40,
      total: 100,
      atEnd: false,
    };
    let runs = mergePageIntoRanges([run], facts(1, 125, held));
    expect(runs).toHaveLength(2);
    expect(next(runs, 125)).toBe(2);
    runs = mergePageIntoRanges(runs, facts(2, 125, [...held, ...places(125, 116)]));
    expect(runs).toHaveLength(2);
    expect(next(runs, 125)).toBe(3);
    runs = mergePageIntoRanges(runs, facts(3, 125, [...held, ...places(125, 106)]));
    expect(runs).toMatchObject([{ newest: [125, 125], oldest: [61, 61], end: 65 }]);
    expect(next(runs, 125)).toBe(7);
  });

  it('is one back when a page shows nothing known although it should', () => {
    const run: CopiedProposalRange = {
      newest: [100, 100],
      oldest: [81, 81],
      end: 20,
      total: 100,
      atEnd: false,
    };
    // The total rose by ten that are far below: page 3 begins right after the run, but that isn't certain.
    const page = { ...facts(4, 100, places(100, 81)), total: 110 };
    const runs = mergePageIntoRanges([run], page);
    expect(runs).toHaveLength(2);
    expect(next(runs, 110)).toBe(3);
  });

  it('is the newest when a page shows that all before it is new', () => {
    const run: CopiedProposalRange = {
      newest: [100, 100],
      oldest: [81, 81],
      end: 20,
      total: 100,
      atEnd: false,
    };
    const runs = mergePageIntoRanges([run], facts(3, 150, places(100, 81)));
    expect(next(runs, 150)).toBe(1);
    expect(isProposalCopyComplete(runs)).toBe(false);
  });

  it('goes on when exactly as many have come as the earlier pages hold', () => {
    const one = mergePageIntoRanges([], facts(1, 31));
    // Ten have come: page 2 begins with what page 1 began with.
    const shifted = mergePageIntoRanges(one, facts(2, 41, places(31, 22)));
    expect(isProposalCopyComplete(shifted)).toBe(false);
    const top = mergePageIntoRanges(shifted, facts(1, 41));
    expect(next(mergePageIntoRanges(top, facts(2, 41, places(41, 22))), 41)).toBe(3);
    // The same page without any growth: the server ignores the page number, so this is its whole list.
    const again = mergePageIntoRanges(one, { ...facts(1, 31, places(31, 22)), page: 2 });
    expect(isProposalCopyComplete(again)).toBe(true);
  });

  it('is none once the end was seen', () => {
    let runs: CopiedProposalRange[] = [];
    let held: ProposalSortKey[] = [];
    for (const page of [1, 2, 3]) {
      const read = facts(page, 25, held);
      runs = mergePageIntoRanges(runs, read);
      held = [...held, ...read.sortKeys];
    }
    expect(isProposalCopyComplete(runs)).toBe(true);
    expect(next(runs, 25)).toBeUndefined();
  });

  it('does not believe that a list has vanished', () => {
    const run: CopiedProposalRange = {
      newest: [100, 100],
      oldest: [81, 81],
      end: 20,
      total: 100,
      atEnd: true,
    };
    const nothing = { ...facts(1, 100), sortKeys: [], itemCount: 0, total: 0 };
    expect(mergePageIntoRanges([run], nothing)).toEqual([run]);
  });
});

describe('what a page tells', () => {
  it('of the direction of the list', () => {
    expect(detectAscendingOrder(places(9, 1))).toBe(false);
    expect(detectAscendingOrder(places(9, 1).reverse())).toBe(true);
    expect(
      detectAscendingOrder([
        [5, 1],
        [5, 2],
      ]),
    ).toBeUndefined();
    expect(
      detectAscendingOrder([
        [0, 1],
        [7, 2],
      ]),
    ).toBeUndefined();
  });

  it('of the size of pages', () => {
    expect(inferServerPageSize(100, { slots: 50, limit: 50, page: 1 }, undefined)).toBe(50);
    expect(inferServerPageSize(100, { slots: 10, total: 11, page: 1 }, 100)).toBe(10);
    expect(inferServerPageSize(100, { slots: 7, total: 7, page: 1 }, undefined)).toBe(100);
    expect(inferServerPageSize(100, { slots: 7, page: 1 }, undefined)).toBe(7);
    expect(inferServerPageSize(100, { slots: 3, page: 4 }, 20)).toBe(20);
  });
});

describe('a sweep', () => {
  const how = { isAll: false, found: 0, missing: 0 };
  const day = (n: number): ProposalSortKey => [100 * DAY - n * DAY, 1_000 - n];
  const page = (of: readonly ProposalSortKey[], number = 2): ProposalPageFacts => ({
    page: number,
    size: of.length,
    itemCount: of.length,
    sortKeys: of,
    knownSortKeys: of,
    total: 1_000,
    ascending: false,
  });

  it('ends with the page that reaches 60 days back, unless something is missing', () => {
    expect(decideNextSweepPage([], page([day(58), day(59)]), how, 100 * DAY)).toBe(3);
    expect(decideNextSweepPage([], page([day(59), day(61)]), how, 100 * DAY)).toBeUndefined();
    expect(decideNextSweepPage([], page([day(59), day(61)]), { ...how, isAll: true }, 100 * DAY)).toBe(3);
  });

  it('goes up where the oldest come first', () => {
    const up = { ...page([day(2), day(1)]), ascending: true };
    expect(decideNextSweepPage([], up, how, 100 * DAY)).toBe(1);
    expect(decideNextSweepPage([], { ...up, page: 1 }, how, 100 * DAY)).toBeUndefined();
  });
});

describe('what is read next', () => {
  const now = 10 * DAY;
  const run: CopiedProposalRange = { newest: [9, 9], oldest: [1, 1], end: 9, total: 9, atEnd: true };
  const whole: ProfileSync = {
    of: 'proposals',
    profile,
    readAt: now - MINUTE,
    sweptAt: now - HOUR,
    copy: { startedAt: 0, requests: 1, total: 9, held: 9, copiedAt: 1, runs: [run] },
  };
  const step = (change: Partial<ProfileSync>) => decideSyncStep({ ...whole, ...change }, 2 * MINUTE, now);

  it('is nothing until the newest page or the sweep is due', () => {
    expect(step({})).toEqual({ kind: 'rest', until: now + MINUTE });
    expect(step({ readAt: now - 2 * MINUTE })).toEqual({ kind: 'read', page: 1, why: 'newest' });
    expect(step({ sweptAt: now - DAY })).toEqual({ kind: 'read', page: 1, why: 'sweep' });
    expect(step({ sweepPage: 4 })).toEqual({ kind: 'read', page: 4, why: 'sweep' });
  });

  it('is the newest page after the clock was set back', () => {
    expect(step({ readAt: now + HOUR })).toEqual({ kind: 'read', page: 1, why: 'newest' });
  });

  it('is rarer where many profiles share few requests', () => {
    expect(getNewestPageIntervalMs(3, 30)).toBe(2 * MINUTE);
    expect(getNewestPageIntervalMs(40, 5)).toBe(20 * MINUTE);
  });
});

describe('whose turn it is', () => {
  const now = 10 * DAY;
  const [one, two] = [7, 8].map((id) => ProfileId.parse(id)) as [ProfileId, ProfileId];
  const never = (of: ProfileId, trouble?: ProfileSync['trouble']): ProfileSync => ({
    of: 'proposals',
    profile: of,
    ...(trouble ? { trouble } : {}),
  });
  const failing = (code: string) => ({ code, since: now, failures: 1, retryAt: now + MINUTE });
  const choose = (syncs: readonly ProfileSync[], turns: [ProfileId, number][] = []) =>
    chooseNextProfileSync(syncs, new Map(turns), 30, now);

  it('is that of the one whose last turn is the longest ago', () => {
    const both = [never(one), never(two)];
    expect(choose(both, [[one, 5]])).toMatchObject({ sync: { profile: two } });
    const turns: [ProfileId, number][] = [
      [one, 5],
      [two, 6],
    ];
    expect(choose(both, turns)).toMatchObject({ sync: { profile: one } });
  });

  it('is nobody’s while the account is in trouble, and others’ while one profile is', () => {
    const rest = { kind: 'rest', until: now + MINUTE };
    expect(choose([never(one, failing('unauthorised')), never(two)])).toEqual(rest);
    expect(choose([never(one, failing('server')), never(two)])).toMatchObject({ sync: { profile: two } });
    expect(choose([never(one, failing('server'))])).toEqual(rest);
    expect(choose([])).toEqual({ kind: 'rest' });
  });

  it('decides how long a first copy still takes, at the pace that others leave', () => {
    const copy = { startedAt: 0, requests: 1, size: 100, total: 2_500 };
    const profiles = [{ sync: { ...never(one), copy }, held: 100 }];
    const gate = { limitPerMinute: 30, used: 4, waiting: 0 };
    // 24 pages are left, and 24 background slots a minute; four requests count, two of them the mirror's own.
    const leftMs = Math.ceil((24 / (24 - 2)) * MINUTE);
    expect(estimateMirrorProgress(profiles, gate, 2, now)).toMatchObject([
      { profile: one, state: 'copying', held: 100, total: 2_500, leftMs },
    ]);
  });
});

describe('what a page changes', () => {
  const shelves = new Map([[profile, '7-1970-01']]);
  const known = plainProposal(1, {
    submittedAt: 5,
    jobTitle: 'A shop',
    answers: [{ question: 'When?', answer: 'Now' }],
  });
  const read = (now: Proposal, { askedAt = 200, copiedAt }: { askedAt?: number; copiedAt?: number } = {}) => {
    const memory = new MirrorMemory();
    memory.put({ proposal: known, at: 100, shelves });
    return decideMirrorChanges(memory, { proposals: [now], profile, askedAt, now: 300 }, () => copiedAt)[0];
  };

  it('is news once the first copy is complete, but for what was sent before', () => {
    const hired = { ...known, hired: true };
    expect(read(hired)?.isNews).toBe(false);
    expect(read(hired, { copiedAt: 10 })?.isNews).toBe(true);
    expect(read(plainProposal(2, { submittedAt: 10 }), { copiedAt: 10 })?.isNews).toBe(false);
    expect(read(plainProposal(2, { submittedAt: 11 }), { copiedAt: 10 })?.isNews).toBe(true);
  });

  it('is nothing where it was asked for before what is known was read', () => {
    expect(read({ ...known, hired: true }, { askedAt: 99 })).toBeUndefined();
  });

  it('keeps facts that a later page lacks', () => {
    const { jobTitle: _, ...bare } = { ...known, hired: true, answers: [] };
    expect(read(bare)?.held.proposal).toEqual({ ...known, hired: true });
  });
});

describe('trouble', () => {
  const failed = (code: string, times: number) => {
    let trouble: ProfileSync['trouble'];
    for (let n = 0; n < times; n++) trouble = escalateSyncFailure(trouble, { code }, 1_000, () => 0);
    return (trouble?.retryAt ?? 0) - 1_000;
  };

  it('backs off to ten minutes if transient, else an hour; six hours for a disconnected profile', () => {
    expect([1, 2, 3, 20].map((times) => failed('server', times))).toEqual([
      30 * SECOND,
      MINUTE,
      2 * MINUTE,
      10 * MINUTE,
    ]);
    expect(failed('bad-request', 20)).toBe(HOUR);
    expect([failed('not-found', 1), failed('forbidden', 1)]).toEqual([6 * HOUR, 6 * HOUR]);
  });

  it('honours what the server asks for, up to an hour', () => {
    const asked = (retryAfterMs: number) =>
      escalateSyncFailure(undefined, { code: 'rate-limited', retryAfterMs }, 0, () => 0).retryAt;
    expect(asked(10 * MINUTE)).toBe(10 * MINUTE);
    expect(asked(DAY)).toBe(HOUR);
  });

  it('of a clock that went wrong is tried at once', () => {
    const trouble = { code: 'server', since: 5 * DAY, failures: 1, retryAt: 6 * DAY };
    expect(getSyncRetryTime(trouble, 4 * DAY)).toBe(4 * DAY);
  });
});

describe('a page of a copy', () => {
  const sync: ProfileSync = { of: 'proposals', profile };
  const take = (before: ProfileSync, page: ProposalPageFacts, held = 5) =>
    applyPageRead(before, { why: 'copy', facts: page, found: held, held, unreadable: 0, at: HOUR });

  it('completes it once as many are held as the server counts', () => {
    const copiedAt = (held: number) => take(sync, facts(1, 5), held).copy?.copiedAt;
    expect([copiedAt(4), copiedAt(5)]).toEqual([undefined, HOUR]);
  });

  it('that is not the newest keeps when that was read, and one without a total the known total', () => {
    const before = { ...sync, readAt: 7, copy: { startedAt: 0, requests: 1, total: 30 } };
    const after = take(before, { ...facts(2, 30), total: undefined });
    expect([after.readAt, after.copy?.total]).toEqual([7, 30]);
  });

  it('of the other direction makes what was known of positions void', () => {
    const up = { ...facts(2, 30), ascending: true };
    expect(take(take(sync, facts(1, 30)), up).copy?.runs).toEqual(take(sync, up).copy?.runs);
  });
});

it('a shelf is named after the profile and the month', () => {
  expect(buildCacheFileName(profile, Date.UTC(2026, 10, 30, 23))).toBe('7-2026-11');
  expect(buildCacheFileName(profile, undefined)).toBe('7-undated');
  expect(buildCacheFileName(profile, 1e300)).toBe('7-undated');
  expect(parseCacheFileProfile('7-2026-11')).toBe(profile);
  expect(parseCacheFileProfile('notes')).toBeUndefined();
});
