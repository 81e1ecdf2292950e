import { afterEach, describe, expect, it } from 'vitest';
import { HOUR } from '../../src/clock.ts';
import { type ChannelPreferences, extractPreferences } from '../../src/feed/channels.ts';
import { cardKey, cards, defaultChannelSettings } from '../../src/feed/records.ts';
import { ProjectKey, UserId } from '../../src/ids.ts';
import { enqueuePost } from '../../src/outbox/outbox.ts';
import { type Post, type PostContent, PostId } from '../../src/outbox/posts.ts';
import { ann, bob, channel, FeedWorld, team, type WorldOptions } from './feed-world.ts';

let world: FeedWorld | undefined;
afterEach(() => world?.stop());

const C1 = channel('C1');

async function open(options: WorldOptions = {}): Promise<FeedWorld> {
  world = new FeedWorld(options);
  await world.start();
  await world.subscribe('C1', 7);
  await world.pass(20);
  return world;
}

async function choose(it: FeedWorld, change: Partial<ChannelPreferences>): Promise<void> {
  const shown = extractPreferences(await it.feed.readChannelSettings(C1));
  await it.feed.changeChannelPreferences(C1, { shown, wanted: { ...shown, ...change } }, ann);
}

/** The minute of the UTC day `hours` from now. */
function minuteIn(it: FeedWorld, hours: number): number {
  return Math.floor(((it.clock.now() / HOUR + hours) % 24) * 60);
}

/** Quiet from an hour ago until `hours` from now. */
function quietFor(it: FeedWorld, hours: number): Promise<void> {
  return choose(it, { quiet: { from: minuteIn(it, -1), to: minuteIn(it, hours), weekends: false } });
}

async function publish(it: FeedWorld, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) it.market.publish(7, key, { title: `Title ${key}` });
  await it.pass(30);
}

const states = (posts: readonly Post[]) => posts.map(({ id, state }) => `${id} ${state}`);

async function tick(it: FeedWorld): Promise<void> {
  await it.feed.quietHoursJob.runIfDue(it.clock.now(), new AbortController().signal);
}

function hold(it: FeedWorld, name: string, content: PostContent): Promise<boolean> {
  const at = it.clock.now();
  const post = { team, id: PostId.parse(name), channel: C1, content, order: at, at, isHeld: true };
  return it.disk.transact((tx) => enqueuePost(tx, post));
}

const outcome: PostContent = { kind: 'outcomes-rest', rest: { proposals: 1, counts: [] } };
const status: PostContent = { kind: 'invitation-status', title: 'A shop', status: 'Accepted' };

