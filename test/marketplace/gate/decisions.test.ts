/** The gate's parts alone: its believed limit, its slots, and the next caller. */
import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE } from '../../../src/clock.ts';
import { backgroundSlotLimit, type Lane } from '../../../src/marketplace/gate/gate.ts';
import {
  findLimitReduction,
  type LimitLearningState,
  learnFromAcceptance,
  learnFromRefusal,
  raiseLimitIfDue,
  startLimitLearning,
} from '../../../src/marketplace/gate/refusals.ts';
import { GateQueue, GateWindow } from '../../../src/marketplace/gate/slots.ts';

const refused = (learning: LimitLearningState, now: number, accepted: number, grantedAt = now - 1) =>
  learnFromRefusal(learning, { now, grantedAt, accepted });

describe('the limit that is believed', () => {
  it('begins at 30, or with what was known, within what the API states', () => {
    expect(startLimitLearning(7)).toEqual({ limit: 30, goal: 30, probePauseMs: 2 * MINUTE, quietSince: 7 });
    expect(startLimitLearning(0, 12.9, 5 * MINUTE)).toMatchObject({
      limit: 12,
      goal: 12,
      probePauseMs: 5 * MINUTE,
    });
    expect(startLimitLearning(0, 1, 1)).toMatchObject({ limit: 5, probePauseMs: 2 * MINUTE });
    expect(startLimitLearning(0, 99, 2 * HOUR)).toMatchObject({ limit: 30, probePauseMs: HOUR });
    expect(startLimitLearning(0, Number.NaN, Number.NaN)).toMatchObject({ limit: 30, probePauseMs: HOUR });
  });

  it('falls at a refusal to what was let through, never below 5 nor above what it was', () => {
    const learning = startLimitLearning(0);
    expect(refused(learning, 10, 12)).toMatchObject({ limit: 12, goal: 30, quietSince: 10 });
    expect(refused(learning, 10, 2)).toMatchObject({ limit: 5 });
    expect(refused(startLimitLearning(0, 20), 10, 25)).toMatchObject({ limit: 20, goal: 20 });
  });

  it('falls on with those that went out before the first refusal, and were taken for let through', () => {
    const first = refused(startLimitLearning(0), 100, 12, 90);
    expect(refused(first, 110, 99, 90)).toMatchObject({ limit: 11, quietSince: 110 });
    expect(refused(first, 110, 99, 80)).toMatchObject({ limit: 11 });
    expect(refused(first, 110, 99, 91)).toMatchObject({ limit: 12, quietSince: 110 });
    expect(refused(first, 110, 99, 100)).toMatchObject({ limit: 12 });
    expect(refused(refused(first, 110, 99, 80), 111, 99, 80)).toMatchObject({ limit: 10 });
  });

  it('stays where a request that was to see whether it is over is refused', () => {
    const first = refused(startLimitLearning(0), 100, 12, 90);
    expect(refused(first, 200, 0, 101)).toEqual({ ...first, quietSince: 200 });
  });

  it('counts as one storm until a request is let through that went out in it', () => {
    const first = refused(startLimitLearning(0), 100, 12, 90);
    expect(learnFromAcceptance(first, 100)).toBe(first);
    const calm = learnFromAcceptance(first, 101);
    expect(calm).not.toHaveProperty('storm');
    expect(calm).toMatchObject({ limit: 12, goal: 30 });
    expect(learnFromAcceptance(calm, 200)).toBe(calm);
    expect(refused(calm, 300, 8)).toMatchObject({ limit: 8, goal: 30 });
  });

  it('climbs one by one, soon to what it was, and later beyond', () => {
    const calm = learnFromAcceptance(refused(startLimitLearning(0, 20, 30 * MINUTE), 0, 12, 0), 1);
    expect(calm.probePauseMs).toBe(10 * MINUTE);
    expect(raiseLimitIfDue(calm, 2 * MINUTE - 1)).toBe(calm);
    const higher = raiseLimitIfDue(calm, 2 * MINUTE);
    expect(higher).toEqual({ ...calm, limit: 13, raisedAt: 2 * MINUTE });
    let learning = higher;
    for (let each = 0; each < 20; each++) learning = raiseLimitIfDue(learning, 2 * MINUTE + each);
    expect(learning.limit).toBe(20);
    expect(raiseLimitIfDue(learning, 10 * MINUTE - 1).limit).toBe(20);
    expect(raiseLimitIfDue(learning, 10 * MINUTE).limit).toBe(21);
  });

  it('climbs neither beyond 30 nor in a storm', () => {
    const top = startLimitLearning(0);
    expect(raiseLimitIfDue(top, HOUR)).toBe(top);
    const storm = refused(top, 0, 12);
    expect(raiseLimitIfDue(storm, HOUR)).toBe(storm);
  });

  it('is tried later after each climb that failed, and sooner after a fall of another kind', () => {
    const raised = { ...startLimitLearning(0, 20, 10 * MINUTE), limit: 21, raisedAt: 5 };
    const failed = refused(raised, 5 + 2 * MINUTE, 20);
    expect(failed).toMatchObject({ limit: 20, goal: 20, probePauseMs: 30 * MINUTE });
    expect(failed).not.toHaveProperty('raisedAt');
    const late = refused(raised, 6 + 2 * MINUTE, 20);
    expect(late).toMatchObject({ limit: 20, goal: 21, probePauseMs: (10 * MINUTE) / 3 });
    expect(refused({ ...raised, probePauseMs: HOUR }, 6, 20).probePauseMs).toBe(HOUR);
    expect(refused({ ...raised, probePauseMs: 2 * MINUTE }, HOUR, 20).probePauseMs).toBe(2 * MINUTE);
  });

  it('is told to people while it is a fifth below what it was, and no more is tried', () => {
    const of = (limit: number) => ({ ...startLimitLearning(0, 20), limit });
    expect(findLimitReduction(of(16), 5)).toEqual({ from: 20, until: 2 * MINUTE });
    expect(findLimitReduction(of(17), 5)).toBeUndefined();
    expect(findLimitReduction(of(16), 2 * MINUTE - 1)).toBeDefined();
    expect(findLimitReduction(of(16), 2 * MINUTE)).toBeUndefined();
    expect(findLimitReduction(of(20), 5)).toBeUndefined();
  });
});

