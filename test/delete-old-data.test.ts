/** All that is old goes by one job. */
import { expect, it } from 'vitest';
import { deleteOldDataHourly } from '../src/app/delete-old-data.ts';
import { DAY } from '../src/clock.ts';
import { UserId } from '../src/ids.ts';
import { silentLog } from '../src/log.ts';
import { handledCalls } from '../src/slack/core/call-tracking.ts';
import { homeChannels } from '../src/slack/core/user-channels.ts';
import { ManualClock } from '../src/workbench/clocks.ts';
import { createMemoryStore } from './memory-store.ts';
import { settle } from './pass-time.ts';

it('goes on with the others when one kind of record can’t be deleted', async () => {
  const [store, clock, end] = [createMemoryStore(), new ManualClock(100 * DAY), new AbortController()];
  await store.transact(async (tx) => {
    await tx.put(handledCalls, { id: 'E1', at: DAY });
    await tx.put(homeChannels, { user: UserId.parse('U1'), channels: [], at: DAY });
  });
  const left = () =>
    store.read(async (tx) => [
      ...(await tx.list(handledCalls, { limit: 9 })),
      ...(await tx.list(homeChannels, { limit: 9 })),
    ]);
  store.failNext();
  const running = deleteOldDataHourly({ store, clock, log: silentLog }, end.signal);
  for (let turn = 0; turn < 30; turn++) await settle();
  expect(await left()).toEqual([]);
  end.abort();
  await settle();
  await running;
});
