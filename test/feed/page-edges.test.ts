/** Limits of pages and of a channel's rules. */

import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import {
  applyChannelPreferences,
  type ChannelPreferences,
  extractPreferences,
  listChangedPreferences,
} from '../../src/feed/channels.ts';
import {
  decidePageContinuation,
  type FetchedPage,
  type FetchedPageQuery,
  type FetchedProjectFacts,
} from '../../src/feed/page-continuation.ts';
import { decidePollPageSize, estimateNextPageSize } from '../../src/feed/poll-plan.ts';
import { type ChannelSettings, defaultChannelSettings } from '../../src/feed/records.ts';
import {
  addWatermark,
  chooseWatermark,
  convertTimestampUnit,
  getInclusiveStartTimestamp,
  getLastElapsedTimestamp,
  inferTimestampUnit,
  timestampToInstant,
} from '../../src/feed/timestamps.ts';
import { ann, channel } from './stored-records.ts';

const second = (ts: number) => 1_700_000_000 + ts;
const at = (ts: number, ms = 0, known = false): FetchedProjectFacts => ({
  publishedAt: second(ts) * 1_000 + ms,
  known,
});
const fresh = (...dates: readonly number[]) => dates.map((ts) => at(ts));
const known = (...dates: readonly number[]) => dates.map((ts) => at(ts, 0, true));
const undated = { known: false };

function judge(
  asked: FetchedPageQuery,
  items: readonly FetchedProjectFacts[],
  nextCursor: number,
  more: Partial<FetchedPage> = {},
) {
  return decidePageContinuation(asked, { items, unreadable: 0, nextCursor, ...more });
}
const goesOn = (cursor: number, rising: boolean, wide = false) => ({ kind: 'goes-on', cursor, rising, wide });
const finished = { kind: 'finished' };

describe('a page is oldest first', () => {
  it('where more of it lies before the next than behind', () => {
    expect(judge({}, fresh(8, 9), second(10))).toEqual(goesOn(second(10), true));
    expect(judge({}, fresh(9, 8), second(7))).toEqual(goesOn(second(7), false));
  });

  it('where as much does, if the last one was, or if the cursor has risen', () => {
    const tied = fresh(8, 6);
    expect(judge({}, tied, second(7))).toEqual(goesOn(second(7), false));
    expect(judge({ nextCursor: second(5) }, tied, second(7))).toEqual(goesOn(second(7), true));
    expect(judge({ nextCursor: second(7) }, [undated], second(7))).toEqual(goesOn(second(7), false, true));
    expect(judge({ nextCursor: second(9) }, tied, second(7))).toEqual(goesOn(second(7), false));
    const rose = judge({ nextCursor: second(9), rising: true }, tied, second(7));
    expect(rose).toEqual(goesOn(second(7), true, true));
    const fell = judge({ nextCursor: second(5), rising: false }, tied, second(7));
    expect(fell).toEqual(goesOn(second(7), false, true));
  });

  it('and what lies in the second of the cursor is neither, where the server counts seconds', () => {
    expect(judge({}, [at(7, 500), at(6)], second(7))).toMatchObject({ rising: true });
    expect(judge({}, [at(7, 999), at(6)], second(7))).toMatchObject({ rising: true });
    expect(judge({}, [at(8), at(6)], second(7))).toMatchObject({ rising: false });
    expect(judge({}, [at(7, 500), at(6)], second(7) * 1_000)).toMatchObject({ rising: false });
  });
});