describe('the places', () => {
  const place = (grantedAt: number, background = false) => ({ grantedAt, background });

  it('are left by the limit to background work: four fifths, one at least', () => {
    expect([1, 2, 5, 6, 10, 11, 30].map(backgroundSlotLimit)).toEqual([1, 1, 4, 4, 8, 8, 24]);
  });

  it('are held for a minute and some from when a request ended', () => {
    const window = new GateWindow();
    const first = place(0, true);
    const id = window.takeSlot(first);
    window.takeSlot(place(5));
    expect([window.used, window.usedByBackground, window.hasInFlightRequests]).toEqual([2, 1, true]);
    expect([window.isInFlight(id), window.isAnyInFlightSince(4), window.isAnyInFlightSince(5)]).toEqual([
      true,
      true,
      false,
    ]);
    window.endRequest(id, first, 1_000, 'done');
    expect([window.isInFlight(id), window.isInFlight(Symbol('other'))]).toEqual([false, false]);
    expect(window.listEndTimes()).toEqual([1_000, 5 + 2 * MINUTE]);
    expect(window.slotsFreeAt(1)).toBe(1_000 + MINUTE + 50);
    expect(window.slotsFreeAt(2)).toBe(5 + 3 * MINUTE + 50);
    expect(window.slotsFreeAt(3)).toBeUndefined();
    window.dropExpiredSlots(1_000 + MINUTE + 49);
    expect(window.used).toBe(2);
    window.dropExpiredSlots(1_000 + MINUTE + 50);
    expect([window.used, window.usedByBackground]).toEqual([1, 0]);
  });

  it('are under way until they end, however long ago they were taken', () => {
    const window = new GateWindow();
    const [first, second] = [place(5), place(6)];
    const ids = [window.takeSlot(first), window.takeSlot(second)];
    for (const id of ids.slice(1)) window.endRequest(id, second, 7, 'done');
    expect([window.isAnyInFlightSince(4), window.isAnyInFlightSince(5)]).toEqual([true, false]);
  });

  it('come free in the order in which they end, whichever was taken first', () => {
    const window = new GateWindow();
    const [slow, quick] = [place(0), place(1)];
    const ids = [window.takeSlot(slow), window.takeSlot(quick)];
    for (const [index, id] of ids.entries()) window.endRequest(id, place(index), 900 - 800 * index, 'done');
    expect([window.slotsFreeAt(1), window.slotsFreeAt(2)]).toEqual([100 + MINUTE + 50, 900 + MINUTE + 50]);
  });

  it('are given back at once by whoever did not use them', () => {
    const window = new GateWindow();
    window.releaseSlot(window.takeSlot(place(0)));
    expect([window.used, window.hasInFlightRequests]).toEqual([0, false]);
  });

  it('are proof of the server’s room for the minute before, where it let through or has not answered', () => {
    const window = new GateWindow();
    for (const [grantedAt, end] of [
      [0, 'done'],
      [1, 'done'],
      [2, 'rate-limited'],
      [3, 'failed'],
      [4, undefined],
    ] as const) {
      const one = place(grantedAt);
      const id = window.takeSlot(one);
      if (end) window.endRequest(id, one, grantedAt + 10, end);
    }
    expect(window.countAcceptedBefore(MINUTE)).toBe(2);
    expect(window.countAcceptedBefore(MINUTE - 1)).toBe(3);
    expect(window.countAcceptedBefore(3)).toBe(2);
    expect(window.countAcceptedBefore(4)).toBe(3);
    expect(window.oldestAcceptedLeavesAt()).toBe(10 + MINUTE + 50);
    expect(new GateWindow().oldestAcceptedLeavesAt()).toBeUndefined();
  });

  it('that were refused, or are under way, say nothing of when the server has room', () => {
    const window = new GateWindow();
    const one = place(0);
    window.endRequest(window.takeSlot(one), one, 9, 'rate-limited');
    window.takeSlot(place(1));
    expect(window.oldestAcceptedLeavesAt()).toBeUndefined();
  });
});

