import { beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../src/clock.ts';
import { ClockOffError, ClockWatch, type TimeServer } from '../src/clock-watch.ts';
import { silentLog } from '../src/log.ts';
import { ManualClock } from '../src/workbench/clocks.ts';

const AHEAD = 410 * DAY;

let clock: ManualClock;
/** The real time. */
let truth: () => number;
let answers: () => void;
let watch: ClockWatch;

beforeEach(() => {
  clock = new ManualClock();
  const start = clock.now() - clock.monotonicNow();
  truth = () => clock.monotonicNow() + start;
  answers = () => undefined;
  watch = open();
});

function open(): ClockWatch {
  return new ClockWatch({ clock, log: silentLog, askServers: [async () => answers()] });
}

function hear(server: TimeServer, wrongBy = 0): void {
  watch.recordServerDate(server, new Date(truth() + wrongBy).toUTCString());
}

describe('a clock that leaps', () => {
  it.each([
    ['both servers', ['slack', 'marketplace']],
    ['one server', ['slack']],
    ['no server', []],
  ] as [string, TimeServer[]][])(
    'is off at once, with the word of %s, and right once it is set right',
    (_who, servers) => {
      watch.applyStoredTimes(undefined);
      for (const server of servers) hear(server);
      clock.moveBy(10 * MINUTE);
      for (const by of [AHEAD, -AHEAD]) {
        clock.shiftWallClock(by);
        expect(watch.readClockState()).toEqual({ kind: 'off', byMs: expect.closeTo(by, -4) });
        expect(Math.abs(watch.trustedNow() - Math.min(truth(), clock.now()))).toBeLessThan(2 * SECOND);
        clock.moveBy(2 * MINUTE);
        expect(watch.isOff()).toBe(true);
        clock.shiftWallClock(-by);
        expect(watch.isOff()).toBe(false);
      }
    },
  );

  it('and was set right by that is believed as soon as a server agrees', async () => {
    watch.applyStoredTimes(undefined);
    clock.shiftWallClock(3 * HOUR);
    expect(watch.isOff()).toBe(true);
    answers = () => watch.recordServerDate('slack', new Date(clock.now()).toUTCString());
    await watch.ensureClockCorrect();
    expect(watch.isOff()).toBe(false);
  });

  it('lets nothing be done, and says by how much it is off', async () => {
    watch.applyStoredTimes(undefined);
    answers = () => hear('slack');
    clock.shiftWallClock(AHEAD);
    const refused = watch.ensureClockCorrect();
    await expect(refused).rejects.toBeInstanceOf(ClockOffError);
    await expect(refused).rejects.toMatchObject({ byMs: expect.closeTo(AHEAD, -4) });
  });

  it('and no server that tells the time: is believed after an hour, but nothing is cleared out by it', () => {
    watch.applyStoredTimes(undefined);
    clock.shiftWallClock(AHEAD);
    for (let minutes = 0; minutes < 70; minutes += 10) {
      watch.readClockState();
      clock.moveBy(10 * MINUTE);
    }
    expect(watch.isOff()).toBe(false);
    expect(Math.abs(watch.trustedNow() - truth())).toBeLessThan(SECOND);
  });
});

it('a clock that leaps to where one server wrongly is, is off', () => {
  watch.applyStoredTimes(undefined);
  hear('slack');
  hear('marketplace', AHEAD);
  expect(watch.isOff()).toBe(false);
  clock.shiftWallClock(AHEAD);
  hear('slack');
  expect(watch.isOff()).toBe(true);
  hear('marketplace', AHEAD);
  expect(watch.isOff()).toBe(true);
  expect(watch.trustedNow()).toBeLessThanOrEqual(truth());
});

it('after a sleep in which the monotonic clock stood still, the first server to answer is believed', () => {
  watch.applyStoredTimes(undefined);
  hear('slack');
  hear('marketplace');
  clock.moveBy(MINUTE);
  clock.shiftWallClock(8 * HOUR);
  expect(watch.isOff()).toBe(true);
  watch.recordServerDate('slack', new Date(clock.now()).toUTCString());
  expect(watch.isOff()).toBe(false);
});

describe('a start by a wrong clock', () => {
  const memory = () => ({ at: truth() - HOUR, trusted: truth() - HOUR });

  it.each([
    ['with a server’s word', true],
    ['without any', false],
  ])('is noticed %s, and nothing is cleared out by it', (_what, isHeard) => {
    clock.shiftWallClock(AHEAD);
    if (isHeard) hear('slack');
    watch.applyStoredTimes(memory());
    expect(watch.isOff()).toBe(true);
    expect(watch.trustedNow()).toBeLessThanOrEqual(truth());
    expect(watch.readTimesToStore()).toBeUndefined();
    clock.shiftWallClock(-AHEAD);
    expect(watch.isOff()).toBe(false);
  });

  it('a clock that is behind what is on record is off, too', () => {
    clock.shiftWallClock(-AHEAD);
    watch.applyStoredTimes(memory());
    expect(watch.isOff()).toBe(true);
  });

  it('a rest of days is none, but without a server’s word it counts for no record’s age', () => {
    watch.applyStoredTimes({ at: truth() - 5 * DAY, trusted: truth() - 5 * DAY });
    expect(watch.isOff()).toBe(false);
    expect(watch.trustedNow()).toBe(truth() - 5 * DAY);
    hear('slack');
    expect(Math.abs(watch.trustedNow() - truth())).toBeLessThan(2 * SECOND);
  });

  it('a rest of months is believed by a server’s word', () => {
    watch.applyStoredTimes({ at: truth() - 90 * DAY, trusted: truth() - 90 * DAY });
    expect(watch.isOff()).toBe(true);
    hear('slack');
    expect(watch.isOff()).toBe(false);
  });
});

describe('a server that tells a wrong time', () => {
  it.each([AHEAD, -AHEAD])('is outvoted by the other, also about what may be cleared out', (by) => {
    watch.applyStoredTimes(undefined);
    hear('slack');
    hear('marketplace', by);
    expect(watch.isOff()).toBe(false);
    expect(Math.abs(watch.trustedNow() - truth())).toBeLessThan(2 * SECOND);
  });

  it.each([AHEAD, -AHEAD])('and is the only one blocks nothing for long, and erases nothing', (by) => {
    watch.applyStoredTimes({ at: truth() - MINUTE, trusted: truth() - MINUTE });
    hear('marketplace', by);
    expect(watch.isOff()).toBe(true);
    clock.moveBy(61 * MINUTE);
    hear('marketplace', by);
    expect(watch.isOff()).toBe(false);
    expect(watch.trustedNow()).toBeLessThanOrEqual(truth());
  });

  it('blocks nothing at all where the clock was proven before', () => {
    watch.applyStoredTimes(undefined);
    hear('marketplace');
    clock.moveBy(MINUTE);
    hear('marketplace', AHEAD);
    expect(watch.isOff()).toBe(false);
  });

  it('or none that can be read is not heard', () => {
    watch.applyStoredTimes(undefined);
    for (const date of [undefined, null, '', 'yesterday', 7, ['a', 'b']])
      watch.recordServerDate('slack', date);
    expect(watch.isOff()).toBe(false);
  });
});

it('two servers that agree are right, however long the clock has been wrong', () => {
  clock.shiftWallClock(AHEAD);
  watch.applyStoredTimes({ at: clock.now() - MINUTE, trusted: clock.now() - MINUTE });
  hear('slack');
  hear('marketplace');
  clock.moveBy(5 * HOUR);
  expect(watch.isOff()).toBe(true);
});

it('before it has begun and without a word nothing may be cleared out', () => {
  expect(watch.trustedNow()).toBe(Number.NEGATIVE_INFINITY);
});