describe('no other page is needed', () => {
  it('where the server names no place that could be one', () => {
    expect(judge({}, fresh(9), 0)).toEqual(finished);
    expect(judge({}, fresh(9), -5)).toEqual(finished);
    expect(judge({}, [], second(7))).toEqual(finished);
    expect(judge({}, [], second(7), { unreadable: 1 })).toEqual(goesOn(second(7), false));
  });

  it('where one is known from before the mark, or half of them are from there', () => {
    const floor = { floor: second(5) };
    expect(judge(floor, [...fresh(9, 8), ...known(4)], second(3))).toEqual(finished);
    expect(judge(floor, [...fresh(9, 8), ...known(5)], second(3))).toMatchObject({ kind: 'goes-on' });
    expect(judge(floor, [...fresh(9, 8), { known: true }], second(3))).toMatchObject({ kind: 'goes-on' });
    expect(judge(floor, fresh(9, 8, 4, 3), second(2))).toEqual(finished);
    expect(judge(floor, fresh(9, 5, 5, 4), second(2))).toMatchObject({ kind: 'goes-on' });
  });

  it('where all is known and it reached what was read', () => {
    const asked = { floor: second(1), until: second(8) };
    expect(judge(asked, known(9, 7), second(6))).toEqual(finished);
    expect(judge(asked, known(9, 8), second(6))).toMatchObject({ kind: 'goes-on' });
    expect(judge(asked, [...known(9), ...fresh(7)], second(6))).toMatchObject({ kind: 'goes-on' });
    expect(judge({}, known(9, 8), second(7))).toMatchObject({ kind: 'goes-on' });
    expect(judge({}, [{ known: true }, undated], second(7))).toMatchObject({ kind: 'goes-on' });
    expect(judge({}, [{ known: true }], second(7))).toEqual(finished);
  });

  it('where all is known and the cursor goes back', () => {
    expect(judge({ nextCursor: second(7) }, known(9, 8), second(8))).toEqual(finished);
    const some = [...known(8), ...fresh(9)];
    expect(judge({ nextCursor: second(7) }, some, second(8))).toEqual(goesOn(second(9), false, true));
    expect(judge({ nextCursor: second(9) }, known(8, 8), second(8))).toEqual(goesOn(second(9), false, true));
  });
});

describe('the next page begins', () => {
  it('a second back where others of the cursor’s second may be left out, whichever way it goes', () => {
    expect(judge({}, fresh(9, 8), second(8))).toEqual(goesOn(second(9), false));
    expect(judge({}, fresh(8, 9), second(9))).toEqual(goesOn(second(8), true));
  });

  it('past a second that the widest page can not hold', () => {
    const down = { nextCursor: second(9), wide: true };
    expect(judge(down, known(8, 8), second(8))).toEqual(goesOn(second(7), false));
    expect(judge(down, known(8, 7), second(9))).toEqual(finished);
    expect(judge({ nextCursor: second(7), wide: true }, fresh(9, 8), second(7))).toEqual(
      goesOn(second(6), false),
    );
    const up = { nextCursor: second(9), rising: true, wide: true };
    expect(judge(up, fresh(8, 8), second(8))).toEqual(goesOn(second(10), true));
  });

  it('at the mark where the server begins with the oldest of all', () => {
    expect(judge({ floor: second(20) }, fresh(8, 9), second(10))).toEqual(goesOn(second(20), true));
    expect(judge({ floor: second(20) }, fresh(8, 9), second(10) * 1_000)).toEqual(
      goesOn(second(20) * 1_000, true),
    );
    expect(judge({ floor: second(9) }, fresh(7, 9), second(10))).toEqual(goesOn(second(10), true));
    expect(judge({ floor: second(10) }, fresh(8, 9), second(12))).toEqual(goesOn(second(12), true));
    // One project at the mark, or behind it, shows that the page has reached it.
    for (const reached of [20, 25])
      expect(judge({ floor: second(20) }, fresh(8, 9, reached), second(10))).toEqual(
        goesOn(second(10), true),
      );
    const asked = { floor: second(20), nextCursor: second(3), rising: true };
    expect(judge(asked, [undated], second(5))).toEqual(goesOn(second(5), true));
  });
});

