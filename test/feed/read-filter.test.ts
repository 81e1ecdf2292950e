/**
 * A filter is read page by page: however the server reads its parameters, exactly the new projects are
 * found.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, type Instant, MINUTE, SECOND } from '../../src/clock.ts';
import {
  buildTimestampUnitProbe,
  detectTimestampUnitFromProbe,
  isPageEmpty,
} from '../../src/feed/guess-timestamp-unit.ts';
import type { FetchedPage } from '../../src/feed/page-continuation.ts';
import {
  applyPageToReadState,
  buildNewestProjectsRequest,
  detectTimestampUnitFromPage,
  type FilterReadRequest,
  findNextLateCheckTime,
  getLateCheckStart,
  getStaleCutoff,
  isLatestTsIgnored,
  resetForNewBillingPeriod,
  trimGapsBeforeStart,
} from '../../src/feed/read-filter.ts';
import type { FilterState } from '../../src/feed/records.ts';

const START = 1_800_000_000_200;

interface Ways {
  readonly ignoresLatest: boolean;
  readonly inclusiveLatest: boolean;
  readonly oldestFirst: boolean;
  readonly milliseconds: boolean;
  /** A cursor leaves out the rest of its own second. */
  readonly lossyCursor: boolean;
  readonly shufflesPages: boolean;
  /** An empty page names no times. */
  readonly hidesMarks: boolean;
}

const PLAIN: Ways = {
  ignoresLatest: false,
  inclusiveLatest: false,
  oldestFirst: false,
  milliseconds: false,
  lossyCursor: false,
  shufflesPages: false,
  hidesMarks: false,
};

/** A page of these dates, as the server answers. */
function answer(dates: readonly Instant[], request: FilterReadRequest, limit: number, ways: Ways) {
  const ts = (date: Instant) => (ways.milliseconds ? date : Math.floor(date / SECOND));
  const latest = 'latestPublishedTs' in request ? request.latestPublishedTs : undefined;
  const floor = request.kind === 'gap' ? request.gap.floor : latest;
  const cursor = 'nextCursor' in request ? request.nextCursor : undefined;
  const direction = ways.oldestFirst ? 1 : -1;
  const isWanted = (date: Instant) => {
    if (floor === undefined || ways.ignoresLatest) return true;
    return ways.inclusiveLatest ? ts(date) >= floor : ts(date) > floor;
  };
  const isBehind = (date: Instant) => {
    if (cursor === undefined) return true;
    const ahead = direction * (ts(date) - cursor);
    return ways.lossyCursor ? ahead > 0 : ahead >= 0;
  };
  const rest = dates.filter(isWanted).toSorted((a, b) => direction * (ts(a) - ts(b)));
  const behind = rest.filter(isBehind);
  const page = behind.slice(0, limit);
  const following = behind[limit];
  const after = following !== undefined && !ways.lossyCursor ? following : page.at(-1);
  const marks = {
    nextCursor: after === undefined ? (cursor ?? 0) : ts(after),
    latestPublishedTs: Math.max(0, ...dates.map(ts)),
  };
  return {
    dates: ways.shufflesPages ? page.toSorted((a, b) => (a % 7) - (b % 7)) : page,
    page: {
      unreadable: 0,
      isLast: following === undefined,
      ...(ways.hidesMarks && page.length === 0 ? {} : marks),
    },
  };
}

/** Follows a filter from START on. */
class Reader {
  readonly published: Instant[] = [];
  readonly found = new Set<Instant>();
  readonly #ways: Ways;
  #state: Pick<FilterState, 'marks' | 'gaps'> = { marks: [], gaps: [] };
  #unit: 1 | 1_000 = 1;
  #isUnitKnown = false;
  #ignoresLatest = false;
  #guesses = 0;

  constructor(ways: Ways) {
    this.#ways = ways;
  }

