import { beforeEach, describe, expect, it } from 'vitest';
import { auditEntries } from '../../src/audit/audit.ts';
import { HOUR } from '../../src/clock.ts';
import type { Store } from '../../src/storage/store.ts';
import { ann, bob, channel, FeedWorld, filterId, team } from '../feed/feed-world.ts';
import { actsOf } from './entries.ts';

let world: FeedWorld;
const c1 = channel('C1');

beforeEach(() => {
  world = new FeedWorld();
});

const acts = () => actsOf(world.disk, team);

describe('the audit log tells', () => {
  it('who subscribed a channel, changed what it gets, and ended it', async () => {
    await world.subscribe('C1', 7, { rules: 'react', backfill: 20 });
    await world.subscribe('C1', 7, { rules: 'react' });
    await world.subscribe('C1', 7, { rules: 'vue' });
    await world.feed.unsubscribe(c1, filterId(7), bob);
    await world.feed.unsubscribe(c1, filterId(7), bob);
    expect(await acts()).toEqual([
      { by: ann, channel: c1, kind: 'budget-confirmed', limit: 500 },
      { by: ann, channel: c1, kind: 'subscribed', filter: 7, rules: 'react', backfill: 20 },
      { by: ann, channel: c1, kind: 'subscribed', filter: 7, rules: 'vue', backfill: 0 },
      { by: bob, channel: c1, kind: 'unsubscribed', filter: 7 },
    ]);
  });

  it('who starts a subscription again that Slack had stopped', async () => {
    await world.subscribe('C1', 7);
    await world.disk.transact((tx) => world.feed.stopChannelFeeds(tx, c1, 'is_archived', world.clock.now()));
    await world.subscribe('C1', 7);
    const kinds = (await acts()).map(({ kind }) => kind);
    expect(kinds).toEqual(['budget-confirmed', 'subscribed', 'subscribed']);
  });

  it('nothing of what was refused', async () => {
    await world.subscribe('C1', 7, { rules: 'budget:>lots' });
    expect(await acts()).toEqual([]);
  });

  it('who paused and resumed, where there was anything to resume', async () => {
    const until = world.clock.now() + HOUR;
    await world.feed.resumeChannelFeed(c1, bob);
    await world.feed.pauseChannelFeed(c1, ann, until);
    await world.feed.resumeChannelFeed(c1, bob);
    await world.feed.pauseChannelFeed(c1, ann);
    expect(await acts()).toEqual([
      { by: ann, channel: c1, kind: 'paused', until },
      { by: bob, channel: c1, kind: 'resumed' },
      { by: ann, channel: c1, kind: 'paused' },
    ]);
  });

  it('who muted and unmuted what, once', async () => {
    await world.feed.addMute(c1, { kind: 'word', value: ' Casino ' }, ann);
    await world.feed.addMute(c1, { kind: 'word', value: 'casino' }, bob);
    await world.feed.removeMute(c1, { kind: 'word', value: 'CASINO' }, bob);
    await world.feed.removeMute(c1, { kind: 'word', value: 'casino' }, bob);
    expect(await acts()).toEqual([
      { by: ann, channel: c1, kind: 'muted', what: 'word', value: 'Casino' },
      { by: bob, channel: c1, kind: 'unmuted', what: 'word', value: 'CASINO' },
    ]);
    expect((await world.feed.readChannelSettings(c1)).mutes).toEqual([]);
  });

  it('who set a budget, from what and to what', async () => {
    await world.setBudget('C1', 300);
    await world.setBudget('C1', 300);
    await world.disk.transact((tx) => world.credits.setBudget(tx, c1, 'unlimited', bob, world.clock.now()));
    expect(await acts()).toEqual([
      { by: ann, channel: c1, kind: 'budget', from: 500, to: 300 },
      { by: bob, channel: c1, kind: 'budget', from: 300, to: 'unlimited' },
    ]);
  });
});

it('a change that can not be told in the audit log is not made', async () => {
  const failing = (store: Store): Store => ({
    ...store,
    read: (work) => store.read(work),
    transact: (work) =>
      store.transact((tx) =>
        work({
          get: (collection, key) => tx.get(collection, key),
          getMany: (collection, keys) => tx.getMany(collection, keys),
          has: (collection, key) => tx.has(collection, key),
          trustedNow: () => tx.trustedNow(),
          list: (collection, options) => tx.list(collection, options),
          delete: (collection, key) => tx.delete(collection, key),
          put: async (collection, key, value) => {
            if (collection.name === auditEntries.name) throw new Error('full');
            return tx.put(collection, key, value);
          },
        }),
      ),
  });
  world = new FeedWorld({ wrap: failing });
  await expect(world.feed.pauseChannelFeed(c1, ann)).rejects.toThrow('full');
  await expect(world.subscribe('C1', 7)).rejects.toThrow('full');
  await expect(world.feed.addMute(c1, { kind: 'word', value: 'x' }, ann)).rejects.toThrow('full');
  expect(await world.feed.readChannelSettings(c1)).toMatchObject({ mutes: [] });
  expect(await world.feed.readChannelSettings(c1)).not.toHaveProperty('paused');
  expect(await world.feed.listSubscriptions(c1)).toEqual([]);
});