describe('the size of a page', () => {
  const now = second(7_200) * 1_000;
  const size = (request: object, more: object = {}) =>
    decidePollPageSize({
      request,
      rate: 0.01,
      room: 0,
      backfillLeft: 40,
      available: 500,
      now,
      ignoresLatest: false,
      ...more,
    } as never);
  const top = (ts: number) => ({ kind: 'top', latestPublishedTs: ts, until: ts, first: false });

  it('covers at most half an hour, reaches as far back as a verdict needs, and ignores the future', () => {
    expect(size(top(second(0)))).toBe(31);
    expect(size(top(second(9_000)), { rate: 9 })).toBe(10);
    expect(size({ kind: 'verdicts', latestPublishedTs: second(6_600) })).toBe(13);
    expect(size({ kind: 'verdicts' }, { rate: 9 })).toBe(10);
    expect(size({ kind: 'verdicts', latestPublishedTs: second(2_200) })).toBe(79);
  });

  it('fits all that the last page showed since the given point, and doubles if that was full', () => {
    const asked = { kind: 'top', latestPublishedTs: second(0), until: second(9), first: false } as const;
    const page = (many: number, isLast: boolean, publishedAt = second(10) * 1_000) => ({
      items: Array.from({ length: many }, () => ({ known: true, publishedAt })),
      unreadable: 0,
      isLast,
    });
    expect(estimateNextPageSize(asked, page(12, true), 20)).toBe(12);
    expect(estimateNextPageSize(asked, page(12, false), 20)).toBe(12);
    expect(estimateNextPageSize(asked, page(20, true), 20)).toBe(20);
    expect(estimateNextPageSize(asked, page(20, false), 20)).toBe(40);
    expect(estimateNextPageSize(asked, page(20, false, second(-1) * 1_000), 20)).toBe(0);
    expect(estimateNextPageSize(asked, page(20, false, second(0) * 1_000), 20)).toBe(40);
    const { items } = page(19, false);
    const late = { known: true, publishedAt: second(-1) * 1_000 };
    expect(estimateNextPageSize(asked, { items: [...items, late], unreadable: 0 }, 20)).toBe(0);
    expect(estimateNextPageSize(asked, { items, unreadable: 1 }, 20)).toBe(40);
    expect(estimateNextPageSize(asked, { items, unreadable: 0 }, 20)).toBe(19);
    const quiet = { rate: 0, room: 40 };
    expect(size(top(second(7_000)), quiet)).toBe(44);
    expect(size(top(second(7_000)), { ...quiet, ignoresLatest: true })).toBe(10);
    expect(size(top(second(7_000)), { ...quiet, room: 200 })).toBe(100);
    expect(size({ kind: 'verdicts', latestPublishedTs: second(7_000) }, quiet)).toBe(10);
  });

  it('is the maximum for what waits, and the rest of a backfill even if the mark is ignored', () => {
    expect(size({ kind: 'gap', nextCursor: 1, gap: { cursor: 1 } })).toBe(100);
    expect(size({ kind: 'backfill', channel: 'C1' }, { ignoresLatest: true })).toBe(40);
    expect(size({ kind: 'gap', nextCursor: 1, gap: { cursor: 1 } }, { ignoresLatest: true })).toBe(10);
  });

  it('takes along a rest that would buy no page, and no other', () => {
    const small = { kind: 'verdicts' };
    expect(size(small, { available: 19 })).toBe(19);
    expect(size(small, { available: 20 })).toBe(10);
    expect(size(top(second(6_600)), { available: 8 })).toBe(13);
    expect(size({ kind: 'gap', nextCursor: 1, gap: { cursor: 1 } }, { available: 105 })).toBe(100);
  });
});

