import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../../src/clock.ts';
import { subscriptions } from '../../../src/feed/records.ts';
import { ChannelId, FilterId, UserId } from '../../../src/ids.ts';
import { markPostChanged } from '../../../src/outbox/outbox.ts';
import { postKey, posts } from '../../../src/outbox/posts.ts';
import { UNRENDERABLE_POST_TEXT } from '../../../src/slack/delivery/decide-next.ts';
import { limited, type Method, refused, unclear } from '../fake-slack.ts';
import { DeliveryWorld, team } from './delivery-world.ts';

const general = ChannelId.parse('C1');
const random = ChannelId.parse('C2');
const person = UserId.parse('U1');

let world: DeliveryWorld;
beforeEach(() => {
  world = new DeliveryWorld();
});
afterEach(() => world.stop());

const calls = (method: Method) => world.slack.calls.filter((it) => it.method === method);
const health = () => world.store.read(async (tx) => world.delivery?.readHealth(tx));

describe('posts of a channel', () => {
  it('arrive smallest order first, one a second', async () => {
    await world.enqueue(general, 'second', 2);
    await world.enqueue(general, 'first', 1);
    await world.enqueue(general, 'third', 3);
    world.start();
    await world.pass(10 * SECOND);
    expect(world.names(general)).toEqual(['first', 'second', 'third']);
    const [first = 0, second = 0, third = 0] = world.slack.standing(general).map((it) => it.at);
    expect([second - first, third - second]).toEqual([SECOND, SECOND]);
  });

  it('do not wait for those of another channel', async () => {
    for (let n = 0; n < 20; n++) await world.enqueue(general, `g${n}`, n);
    await world.enqueue(random, 'r', 0);
    world.start();
    await world.pass(2 * SECOND);
    expect(world.names(random)).toEqual(['r']);
    expect(world.names(general).length).toBeLessThan(4);
  });

  it('are put on record as posted, with where they stand', async () => {
    const id = await world.enqueue(person, 'direct', 1);
    world.start();
    await world.pass(3 * SECOND);
    expect(await world.post(id)).toMatchObject({
      state: 'posted',
      postedIn: 'DU1',
      ts: world.slack.standing('DU1')[0]?.ts,
    });
  });
});

describe('a flood', () => {
  it('is looked for before each card, and its summary comes in the place of the cards', async () => {
    const card = await world.enqueueCard(general, 1);
    const { feed } = world.context();
    const summary = await world.enqueue(general, 'summary', 2);
    world.start({
      feed: {
        ...feed,
        bundleCardsIntoSummary: async (tx) => {
          const post = await tx.get(posts, postKey(team, card));
          if (post) await tx.put(posts, postKey(team, card), { ...post, state: 'bundled', bundle: summary });
          return { summary, isMore: false };
        },
      },
    });
    await world.pass(5 * SECOND);
    expect(world.names(general)).toEqual(['summary']);
  });
});

