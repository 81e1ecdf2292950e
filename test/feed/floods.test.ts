/** A card summary: many simultaneous cards wait in one summary, as its stored posts show. */
import { describe, expect, it } from 'vitest';
import { bundleCardsIntoSummary, postMoreCardsFromSummary } from '../../src/feed/card-details.ts';
import type { FeedContext } from '../../src/feed/feed.ts';
import type { ChannelSettings } from '../../src/feed/records.ts';
import { ProjectKey } from '../../src/ids.ts';
import { enqueuePost } from '../../src/outbox/outbox.ts';
import { type Post, PostId } from '../../src/outbox/posts.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { createMemoryStore } from '../memory-store.ts';
import { storedPosts } from '../stored-posts.ts';
import { bareProject } from './projects.ts';
import { changePost, channel, enqueueCard, putSeenProject, putSettings } from './stored-records.ts';

const NOW = 10_000_000;
const c1 = channel('C1');

describe('a flood', () => {
  const card = (each: number) => ProjectKey.parse(`p${String(each).padStart(3, '0')}`);
  async function worldWith(count: number, settings: Partial<ChannelSettings> = {}) {
    const store = createMemoryStore();
    const context = { store, clock: new ManualClock(NOW) } as unknown as FeedContext;
    await putSettings(store, c1, settings);
    const add = (from: number, to: number) =>
      store.transact(async (tx) => {
        for (let each = from; each <= to; each++)
          await enqueueCard(tx, c1, card(each), { order: each, at: NOW });
      });
    await add(1, count);
    const bundle = async () => (await store.transact((tx) => bundleCardsIntoSummary(tx, c1, NOW))).summary;
    const change = (id: string, to: Partial<Post>) => changePost(store, PostId.parse(id), to);
    const all = async () => storedPosts(store, () => true);
    const inState = async (state: Post['state']) =>
      (await all()).filter((post) => post.state === state).length;
    const show = (summary: PostId, count: number) => postMoreCardsFromSummary(context, summary, count);
    return { store, show, add, bundle, change, all, inState };
  }

  it('is eleven cards that wait, and stands where the newest of them would', async () => {
    const ten = await worldWith(10);
    expect(await ten.bundle()).toBeUndefined();
    const { bundle, all, inState } = await worldWith(11);
    const id = await bundle();
    expect(id).toBe('flood:card:C1:p001');
    const summary = (await all()).find((post) => post.id === id);
    expect(summary).toMatchObject({ content: { kind: 'flood' }, order: 11, state: 'waiting', revision: 0 });
    expect(await inState('bundled')).toBe(11);
    expect((await all()).filter(({ bundle: of }) => of === id)).toHaveLength(11);
  });

  it('takes in one more card while its summary waits, which is shown anew', async () => {
    const { bundle, add, all, inState } = await worldWith(11);
    const id = await bundle();
    expect(await bundle()).toBe(id);
    await add(12, 12);
    expect(await bundle()).toBe(id);
    expect(await inState('bundled')).toBe(12);
    expect((await all()).find((post) => post.id === id)?.revision).toBe(1);
  });

  it('leaves alone the summary of quiet hours, and cards that somebody took out', async () => {
    const { bundle, change, store } = await worldWith(11);
    await change('card:C1:p001', { released: true });
    expect(await bundle()).toBeUndefined();
    await store.transact((tx) =>
      enqueuePost(tx, {
        id: PostId.parse('flood:quiet'),
        channel: c1,
        content: { kind: 'flood', quiet: true },
        order: 0,
        at: NOW,
      }),
    );
    expect(await bundle()).toBeUndefined();
  });

  it('takes the details of its cards with it, and gives them back with each that is shown', async () => {
    const { store, show, bundle, all } = await worldWith(12, { threadDetails: true });
    await store.transact(async (tx) => {
      for (const each of [1, 11, 12]) {
        const description = each === 12 ? ' ' : 'Long.';
        await putSeenProject(tx, bareProject({ key: card(each), description }), NOW);
      }
      await enqueueCard(tx, c1, card(1), { order: 2, at: NOW }, 'card-details');
    });
    const details = async () => (await all()).filter(({ content }) => content.kind === 'card-details');
    expect(await details()).toHaveLength(1);
    const id = (await bundle()) ?? PostId.parse('none');
    expect(await details()).toEqual([]);
    await show(id, 2);
    expect(await details()).toMatchObject([
      { content: { project: 'p011' }, under: 'card:C1:p011', order: 12, channel: 'C1', state: 'waiting' },
    ]);
  });

  it('gives out as many of its newest cards as are asked for, and is shown anew', async () => {
    const { bundle, show, all, inState } = await worldWith(12);
    const id = (await bundle()) ?? PostId.parse('none');
    expect(await show(id, -1)).toBe(0);
    expect(await show(id, 2.9)).toBe(2);
    const shown = (await all()).filter(({ released }) => released);
    expect(shown.map((post) => [post.id, post.state])).toEqual([
      ['card:C1:p011', 'waiting'],
      ['card:C1:p012', 'waiting'],
    ]);
    expect((await all()).find((post) => post.id === id)?.revision).toBe(1);
    expect(await show(id, 50)).toBe(10);
    expect(await show(id, 50)).toBe(0);
    expect((await all()).find((post) => post.id === id)?.revision).toBe(2);
    expect(await inState('bundled')).toBe(0);
  });
});
