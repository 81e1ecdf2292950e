import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../../src/clock.ts';
import { ChannelId } from '../../../src/ids.ts';
import { markPostChanged } from '../../../src/outbox/outbox.ts';
import type { PostId } from '../../../src/outbox/posts.ts';
import { limited, refused, unclear } from '../fake-slack.ts';
import { DeliveryWorld, team } from './delivery-world.ts';

const general = ChannelId.parse('C1');

let world: DeliveryWorld;
beforeEach(() => {
  world = new DeliveryWorld();
});
afterEach(() => world.stop());

const touch = (id: PostId) => world.store.transact((tx) => markPostChanged(tx, team, id));

/** A machine that started hours ahead learns the time. */
const setBack = () => world.clock.shiftWallClock(-2 * HOUR);

describe('after the clock was set back', () => {
  it('posts go on at their pace', async () => {
    await world.enqueue(general, 'first', 1);
    world.start();
    await world.pass(10 * SECOND);
    setBack();
    await world.enqueue(general, 'second', 2);
    await world.enqueue(general, 'third', 3);
    await world.pass(5 * SECOND);
    expect(world.names(general)).toEqual(['first', 'second', 'third']);
  });

  it('a post that Slack asked to pause for waits as long as that, no longer', async () => {
    await world.enqueue(general, 'first', 1);
    world.slack.fault('post', limited(30 * SECOND));
    world.start();
    await world.pass(2 * SECOND);
    setBack();
    await world.pass(25 * SECOND);
    expect(world.names(general)).toEqual([]);
    await world.pass(10 * SECOND);
    expect(world.names(general)).toEqual(['first']);
  });

  it('messages are kept up to date, also after one had no clear answer', async () => {
    const id = await world.enqueue(general, 'first', 1);
    world.start();
    await world.pass(5 * SECOND);
    world.slack.fault('update', unclear);
    await touch(id);
    await world.pass(3 * SECOND);
    setBack();
    await world.pass(10 * SECOND);
    expect(world.texts(general)).toEqual(['first revision 1']);
    await touch(id);
    await world.pass(5 * SECOND);
    expect(world.texts(general)).toEqual(['first revision 2']);
  });

  it('a refused token is tried again as soon as before', async () => {
    await world.enqueue(general, 'first', 1);
    world.slack.fault('post', refused('token_revoked'));
    world.start();
    await world.pass(2 * SECOND);
    setBack();
    await world.pass(15 * SECOND);
    expect(world.names(general)).toEqual(['first']);
  });

  it('a channel that Slack refused is tried again within the hour', async () => {
    await world.enqueue(general, 'first', 1);
    world.slack.closed.set(general, 'is_archived');
    world.start();
    await world.pass(5 * HOUR);
    world.slack.closed.clear();
    world.clock.shiftWallClock(-24 * HOUR);
    await world.pass(HOUR + MINUTE);
    expect(world.names(general)).toEqual(['first']);
  });

  it.each(['before', 'after'] as const)(
    'an unclear post that failed %s it arrived stands once, soon',
    async (when) => {
      const id = await world.enqueue(general, 'first', 1);
      world.slack.fault('post', unclear, when);
      world.start();
      await world.pass(2 * SECOND);
      setBack();
      await world.pass(MINUTE);
      expect(world.names(general)).toEqual(['first']);
      expect(await world.post(id)).toMatchObject({ state: 'posted' });
    },
  );

  it('while nothing ran, an unclear post is still given the time to arrive', async () => {
    await world.enqueue(general, 'first', 1);
    world.slack.fault('post', unclear);
    world.start();
    await world.pass(2 * SECOND);
    await world.stop();
    setBack();
    world.start();
    await world.pass(10 * SECOND);
    expect(world.names(general)).toEqual([]);
    await world.pass(20 * SECOND);
    expect(world.names(general)).toEqual(['first']);
  });
});