describe('trouble with a post', () => {
  it('429: it is sent again after the pause that Slack asks for, and not before', async () => {
    await world.enqueue(general, 'a', 1);
    world.slack.fault('post', limited(30 * SECOND));
    world.start();
    await world.pass(29 * SECOND);
    expect(world.names(general)).toEqual([]);
    await world.pass(2 * SECOND);
    expect(world.names(general)).toEqual(['a']);
  });

  it('blocks that break our own limits: it goes out as text at once', async () => {
    const id = await world.enqueue(general, 'a', 1);
    world.shows.set(id, { text: 'the text', blocks: [{ type: 'section' }] });
    world.start();
    await world.pass(5 * SECOND);
    expect(world.slack.standing(general).map((it) => it.message)).toEqual([{ text: 'the text' }]);
    expect(world.slack.calls.filter((it) => it.method === 'post')).toHaveLength(1);
  });

  it('refused as text too: it is given up, and what follows comes', async () => {
    const id = await world.enqueue(general, 'a', 1);
    await world.enqueue(general, 'b', 2);
    world.slack.fault('post', refused('invalid_blocks'));
    world.slack.fault('post', refused('msg_too_long'));
    world.start();
    await world.pass(10 * SECOND);
    expect(await world.post(id)).toMatchObject({ state: 'failed', failure: 'msg_too_long' });
    expect(world.names(general)).toEqual(['b']);
  });

  it('that can not be rendered: it says so, and what follows comes', async () => {
    const broken = await world.enqueue(general, 'broken', 1);
    await world.enqueue(general, 'b', 2);
    world.start({
      render: async (_, post) => {
        if (post.id === broken) throw new TypeError('a bug');
        return { text: post.id };
      },
    });
    await world.pass(5 * SECOND);
    expect(world.texts(general)).toEqual([UNRENDERABLE_POST_TEXT, 'b']);
    await world.store.transact((tx) => markPostChanged(tx, team, broken));
    await world.pass(5 * SECOND);
    expect(await world.post(broken)).toMatchObject({ revision: 1, shown: 1 });
  });

  it('a refused token, as auth.test confirms: all wait, and go out when it is accepted again', async () => {
    await world.enqueue(general, 'a', 1);
    for (let n = 0; n < 9; n++) await world.enqueue(ChannelId.parse(`C${n + 2}`), `${n}`, 1);
    for (let n = 0; n < 99; n++) world.slack.fault('post', refused('token_revoked'));
    for (let n = 0; n < 5; n++) world.slack.fault('checkToken', refused('token_revoked'));
    world.start();
    await world.pass(SECOND);
    expect(calls('checkToken')).toHaveLength(1);
    await world.pass(30 * SECOND);
    expect(calls('post').length).toBeLessThan(3);
    expect(await health()).toMatchObject({ paused: { error: 'token_revoked' }, refused: [] });
    world.slack.faults.length = 0;
    await world.pass(5 * MINUTE);
    expect(world.names(general)).toEqual(['a']);
    for (let n = 0; n < 9; n++) expect(world.names(`C${n + 2}`)).toEqual([`${n}`]);
    expect(await health()).toEqual({ refused: [] });
  });

  it.each(['missing_scope', 'no_permission', 'access_denied', 'token_revoked', 'invalid_auth'])(
    '%s in one channel while the token is accepted: every other channel gets its posts',
    async (code) => {
      for (let n = 0; n < 5; n++) await world.enqueue(general, `a${n}`, n);
      for (let n = 0; n < 5; n++) await world.enqueue(random, `b${n}`, n);
      world.slack.closed.set(general, code);
      world.start();
      await world.pass(10 * SECOND);
      expect(world.names(random)).toEqual(['b0', 'b1', 'b2', 'b3', 'b4']);
      expect(await health()).toMatchObject({
        refused: [{ channel: general, error: code, isStopped: false }],
      });
      await world.pass(5 * HOUR);
      expect(calls('post').filter(({ channel }) => channel === general).length).toBeLessThan(45);
      expect(world.stopped).toEqual([]);
      world.slack.closed.clear();
      await world.pass(11 * MINUTE);
      expect(world.names(general)).toEqual(['a0', 'a1', 'a2', 'a3', 'a4']);
      expect(await health()).toEqual({ refused: [] });
    },
  );

  it('a refused conversation: the admins hear once, and not through the conversation itself', async () => {
    const [boss, second] = [UserId.parse('UBOSS'), UserId.parse('UBOSS2')];
    await world.enqueue(general, 'a', 1);
    await world.enqueue(boss, 'direct', 1);
    world.slack.closed.set(general, 'missing_scope');
    world.slack.closed.set('DUBOSS', 'no_permission');
    world.start({ admins: new Set([boss, second]) });
    await world.pass(3 * HOUR);
    expect(world.names('DUBOSS2')).toHaveLength(2);
    expect(world.names('DUBOSS')).toEqual([]);
    world.slack.closed.clear();
    await world.pass(11 * MINUTE);
    expect(world.names('DUBOSS')).toHaveLength(2);
  });

  it('a disk that is full after the call: it is found, not sent twice', async () => {
    const id = await world.enqueue(general, 'a', 1);
    const post = world.slack.post.bind(world.slack);
    world.slack.post = async (...call) => {
      const ts = await post(...call);
      world.store.failNext();
      return ts;
    };
    world.start();
    await world.pass(MINUTE);
    expect(world.names(general)).toEqual(['a']);
    expect(await world.post(id)).toMatchObject({ state: 'posted' });
  });
});

describe('a channel that Slack refuses', () => {
  beforeEach(async () => {
    await world.enqueue(general, 'a', 1);
    await world.enqueue(general, 'b', 2);
    world.slack.closed.set(general, 'is_archived');
  });

  it('stops the feed there once, and nothing is lost: all comes when it opens again', async () => {
    world.start();
    await world.pass(5 * HOUR);
    expect(world.stopped).toEqual([{ channel: general, error: 'is_archived' }]);
    expect(world.slack.calls.filter((it) => it.method === 'post').length).toBeLessThan(15);
    world.slack.closed.clear();
    await world.pass(HOUR + MINUTE);
    expect(world.names(general)).toEqual(['a', 'b']);
  });

  it('is tried at once when somebody resumes it', async () => {
    const filter = FilterId.parse(7);
    const subscription = { team, channel: general, filter, rules: '', by: person, createdAt: 0, startsAt: 0 };
    const write = (stopped: object) =>
      world.store.transact((tx) =>
        tx.put(subscriptions, [team, general, filter], { ...subscription, ...stopped }),
      );
    await write({ stopped: { at: 0, error: 'is_archived' } });
    world.start();
    await world.pass(4 * HOUR);
    world.slack.closed.clear();
    await write({});
    await world.pass(8 * SECOND);
    expect(world.names(general)).toEqual(['a', 'b']);
  });

  it.each(['before', 'after'] as const)(
    'a person who is gone when a message that failed %s it arrived is looked for is let be',
    async (when) => {
      const id = await world.enqueue(person, 'direct', 1);
      const next = await world.enqueue(person, 'next', 2);
      world.slack.fault('post', unclear, when);
      world.start();
      await world.pass(2 * SECOND);
      world.slack.closed.set('U1', 'user_disabled');
      await world.pass(MINUTE);
      for (const post of [id, next])
        expect(await world.post(post)).toMatchObject({ state: 'failed', failure: 'user_disabled' });
      const tries = () => world.slack.calls.filter((it) => it.channel === person).length;
      const before = tries();
      await world.pass(HOUR);
      expect(tries()).toBe(before);
    },
  );
});