describe('who is next', () => {
  function queueOf(...waiting: (readonly [Lane, number])[]) {
    const queue = new GateQueue<{ readonly lane: Lane; readonly since: number }>();
    const entries = waiting.map(([lane, since]) => ({ lane, since }));
    for (const entry of entries) queue.add(entry);
    return { queue, entries };
  }
  const taken = ({ queue }: ReturnType<typeof queueOf>, count: number, withBackground = true) =>
    Array.from({ length: count }, () => queue.takeNext(withBackground)).map(
      (entry) => entry && `${entry.lane} ${entry.since}`,
    );

  it('is a bid, then a person, then the feed, tracking, sync and links, each lane in its order', () => {
    const world = queueOf(
      ['unfurl', 0],
      ['sync', 1],
      ['tracking', 2],
      ['feed', 3],
      ['bid', 4],
      ['person', 5],
      ['person', 6],
    );
    expect([world.queue.size, world.queue.hasUrgent]).toEqual([7, true]);
    expect(world.queue.entries().map(({ since }) => since)).toEqual([4, 5, 6, 3, 2, 1, 0]);
    const background = ['feed 3', 'tracking 2', 'sync 1', 'unfurl 0'];
    expect(taken(world, 8)).toEqual(['bid 4', 'person 5', 'person 6', ...background, undefined]);
    expect([world.queue.size, world.queue.hasUrgent]).toEqual([0, false]);
  });

  it('is none of the background while that has no room', () => {
    const world = queueOf(['feed', 1], ['bid', 2], ['tracking', 3]);
    expect(taken(world, 2, false)).toEqual(['bid 2', undefined]);
    expect([world.queue.size, world.queue.hasUrgent]).toEqual([2, false]);
  });

  it('is nobody who has left', () => {
    const { queue, entries } = queueOf(['feed', 1], ['feed', 2]);
    for (const entry of entries.slice(0, 1)) queue.remove(entry);
    expect(queue.takeNext(true)).toBe(entries[1]);
  });

  it('is somebody to leave room for where only a bid waits, or only a person', () => {
    expect(queueOf(['bid', 1]).queue.hasUrgent).toBe(true);
    expect(queueOf(['person', 1]).queue.hasUrgent).toBe(true);
    expect(queueOf(['feed', 1], ['tracking', 2], ['sync', 3]).queue.hasUrgent).toBe(false);
  });

  it('is, at every fourth turn, whoever waits behind the feed, the longest first', () => {
    const feeds = Array.from({ length: 9 }, (_, each) => ['feed', 1_000 + each] as const);
    const world = queueOf(...feeds, ['tracking', 500], ['sync', 400], ['tracking', 501]);
    expect(taken(world, 9)).toEqual([
      'feed 1000',
      'feed 1001',
      'feed 1002',
      'sync 400',
      'feed 1003',
      'feed 1004',
      'feed 1005',
      'tracking 500',
      'feed 1006',
    ]);
    expect(taken(world, 4)).toEqual(['feed 1007', 'feed 1008', 'tracking 501', undefined]);
  });

  it('is tracking before sync where both came together', () => {
    const feeds = [1, 2, 3].map((since) => ['feed', since] as const);
    expect(taken(queueOf(...feeds, ['sync', 5], ['tracking', 5]), 5).slice(3)).toEqual([
      'tracking 5',
      'sync 5',
    ]);
  });

  it('is at once whoever comes behind a feed that has had three turns, and of those alone the next', () => {
    const world = queueOf(...[1, 2, 3, 4, 5].map((since) => ['feed', since] as const));
    expect(taken(world, 3)).toHaveLength(3);
    world.queue.add({ lane: 'sync', since: 6 });
    expect(taken(world, 3)).toEqual(['sync 6', 'feed 4', 'feed 5']);
    world.queue.add({ lane: 'sync', since: 7 });
    expect(taken(world, 2)).toEqual(['sync 7', undefined]);
    for (const lane of ['feed', 'sync'] as const) world.queue.add({ lane, since: 8 });
    expect(taken(world, 1)).toEqual(['feed 8']);
  });
});
