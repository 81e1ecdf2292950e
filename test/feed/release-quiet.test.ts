/** Quiet hours: which posts wait for their end, and what is sent then, as the stored posts show. */
import { describe, expect, it } from 'vitest';
import { HOUR } from '../../src/clock.ts';
import {
  enqueueInQuietHoursSummary,
  isChannelQuiet,
  releaseAllQuietHoursPosts,
  releaseQuietHoursPosts,
} from '../../src/feed/quiet-hours.ts';
import type { ChannelSettings } from '../../src/feed/records.ts';
import { ProjectKey } from '../../src/ids.ts';
import { cardPostId, enqueuePost } from '../../src/outbox/outbox.ts';
import { type Post, type PostContent, PostId, posts } from '../../src/outbox/posts.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { createMemoryStore } from '../memory-store.ts';
import { storedPosts } from '../stored-posts.ts';
import { bareProject } from './projects.ts';
import { ann, channel, putSeenProject, putSettings } from './stored-records.ts';

const C1 = channel('C1');
const C2 = channel('C2');
const EVENING = Date.parse('2026-11-20T23:00Z');
const MORNING = Date.parse('2026-11-21T08:00Z');
const quiet = { from: 20 * 60, to: 8 * 60, weekends: false };
const rest = (proposals: number): PostContent => ({ kind: 'outcomes-rest', rest: { proposals, counts: [] } });
const status = (title: string): PostContent => ({ kind: 'invitation-status', title, status: 'new' });

/** Two channels in the evening, the second in a time zone whose night lasts an hour longer. */
async function evening(change: Partial<ChannelSettings> = {}) {
  const disk = createMemoryStore();
  const clock = new ManualClock(EVENING);
  const context = { store: disk, clock, timezone: 'UTC' };
  const choose = (of: typeof C1, settings: Partial<ChannelSettings>) => putSettings(disk, of, settings);
  await choose(C1, { quiet, ...change });
  await choose(C2, { quiet, timezone: 'Atlantic/Azores' });
  const card = (name: string, order: number, of = C1) =>
    disk.transact((tx) => {
      const project = ProjectKey.parse(name);
      const content = { kind: 'card', project } as const;
      const post = { channel: of, id: cardPostId(of, project), content, order, at: clock.now() };
      return enqueueInQuietHoursSummary(tx, post);
    });
  const add = (name: string, content: PostContent, order: number, of = C1, isHeld = true) =>
    disk.transact((tx) =>
      enqueuePost(tx, { channel: of, id: PostId.parse(name), content, order, at: clock.now(), isHeld }),
    );
  const release = () => releaseQuietHoursPosts(context, C1);
  const all = () => storedPosts(disk, () => true);
  const find = async (id: string): Promise<Post | undefined> => (await all()).find((post) => post.id === id);
  /** In sending order, with each place as milliseconds after the end of the first channel's night. */
  const sent = async () =>
    (await storedPosts(disk, ({ state }) => state === 'waiting')).map(
      ({ id, order }) => `${id} ${order - MORNING}`,
    );
  return { disk, clock, context, choose, card, add, release, all, find, sent };
}
type Evening = Awaited<ReturnType<typeof evening>>;

describe('a channel', () => {
  it('is quiet until its hours end, by its own time zone or the default', async () => {
    const { disk } = await evening();
    const isQuiet = (of: typeof C1, at: number, timezone = 'UTC') =>
      disk.read((tx) => isChannelQuiet(tx, { timezone, channel: of }, at));
    expect(await isQuiet(C1, MORNING - 1)).toBe(true);
    expect(await isQuiet(C1, MORNING)).toBe(false);
    expect(await isQuiet(C1, MORNING, 'Atlantic/Azores')).toBe(true);
    expect(await isQuiet(C2, MORNING)).toBe(true);
    expect(await isQuiet(channel('C3'), EVENING)).toBe(false);
  });
});

describe('a card in quiet hours', () => {
  it('is listed in one summary, which waits', async () => {
    const { card, all } = await evening();
    expect(await card('a', 7)).toBe(true);
    expect(await card('b', 8)).toBe(true);
    const stored = (await all()).map(({ id, state, bundle, order }) => [id, state, bundle, order]);
    expect(stored).toEqual([
      ['card:C1:a', 'bundled', 'quiet:card:C1:a', 7],
      ['quiet:card:C1:a', 'held', undefined, 7],
      ['card:C1:b', 'bundled', 'quiet:card:C1:a', 8],
    ]);
    expect((await all())[1]).toMatchObject({
      content: { kind: 'flood', quiet: true },
      channel: 'C1',
      enqueuedAt: EVENING,
    });
  });

  it('is not listed in the summary of another channel, nor in another kind of post', async () => {
    const { card, add, find } = await evening();
    await add('status', status('An invitation'), 0);
    await card('b', 8, C2);
    await card('a', 9);
    expect(await find('card:C1:a')).toMatchObject({ bundle: 'quiet:card:C1:a' });
    expect(await find('card:C2:b')).toMatchObject({ bundle: 'quiet:card:C2:b' });
  });

  it('is stored once, even if its summary was sent meanwhile', async () => {
    const { card, all, clock, release } = await evening();
    await card('a', 7);
    const before = await all();
    expect(await card('a', 9)).toBe(false);
    expect(await all()).toEqual(before);
    await card('b', 8);
    clock.moveBy(9 * HOUR);
    await release();
    expect(await card('b', 9)).toBe(false);
    expect(await all()).toHaveLength(3);
  });
});

