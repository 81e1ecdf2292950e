/**
 * Stops a channel's profile feeds while Slack refuses it, and restarts them when someone resumes the channel.
 */
import type { Instant } from '../clock.ts';
import type { ProfileFeedControl } from '../feed/feed.ts';
import type { ChannelId, TeamId } from '../ids.ts';
import { enqueuePost } from '../outbox/outbox.ts';
import { PostId } from '../outbox/posts.ts';
import { type ReadTransaction, scanCollection, type Transaction } from '../storage/store.ts';
import { type ProfileFeed, profileFeedKey, profileFeeds } from './records.ts';

async function feedsIn(tx: ReadTransaction, team: TeamId, channel: ChannelId): Promise<ProfileFeed[]> {
  const found: ProfileFeed[] = [];
  for await (const { value } of scanCollection(tx, profileFeeds, { prefix: [team, channel] }))
    found.push(value);
  return found;
}

/** Restarts a stopped feed; one message sums up what happened meanwhile. */
export async function restartProfileFeed(
  tx: Transaction,
  feed: ProfileFeed,
  at: Instant,
): Promise<ProfileFeed> {
  const { stopped, ...going } = feed;
  await tx.put(profileFeeds, profileFeedKey(feed), going);
  const rest = stopped?.heldBack;
  if (stopped && rest) {
    const { team, channel, profile } = feed;
    const id = PostId.parse(`outcomes-rest:${channel}:stopped:${profile}:${stopped.at}`);
    const content = { kind: 'outcomes-rest', rest } as const;
    await enqueuePost(tx, { team, id, channel, content, order: at, at });
  }
  return going;
}

/** For the project feed, which learns of refusals and resumes channels. */
export function createProfileFeedControl(team: TeamId): ProfileFeedControl {
  return {
    async stopInChannel(tx, channel, stopped) {
      const by = new Set<ProfileFeed['by']>();
      for (const feed of await feedsIn(tx, team, channel)) {
        if (feed.stopped) continue;
        await tx.put(profileFeeds, profileFeedKey(feed), { ...feed, stopped });
        by.add(feed.by);
      }
      return by;
    },
    async restartInChannel(tx, channel, at) {
      const stopped = (await feedsIn(tx, team, channel)).filter((feed) => feed.stopped);
      for (const feed of stopped) await restartProfileFeed(tx, feed, at);
      return stopped.length;
    },
  };
}
