import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { SECOND } from '../../../src/clock.ts';
import { silentLog } from '../../../src/log.ts';
import { BackgroundWork } from '../../../src/slack/core/call-tracking.ts';
import { ManualClock } from '../../../src/workbench/clocks.ts';

let clock: ManualClock;
let inFlight: BackgroundWork;
let lines: string[];
beforeEach(() => {
  clock = new ManualClock();
  lines = [];
  const error = (message: string) => lines.push(message);
  inFlight = new BackgroundWork({ clock, log: { ...silentLog, error } });
});

describe('work behind acknowledgements', () => {
  it('begins one piece a turn of the event loop, in its order, and not before the next turn', async () => {
    const begun: string[] = [];
    const start = (name: string) =>
      inFlight.start(async () => {
        begun.push(name);
      });
    for (const name of ['first', 'second', 'third']) start(name);
    await Promise.resolve();
    expect(begun).toEqual([]);
    await setImmediate();
    expect(begun).toEqual(['first']);
    start('fourth');
    await setImmediate();
    expect(begun).toEqual(['first', 'second']);
    for (let turn = 0; turn < 2; turn++) await setImmediate();
    expect(begun).toEqual(['first', 'second', 'third', 'fourth']);
    await setImmediate();
    start('fifth');
    await setImmediate();
    expect(begun.at(-1)).toBe('fifth');
  });

  it('is counted from the moment that it is handed over, and waited for', async () => {
    let finish: () => void = () => undefined;
    inFlight.start(() => new Promise((resolve) => (finish = resolve)));
    expect(inFlight.count).toBe(1);
    const drained = inFlight.drain(SECOND);
    await setImmediate();
    finish();
    expect(await drained).toBe(0);
    expect(inFlight.count).toBe(0);
  });

  it('that does not end is left at the deadline, and told', async () => {
    inFlight.start(() => new Promise(() => undefined));
    inFlight.start(async () => undefined);
    const drained = inFlight.drain(SECOND);
    for (let turn = 0; turn < 3; turn++) await setImmediate();
    clock.moveTo(clock.now() + SECOND);
    expect(await drained).toBe(1);
  });

  it.each([
    ['at once', () => JSON.parse('nonsense')],
    ['later', () => Promise.reject(new Error('broken'))],
  ])('that fails %s is logged, ends, and does not keep the next from beginning', async (_, work) => {
    let begun = false;
    inFlight.start(work);
    inFlight.start(async () => {
      begun = true;
    });
    expect(await inFlight.drain(SECOND)).toBe(0);
    expect([begun, lines]).toEqual([true, [expect.any(String)]]);
  });
});
