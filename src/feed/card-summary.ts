/**
 * Moves cards into a summary when too many wait, together with their thread posts, and releases them again.
 */
import type { Instant } from '../clock.ts';
import { ChannelId } from '../ids.ts';
import {
  type BundleResult,
  bundleWaitingPosts,
  releaseNewestPostsFromSummary,
} from '../outbox/card-summary.ts';
import { markPostChanged } from '../outbox/outbox.ts';
import type { PostId } from '../outbox/posts.ts';
import type { Transaction } from '../storage/store.ts';
import { deleteCardDetailsPost, enqueueCardDetails } from './card-details.ts';
import { readChannelSettings } from './channels.ts';
import type { FeedContext } from './feed.ts';

/** Bundles waiting cards of a channel if they are too many or belong to an open summary. */
export async function bundleCardsIntoSummary(
  { team }: FeedContext,
  tx: Transaction,
  channel: ChannelId,
  at: Instant,
): Promise<BundleResult> {
  const bundled = await bundleWaitingPosts(tx, { team, channel, of: 'card' }, at);
  for (const { content } of bundled.taken)
    if (content.kind === 'card') await deleteCardDetailsPost(tx, team, channel, content.project);
  return bundled;
}

export function postMoreCardsFromSummary(
  context: FeedContext,
  flood: PostId,
  count: number,
): Promise<number> {
  const { store, team, clock } = context;
  return store.transact(async (tx) => {
    const released = await releaseNewestPostsFromSummary(tx, team, flood, count);
    const [first] = released;
    if (!first) return 0;
    const settings = await readChannelSettings(tx, team, ChannelId.parse(first.channel));
    for (const { content, order } of released) {
      if (content.kind !== 'card') continue;
      const place = { team, channel: settings.channel, project: content.project, order };
      await enqueueCardDetails(tx, place, settings, clock.now());
    }
    await markPostChanged(tx, team, flood);
    return released.length;
  });
}
