/** Cards deferred for one channel while others got theirs. */
import { describe, expect, it } from 'vitest';
import { DAY } from '../../src/clock.ts';
import { seenProjects } from '../../src/feed/records.ts';
import { posts } from '../../src/outbox/posts.ts';
import { scanCollection } from '../../src/storage/store.ts';
import { ann, channel, type FeedWorld, filterId, keysFrom, openFeed, team } from './feed-world.ts';

const pause = (it: FeedWorld) => it.feed.pauseChannelFeed(channel('C2'), ann);
const leave = (it: FeedWorld) => it.feed.unsubscribe(channel('C2'), filterId(7), ann);
const archive = (it: FeedWorld) =>
  it.disk.transact((tx) => it.feed.stopChannelFeeds(tx, channel('C2'), 'is_archived', it.clock.now()));

/** As if Slack had accepted all pending posts. */
const sendAll = (it: FeedWorld) =>
  it.disk.transact(async (tx) => {
    for await (const { key, value } of scanCollection(tx, posts, { prefix: [team] })) {
      await tx.put(posts, key, { ...value, state: 'posted' as const });
    }
  });

const projects = (it: FeedWorld) =>
  it.disk.read(async (tx) => (await tx.list(seenProjects, { prefix: [team], limit: 100 })).length);

describe('what a channel is owed', () => {
  it('of one subscription is not held up by what is owed to another that stands still', async () => {
    const it = await openFeed();
    for (const where of ['C1', 'C2']) for (const filter of [7, 8]) await it.subscribe(where, filter);
    await it.pass(20);
    await it.disk.transact((tx) =>
      it.feed.stopChannelFeeds(tx, channel('C1'), 'not_in_channel', it.clock.now()),
    );
    for (const key of keysFrom(1, 60)) it.market.publish(7, key);
    await it.pass(60);
    it.market.publish(8, 'p061');
    await it.pass(60);
    expect(await it.cards('C1', 'deferred')).toHaveLength(61);
    await it.subscribe('C1', 8);
    await it.pass(70);
    expect(await it.cards('C1')).toEqual(['p061']);
    await it.feed.resumeChannelFeed(channel('C1'), ann);
    await it.pass(70);
    expect(await it.cards('C1')).toEqual(keysFrom(1, 61));
  });

  it('comes with a raise that leaves enough for a page, and not before', async () => {
    const it = await openFeed();
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

  it('is looked at again when it comes: what was muted, or ruled out, in a pause stays away', async () => {
    const it = await openFeed();
    for (const where of ['C1', 'C2']) for (const filter of [7, 8]) await it.subscribe(where, filter);
    await it.pass(60);
    await it.feed.pauseChannelFeed(channel('C2'), ann);
    it.market.publish(7, 'muted', { title: 'A WordPress theme' });
    it.market.publish(7, 'ruled-out', { title: 'A logo' });
    it.market.publish([7, 8], 'ruled-out-by-one', { title: 'Another logo' });
    it.market.publish(7, 'wanted');
    await it.pass(60);
    expect(await it.cards('C2', 'deferred')).toHaveLength(4);
    await it.feed.addMute(channel('C2'), { kind: 'word', value: 'wordpress' }, ann);
    await it.subscribe('C2', 7, { rules: '-logo' });
    await it.feed.resumeChannelFeed(channel('C2'), ann);
    await it.pass(120);
    expect(await it.cards('C2')).toEqual(['ruled-out-by-one', 'wanted']);
    expect(await it.cards('C2', 'deferred')).toEqual([]);
    expect(await it.cards('C1')).toHaveLength(4);
  });

  it('waits for the one subscription of several whose rules want it', async () => {
    const it = await openFeed();
    for (const where of ['C1', 'C2']) await it.subscribe(where, 7);
    await it.subscribe('C2', 8, { rules: 'unheard-of' });
    await it.pass(60);
    await archive(it);
    it.market.publish([7, 8], 'one');
    await it.subscribe('C1', 8);
    await it.pass(60);
    await it.subscribe('C2', 8, { rules: 'unheard-of' });
    await it.pass(120);
    expect(await it.cards('C2', 'deferred')).toEqual(['one']);
    await it.feed.resumeChannelFeed(channel('C2'), ann);
    await it.pass(120);
    expect(await it.cards('C2')).toEqual(['one']);
  });

  it.each([
    ['that is archived', archive, async () => {}],
    ['that is paused', pause, async () => {}],
    ['that follows nothing any more', pause, leave],
  ])('is cleared out after 90 days with its projects in a channel %s', async (_, before, afterwards) => {
    const it = await openFeed();
    for (const where of ['C1', 'C2']) await it.subscribe(where, 7);
    await it.pass(60);
    await before(it);
    for (const key of keysFrom(1, 5)) it.market.publish(7, key);
    await it.pass(60);
    expect(await it.cards('C2', 'deferred')).toEqual(keysFrom(1, 5));
    await afterwards(it);
    await sendAll(it);
    it.clock.moveBy(85 * DAY);
    await it.pass(120);
    expect(await projects(it)).toBe(5);
    it.clock.moveBy(7 * DAY);
    await it.pass(120);
    expect(await projects(it)).toBe(0);
    expect(await it.cards('C2', 'deferred')).toEqual([]);
  });
});