describe('the end of quiet hours', () => {
  it('sends nothing a moment too early', async () => {
    const { card, add, release, clock, all, sent } = await evening();
    await card('a', 1);
    await add('rest', rest(1), 2);
    clock.moveBy(9 * HOUR - 1);
    const before = await all();
    await release();
    expect(await all()).toEqual(before);
    clock.moveBy(1);
    await release();
    expect(await sent()).toHaveLength(2);
  });

  it('sends the summary first, then the others as they were created, at the end of what waits', async () => {
    const { card, add, release, clock, sent, find } = await evening();
    await add('rest', rest(1), 6);
    await add('second', status('Second'), 5);
    await add('first', status('First'), 4);
    await card('a', 7);
    await card('b', 8);
    clock.moveBy(9 * HOUR);
    await release();
    expect(await sent()).toEqual(['quiet:card:C1:a 1', 'first 2', 'second 3', 'rest 4']);
    expect(await find('card:C1:a')).toMatchObject({ state: 'bundled', bundle: 'quiet:card:C1:a' });
  });

  it.each([
    ['with a later place', MORNING + 50, MORNING + 51],
    ['from the same moment', MORNING, MORNING + 1],
    ['from before', MORNING - 50, MORNING],
    ['in another channel', undefined, MORNING],
  ])('sends what waited after a post %s that waits to be sent', async (_, last, order) => {
    const { add, release, clock, find } = await evening();
    await add('early', status('Early'), 5, C1, false);
    if (last !== undefined) await add('late', status('Late'), last, C1, false);
    await add('elsewhere', status('Elsewhere'), MORNING + 99, C2, false);
    await add('rest', rest(1), 6);
    clock.moveBy(9 * HOUR);
    await release();
    expect(await find('rest')).toMatchObject({ state: 'waiting', order });
  });

  it('sends a single card as a card, with its details, and no summary', async () => {
    const { disk, card, release, clock, all } = await evening({ threadDetails: true });
    const seen = bareProject({ key: ProjectKey.parse('a'), description: 'Long.' });
    await disk.transact((tx) => putSeenProject(tx, seen, EVENING));
    await card('a', 7);
    clock.moveBy(9 * HOUR);
    await release();
    const [posted, details, ...others] = await all();
    expect(posted).toMatchObject({ id: 'card:C1:a', state: 'waiting', released: true, order: MORNING + 1 });
    expect(posted).not.toHaveProperty('bundle');
    expect(details).toMatchObject({
      content: { kind: 'card-details', project: 'a' },
      channel: 'C1',
      under: 'card:C1:a',
      state: 'waiting',
      order: MORNING + 2,
      enqueuedAt: MORNING,
    });
    expect(others).toEqual([]);
  });

  it('sends no summary whose cards are all gone', async () => {
    const { disk, card, release, clock, all } = await evening();
    await card('a', 7);
    await card('b', 8);
    await disk.transact(async (tx) => {
      for (const id of ['card:C1:a', 'card:C1:b']) await tx.delete(posts, [PostId.parse(id)]);
    });
    clock.moveBy(9 * HOUR);
    await release();
    expect(await all()).toEqual([]);
  });

  it.each([49, 50, 51, 100])(
    'sends %i posts in their order, in several transactions if need be',
    async (count) => {
      const { disk, release, clock, sent } = await evening();
      await disk.transact(async (tx) => {
        for (let each = 0; each < count; each++) {
          const id = PostId.parse(`rest:${each}`);
          await enqueuePost(tx, {
            channel: C1,
            id,
            content: rest(each),
            order: each,
            at: EVENING,
            isHeld: true,
          });
        }
      });
      clock.moveBy(9 * HOUR);
      await release();
      expect(await sent()).toEqual(Array.from({ length: count }, (_, each) => `rest:${each} ${each + 1}`));
    },
  );

  it('sends only outcomes while the channel is paused, and the others after the pause', async () => {
    const { card, add, release, clock, sent } = await evening({
      paused: { by: ann, at: EVENING, until: MORNING + HOUR },
    });
    await card('a', 1);
    await card('b', 2);
    await add('status', status('An invitation'), 3);
    await add('rest', rest(1), 4);
    clock.moveBy(9 * HOUR);
    await release();
    expect(await sent()).toEqual(['rest 1']);
    clock.moveBy(HOUR);
    await release();
    expect(await sent()).toEqual(['rest 1', `quiet:card:C1:a ${HOUR}`, `status ${HOUR + 1}`]);
  });

  const both = async ({ add }: Evening) => {
    await add('rest:1', rest(1), 1);
    await add('rest:2', rest(2), 2, C2);
  };

  it('is not the end in a channel whose hours last longer', async () => {
    const it = await evening();
    await both(it);
    it.clock.moveBy(9 * HOUR);
    await it.release();
    expect(await it.sent()).toEqual(['rest:1 1']);
    await releaseAllQuietHoursPosts(it.context, new AbortController().signal);
    expect(await it.sent()).toEqual(['rest:1 1']);
    it.clock.moveBy(HOUR);
    await releaseAllQuietHoursPosts(it.context, new AbortController().signal);
    expect(await it.sent()).toEqual(['rest:1 1', `rest:2 ${HOUR + 1}`]);
  });

  it('sends what waits in every channel', async () => {
    const it = await evening();
    await both(it);
    it.clock.moveBy(10 * HOUR);
    await releaseAllQuietHoursPosts(it.context, new AbortController().signal);
    expect(await it.sent()).toEqual([`rest:1 ${HOUR + 1}`, `rest:2 ${HOUR + 1}`]);
  });

  it('sends nothing more once Gigdesk shuts down', async () => {
    const it = await evening();
    await both(it);
    it.clock.moveBy(10 * HOUR);
    const ended = AbortSignal.abort();
    await releaseQuietHoursPosts(it.context, C1, ended);
    await releaseAllQuietHoursPosts(it.context, ended);
    expect(await it.sent()).toEqual([]);
  });
});
