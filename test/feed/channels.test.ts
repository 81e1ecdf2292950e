import { afterEach, describe, expect, it } from 'vitest';
import { DAY, MINUTE } from '../../src/clock.ts';
import { ProjectKey, SetupId } from '../../src/ids.ts';
import { MarketplaceError } from '../../src/marketplace/errors.ts';
import { enqueueNotice } from '../../src/outbox/outbox.ts';
import { type Post, PostId, postKey, posts } from '../../src/outbox/posts.ts';
import { ann, bob, channel, FeedWorld, filterId, team, type WorldOptions } from './feed-world.ts';

let world: FeedWorld | undefined;
afterEach(() => world?.stop());
const c1 = channel('C1');
const key = (text: string) => ProjectKey.parse(text);

async function open(options: WorldOptions = {}): Promise<FeedWorld> {
  world = new FeedWorld(options);
  await world.start();
  await world.subscribe('C1', 7);
  await world.pass(15);
  return world;
}

async function publish(it: FeedWorld, from: number, count: number): Promise<void> {
  for (let each = from; each < from + count; each++) {
    it.market.publish(7, `p${String(each).padStart(3, '0')}`);
    it.clock.moveBy(500);
  }
  await it.pass(30);
}

const bundle = async (it: FeedWorld) =>
  (await it.disk.transact((tx) => it.feed.bundleCardsIntoSummary(tx, c1, it.clock.now()))).summary;

/** As delivery does once Slack has accepted a message. */
const markPosted = (it: FeedWorld, id: string) =>
  it.disk.transact(async (tx) => {
    const post = await tx.get(posts, postKey(team, PostId.parse(id)));
    if (!post) return;
    const posted: Post = { ...post, state: 'posted', shown: post.revision };
    await tx.put(posts, postKey(team, post.id), posted);
  });

const inState = async (it: FeedWorld, state: Post['state']) =>
  (await it.posts('C1')).filter((post) => post.state === state).map((post) => post.id);

describe('a flood', () => {
  it('is left alone up to ten cards', async () => {
    const it = await open();
    await publish(it, 1, 10);
    expect(await bundle(it)).toBeUndefined();
    expect(await inState(it, 'waiting')).toHaveLength(10);
  });

  it('becomes one summary, which later cards join until it is sent', async () => {
    const it = await open();
    await publish(it, 1, 12);
    const flood = await bundle(it);
    expect(flood).toBe('flood:card:C1:p001');
    expect(await inState(it, 'waiting')).toEqual([flood]);
    await publish(it, 13, 1);
    expect(await bundle(it)).toBe(flood);
    expect(await inState(it, 'bundled')).toHaveLength(13);
    await markPosted(it, flood ?? '');
    await publish(it, 14, 1);
    expect(await bundle(it)).toBeUndefined();
    expect(await inState(it, 'waiting')).toEqual(['card:C1:p014']);
  });

  it('gives out its newest cards on request, which are never bundled again', async () => {
    const it = await open();
    await publish(it, 1, 12);
    const flood = (await bundle(it)) ?? PostId.parse('none');
    await markPosted(it, flood);
    expect(await it.feed.postMoreCardsFromSummary(flood, 11)).toBe(11);
    expect(await inState(it, 'waiting')).toHaveLength(11);
    expect(await inState(it, 'bundled')).toEqual(['card:C1:p001']);
    expect(await bundle(it)).toBeUndefined();
    const summary = (await it.posts('C1')).find((post) => post.id === flood);
    expect(summary?.revision).toBeGreaterThan(summary?.shown ?? 0);
    expect(await it.feed.postMoreCardsFromSummary(flood, 5)).toBe(1);
  });
});

