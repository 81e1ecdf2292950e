/** What hints do to the plan: which filters wait because of one, and when hints are relied on. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { FilterHints } from '../../src/feed/filter-hints.ts';
import {
  choosePoll,
  countHintTurns,
  MOST_HINTED_IN_A_ROW,
  type PollCandidate,
} from '../../src/feed/poll-plan.ts';
import { FilterId } from '../../src/ids.ts';

const id = (filter: number) => FilterId.parse(filter);
const START = Date.parse('2026-03-02T09:00:00Z');

/** Reads with a find each, as hints announce them, until they are relied on. */
function relied(filters: readonly number[], at = START): FilterHints {
  const hints = new FilterHints();
  hints.setFollowed(new Set(filters.map(id)));
  for (let round = 0; round < 40; round++)
    for (const filter of filters) find(hints, filter, at, { isHinted: true });
  return hints;
}

function find(hints: FilterHints, filter: number, at: number, { isHinted }: { isHinted: boolean }): void {
  if (isHinted) hints.add([id(filter)], at);
  hints.endRead(id(filter), hints.beginRead(id(filter)), 1, at);
}

describe('a hint', () => {
  it('waits for the next read of a followed filter, once', () => {
    const hints = new FilterHints();
    hints.setFollowed(new Set([id(1), id(2)]));
    expect(hints.add([id(2), id(1), id(2), id(9)], START)).toEqual({ accepted: 2, repeated: 1, ignored: 1 });
    expect(hints.getOrder(id(2))).toBeLessThan(hints.getOrder(id(1)) ?? 0);
    expect(hints.getOrder(id(9))).toBeUndefined();
    expect(hints.beginRead(id(2))).toBe(true);
    expect(hints.beginRead(id(2))).toBe(false);
  });

  it('waits again after a read that failed', () => {
    const hints = new FilterHints();
    hints.setFollowed(new Set([id(1)]));
    hints.add([id(1)], START);
    hints.endRead(id(1), hints.beginRead(id(1)), undefined, START);
    expect(hints.getOrder(id(1))).toBeDefined();
  });

  it('is forgotten with its filter', () => {
    const hints = new FilterHints();
    hints.setFollowed(new Set([id(1)]));
    hints.add([id(1)], START);
    hints.setFollowed(new Set());
    hints.setFollowed(new Set([id(1)]));
    expect(hints.getOrder(id(1))).toBeUndefined();
  });
});

describe('hints are relied on', () => {
  it('once they announced what arrived, and only on the filters that they cover', () => {
    const hints = relied([1, 2]);
    hints.setFollowed(new Set([id(1), id(2), id(3)]));
    expect([1, 2, 3].map((filter) => hints.isReliedOn(id(filter)))).toEqual([true, true, false]);
  });

  it('until a read finds a project that none announces within half a minute', () => {
    const hints = relied([1, 2]);
    find(hints, 1, START, { isHinted: false });
    hints.judge(START + 29 * SECOND);
    expect(hints.isReliedOn(id(2))).toBe(true);
    hints.judge(START + 31 * SECOND);
    expect([1, 2].map((filter) => hints.isReliedOn(id(filter)))).toEqual([false, false]);
  });

  it('also if the hint comes just after the read', () => {
    const hints = relied([1, 2]);
    find(hints, 1, START, { isHinted: false });
    hints.add([id(1)], START + 2 * SECOND);
    hints.judge(START + MINUTE);
    expect(hints.isReliedOn(id(1))).toBe(true);
  });

  it('later and later, the more often they fail', () => {
    const hints = relied([1]);
    const countUntilRelied = () => {
      for (let finds = 0; ; finds++) {
        if (hints.isReliedOn(id(1))) return finds;
        find(hints, 1, START, { isHinted: true });
      }
    };
    const counts = Array.from({ length: 6 }, () => {
      find(hints, 1, START, { isHinted: false });
      hints.judge(START + MINUTE);
      return countUntilRelied();
    });
    expect(counts).toEqual([40, 80, 160, 160, 160, 160]);
  });

  it('not because of false hints', () => {
    const hints = new FilterHints();
    hints.setFollowed(new Set([id(1)]));
    for (let round = 0; round < 500; round++) {
      hints.add([id(1)], START);
      hints.endRead(id(1), hints.beginRead(id(1)), 0, START);
    }
    expect(hints.isReliedOn(id(1))).toBe(false);
  });

  it('and then read the filter every 5 minutes, or after its hint', () => {
    const candidate = { filter: id(1), rate: 1, reliesOnHints: true, lastTopAt: START, lastReadAt: START };
    const at = START + 4 * MINUTE;
    expect(choosePoll([candidate], at)).toEqual({ lookAgainAt: START + 5 * MINUTE });
    expect(choosePoll([candidate], START + 5 * MINUTE).choice?.filter).toBe(id(1));
    expect(choosePoll([{ ...candidate, hintOrder: 1 }], at).choice?.filter).toBe(id(1));
  });
});

