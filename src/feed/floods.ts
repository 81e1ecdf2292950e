/** A flood of projects: what their cards have in their threads goes into the summary with them, and comes back. */
import type { Instant } from '../clock.ts';
import { ChannelId } from '../ids.ts';
import { type Bundled, bundleWaiting, releaseNewest } from '../outbox/floods.ts';
import { touchPost } from '../outbox/outbox.ts';
import type { PostId } from '../outbox/posts.ts';
import type { Transaction } from '../storage/store.ts';
import { enqueueDetails, takeBackDetails } from './card-details.ts';
import { readSettings } from './channels.ts';
import type { FeedContext } from './context.ts';

/** Bundles a flood of cards in a channel, and what belongs to one. */
export async function bundleFlood(
  { team }: FeedContext,
  tx: Transaction,
  channel: ChannelId,
  at: Instant,
): Promise<Bundled> {
  const bundled = await bundleWaiting(tx, { team, channel, of: 'card' }, at);
  for (const { content } of bundled.taken)
    if (content.kind === 'card') await takeBackDetails(tx, team, channel, content.project);
  return bundled;
}

/** Lets the newest of a summary's cards be posted on their own. */
export function showMore(context: FeedContext, flood: PostId, count: number): Promise<number> {
  const { store, team, clock } = context;
  return store.transact(async (tx) => {
    const released = await releaseNewest(tx, team, flood, count);
    const [first] = released;
    if (!first) return 0;
    const settings = await readSettings(tx, team, ChannelId.parse(first.channel));
    for (const { content, order } of released) {
      if (content.kind !== 'card') continue;
      const place = { team, channel: settings.channel, project: content.project, order };
      await enqueueDetails(tx, place, settings, clock.now());
    }
    await touchPost(tx, team, flood);
    return released.length;
  });
}