describe('claims and skips', () => {
  it('give a project to one person, who alone (or a leader) gives it free', async () => {
    const it = await open();
    await publish(it, 1, 1);
    const project = key('p001');
    expect(await it.feed.claimProject(c1, project, { by: ann })).toEqual({ kind: 'claimed' });
    expect(await it.feed.claimProject(c1, project, { by: bob })).toMatchObject({ kind: 'held', by: ann });
    expect(await it.feed.releaseProjectClaim(c1, project, bob, false)).toMatchObject({
      kind: 'held',
      by: ann,
    });
    expect(await it.feed.releaseProjectClaim(c1, project, bob, true)).toEqual({ kind: 'released' });
    expect(await it.feed.releaseProjectClaim(c1, project, ann, false)).toEqual({ kind: 'free' });
    expect(await it.feed.claimProject(c1, key('none'), { by: ann })).toEqual({ kind: 'no-card' });
    const [post] = await it.posts('C1');
    expect(post?.revision).toBe(2);
  });

  it('remember the reason of a skip, and take it back', async () => {
    const it = await open();
    await publish(it, 1, 1);
    expect(await it.feed.skipProject(c1, key('p001'), ann, 'client')).toEqual({ kind: 'done' });
    const skipped = () => it.disk.read((tx) => it.feed.readCardData(tx, c1, key('p001')));
    expect((await skipped())?.card.skip).toMatchObject({ by: ann, reason: 'client' });
    expect(await it.feed.undoSkip(c1, key('p001'))).toBe(true);
    expect((await skipped())?.card.skip).toBeUndefined();
    expect(await it.feed.skipProject(c1, key('none'), ann, 'other')).toEqual({ kind: 'no-card' });
  });
});

describe('mutes', () => {
  it('keep words and countries out, until they are taken back', async () => {
    const it = await open();
    expect(await it.feed.addMute(c1, { kind: 'word', value: 'Casino' }, ann)).toBe('muted');
    expect(await it.feed.addMute(c1, { kind: 'word', value: 'casino ' }, ann)).toBe('there');
    expect(await it.feed.addMute(c1, { kind: 'country', value: 'united states' }, ann)).toBe('muted');
    it.market.publish(7, 'word', { title: 'A CASINO site' });
    it.market.publish(7, 'part', { title: 'Casinos' });
    it.market.publish(7, 'country', { client: { country: 'US' } });
    await it.pass(30);
    expect(await it.cards('C1')).toEqual(['part']);
    expect(await it.feed.removeMute(c1, { kind: 'word', value: 'CASINO' }, ann)).toBe(true);
    expect(await it.feed.removeMute(c1, { kind: 'word', value: 'casino' }, ann)).toBe(false);
    it.market.publish(7, 'again', { title: 'casino' });
    await it.pass(30);
    expect(await it.cards('C1')).toEqual(['again', 'part']);
  });
});

