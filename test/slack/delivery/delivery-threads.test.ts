import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../../src/clock.ts';
import { ChannelId } from '../../../src/ids.ts';
import { type PostId, postKey, posts } from '../../../src/outbox/posts.ts';
import { refused, unclear } from '../fake-slack.ts';
import { DeliveryWorld, team } from './delivery-world.ts';

const general = ChannelId.parse('C1');
const random = ChannelId.parse('C2');

let world: DeliveryWorld;
beforeEach(() => {
  world = new DeliveryWorld();
});
afterEach(() => world.stop());

async function setState(id: PostId, state: 'failed' | 'bundled'): Promise<void> {
  await world.store.transact(async (tx) => {
    const post = await tx.get(posts, postKey(team, id));
    if (post) await tx.put(posts, postKey(team, id), { ...post, state });
  });
}

describe('a line in a thread', () => {
  it('stands in the thread of its message, in order, and nowhere else', async () => {
    const card = await world.enqueueCard(general, 1);
    const other = await world.enqueueCard(general, 2);
    await world.enqueue(general, 'card-a', 3, { under: card });
    await world.enqueue(general, 'other-a', 4, { under: other });
    await world.enqueue(general, 'card-b', 5, { under: card });
    world.start();
    await world.pass(10 * SECOND);
    expect(world.names(general)).toEqual([card, other]);
    expect(world.slack.inThread(general, card)).toEqual(['card-a', 'card-b']);
    expect(world.slack.inThread(general, other)).toEqual(['other-a']);
  });

  it('comes after its message, even if both have the same or the wrong place in the order', async () => {
    const tied = await world.enqueue(general, 'z-home', 1);
    await world.enqueue(general, 'a-news', 1, { under: tied });
    const late = await world.enqueue(general, 'late-home', 9);
    await world.enqueue(general, 'early-news', 2, { under: late });
    world.start();
    await world.pass(10 * SECOND);
    expect(world.names(general)).toEqual(['z-home', 'late-home']);
    expect(world.slack.inThread(general, tied)).toEqual(['a-news']);
    expect(world.slack.inThread(general, late)).toEqual(['early-news']);
  });

  it.each(['failed', 'bundled'] as const)('of a message that is %s stands on its own', async (state) => {
    const home = await world.enqueueCard(general, 1);
    await setState(home, state);
    await world.enqueue(general, 'news', 2, { under: home });
    world.start();
    await world.pass(5 * SECOND);
    expect(world.names(general)).toEqual(['news']);
  });

  it('of a message in another channel, or of none, stands on its own', async () => {
    const elsewhere = await world.enqueue(random, 'elsewhere', 1);
    await world.enqueue(general, 'news', 2, { under: elsewhere });
    await world.enqueue(general, 'more', 3, { under: 'no such post' as PostId });
    world.start();
    await world.pass(5 * SECOND);
    expect(world.names(general)).toEqual(['news', 'more']);
  });
});

describe('a line in a thread without a clear answer', () => {
  it('is found in its thread, not sent twice', async () => {
    const home = await world.enqueue(general, 'home', 1);
    world.start();
    await world.pass(3 * SECOND);
    world.slack.fault('post', unclear, 'after');
    await world.enqueue(general, 'news', 2, { under: home });
    await world.enqueue(general, 'more', 3, { under: home });
    await world.pass(MINUTE);
    expect(world.slack.inThread(general, home)).toEqual(['news', 'more']);
  });

  it('whose thread was deleted meanwhile is sent on its own', async () => {
    const home = await world.enqueue(general, 'home', 1);
    world.start();
    await world.pass(3 * SECOND);
    world.slack.fault('post', unclear);
    await world.enqueue(general, 'news', 2, { under: home });
    await world.pass(5 * SECOND);
    world.slack.delete(general, 'home');
    await world.pass(MINUTE);
    expect(world.names(general)).toEqual(['news']);
  });
});

describe('a thread that is gone', () => {
  it('does not keep the channel: its news stand on their own, and what follows comes', async () => {
    const home = await world.enqueue(general, 'home', 1);
    world.start();
    await world.pass(3 * SECOND);
    world.slack.delete(general, 'home');
    await world.enqueue(general, 'news', 2, { under: home });
    await world.enqueue(general, 'next', 3);
    await world.pass(10 * SECOND);
    expect(world.names(general)).toEqual(['news', 'next']);
    expect(world.stopped).toEqual([]);
  });

  it('and an unclear answer to the second attempt: found in the channel, after a restart too', async () => {
    const home = await world.enqueue(general, 'home', 1);
    world.start();
    await world.pass(3 * SECOND);
    world.slack.delete(general, 'home');
    world.slack.faults.push(
      { method: 'post', when: 'before', error: refused('thread_not_found') },
      { method: 'post', when: 'after', error: unclear },
    );
    await world.enqueue(general, 'news', 2, { under: home });
    await world.pass(5 * SECOND);
    await world.stop();
    world.start();
    await world.pass(MINUTE);
    expect(world.names(general)).toEqual(['news']);
  });
});
