/** A clock that skips ahead: all due work happens in order, and every component keeps up. */
import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { ManualClock, SkippingClock } from '../../src/workbench/clocks.ts';

function start() {
  const machine = new ManualClock();
  const clock = new SkippingClock(machine);
  const log: string[] = [];
  const settle = () => Promise.resolve();
  return { machine, clock, log, settle };
}

describe('ManualClock', () => {
  it('runs what falls due in a sleep of the machine when that is over', () => {
    const clock = new ManualClock();
    const began = clock.now();
    const ran: string[] = [];
    const note = (name: string) => () => ran.push(`${name} after ${(clock.now() - began) / MINUTE} min`);
    clock.runAfter(2 * MINUTE, note('second'));
    clock.runAfter(MINUTE, note('first'));
    clock.runAfter(11 * MINUTE, note('never'));
    clock.simulateMachineSleep(10 * MINUTE);
    expect(ran).toEqual(['first after 10 min', 'second after 10 min']);
    expect(clock.now() - began).toBe(10 * MINUTE);
  });

  it('passes no time limit of work that began within the same step', async () => {
    const clock = new ManualClock();
    const ran: string[] = [];
    clock.runAfter(SECOND, () => {
      const callOff = clock.runAfter(2 * SECOND, () => ran.push('too late'));
      void Promise.resolve().then(() => {
        ran.push('done');
        callOff();
      });
    });
    clock.moveInOneStep(clock.now() + MINUTE);
    await Promise.resolve();
    clock.moveInOneStep(clock.now() + MINUTE);
    expect(ran).toEqual(['done']);
  });
});

describe('SkippingClock', () => {
  it('goes as the machine does', () => {
    const { machine, clock, log } = start();
    clock.runAfter(2 * SECOND, () => log.push('second'));
    clock.runAfter(SECOND, () => log.push('first'));
    clock.runAfter(SECOND, () => log.push('never'))();
    machine.moveBy(1_500);
    expect([clock.now(), log]).toEqual([machine.now(), ['first']]);
    machine.moveBy(SECOND);
    expect(log).toEqual(['first', 'second']);
  });

  it('lets an hour pass at once, all that is due in its order, what it brings about included', async () => {
    const { machine, clock, log, settle } = start();
    const began = clock.now();
    const every = (ms: number, name: string) => {
      clock.runAfter(ms, () => {
        log.push(`${name} ${Math.round((clock.now() - began) / MINUTE)}`);
        every(ms, name);
      });
    };
    every(20 * MINUTE, 'a');
    every(30 * MINUTE, 'b');
    await clock.skipAhead(HOUR - SECOND, settle);
    expect(log).toEqual(['a 20', 'b 30', 'a 40']);
    expect(clock.now()).toBe(machine.now() + HOUR - SECOND);
    machine.moveBy(5 * SECOND);
    expect(log).toEqual(['a 20', 'b 30', 'a 40', 'b 60', 'a 60']);
  });

  it('gives whole milliseconds for any timers, so that times can be written as text', async () => {
    const { clock, settle } = start();
    const told: number[] = [];
    clock.runAfter(1_234.25, () => told.push(clock.now()));
    clock.runAfter(MINUTE + 0.5, () => told.push(clock.now()));
    await clock.skipAhead(HOUR + 0.75, settle);
    expect([...told, clock.now()].every(Number.isInteger)).toBe(true);
  });

  it('waits after each step until those who were woken have settled', async () => {
    const { clock, log } = start();
    clock.runAfter(MINUTE, () => log.push('woken'));
    clock.runAfter(2 * MINUTE, () => log.push('next'));
    let settled = 0;
    await clock.skipAhead(3 * MINUTE, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`settled ${settled++}`);
    });
    expect(log).toEqual(['settled 0', 'woken', 'settled 1', 'next', 'settled 2']);
  });

  it('skips once at a time, and goes on after something broke', async () => {
    const { machine, clock, log, settle } = start();
    const first = clock.skipAhead(HOUR, settle);
    await expect(clock.skipAhead(HOUR, settle)).rejects.toThrow('already being skipped');
    await first;
    clock.runAfter(SECOND, () => {
      throw new Error('broke');
    });
    clock.runAfter(2 * SECOND, () => log.push('later'));
    await expect(clock.skipAhead(MINUTE, settle)).rejects.toThrow('broke');
    machine.moveBy(2 * SECOND);
    expect(log).toEqual(['later']);
  });
});