describe('in quiet hours', () => {
  it('cards wait in one summary, which is sent when they are over', async () => {
    const it = await open();
    await quietFor(it, 2);
    await publish(it, 'a', 'b');
    await publish(it, 'c');
    await tick(it);
    expect(states(await it.posts('C1')).toSorted()).toEqual([
      'card:C1:a bundled',
      'card:C1:b bundled',
      'card:C1:c bundled',
      expect.stringMatching(/^quiet:card:C1:[ab] held$/u),
    ]);
    await it.pass(2 * 3_600);
    await tick(it);
    const sent = (await it.posts('C1')).filter(({ state }) => state !== 'bundled');
    expect(sent).toMatchObject([{ content: { kind: 'flood', quiet: true }, state: 'waiting' }]);
    expect(new Set((await it.posts('C1')).flatMap((post) => post.bundle ?? []))).toEqual(
      new Set([sent[0]?.id]),
    );
    await tick(it);
    expect(await it.posts('C1')).toHaveLength(4);
  });

  it('a card that is alone comes as a card', async () => {
    const it = await open();
    await quietFor(it, 2);
    await publish(it, 'a');
    await it.pass(2 * 3_600);
    await tick(it);
    expect(await it.posts('C1')).toMatchObject([{ id: 'card:C1:a', state: 'waiting', released: true }]);
  });

  it('invitations and outcomes come after the summary, in this order', async () => {
    const it = await open();
    await quietFor(it, 2);
    await hold(it, 'outcome', outcome);
    await hold(it, 'invitation', status);
    await publish(it, 'a', 'b');
    await it.pass(2 * 3_600);
    await tick(it);
    const waiting = (await it.posts('C1')).filter(({ state }) => state === 'waiting');
    expect(waiting.map(({ content }) => content.kind)).toEqual([
      'flood',
      'invitation-status',
      'outcomes-rest',
    ]);
  });

  it('another night has a summary of its own', async () => {
    const it = await open();
    await quietFor(it, 1);
    await publish(it, 'a', 'b');
    await it.pass(3_600);
    await tick(it);
    await quietFor(it, 1);
    await publish(it, 'c', 'd');
    const bundles = (await it.posts('C1')).flatMap((post) => post.bundle ?? []);
    expect(new Set(bundles).size).toBe(2);
  });

  it('switched off, or moved, what waits comes at once; moved on, it waits on', async () => {
    const it = await open();
    await quietFor(it, 1);
    await publish(it, 'a', 'b');
    await quietFor(it, 3);
    await it.pass(2 * 3_600);
    await tick(it);
    expect((await it.posts('C1')).map(({ state }) => state).toSorted()).toEqual([
      'bundled',
      'bundled',
      'held',
    ]);
    const { quiet: _, ...awake } = extractPreferences(await it.feed.readChannelSettings(C1));
    await it.feed.changeChannelPreferences(
      C1,
      { shown: extractPreferences(await it.feed.readChannelSettings(C1)), wanted: awake },
      ann,
    );
    expect((await it.posts('C1')).map(({ state }) => state).toSorted()).toEqual([
      'bundled',
      'bundled',
      'waiting',
    ]);
  });

  it('what a pause owed joins the summary; in a pause outcomes alone are let go', async () => {
    const it = await open();
    await quietFor(it, 2);
    await publish(it, 'a', 'b');
    await hold(it, 'outcome', outcome);
    await it.feed.pauseChannelFeed(C1, ann);
    await it.pass(2 * 3_600);
    await tick(it);
    const sent = (await it.posts('C1')).filter(({ state }) => state === 'waiting');
    expect(sent.map(({ id }) => id)).toEqual(['outcome']);
    await it.feed.resumeChannelFeed(C1, ann);
    expect((await it.posts('C1')).filter(({ state }) => state === 'waiting')).toHaveLength(2);
  });

  it('what waits is not lost by a crash, and comes when the app is there again', async () => {
    const it = await open();
    await quietFor(it, 2);
    await publish(it, 'a', 'b');
    await it.stop();
    it.clock.moveBy(4 * HOUR);
    await it.restart();
    await tick(it);
    expect((await it.posts('C1')).filter(({ state }) => state === 'waiting')).toHaveLength(1);
  });

  it('more than a flood become one summary, which absorbs nothing later and loses nothing', async () => {
    const it = await open();
    await quietFor(it, 1);
    await publish(it, ...Array.from({ length: 14 }, (_, place) => `n${place + 10}`));
    await it.pass(3_600);
    await tick(it);
    await publish(it, 'late');
    await it.disk.transact((tx) => it.feed.bundleCardsIntoSummary(tx, C1, it.clock.now()));
    const all = await it.posts('C1');
    expect(all.filter(({ state }) => state === 'bundled')).toHaveLength(14);
    expect(
      all
        .filter(({ state }) => state === 'waiting')
        .map(({ content }) => content.kind)
        .toSorted(),
    ).toEqual(['card', 'flood']);
  });

  it('a listed card can be claimed, and is shown by itself when somebody asks', async () => {
    const it = await open();
    await quietFor(it, 1);
    await publish(it, 'a', 'b', 'c');
    expect(await it.feed.claimProject(C1, ProjectKey.parse('a'), { by: bob })).toEqual({ kind: 'claimed' });
    await it.pass(3_600);
    await tick(it);
    const summary = (await it.posts('C1')).find(({ content }) => content.kind === 'flood');
    expect(await it.feed.postMoreCardsFromSummary(summary?.id ?? PostId.parse('none'), 10)).toBe(3);
    expect((await it.posts('C1')).every(({ state }) => state === 'waiting')).toBe(true);
  });
});

