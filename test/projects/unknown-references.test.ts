import { expect, it } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { UNKNOWN_KEPT_MS, UnknownReferences } from '../../src/projects/unknown-references.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';

it('an unknown id is remembered for some minutes', () => {
  const clock = new ManualClock();
  const unknown = new UnknownReferences(clock);
  const at = clock.now();
  unknown.add('~01');
  expect([unknown.askedAt('~01'), unknown.askedAt('~02')]).toEqual([at, undefined]);
  clock.moveBy(UNKNOWN_KEPT_MS - 1);
  expect(unknown.askedAt('~01')).toBe(at);
  clock.moveBy(1);
  expect(unknown.askedAt('~01')).toBeUndefined();
});

it('a clock that was set back keeps no id unknown', () => {
  const clock = new ManualClock();
  let back = 0;
  const skewed = Object.assign(Object.create(clock) as typeof clock, { now: () => clock.now() - back });
  const unknown = new UnknownReferences(skewed);
  unknown.add('~01');
  back = 10 * MINUTE;
  expect(unknown.askedAt('~01')).toBeUndefined();
});

it('a thousand ids are remembered at most, the newest', () => {
  const unknown = new UnknownReferences(new ManualClock());
  for (let id = 0; id < 1_500; id++) unknown.add(`~${id}`);
  expect(unknown.askedAt('~499')).toBeUndefined();
  expect(unknown.askedAt('~500')).toBeDefined();
  expect(unknown.askedAt('~1499')).toBeDefined();
});
