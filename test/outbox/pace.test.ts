/** Which invitations stay single, and which go into a summary, in channels that get a few in a while. */
import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { findInvitationPace } from '../../src/feed/decide-noise.ts';
import { ChannelId, InvitationUid, MessageTs } from '../../src/ids.ts';
import { type BundlePace, bundleWaitingPosts } from '../../src/outbox/card-summary.ts';
import { enqueuePost } from '../../src/outbox/outbox.ts';
import { type Post, PostId, posts } from '../../src/outbox/posts.ts';
import { createMemoryStore } from '../memory-store.ts';
import { storedPosts } from '../stored-posts.ts';

const channel = ChannelId.parse('C1');
const START = 1_800_000_000_000;

function paceOf(level: 'quiet' | 'normal'): BundlePace {
  return findInvitationPace(level) ?? expect.fail('no pace');
}

/** A channel whose posts are sent at once, as long as `isSlackUp`. */
class Channel {
  readonly store = createMemoryStore();
  now = START;
  isSlackUp = true;
  readonly pace: BundlePace;
  #next = 0;

  constructor(pace: BundlePace) {
    this.pace = pace;
  }

  async invite(count = 1): Promise<void> {
    await this.store.transact(async (tx) => {
      for (let each = 0; each < count; each++) {
        const uid = String(this.#next++).padStart(4, '0');
        const content = { kind: 'invitation', invitation: InvitationUid.parse(`i${uid}`) } as const;
        const id = PostId.parse(`invitation:${uid}`);
        await enqueuePost(tx, { id, channel, content, order: this.now + each, at: this.now });
      }
    });
    await this.deliver();
  }

  async deliver(): Promise<void> {
    const at = this.now;
    const where = { channel, of: 'invitation' } as const;
    await this.store.transact((tx) => bundleWaitingPosts(tx, where, at, this.pace));
    if (!this.isSlackUp) return;
    const ts = MessageTs.parse(`${at / 1_000}.000100`);
    await this.store.transact(async (tx) => {
      for (const post of await this.posts())
        if (post.state === 'waiting') await tx.put(posts, { ...post, state: 'posted', ts });
    });
  }

  posts(): Promise<Post[]> {
    return storedPosts(this.store, () => true);
  }

  async singles(): Promise<number> {
    return (await this.posts()).filter((it) => it.content.kind === 'invitation' && !it.bundle).length;
  }

  /** How many invitations each summary lists. */
  async summaries(): Promise<number[]> {
    const all = await this.posts();
    return all
      .filter(({ content }) => content.kind === 'flood')
      .map(({ id }) => all.filter(({ bundle }) => bundle === id).length);
  }
}

describe('at normal', () => {
  it('twelve that arrive together are three and a summary of nine', async () => {
    const it = new Channel(paceOf('normal'));
    await it.invite(12);
    expect([await it.singles(), await it.summaries()]).toEqual([3, [9]]);
  });

  it('twelve that arrive one after the other within a minute are the same', async () => {
    const it = new Channel(paceOf('normal'));
    for (let each = 0; each < 12; each++) {
      await it.invite();
      it.now += 4_000;
    }
    expect([await it.singles(), await it.summaries()]).toEqual([3, [9]]);
  });

  it('while Slack is down, those that were chosen to be single stay so', async () => {
    const it = new Channel(paceOf('normal'));
    it.isSlackUp = false;
    await it.invite(12);
    for (let minutes = 0; minutes < 30; minutes++) {
      it.now += MINUTE;
      await it.invite();
    }
    it.isSlackUp = true;
    await it.deliver();
    expect([await it.singles(), await it.summaries()]).toEqual([3, [39]]);
  });

  it('one each minute for 40 minutes are at most seven messages, none silent for 15 minutes', async () => {
    const it = new Channel(paceOf('normal'));
    for (let minutes = 0; minutes < 40; minutes++) {
      await it.invite();
      it.now += MINUTE;
    }
    expect(await it.singles()).toBe(3);
    const listed = await it.summaries();
    expect(listed.length).toBeLessThanOrEqual(4);
    expect(Math.max(...listed)).toBeLessThanOrEqual(16);
    expect(listed.reduce((sum, each) => sum + each, 3)).toBe(40);
  });

  it('one in four minutes is a card each', async () => {
    const it = new Channel(paceOf('normal'));
    for (let each = 0; each < 20; each++) {
      await it.invite();
      it.now += 4 * MINUTE;
    }
    expect([await it.singles(), await it.summaries()]).toEqual([20, []]);
  });
});

it('at quiet, twelve are one and a summary, which takes more for an hour', async () => {
  const it = new Channel(paceOf('quiet'));
  await it.invite(12);
  it.now += 50 * MINUTE;
  await it.invite(5);
  expect([await it.singles(), await it.summaries()]).toEqual([1, [16]]);
});
