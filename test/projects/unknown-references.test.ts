import { expect, it } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { NOT_FOUND_TTL_MS, NotFoundCache } from '../../src/projects/lookup-cache.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';

it('an unknown id is remembered for some minutes', () => {
  const clock = new ManualClock();
  const unknown = new NotFoundCache(clock);
  const at = clock.now();
  unknown.add('~01');
  expect([unknown.notFoundAt('~01'), unknown.notFoundAt('~02')]).toEqual([at, undefined]);
  clock.moveBy(NOT_FOUND_TTL_MS - 1);
  expect(unknown.notFoundAt('~01')).toBe(at);
  clock.moveBy(1);
  expect(unknown.notFoundAt('~01')).toBeUndefined();
});

it('a clock that was set back keeps no id unknown', () => {
  const clock = new ManualClock();
  let back = 0;
  const skewed = Object.assign(Object.create(clock) as typeof clock, { now: () => clock.now() - back });
  const unknown = new NotFoundCache(skewed);
  unknown.add('~01');
  back = 10 * MINUTE;
  expect(unknown.notFoundAt('~01')).toBeUndefined();
});

it('a thousand ids are remembered at most, the newest', () => {
  const unknown = new NotFoundCache(new ManualClock());
  for (let id = 0; id < 1_500; id++) unknown.add(`~${id}`);
  expect(unknown.notFoundAt('~499')).toBeUndefined();
  expect(unknown.notFoundAt('~500')).toBeDefined();
  expect(unknown.notFoundAt('~1499')).toBeDefined();
});