interface PlayedFilter {
  readonly filter: FilterId;
  readonly rate: number;
  lastTopAt: number;
}

/** Hints for these filters all the time; one read every `everyMs`. @returns the filters in reading order */
function playFlood(
  rates: readonly number[],
  flooded: ReadonlySet<number>,
  reads: number,
  everyMs: number,
): { readonly filter: number; readonly isPushed: boolean }[] {
  const filters = rates.map(
    (rate, place): PlayedFilter => ({ filter: id(place + 1), rate, lastTopAt: START }),
  );
  const order = new Map([...flooded].map((filter, place) => [filter, place]));
  let [turns, hints, now] = [0, flooded.size, START];
  const played: { readonly filter: number; readonly isPushed: boolean }[] = [];
  let [leastTurns, shortestWait] = [0, Number.POSITIVE_INFINITY];
  for (let read = 0; read < reads; read++) {
    now += everyMs;
    const candidates = filters.map((each): PollCandidate => {
      const hintOrder = order.get(each.filter);
      return { ...each, lastReadAt: each.lastTopAt, ...(hintOrder === undefined ? {} : { hintOrder }) };
    });
    const { choice } = choosePoll(candidates, now, undefined, turns);
    if (!choice) continue;
    turns = countHintTurns(turns, choice);
    leastTurns = Math.min(leastTurns, turns);
    const chosen = filters.find(({ filter }) => filter === choice.filter) ?? expect.fail('no such filter');
    shortestWait = Math.min(shortestWait, now - chosen.lastTopAt);
    chosen.lastTopAt = now;
    if (order.has(choice.filter)) order.set(choice.filter, ++hints);
    played.push({ filter: choice.filter, isPushed: choice.becauseOfHint === true });
  }
  expect(leastTurns).toBe(0);
  expect(shortestWait).toBeGreaterThanOrEqual(10 * SECOND);
  return played;
}

describe('a flood of hints', () => {
  const settings = fc
    .record({
      rates: fc.array(fc.double({ min: 0.0005, max: 0.05, noNaN: true }), { minLength: 2, maxLength: 12 }),
      floodedShare: fc.double({ min: 0, max: 1, noNaN: true }),
      everyMs: fc.integer({ min: 500, max: 12_000 }),
    })
    .map(({ rates, floodedShare, everyMs }) => {
      const count = Math.floor(floodedShare * rates.length);
      return { rates, everyMs, flooded: new Set(rates.slice(0, count).map((_, place) => place + 1)) };
    });

  it('takes every second read at most, and a few more at once', () => {
    fc.assert(
      fc.property(settings, fc.nat(200), ({ rates, flooded, everyMs }, from) => {
        const played = playFlood(rates, flooded, 400, everyMs).slice(from);
        let [pushed, most] = [0, 0];
        for (const [place, { isPushed }] of played.entries()) {
          if (isPushed) pushed++;
          most = Math.max(most, pushed - (place + 1 - pushed));
        }
        expect(most).toBeLessThanOrEqual(MOST_HINTED_IN_A_ROW);
      }),
    );
  });

  it('leaves every filter its turns: the longest wait is twice the usual and up to 20 reads more', () => {
    fc.assert(
      fc.property(settings, ({ rates, flooded, everyMs }) => {
        const usual = longestWaits(playFlood(rates, new Set(), 600, everyMs), rates.length);
        const during = longestWaits(playFlood(rates, flooded, 600, everyMs), rates.length);
        for (const [place, wait] of during.entries())
          if (!flooded.has(place + 1))
            expect(wait).toBeLessThanOrEqual(2 * Math.max(usual[place] ?? 0, rates.length) + 20);
      }),
    );
  });
});

/** The most reads of others between two reads of each filter. */
function longestWaits(played: readonly { readonly filter: number }[], filters: number): readonly number[] {
  return Array.from({ length: filters }, (_, place) => {
    let [longest, since] = [0, 0];
    for (const { filter } of played) {
      since = filter === place + 1 ? 0 : since + 1;
      longest = Math.max(longest, since);
    }
    return longest;
  });
}
