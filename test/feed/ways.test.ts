import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ServerWays } from './fake-marketplace.ts';
import { FeedWorld, keysFrom } from './feed-world.ts';

/** However the server reads its parameters, the feed posts exactly the projects published since. */
async function followBusyFilter(ways: Partial<ServerWays>): Promise<FeedWorld> {
  const world = new FeedWorld({ ways, budget: 10_000 });
  for (const key of keysFrom(901, 925)) {
    world.market.publish(7, key);
    world.clock.moveBy(60_000);
  }
  await world.start();
  await world.subscribe('C1', 7);
  await world.pass(15);
  for (const key of keysFrom(1, 6)) {
    world.market.publish(7, key);
    await world.pass(7);
  }
  // A burst larger than a page, with many projects in one second.
  for (const key of keysFrom(7, 45)) {
    world.market.publish(7, key);
    world.clock.moveBy(300);
  }
  await world.pass(120);
  world.market.publish(7, 'p046');
  await world.pass(330);
  return world;
}

const WAYS: readonly (readonly [string, Partial<ServerWays>])[] = [
  ['as we read the description', {}],
  ['latest_published_ts ignored', { ignoresLatest: true }],
  ['latest_published_ts included', { inclusiveLatest: true }],
  ['oldest first', { oldestFirst: true }],
  ['oldest first, latest_published_ts ignored', { oldestFirst: true, ignoresLatest: true }],
  ['milliseconds', { milliseconds: true }],
  ['milliseconds, latest_published_ts ignored', { milliseconds: true, ignoresLatest: true }],
  ['cursors that leave out ties', { lossyCursor: true }],
  ['cursors that leave out ties, oldest first', { lossyCursor: true, oldestFirst: true }],
  ['no order within a page', { shufflesPages: true, ignoresLatest: true }],
  ['limit refused', { refusesLimit: true }],
  ['no timestamps on an empty page', { hidesMarks: true }],
  ['no timestamps on an empty page, oldest first', { hidesMarks: true, oldestFirst: true }],
  ['no timestamps on an empty page, milliseconds', { hidesMarks: true, milliseconds: true }],
  ['milliseconds, oldest first', { milliseconds: true, oldestFirst: true }],
  ['no marks far ahead', { refusesFarMarks: true }],
];

describe('whatever the server makes of its parameters, exactly the new projects are told', () => {
  it.each(WAYS)('%s', async (_, ways) => {
    const world = await followBusyFilter(ways);
    expect(await world.cards('C1')).toEqual(keysFrom(1, 46));
    expect(await world.posted('C1')).toHaveLength(46);
    const past = world.market.totalCharged - 46;
    expect(past).toBeLessThanOrEqual(ways.ignoresLatest ? 10 : 0);
    expect(await world.spent('C1')).toBe(world.market.totalCharged);
    await world.stop();
  });

  it('any mixture of them', async () => {
    const flag = fc.boolean();
    const mixture = fc.record({
      ignoresLatest: flag,
      inclusiveLatest: flag,
      oldestFirst: flag,
      milliseconds: flag,
      lossyCursor: flag,
      shufflesPages: flag,
      refusesLimit: flag,
      hidesMarks: flag,
      refusesFarMarks: flag,
    });
    await fc.assert(
      fc.asyncProperty(mixture, async (ways) => {
        const world = await followBusyFilter(ways);
        expect(await world.cards('C1')).toEqual(keysFrom(1, 46));
        expect(await world.spent('C1')).toBe(world.market.totalCharged);
        await world.stop();
      }),
      { numRuns: 8, seed: 11 },
    );
  });
});
