/** What a channel could not have when others could, and has later. */
import { afterEach, describe, expect, it } from 'vitest';
import { ann, channel, FeedWorld } from './feed-world.ts';

let world: FeedWorld | undefined;
afterEach(() => world?.stop());

async function open(): Promise<FeedWorld> {
  world = new FeedWorld();
  await world.start();
  return world;
}

const keys = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, place) => `p${String(from + place).padStart(3, '0')}`);

describe('what a channel is owed', () => {
  it('of one subscription is not held up by what is owed to another that stands still', async () => {
    const it = await open();
    for (const where of ['C1', 'C2']) for (const filter of [7, 8]) await it.subscribe(where, filter);
    await it.pass(20);
    await it.disk.transact((tx) => it.feed.stopChannel(tx, channel('C1'), 'not_in_channel', it.clock.now()));
    for (const key of keys(1, 60)) it.market.publish(7, key);
    await it.pass(60);
    it.market.publish(8, 'p061');
    await it.pass(60);
    expect(await it.cards('C1', 'owed')).toHaveLength(61);
    await it.subscribe('C1', 8);
    await it.pass(70);
    expect(await it.cards('C1')).toEqual(['p061']);
    await it.feed.resume(channel('C1'), ann);
    await it.pass(70);
    expect(await it.cards('C1')).toEqual(keys(1, 61));
  });

  it('comes with a raise that leaves enough for a page, and not before', async () => {
    const it = await open();
    await it.subscribe('C1', 7);
    await it.subscribe('C2', 7);
    await it.setBudget('C1', 0);
    await it.pass(20);
    it.market.publish(7, 'owed');
    await it.pass(40);
    for (const [limit, told] of [
      [9, []],
      [10, ['owed']],
    ] as const) {
      await it.setBudget('C1', limit);
      it.feed.wake();
      await it.pass(30);
      expect(await it.cards('C1')).toEqual(told);
    }
  });
});