describe('a message whose matter has changed', () => {
  async function posted(name: string, order: number) {
    const id = await world.enqueue(general, name, order);
    await world.pass(2 * SECOND);
    return id;
  }
  const touch = (id: Parameters<typeof markPostChanged>[2]) =>
    world.store.transact((tx) => markPostChanged(tx, team, id));

  beforeEach(() => world.start());

  it('shows the newest in place; changes in between are one update', async () => {
    const id = await posted('a', 1);
    for (let n = 0; n < 5; n++) await touch(id);
    await world.pass(5 * SECOND);
    expect(world.texts(general)).toEqual(['a revision 5']);
    expect(world.slack.calls.filter((it) => it.method === 'update')).toHaveLength(1);
  });

  it('that was deleted in Slack is left alone', async () => {
    const id = await posted('a', 1);
    world.slack.messages = [];
    await touch(id);
    await world.pass(MINUTE);
    expect(world.slack.calls.filter((it) => it.method === 'update')).toHaveLength(1);
    expect(await world.post(id)).toMatchObject({ shown: 1, revision: 1 });
  });

  it('is updated at most 50 times a minute with others, newest first, and holds up no new post', async () => {
    const ids = [];
    for (let n = 0; n < 60; n++) ids.push(await posted(`p${n}`, n));
    for (const id of ids) await touch(id);
    await world.enqueue(general, 'new', 100);
    const from = world.clock.now();
    await world.pass(MINUTE);
    const updates = world.slack.calls.filter((it) => it.method === 'update' && it.at >= from);
    expect(updates.length).toBeGreaterThan(40);
    expect(updates.length).toBeLessThanOrEqual(50);
    expect(world.texts(general)[59]).toBe('p59 revision 1');
    expect(world.texts(general)[0]).toBe('p0 revision 0');
    expect(world.slack.standing(general).find((it) => it.post === 'new')?.at).toBeLessThan(from + 3 * SECOND);
    await world.pass(MINUTE);
    expect(world.texts(general)[0]).toBe('p0 revision 1');
  });

  it('is updated after a pause that Slack asks for, and after an unclear answer', async () => {
    const id = await posted('a', 1);
    world.slack.fault('update', limited(20 * SECOND));
    world.slack.fault('update', unclear);
    await touch(id);
    await world.pass(19 * SECOND);
    expect(world.texts(general)).toEqual(['a revision 0']);
    await world.pass(MINUTE);
    expect(world.texts(general)).toEqual(['a revision 1']);
  });

  it.each([
    ['was archived', refused('is_archived')],
    ['gave no answers', unclear],
  ])('in a channel that %s is updated as soon as a post arrives there', async (_, error) => {
    const id = await posted('a', 1);
    for (let n = 0; n < 20; n++) world.slack.fault('update', error);
    await touch(id);
    await world.pass(2 * HOUR + 30 * MINUTE);
    world.slack.faults.length = 0;
    await world.pass(MINUTE);
    expect(world.texts(general)).toEqual(['a revision 0']);
    await world.enqueue(general, 'b', 2);
    await world.pass(5 * SECOND);
    expect(world.texts(general)).toEqual(['a revision 1', 'b revision 0']);
  });

  it('while it was on its way is brought up to date afterwards', async () => {
    const id = await world.enqueue(general, 'a', 1);
    const post = world.slack.post.bind(world.slack);
    world.slack.post = async (...call) => {
      await touch(id);
      return post(...call);
    };
    await world.pass(5 * SECOND);
    expect(world.texts(general)).toEqual(['a revision 1']);
  });

  it('and is refused for itself is not tried with each post', async () => {
    const id = await posted('a', 1);
    for (let n = 0; n < 9; n++) world.slack.fault('update', refused('brand_new_code'));
    await touch(id);
    await world.pass(10 * MINUTE);
    const tries = () => world.slack.calls.filter((it) => it.method === 'update').length;
    const before = tries();
    for (let n = 0; n < 5; n++) await posted(`b${n}`, 2 + n);
    expect(tries()).toBe(before);
  });
});

/** A machine that started hours ahead learns the time. */
const setBack = () => world.clock.shiftWallClock(-2 * HOUR);

describe('after the clock was set back', () => {
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
});
