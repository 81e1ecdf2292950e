import { describe, expect, it } from 'vitest';
import { HOUR } from '../../src/clock.ts';
import { releaseQuietHoursPosts } from '../../src/feed/quiet-hours.ts';
import { channelSettings, channelSettingsKey, defaultChannelSettings } from '../../src/feed/records.ts';
import { ChannelId } from '../../src/ids.ts';
import { team } from '../bidding/follow-world.ts';
import { HOME, OutcomesWorld, sent } from './outcomes-world.ts';

const C1 = ChannelId.parse('C1');

/** Quiet from an hour ago for three hours. */
async function quietWorld(): Promise<OutcomesWorld> {
  const world = new OutcomesWorld();
  const hour = Math.floor(world.clock.now() / HOUR) % 24;
  const quiet = { from: ((hour + 23) % 24) * 60, to: ((hour + 2) % 24) * 60, weekends: false };
  await world.disk.transact((tx) =>
    tx.put(channelSettings, channelSettingsKey(team, C1), { ...defaultChannelSettings(team, C1), quiet }),
  );
  return world;
}

describe('an outcome in quiet hours', () => {
  it('waits where it is a message of its own, and comes afterwards', async () => {
    const world = await quietWorld();
    await world.follow('C1');
    await world.follow('C2');
    await world.turn(sent(17), { hired: true });
    expect((await world.posts('C1')).map(({ state }) => state)).toEqual(['held']);
    expect((await world.posts('C2')).map(({ state }) => state)).toEqual(['waiting']);
    world.clock.moveBy(3 * HOUR);
    await releaseQuietHoursPosts({ team, store: world.disk, clock: world.clock, timezone: 'UTC' }, C1);
    expect((await world.posts('C1')).map(({ state }) => state)).toEqual(['waiting']);
  });

  it('of a bid of ours is told in its thread at once', async () => {
    const world = await quietWorld();
    await world.keepJob('A17');
    await world.turn(sent(17), { hired: true });
    const news = (await world.posts('C1')).filter(({ under }) => under === HOME);
    expect(news.map(({ content }) => content)).toContainEqual({
      kind: 'bid-news',
      news: { about: 'proposal-outcome', job: 12, proposal: 17, outcomes: ['hired'] },
    });
    expect(news.every(({ state }) => state === 'waiting')).toBe(true);
  });
});
