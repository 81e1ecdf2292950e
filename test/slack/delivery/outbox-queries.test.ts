/** Which channels have work, and a channel's posts to send, however many posts there are. */
import { expect, test } from 'vitest';
import { ChannelId, MessageTs, TeamId } from '../../../src/ids.ts';
import { type Post, PostId, postKey, posts } from '../../../src/outbox/posts.ts';
import { iteratePostsToSend, readOutboxWork } from '../../../src/slack/delivery/transitions.ts';
import { createMemoryStore } from '../../memory-store.ts';

const team = TeamId.parse('T1');
const NOW = 1_800_000_000_000;

/** 25 posts: more than one list returns. */
function buildPosts(channel: string, state: Post['state']): Post[] {
  return Array.from({ length: 25 }, (_, order) => ({
    team,
    id: PostId.parse(`${channel}:${state}:${order}`),
    channel: ChannelId.parse(channel),
    content: { kind: 'notice', notice: { about: 'feed-recovered', since: NOW, filters: [] } },
    ...(state === 'posted' ? { ts: MessageTs.parse(`${1_800_000_000 + order}.000001`) } : {}),
    state,
    order,
    enqueuedAt: NOW,
    revision: 1,
    shown: channel === 'CSHOWN' ? 1 : 0,
  }));
}

async function storeMany(channels: Readonly<Record<string, readonly Post['state'][]>>) {
  const store = createMemoryStore();
  const all = Object.entries(channels).flatMap(([channel, states]) =>
    states.flatMap((state) => buildPosts(channel, state)),
  );
  await store.transact(async (tx) => {
    for (const post of all) await tx.put(posts, postKey(team, post.id), post);
  });
  return store;
}

test('names every channel with posts to send, and with messages to update', async () => {
  const store = await storeMany({
    CBOTH: ['posted', 'sending', 'waiting'],
    CFAILED: ['failed', 'held'],
    CSHOWN: ['posted'],
    CUPDATE: ['posted', 'failed'],
    CWAITS: ['waiting'],
  });
  const { toSend, toUpdate } = await store.read((tx) => readOutboxWork(tx, team));
  expect([...toSend]).toEqual(['CBOTH', 'CWAITS']);
  expect([...toUpdate]).toEqual(['CBOTH', 'CUPDATE']);
});

test('lists a channel’s posts being sent first, then those that wait, each in order', async () => {
  const store = await storeMany({ CBOTH: ['posted', 'sending', 'waiting'], CWAITS: ['waiting'] });
  const listed = (from: 'sending' | 'waiting') =>
    store.read(async (tx) => {
      const found: string[] = [];
      for await (const { id } of iteratePostsToSend(tx, team, ChannelId.parse('CBOTH'), from)) found.push(id);
      return found;
    });
  const waiting = Array.from({ length: 25 }, (_, order) => `CBOTH:waiting:${order}`);
  const sending = Array.from({ length: 25 }, (_, order) => `CBOTH:sending:${order}`);
  expect(await listed('waiting')).toEqual(waiting);
  expect(await listed('sending')).toEqual([...sending, ...waiting]);
});
