import { describe, expect, it } from 'vitest';
import {
  decidePageContinuation,
  type FetchedPage,
  type FetchedPageQuery,
} from '../../src/feed/page-continuation.ts';
import { decidePollPageSize } from '../../src/feed/poll-plan.ts';
import type { Watermark } from '../../src/feed/records.ts';
import {
  addWatermark,
  chooseWatermark,
  convertTimestampUnit,
  instantToTimestamp,
  timestampToInstant,
} from '../../src/feed/timestamps.ts';

const second = (ts: number) => 1_700_000_000 + ts;
const items = (...dates: readonly number[]) =>
  dates.map((ts) => ({ publishedAt: second(ts) * 1_000, known: false }));
const known = (page: ReturnType<typeof items>) => page.map((item) => ({ ...item, known: true }));
const page = (more: Partial<FetchedPage>): FetchedPage => ({
  items: [],
  unreadable: 0,
  isLast: false,
  ...more,
});
const finished = { kind: 'finished' };

describe('whether another page is needed', () => {
  it.each<readonly [string, FetchedPageQuery, FetchedPage, object]>([
    [
      'not when the server says so',
      {},
      page({ items: items(9, 8), isLast: true, nextCursor: second(7) }),
      finished,
    ],
    ['not without a cursor', {}, page({ items: items(9, 8) }), finished],
    ['not after an empty page', {}, page({ nextCursor: second(7) }), finished],
    [
      'where the next begins',
      {},
      page({ items: items(9, 8), nextCursor: second(7) }),
      { kind: 'goes-on', cursor: second(7), rising: false },
    ],
    [
      'one back where others of that second may be left out',
      {},
      page({ items: items(9, 8), nextCursor: second(8) }),
      { cursor: second(8) + 1 },
    ],
    [
      'oldest first, the other way',
      {},
      page({ items: items(8, 9), nextCursor: second(10) }),
      { rising: true, cursor: second(10) },
    ],
    [
      'not when known projects before the mark are reached',
      { floor: second(5) },
      page({ items: [...items(9), ...known(items(4))], nextCursor: second(3) }),
      finished,
    ],
    [
      'yes when one late project lies far back',
      { floor: second(5) },
      page({ items: items(9, 8, 1), nextCursor: second(7) }),
      { kind: 'goes-on' },
    ],
    [
      'not when the page is older than anyone wants',
      { floor: second(20) },
      page({ items: items(9, 8), nextCursor: second(7) }),
      finished,
    ],
    [
      'not when nothing is new and the mark is reached',
      { floor: second(1), until: second(9) },
      page({ items: known(items(9, 8)), nextCursor: second(7) }),
      finished,
    ],
    [
      'yes when nothing is new but the mark is far: another read was here',
      { floor: second(1), until: second(2) },
      page({ items: known(items(9, 8)), nextCursor: second(7) }),
      { kind: 'goes-on' },
    ],
    [
      'not when nothing is new and nothing is dated',
      {},
      page({ items: [{ known: true }], nextCursor: second(7) }),
      finished,
    ],
    [
      'a wide page where the cursor stands still',
      { nextCursor: second(9) },
      page({ items: items(8, 8), nextCursor: second(8) }),
      { kind: 'goes-on', wide: true },
    ],
    [
      'not when the cursor stands still, however wide the page, and nothing is new',
      { nextCursor: second(9), wide: true },
      page({ items: known(items(8, 7)), nextCursor: second(9) }),
      finished,
    ],
  ])('%s', (_, asked, read, end) => {
    expect(decidePageContinuation(asked, read)).toMatchObject(end);
  });

  it('asks wide, then goes past a second that no page can hold', () => {
    const tied = page({ items: items(8, 8), nextCursor: second(8) });
    const first = decidePageContinuation({ nextCursor: second(9) }, tied);
    expect(first).toMatchObject({ kind: 'goes-on', wide: true });
    expect(decidePageContinuation({ nextCursor: second(9), wide: true }, tied)).toMatchObject({
      cursor: second(7),
    });
  });
});

describe('marks', () => {
  const start = 1_000_000_000;
  it('pass one that is five minutes old, or the oldest there is', () => {
    const marks = [0, 100, 200, 400].map((at) => ({ ts: second(at), at: start + at * 1_000 }));
    expect(chooseWatermark(marks, start + 401_000)?.ts).toBe(second(100));
    expect(chooseWatermark(marks.slice(3), start + 401_000)?.ts).toBe(second(400));
    expect(chooseWatermark([], start)).toBeUndefined();
  });

  it('stay few, rise, and keep one of five minutes ago', () => {
    let marks: Watermark[] = [];
    for (let at = 0; at < 3_600; at += 10) {
      marks = addWatermark(marks, second(at), start + at * 1_000);
      expect(marks.length).toBeLessThanOrEqual(12);
      const passed = chooseWatermark(marks, start + at * 1_000);
      if (at > 400) expect(second(at) - (passed?.ts ?? 0)).toBeLessThan(420);
      if (at > 400) expect(second(at) - (passed?.ts ?? 0)).toBeGreaterThanOrEqual(300);
    }
    expect(addWatermark(marks, second(0), start)).toEqual(marks);
  });
});

describe('timestamps', () => {
  it('are seconds or milliseconds, which no date can confuse', () => {
    expect(timestampToInstant(second(0))).toBe(second(0) * 1_000);
    expect(timestampToInstant(second(0) * 1_000)).toBe(second(0) * 1_000);
    expect(instantToTimestamp(1_999, 1)).toBe(1);
    expect(convertTimestampUnit(second(3), 1_000)).toBe(second(3) * 1_000);
  });
});

describe('the size of a page', () => {
  const now = second(600) * 1_000;
  const top = { kind: 'top' as const, latestPublishedTs: second(0), until: second(500), first: false };
  const need = {
    request: top,
    rate: 0.01,
    room: 0,
    backfillLeft: 0,
    available: 500,
    now,
    ignoresLatest: false,
  };
  it.each([
    ['room for what is expected, and some', need, 13],
    ['never below ten', { ...need, rate: 0 }, 10],
    ['never above a hundred', { ...need, rate: 10 }, 100],
    ['all that is left where the rest would buy no page', { ...need, available: 18 }, 18],
    ['small where the server ignores what is passed', { ...need, rate: 10, ignoresLatest: true }, 10],
    [
      'a backfill as far as it still goes',
      { ...need, request: { kind: 'backfill' as const, channel: 'C1' as never }, backfillLeft: 40 },
      40,
    ],
  ])('%s', (_, asked, size) => {
    expect(decidePollPageSize(asked)).toBe(size);
  });
});
