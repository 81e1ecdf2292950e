/** When background requests may go, so that they are evenly spaced. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../../src/clock.ts';
import { BackgroundPacer } from '../../../src/marketplace/gate/slots.ts';

/** With six slots a minute: a turn every 10 s. */
const PLACES = 6;

/** Turns that wait from `now` on, without a burst and without unused turns. */
function spreadFrom(now: number): BackgroundPacer {
  const turns = new BackgroundPacer();
  turns.blockUntil(now);
  return turns;
}

/** Start times of requests that wait together since `since`, second by second. */
function goingOut(turns: BackgroundPacer, since: number, count: number): number[] {
  const went: number[] = [];
  for (let now = since; went.length < count && now < since + 10 * MINUTE; now += 1_000)
    while (went.length < count && turns.canStart(now)) {
      turns.recordStart(now, since, PLACES);
      went.push(now - since);
    }
  return went;
}

describe('turns of background requests', () => {
  it('come evenly, and an earlier one is not made up for by those who wait', () => {
    const turns = spreadFrom(0);
    expect(goingOut(turns, 0, 4)).toEqual([0, 10_000, 20_000, 30_000]);
    expect(turns.nextStartAt).toBe(40_000);
    turns.recordStart(47_000, 31_000, PLACES);
    expect(turns.nextStartAt).toBe(57_000);
  });

  it('are open from their very moment on', () => {
    const turns = spreadFrom(1_000);
    expect([999, 1_000, 1_001].map((now) => turns.canStart(now))).toEqual([false, true, true]);
  });

  it('come more often the more places there are', () => {
    const turns = spreadFrom(0);
    turns.recordStart(0, 0, 24);
    expect(turns.nextStartAt).toBe(2_500);
  });

  it('are no matter for what begins after a minute of rest: ten seconds long all may go', () => {
    const turns = spreadFrom(0);
    expect(goingOut(turns, MINUTE, 8)).toEqual(Array(8).fill(0));
    expect([9_999, 10_000].map((later) => turns.canStart(MINUTE + later))).toEqual([true, false]);
    turns.recordStart(MINUTE + 9_999, MINUTE, PLACES);
    expect(turns.nextStartAt).toBe(MINUTE + 19_999);
  });

  it('are no matter at the very first either', () => {
    expect(goingOut(new BackgroundPacer(), 500, 20)).toEqual(Array(20).fill(0));
  });

  it('are a matter a moment before that minute is over', () => {
    const turns = spreadFrom(1);
    turns.recordStart(MINUTE, 1, PLACES);
    expect(turns.canStart(MINUTE)).toBe(false);
  });

  it('that went by while nobody waited are there for who comes, those of 20 s at most', () => {
    const since = 45_000;
    expect(goingOut(spreadFrom(0), since, 4)).toEqual([0, 0, 0, 10_000]);
    expect(goingOut(spreadFrom(38_000), since, 3)).toEqual([0, 3_000, 13_000]);
  });

  it('given back are the next one’s at once', () => {
    const turns = spreadFrom(0);
    turns.recordStart(0, 0, PLACES);
    turns.cancelStart(3_000);
    expect([turns.nextStartAt, turns.canStart(3_000)]).toEqual([3_000, true]);
  });

  it('given back late are not kept for later: the next had come anyway', () => {
    const turns = spreadFrom(0);
    turns.recordStart(0, 0, PLACES);
    turns.cancelStart(30_000);
    expect(turns.nextStartAt).toBe(10_000);
  });

  it('wait until the end of a hold, and then come evenly from the first', () => {
    const turns = new BackgroundPacer();
    turns.recordStart(0, 0, PLACES);
    turns.blockUntil(25_000);
    expect([1_000, 24_999, 25_000].map((now) => turns.canStart(now))).toEqual([false, false, true]);
    expect(goingOut(turns, 25_000, 3)).toEqual([0, 10_000, 20_000]);
  });

  it('given back during a hold do not shorten it', () => {
    const turns = spreadFrom(0);
    turns.recordStart(0, 0, PLACES);
    turns.blockUntil(2 * MINUTE);
    turns.cancelStart(3_000);
    expect(goingOut(turns, 2 * MINUTE, 3)).toEqual([0, 10_000, 20_000]);
  });

  it('come no sooner for a hold that ends before the next', () => {
    const turns = spreadFrom(0);
    turns.recordStart(0, 0, PLACES);
    turns.blockUntil(2_000);
    expect(turns.nextStartAt).toBe(10_000);
  });

  it('let no minute hold more than its turns and those of the 20 s before, however requests come', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 24 }),
        fc.array(fc.integer({ min: 0, max: 30_000 }), { minLength: 1, maxLength: 60, size: 'max' }),
        (places, pauses) => {
          const turns = spreadFrom(0);
          const went: number[] = [];
          let since = 0;
          for (const pause of pauses) {
            since += pause;
            const now = Math.max(since, went.at(-1) ?? 0);
            const at = turns.canStart(now) ? now : Math.ceil(turns.nextStartAt);
            turns.recordStart(at, since, places);
            went.push(at);
          }
          const inMinuteFrom = (from: number) => went.filter((at) => at >= from && at < from + MINUTE).length;
          const most = Math.ceil((places * 80) / 60);
          expect(Math.max(...went.map(inMinuteFrom))).toBeLessThanOrEqual(most);
        },
      ),
    );
  });
});