describe('a subscription', () => {
  it('is named as the setups name its filter', async () => {
    const it = await open();
    const filter = { id: filterId(8), name: 'React jobs' };
    it.market.setups = [{ id: SetupId.parse(8), name: 's', status: 'active', filter }];
    it.market.addFilter(8);
    await it.pass(600);
    expect(await it.subscribe('C1', 8)).toMatchObject({ kind: 'subscribed', filterName: 'React jobs' });
  });

  it('is named as the setups last named its filter, while they can’t be asked', async () => {
    const it = await open();
    const filter = { id: filterId(8), name: 'React jobs' };
    it.market.setups = [{ id: SetupId.parse(8), name: 's', status: 'active', filter }];
    await it.pass(600);
    await it.feed.listKnownFilters();
    it.market.setupsFail = new MarketplaceError('server', 'unknown', 'down');
    await it.pass(600);
    await it.restart();
    expect(await it.feed.listKnownFilters()).toMatchObject({
      filters: [{ id: 7 }, { id: 8, name: 'React jobs' }],
      failure: { code: 'server' },
    });
    expect(await it.subscribe('C1', 8)).toMatchObject({ kind: 'subscribed', filterName: 'React jobs' });
  });

  it('whose filter is renamed shows the new name', async () => {
    const it = await open();
    const rename = (name: string) => {
      const filter = { id: filterId(7), name };
      it.market.setups = [{ id: SetupId.parse(8), name: 's', status: 'active', filter }];
    };
    rename('React jobs');
    await it.pass(600);
    await it.feed.listKnownFilters();
    rename('React and Vue jobs');
    await it.pass(600);
    await it.feed.listKnownFilters();
    const [view] = await it.feed.listSubscriptions(c1);
    expect(view?.filter).toEqual({ id: 7, name: 'React and Vue jobs' });
  });

  it('that is made again changes its rules and keeps its beginning', async () => {
    const it = await open();
    const outcome = await it.subscribe('C1', 7, { rules: '“react  native”' });
    expect(outcome).toMatchObject({ kind: 'changed', subscription: { rules: '"react native"' } });
    const [view] = await it.feed.listSubscriptions(c1);
    expect(view?.subscription.startsAt).toBeLessThan(it.clock.now());
    expect(view?.state).toEqual({ kind: 'live' });
  });

  it('that was ended is owed nothing; begun again, it starts anew', async () => {
    const it = await open();
    await it.subscribe('C2', 7);
    await it.feed.pauseChannelFeed(c1, ann, it.clock.now() + 2 * MINUTE);
    await publish(it, 1, 3);
    expect(await it.cards('C1', 'deferred')).toHaveLength(3);
    expect(await it.feed.unsubscribe(c1, filterId(7), ann)).toMatchObject({ channel: 'C1' });
    expect(await it.feed.unsubscribe(c1, filterId(7), ann)).toBeUndefined();
    await it.subscribe('C1', 7);
    await it.pass(180);
    expect(await it.posted('C1')).toEqual([]);
    expect(await it.cards('C1', 'suppressed')).toHaveLength(3);
    await publish(it, 4, 1);
    expect(await it.posted('C1')).toEqual(['p004']);
  });

  it('stops where Slack refuses, tells whoever made it once, and goes on after a resume', async () => {
    const it = await open();
    for (const at of [1, 2]) {
      await it.disk.transact((tx) => it.feed.stopChannelFeeds(tx, c1, 'is_archived', it.clock.now() + at));
    }
    expect(await it.notices(ann)).toMatchObject([{ about: 'channel-unreachable', error: 'is_archived' }]);
    await publish(it, 1, 2);
    expect((await it.feed.listSubscriptions(c1))[0]?.state).toEqual({
      kind: 'stopped',
      error: 'is_archived',
    });
    expect(await it.posted('C1')).toEqual([]);
    await it.feed.resumeChannelFeed(c1, ann);
    await it.pass(30);
    expect(await it.cards('C1')).toEqual(['p001', 'p002']);
  });
});

describe('clearing out', () => {
  it('takes what is older than 90 days, keeps what lives, and tells nothing again', async () => {
    const it = await open({ ways: { ignoresLatest: true } });
    await publish(it, 1, 4);
    for (const post of await it.posts('C1')) await markPosted(it, post.id);
    await it.disk.transact((tx) =>
      enqueueNotice(
        tx,
        { team, channel: c1, matter: 'old', at: it.clock.now() },
        { about: 'feed-recovered', since: 0, filters: [] },
      ),
    );
    await markPosted(it, 'notice:C1:old');
    await it.feed.pauseChannelFeed(c1, ann);
    it.clock.moveBy(60 * DAY);
    await it.feed.claimProject(c1, key('p002'), { by: ann });
    it.clock.moveBy(40 * DAY);
    await it.pass(120);
    expect(await it.cards('C1')).toEqual(['p002']);
    expect((await it.posts('C1')).map((post) => post.id)).toEqual(['card:C1:p002']);
    await it.feed.resumeChannelFeed(c1, ann);
    await it.pass(60);
    expect(await it.cards('C1')).toEqual(['p002']);
    expect((await it.posts('C1')).map((post) => post.id)).toEqual(['card:C1:p002']);
  });
});
