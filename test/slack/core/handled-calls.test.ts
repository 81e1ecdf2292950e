/** A call is recognized for a day, and forgotten afterwards. */
import { expect, it } from 'vitest';
import { DAY } from '../../../src/clock.ts';
import { silentLog } from '../../../src/log.ts';
import { handledCalls, recordCallIfNew } from '../../../src/slack/core/handled-calls.ts';
import { ManualClock } from '../../../src/workbench/clocks.ts';
import { createMemoryStore } from '../../memory-store.ts';

it('is new once a day, and takes no room after that', async () => {
  const [store, clock] = [createMemoryStore(), new ManualClock()];
  const isNew = (id: string) => recordCallIfNew({ store, clock, log: silentLog }, id);
  expect([await isNew('one'), await isNew('one'), await isNew('two')]).toEqual([true, false, true]);
  clock.moveBy(DAY + 1);
  expect(await isNew('three')).toBe(true);
  const kept = await store.read((tx) => tx.list(handledCalls, { limit: 10 }));
  expect(kept.map(({ value }) => value.id)).toEqual(['three']);
});
