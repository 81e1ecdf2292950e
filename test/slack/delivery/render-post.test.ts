/** What is sent where a message can't be drawn, or would be refused. */
import { expect, test } from 'vitest';
import { ChannelId, MessageTs } from '../../../src/ids.ts';
import { silentLog } from '../../../src/log.ts';
import { type Post, PostId, posts } from '../../../src/outbox/posts.ts';
import type { Message } from '../../../src/slack/core/routes.ts';
import { renderPostForSending, UNRENDERABLE_POST_TEXT } from '../../../src/slack/delivery/decide-next.ts';
import { updateNextMessage } from '../../../src/slack/delivery/update-next.ts';
import { StorageError } from '../../../src/storage/store.ts';
import { ManualClock } from '../../../src/workbench/clocks.ts';
import { createMemoryStore } from '../../memory-store.ts';

const FINE: Message = { text: 'the text', blocks: [{ type: 'divider' }] };

const render = (draw: () => Message | undefined, isPlain = false) =>
  renderPostForSending({ render: async () => draw() } as never, {} as never, {} as never, isPlain);

function fail(error: Error): never {
  throw error;
}

test('a message is sent as it is; as text alone where its blocks were refused', async () => {
  expect(await render(() => FINE)).toEqual({ message: FINE });
  expect(await render(() => FINE, true)).toEqual({ message: { text: 'the text' } });
  expect(await render(() => undefined)).toBeUndefined();
});

test('blocks that break Slack’s limits are left out, and that is no secret', async () => {
  const sent = await render(() => ({ text: 'the text', blocks: [{ type: 'section' }] }));
  expect(sent).toMatchObject({ message: { text: 'the text' }, problem: { code: 'limits' } });
  expect(sent?.message.blocks).toBeUndefined();
});

test('what a bug keeps from being drawn says so; a storage failure is tried again', async () => {
  const sent = await render(() => fail(new TypeError('a bug')));
  expect(sent).toMatchObject({ message: { text: UNRENDERABLE_POST_TEXT }, problem: { message: 'a bug' } });
  await expect(render(() => fail(new StorageError('full', 'no space left')))).rejects.toThrow(StorageError);
});

test('a message stays as it is where a bug keeps its change from being drawn', async () => {
  const post: Post = {
    id: PostId.parse('a'),
    channel: ChannelId.parse('C1'),
    content: { kind: 'example-card' },
    state: 'posted',
    ts: MessageTs.parse('1800000000.000001'),
    order: 1,
    enqueuedAt: 1,
    revision: 1,
    shown: 0,
  };
  const store = createMemoryStore();
  await store.transact((tx) => tx.put(posts, post));
  const context = { store, clock: new ManualClock(), log: silentLog, port: {} };
  const memory = { updateDelays: { channels: new Map(), messages: new Map() } };
  await updateNextMessage(
    { ...context, render: async () => fail(new TypeError('a bug')) } as never,
    memory as never,
  );
  expect(await store.read((tx) => tx.get(posts, [post.id]))).toMatchObject({ shown: 1 });
});