describe('whom a card calls', () => {
  const GROUP = 'S1';
  const mentions = [
    { rules: 'react', users: [ann], groups: [] },
    { rules: '"react shop"', users: [ann, bob], groups: [GROUP] },
    { rules: 'no such : rule "', users: [UserId.parse('UWRONG')], groups: [] },
  ];
  const mentionOn = async (it: FeedWorld, key: string) =>
    (await it.disk.read((tx) => tx.get(cards, cardKey(team, C1, ProjectKey.parse(key)))))?.mention;

  it('is decided once, when it is told: later rules change nothing', async () => {
    const it = await open();
    await choose(it, { mentions });
    it.market.publish(7, 'both', { title: 'A React shop' });
    it.market.publish(7, 'none', { title: 'Vue shop' });
    await it.pass(30);
    expect(await mentionOn(it, 'none')).toBeUndefined();
    expect(await mentionOn(it, 'both')).toEqual({ users: [ann, bob], groups: [GROUP] });
    await choose(it, { mentions: [{ rules: '', users: [bob], groups: [] }] });
    await it.subscribe('C1', 8);
    it.market.publish(8, 'none', { title: 'Vue shop' });
    await it.pass(60);
    expect(await mentionOn(it, 'none')).toBeUndefined();
  });
});

describe('details below the card', () => {
  it('are saved with the card, follow it into a summary, and come back out with it', async () => {
    const it = await open();
    await choose(it, { threadDetails: true });
    it.market.publish(7, 'a', { title: 'A', description: 'Long and good.' });
    await it.pass(30);
    expect(states(await it.posts('C1'))).toEqual(['card:C1:a waiting', 'card-details:C1:a waiting']);
    await publish(it, ...Array.from({ length: 12 }, (_, place) => `n${place + 10}`));
    await it.disk.transact((tx) => it.feed.bundleCardsIntoSummary(tx, C1, it.clock.now()));
    const bundled = await it.posts('C1');
    expect(bundled.filter(({ content }) => content.kind === 'card-details')).toEqual([]);
    const flood = bundled.find(({ content }) => content.kind === 'flood')?.id ?? PostId.parse('none');
    await it.feed.postMoreCardsFromSummary(flood, 20);
    const shown = await it.posts('C1');
    expect(shown.filter(({ content }) => content.kind === 'card-details').length).toBeGreaterThan(0);
    for (const post of shown)
      if (post.under) expect(shown.find(({ id }) => id === post.under)?.state).toBe('waiting');
  });
});

describe('choosing', () => {
  it('changes what was changed on screen, and names what someone else changed meanwhile', async () => {
    const it = await open();
    const shown = extractPreferences(defaultChannelSettings(team, C1));
    await it.feed.changeChannelPreferences(
      C1,
      { shown, wanted: { ...shown, density: 'compact', timezone: 'Asia/Tokyo' } },
      ann,
    );
    const second = await it.feed.changeChannelPreferences(
      C1,
      { shown, wanted: { ...shown, timezone: 'Europe/Berlin', hiddenButtons: ['more'] } },
      bob,
    );
    expect(second).toMatchObject({
      changed: ['time zone', 'buttons'],
      overwrittenPreferences: ['time zone'],
    });
    expect(await it.feed.readChannelSettings(C1)).toEqual({
      team,
      channel: C1,
      density: 'compact',
      mutes: [],
      timezone: 'Europe/Berlin',
      hiddenButtons: ['more'],
    });
  });

  it('keeps a pause and mutes, and says when there is nothing to change', async () => {
    const it = await open();
    await it.feed.pauseChannelFeed(C1, ann);
    await it.feed.addMute(C1, { kind: 'word', value: 'casino' }, ann);
    await choose(it, { threadDetails: true });
    expect(await it.feed.readChannelSettings(C1)).toMatchObject({
      paused: { by: ann },
      mutes: [{ value: 'casino' }],
    });
    const shown = extractPreferences(await it.feed.readChannelSettings(C1));
    expect(await it.feed.changeChannelPreferences(C1, { shown, wanted: shown }, ann)).toMatchObject({
      changed: [],
    });
  });
});
