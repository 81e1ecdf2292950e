/** Which summary a waiting card joins, by the summary's age and content. */
import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE } from '../../src/clock.ts';
import { ChannelId, InvitationUid, MessageTs, ProjectKey } from '../../src/ids.ts';
import { bundleWaitingPosts, repostCardSummary } from '../../src/outbox/card-summary.ts';
import { enqueuePost } from '../../src/outbox/outbox.ts';
import { type Post, PostId, posts } from '../../src/outbox/posts.ts';
import { createMemoryStore } from '../memory-store.ts';
import { storedPosts } from '../stored-posts.ts';

const channel = ChannelId.parse('C1');
/** Whole seconds, as in Slack's timestamps. */
const NOW = 1_800_000_000_000;

function startShelf() {
  const store = createMemoryStore();
  const add = (of: 'card' | 'invitation', from: number, to: number) =>
    store.transact(async (tx) => {
      for (let each = from; each <= to; each++) {
        const content =
          of === 'card'
            ? { kind: of, project: ProjectKey.parse(`~${each}`) }
            : { kind: of, invitation: InvitationUid.parse(`i${each}`) };
        const id = PostId.parse(`${of}:${each}`);
        await enqueuePost(tx, { id, channel, content, order: each, at: NOW });
      }
    });
  const bundle = (at = NOW, of: 'card' | 'invitation' = 'card') =>
    store.transact((tx) => bundleWaitingPosts(tx, { channel, of }, at));
  const change = (id: PostId | undefined, to: Partial<Post>) =>
    store.transact(async (tx) => {
      const post = id && (await tx.get(posts, [id]));
      if (post) await tx.put(posts, { ...post, ...to });
    });
  const summaries = async () =>
    (await storedPosts(store, () => true)).filter(({ content }) => content.kind === 'flood');
  /** A summary of projects 101 to 115, posted at NOW. */
  const withPosted = async () => {
    await add('card', 101, 115);
    const { summary } = await bundle();
    await change(summary, { state: 'posted', ts: MessageTs.parse(`${NOW / 1_000}.000100`) });
    return summary;
  };
  return { store, add, bundle, change, summaries, withPosted };
}

describe('a summary that was posted', () => {
  it.each([
    ['takes in a flood for ten minutes', 10 * MINUTE - 1, true],
    ['takes in none after that', 10 * MINUTE + 1, false],
    ['takes in none where the clock was set back', -HOUR, false],
  ])('%s', async (_, afterMs, joins) => {
    const it = startShelf();
    const summary = await it.withPosted();
    await it.add('card', 201, 211);
    const next = await it.bundle(NOW + afterMs);
    expect(next.taken).toHaveLength(11);
    expect(next.summary === summary).toBe(joins);
    expect(await it.summaries()).toHaveLength(joins ? 1 : 2);
  });

  it('takes in a backlog that goes on for an hour, while it never rests for ten minutes', async () => {
    const it = startShelf();
    const summary = await it.withPosted();
    let last: PostId | undefined;
    for (let minutes = 8; minutes <= 64; minutes += 8) {
      await it.add('card', 1_000 * minutes, 1_000 * minutes + 10);
      last = (await it.bundle(NOW + minutes * MINUTE)).summary;
      expect(last === summary).toBe(minutes < 60);
    }
    expect(await it.summaries()).toHaveLength(2);
  });

  it('takes in a few that are older than what it lists; newer ones are cards', async () => {
    const it = startShelf();
    const summary = await it.withPosted();
    await it.add('card', 98, 99);
    await it.add('card', 116, 117);
    const next = await it.bundle(NOW + MINUTE);
    expect(next.summary).toBe(summary);
    expect(next.taken.map(({ order }) => order)).toEqual([98, 99]);
    expect((await it.bundle(NOW + MINUTE)).taken).toEqual([]);
  });

  it('is sent again with all that it lists where its message is gone, and only then', async () => {
    const it = startShelf();
    const id = await it.withPosted();
    const [posted] = await it.summaries();
    if (!posted) throw new Error('no summary');
    expect(await it.store.transact((tx) => repostCardSummary(tx, posted))).toBe(true);
    const [again] = await it.summaries();
    expect(again).toMatchObject({ id, state: 'waiting' });
    expect(again).not.toHaveProperty('ts');
    expect(await it.store.transact((tx) => repostCardSummary(tx, posted))).toBe(false);
  });
});

describe('a summary that waits', () => {
  it('takes in a single one, however late, and more than one transaction holds', async () => {
    const it = startShelf();
    await it.add('card', 1, 1_001);
    const first = await it.bundle();
    expect(first).toMatchObject({ isMore: true });
    expect(await it.bundle()).toMatchObject({ isMore: true, summary: first.summary });
    const last = await it.bundle(NOW + 5 * HOUR);
    expect(last).toMatchObject({ isMore: false, summary: first.summary });
    expect(last.taken).toHaveLength(1);
    expect(await it.summaries()).toMatchObject([{ order: 1_001, revision: 2 }]);
  });
});

describe('projects and invitations', () => {
  it('have a summary each', async () => {
    const it = startShelf();
    await it.add('card', 1, 11);
    await it.add('invitation', 12, 22);
    const { summary } = await it.bundle();
    const other = await it.bundle(NOW, 'invitation');
    expect(other.taken).toHaveLength(11);
    expect(other.summary).not.toBe(summary);
    expect((await it.summaries()).map(({ content }) => content)).toEqual([
      { kind: 'flood' },
      { kind: 'flood', of: 'invitation' },
    ]);
  });
});