describe('timestamps and marks', () => {
  it('are milliseconds from 1973 on, as seconds would be far from now', () => {
    expect([inferTimestampUnit(99_999_999_999), inferTimestampUnit(100_000_000_000)]).toEqual([1, 1_000]);
    expect(timestampToInstant(99_999_999_999)).toBe(99_999_999_999_000);
    expect(convertTimestampUnit(second(3) * 1_000 + 999, 1)).toBe(second(3));
    expect(convertTimestampUnit(second(3) * 1_000 + 999, 1_000)).toBe(second(3) * 1_000 + 999);
    expect(getLastElapsedTimestamp(second(3) * 1_000 + 999, 1)).toBe(second(2));
    expect(getLastElapsedTimestamp(second(3) * 1_000, 1_000)).toBe(second(3) * 1_000 - 1);
  });

  it('include the whole second of a beginning, in either unit', () => {
    for (const ms of [0, 500, 999]) {
      expect(getInclusiveStartTimestamp(second(3) * 1_000 + ms, 1)).toBe(second(2));
      expect(getInclusiveStartTimestamp(second(3) * 1_000 + ms, 1_000)).toBe(second(3) * 1_000 - 1);
    }
  });

  it('are passed when they are five minutes old, and kept as long as that', () => {
    const marks = [
      { ts: 1, at: 0 },
      { ts: 2, at: MINUTE },
    ];
    expect(chooseWatermark(marks, 6 * MINUTE)?.ts).toBe(2);
    expect(chooseWatermark(marks, 6 * MINUTE - 1)?.ts).toBe(1);
    expect(addWatermark(marks, 3, 6 * MINUTE)).toEqual([
      { ts: 2, at: MINUTE },
      { ts: 3, at: 6 * MINUTE },
    ]);
    expect(addWatermark(marks, 2, 6 * MINUTE)).toEqual(marks);
  });

  it('of less than 45 seconds are one', () => {
    const two = (gap: number) => [
      { ts: 1, at: 0 },
      { ts: 2, at: gap },
    ];
    expect(addWatermark(two(44_999), 3, MINUTE).map(({ ts }) => ts)).toEqual([1, 3]);
    expect(addWatermark(two(45_000), 3, MINUTE).map(({ ts }) => ts)).toEqual([1, 2, 3]);
  });
});

describe('what a channel chooses', () => {
  const plain = defaultChannelSettings(channel('C1'));
  const rule = { rules: 'react', users: [ann], groups: [] };
  const quiet = { from: 60, to: 120, weekends: true };
  const all: ChannelSettings = {
    ...plain,
    level: 'quiet',
    density: 'compact',
    threadDetails: true,
    quiet,
    timezone: 'Asia/Tokyo',
    hiddenButtons: ['more', 'bid'],
    mentions: [rule],
    approvalHours: 4,
  };
  const chosen: ChannelPreferences = {
    level: 'quiet',
    density: 'compact',
    threadDetails: true,
    quiet,
    timezone: 'Asia/Tokyo',
    hiddenButtons: ['bid', 'more'],
    mentions: [rule],
    approvalHours: 4,
  };
  const none: ChannelPreferences = {
    level: 'normal',
    density: 'full',
    threadDetails: false,
    hiddenButtons: [],
    mentions: [],
    approvalHours: 24,
  };
  const names = [
    'level',
    'card layout',
    'thread details',
    'quiet hours',
    'time zone',
    'buttons',
    'mentions',
    'approval time',
  ] as const;

  it('is read from its settings, in the order of the form', () => {
    expect(extractPreferences(all)).toEqual(chosen);
    expect(extractPreferences(plain)).toEqual(none);
    expect(extractPreferences(plain).quiet).toBeUndefined();
    expect(extractPreferences(plain).timezone).toBeUndefined();
  });

  it('differs by name', () => {
    expect(listChangedPreferences(none, chosen)).toEqual(names);
    expect(listChangedPreferences(chosen, { ...chosen })).toEqual([]);
    expect(listChangedPreferences(chosen, { ...chosen, timezone: 'Asia/Seoul' })).toEqual(['time zone']);
  });

  it('changes what is named and nothing else; what is as without settings is left out', () => {
    const kept = { ...plain, mutes: [{ kind: 'word' as const, value: 'x', by: ann, at: 1 }] };
    expect(applyChannelPreferences(kept, chosen, names)).toEqual({
      ...all,
      mutes: kept.mutes,
      hiddenButtons: ['bid', 'more'],
    });
    expect(applyChannelPreferences(all, none, names)).toEqual(plain);
    for (const name of names)
      expect(
        listChangedPreferences(none, extractPreferences(applyChannelPreferences(plain, chosen, [name]))),
      ).toEqual([name]);
    for (const name of names)
      expect(
        listChangedPreferences(chosen, extractPreferences(applyChannelPreferences(all, none, [name]))),
      ).toEqual([name]);
  });
});
