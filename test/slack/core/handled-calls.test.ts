/** A call that was handled is recognized. */
import { expect, it } from 'vitest';
import { silentLog } from '../../../src/log.ts';
import { recordCallIfNew } from '../../../src/slack/core/call-tracking.ts';
import { ManualClock } from '../../../src/workbench/clocks.ts';
import { createMemoryStore } from '../../memory-store.ts';

it('is new once', async () => {
  const context = { store: createMemoryStore(), clock: new ManualClock(), log: silentLog };
  const isNew = (id: string) => recordCallIfNew(context, id);
  expect([await isNew('one'), await isNew('one'), await isNew('two')]).toEqual([true, false, true]);
});
