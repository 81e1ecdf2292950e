import { expect, test } from 'vitest';
import { ChannelId, ProjectKey } from '../../src/ids.ts';
import {
  cardPostId,
  countBundledPosts,
  enqueueNotice,
  enqueuePost,
  listBundledPosts,
  listChannelsInIndex,
  markPostChanged,
} from '../../src/outbox/outbox.ts';
import { PostId, posts } from '../../src/outbox/posts.ts';
import { createMemoryStore } from '../memory-store.ts';

const channel = ChannelId.parse('C1');
const project = ProjectKey.parse('~01');
const id = cardPostId(channel, project);
const card = { id, channel, content: { kind: 'card', project }, order: 5, at: 10 } as const;

test('what is put on record twice is sent once, as it was first', async () => {
  const store = createMemoryStore();
  expect(await store.transact((tx) => enqueuePost(tx, card))).toBe(true);
  expect(await store.transact((tx) => enqueuePost(tx, { ...card, order: 9 }))).toBe(false);
  expect(await store.read((tx) => tx.list(posts, { limit: 9 }))).toMatchObject([
    { value: { id, state: 'waiting', order: 5, enqueuedAt: 10, revision: 0, shown: 0 } },
  ]);
});

test('a channel is told the same matter once, another matter again', async () => {
  const store = createMemoryStore();
  const notice = { about: 'budget-spent', left: 3, limit: 25, resetsAt: 99 } as const;
  const tell = (matter: string) =>
    store.transact((tx) => enqueueNotice(tx, { channel, matter, at: 1 }, notice));
  expect([await tell('spent:1'), await tell('spent:1'), await tell('spent:2')]).toEqual([true, false, true]);
});

test('a change of what a post shows is remembered; an unknown post is not made', async () => {
  const store = createMemoryStore();
  await store.transact((tx) => enqueuePost(tx, card));
  await store.transact((tx) => markPostChanged(tx, id));
  await store.transact((tx) => markPostChanged(tx, PostId.parse('nothing')));
  expect(await store.read((tx) => tx.list(posts, { limit: 9 }))).toMatchObject([{ value: { revision: 1 } }]);
});

test('a flood lists and counts what it stands for, oldest first, without what was released', async () => {
  const store = createMemoryStore();
  const bundle = PostId.parse('flood:C1:1');
  await store.transact(async (tx) => {
    for (const order of [3, 1, 2]) {
      const post = PostId.parse(`card:${order}`);
      await enqueuePost(tx, { ...card, id: post, order });
      const stored = await tx.get(posts, [post]);
      if (stored)
        await tx.put(posts, {
          ...stored,
          bundle,
          state: order === 2 ? 'waiting' : 'bundled',
        });
    }
  });
  const [listed, count] = await store.read(async (tx) => [
    await listBundledPosts(tx, bundle, 9),
    await countBundledPosts(tx, bundle),
  ]);
  expect(listed.map(({ order }) => order)).toEqual([1, 3]);
  expect(count).toEqual({ waiting: 2, total: 3 });
});

test('a line in a thread keeps under which post it stands', async () => {
  const store = createMemoryStore();
  const news = PostId.parse('news:1');
  await store.transact((tx) => enqueuePost(tx, { ...card, id: news, under: id }));
  expect(await store.read((tx) => tx.get(posts, [news]))).toMatchObject({ under: id });
});

test('every channel with posts to send is named, however many one has', async () => {
  const store = createMemoryStore();
  const channels = ['C1', 'C2', 'C3'].map((each) => ChannelId.parse(each));
  await store.transact(async (tx) => {
    for (const each of channels)
      for (let order = 0; order < 25; order++)
        await enqueuePost(tx, { ...card, id: PostId.parse(`${each}:${order}`), channel: each, order });
  });
  expect(await store.read((tx) => listChannelsInIndex(tx, 'byWork', []))).toEqual(channels);
});