  /** Reads the newest projects, and all that had no room on a page. */
  readAll(now: Instant): void {
    const isUnitKnown = this.#isUnitKnown || this.#state.marks.length > 0;
    const newest = buildNewestProjectsRequest(this.#state, START, this.#unit, now);
    this.#read(isUnitKnown ? newest : buildTimestampUnitProbe(this.#guesses, START, now), now);
    for (let pages = 0; this.#state.gaps.length > 0; pages++) {
      if (pages > 60) throw new Error('reads on and on');
      const gap = this.#state.gaps.at(-1);
      if (gap) this.#read({ kind: 'gap', nextCursor: gap.cursor, gap }, now);
    }
  }

  #read(request: FilterReadRequest, now: Instant): void {
    const isGap = request.kind === 'gap';
    const limit = isGap && (request.gap.wide || !this.#ignoresLatest) ? 100 : 10;
    const { dates, page } = answer(this.published, request, limit, this.#ways);
    const items = dates.map((date) => ({ publishedAt: date, known: this.found.has(date) }));
    const read: FetchedPage = { ...page, items };
    const guess = request.kind === 'top' && request.guess ? request : undefined;
    const unit = guess ? detectTimestampUnitFromProbe(guess, read) : detectTimestampUnitFromPage(read);
    if (unit !== undefined) [this.#unit, this.#isUnitKnown] = [unit, true];
    this.#ignoresLatest ||= isLatestTsIgnored(request, read);
    for (const date of dates) this.found.add(date);
    if (guess && isPageEmpty(read)) this.#guesses++;
    else this.#state = applyPageToReadState(this.#state, request, read, this.#unit, now);
  }
}

/** A filter with a past, then a few projects, a burst larger than a page, and one more. */
function follow(ways: Ways) {
  const reader = new Reader(ways);
  for (let each = 1; each <= 25; each++) reader.published.push(START - each * MINUTE - each);
  let now = START;
  const publishEvery = (ms: number, count: number) => {
    for (let each = 0; each < count; each++) {
      now += ms;
      reader.published.push(now);
    }
  };
  const read = (ms: number) => {
    now += ms;
    reader.readAll(now);
  };
  for (let each = 0; each < 24; each++) read(10 * SECOND);
  for (let each = 0; each < 6; each++) {
    publishEvery(7 * SECOND + 1, 1);
    read(5 * SECOND);
  }
  publishEvery(301, 39);
  read(15 * SECOND);
  read(10 * SECOND);
  publishEvery(SECOND + 1, 1);
  for (let each = 0; each < 30; each++) read(12 * SECOND);
  const isNew = (date: Instant) => date >= START;
  return {
    missed: reader.published.filter((date) => isNew(date) && !reader.found.has(date)),
    past: [...reader.found].filter((date) => !isNew(date)).length,
  };
}

describe('whatever the server makes of its parameters, every new project is found', () => {
  it.each<readonly [string, Partial<Ways>]>([
    ['as we read the description', {}],
    ['latest_published_ts ignored', { ignoresLatest: true }],
    ['latest_published_ts included', { inclusiveLatest: true }],
    ['oldest first', { oldestFirst: true }],
    ['milliseconds', { milliseconds: true }],
    ['cursors that leave out ties', { lossyCursor: true }],
    ['no order within a page', { shufflesPages: true, ignoresLatest: true }],
    ['no times on an empty page', { hidesMarks: true }],
  ])('%s', (_, ways) => {
    const { missed, past } = follow({ ...PLAIN, ...ways });
    expect(missed).toEqual([]);
    expect(past).toBeLessThanOrEqual(ways.ignoresLatest ? 10 : 0);
  });

  it('any mixture of them', () => {
    const flag = fc.boolean();
    const ways = fc.record({
      ignoresLatest: flag,
      inclusiveLatest: flag,
      oldestFirst: flag,
      milliseconds: flag,
      lossyCursor: flag,
      shufflesPages: flag,
      hidesMarks: flag,
    });
    fc.assert(
      fc.property(ways, (mixture) => {
        expect(follow(mixture).missed).toEqual([]);
      }),
      { numRuns: 128 },
    );
  });
});

describe('what is not wanted any more', () => {
  const second = Math.floor(START / SECOND);

  it('is cut from what waits, unless it is read oldest first', () => {
    const gap = { cursor: second + 90, foundAt: START };
    const trim = (more: object) => trimGapsBeforeStart([{ ...gap, ...more }], START);
    expect(trim({})).toEqual([gap]);
    expect(trim({ floor: second - 50 })).toEqual([{ ...gap, floor: second - 1 }]);
    expect(trim({ floor: second + 50 })).toEqual([{ ...gap, floor: second + 50 }]);
    expect(trim({ cursor: second - 1 })).toEqual([]);
    expect(trim({ cursor: second - 50, rising: true })).toHaveLength(1);
  });

  it('is not paid for again in a new billing period', () => {
    const marks = [
      { ts: 1, at: 1 },
      { ts: 2, at: 2 },
    ];
    const gap = { cursor: 9, foundAt: 1 };
    const gaps = [gap, { ...gap, floor: 3, until: 7 }, { ...gap, left: 2 }];
    expect(resetForNewBillingPeriod({ marks, gaps })).toEqual({
      marks: [{ ts: 2, at: 2 }],
      gaps: [gap, { ...gap, floor: 7, until: 7 }],
    });
  });

  it('is past where it comes a month late, or after its records were deleted', () => {
    const top = { kind: 'late', latestPublishedTs: second } as const;
    expect(getStaleCutoff(top, START)).toBe(second * SECOND - 30 * DAY);
    expect(getStaleCutoff({ kind: 'verdicts' }, START)).toBe(START - 90 * DAY);
  });
});

describe('a check for projects that were listed late', () => {
  const read = { marks: [{ ts: 1, at: 1 }], gaps: [], freeSince: START, lastPeriodEnd: START + 20 * DAY };

  it('comes an hour after the last, where repeats are free and nothing else waits', () => {
    const next = (more: Partial<FilterState>) => findNextLateCheckTime({ ...read, ...more }, START + DAY);
    expect(next({})).toBe(START + HOUR);
    expect(next({ lastLateAt: START + 5 * HOUR })).toBe(START + 6 * HOUR);
    expect(next({ lastLateAt: START + 2 * DAY })).toBe(START + HOUR);
    for (const none of [{ marks: [] }, { gaps: [{ cursor: 1, foundAt: 1 }] }, { ignoresLatest: true }])
      expect(next(none)).toBeUndefined();
    for (const field of ['freeSince', 'lastPeriodEnd'] as const) {
      const { [field]: _, ...without } = read;
      expect(findNextLateCheckTime(without, START)).toBeUndefined();
    }
  });

  it('goes back a day, but not before the beginning or what an earlier period paid for', () => {
    const from = (freeSince: Instant, startsAt: Instant) =>
      getLateCheckStart({ freeSince }, startsAt, 1_000, START + 3 * DAY);
    expect(from(START, START)).toBe(START + 2 * DAY - SECOND - ((START + 2 * DAY) % SECOND) + SECOND - 1);
    expect(from(START + 2.5 * DAY, START)).toBeGreaterThan(START + 2.4 * DAY);
    expect(from(START, START + 2.5 * DAY)).toBeGreaterThan(START + 2.4 * DAY);
  });

  it('reads five pages at most, and ends where most projects are new', () => {
    const request = { kind: 'late', latestPublishedTs: START - DAY } as const;
    const page = (known: boolean): FetchedPage => ({
      items: Array.from({ length: 100 }, (_, each) => ({ publishedAt: START - each, known })),
      unreadable: 0,
      isLast: false,
      nextCursor: START - 100,
    });
    const fold = (of: FilterReadRequest, known: boolean) =>
      applyPageToReadState({ marks: read.marks, gaps: [] }, of, page(known), 1_000, START);
    expect(fold(request, false)).toMatchObject({ done: true, gaps: [] });
    const [gap] = fold(request, true).gaps;
    expect(gap).toMatchObject({ left: 4, floor: START - DAY });
    if (!gap) return expect.fail('no further page');
    const last = { ...gap, left: 1 };
    const state = { marks: read.marks, gaps: [last] };
    const of = { kind: 'gap', nextCursor: last.cursor, gap: last } as const;
    expect(applyPageToReadState(state, of, page(true), 1_000, START)).toMatchObject({ done: true, gaps: [] });
  });
});
