import { describe, expect, it } from 'vitest';
import { HOUR } from '../../src/clock.ts';
import { enqueueInQuietHoursSummary, releaseAllQuietHoursPosts } from '../../src/feed/quiet-hours.ts';
import { channelSettings, channelSettingsKey, defaultChannelSettings } from '../../src/feed/records.ts';
import { ProjectKey } from '../../src/ids.ts';
import { cardPostId, enqueuePost } from '../../src/outbox/outbox.ts';
import { type PostContent, PostId } from '../../src/outbox/posts.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { createMemoryStore } from '../memory-store.ts';
import { Mortal } from '../mortal.ts';
import { settle } from '../pass-time.ts';
import { storedPosts } from '../stored-posts.ts';
import { channel, team } from './feed-world.ts';

const C1 = channel('C1');
const OTHERS = 120;

/** The end of a night with deferred cards and other posts. */
async function endOfNight(cards: number) {
  const disk = createMemoryStore();
  const clock = new ManualClock(Date.parse('2026-11-20T23:00Z'));
  await disk.transact(async (tx) => {
    const quiet = { from: 20 * 60, to: 8 * 60, weekends: false };
    await tx.put(channelSettings, channelSettingsKey(team, C1), {
      ...defaultChannelSettings(team, C1),
      quiet,
    });
    const common = { team, channel: C1, at: clock.now() };
    for (let each = 0; each < cards; each++) {
      const project = ProjectKey.parse(`p${each}`);
      const content = { kind: 'card', project } as const;
      await enqueueInQuietHoursSummary(tx, { ...common, id: cardPostId(C1, project), content, order: each });
    }
    for (let each = 0; each < OTHERS; each++) {
      const content: PostContent = { kind: 'outcomes-rest', rest: { proposals: each, counts: [] } };
      const id = PostId.parse(`rest:${each}`);
      await enqueuePost(tx, { ...common, id, content, order: each, isHeld: true });
    }
  });
  clock.moveBy(9 * HOUR);
  return { disk, clock };
}

describe('killed at any commit of letting go what was held back', () => {
  it.each([
    [1, false],
    [1, true],
    [20, false],
    [20, true],
  ])('%i cards and what came beside them are sent once (after: %s)', async (cards, after) => {
    const { signal } = new AbortController();
    for (let commits = 0; commits < 4; commits++) {
      const { disk, clock } = await endOfNight(cards);
      const context = { team, clock, timezone: 'UTC' };
      const mortal = new Mortal(commits, after);
      void releaseAllQuietHoursPosts({ ...context, store: mortal.wrap(disk) }, signal);
      await settle();
      clock.moveBy(HOUR);
      await releaseAllQuietHoursPosts({ ...context, store: disk }, signal);
      const sent = await storedPosts(disk, team, ({ state }) => state === 'waiting');
      expect(sent).toHaveLength(OTHERS + 1);
      expect(sent[0]?.content.kind).toBe(cards === 1 ? 'card' : 'flood');
      const numbers = sent.flatMap(({ content }) =>
        content.kind === 'outcomes-rest' ? [content.rest.proposals] : [],
      );
      expect(numbers).toEqual(Array.from({ length: OTHERS }, (_, each) => each));
      const listed = await storedPosts(disk, team, ({ state }) => state === 'bundled');
      expect(listed).toHaveLength(cards === 1 ? 0 : cards);
    }
  });
});
