/** A flood of invitations: what their cards have in their threads goes into the summary with them, and comes back. */
import type { Instant } from '../clock.ts';
import { ChannelId, type TeamId } from '../ids.ts';
import { type Bundled, bundleWaiting, releaseNewest } from '../outbox/floods.ts';
import { touchPost } from '../outbox/outbox.ts';
import type { PostId } from '../outbox/posts.ts';
import type { Transaction } from '../storage/store.ts';
import type { InvitationsContext } from './context.ts';
import { enqueueLetter, takeBackThread } from './tell.ts';

/** Bundles a flood of invitations in a channel, and what belongs to one. */
export async function bundleInvitations(
  tx: Transaction,
  team: TeamId,
  channel: ChannelId,
  at: Instant,
): Promise<Bundled> {
  const bundled = await bundleWaiting(tx, { team, channel, of: 'invitation' }, at);
  for (const { content } of bundled.taken)
    if (content.kind === 'invitation') await takeBackThread(tx, team, channel, content.invitation);
  return bundled;
}

/** Lets the newest of a summary's invitations be posted on their own. @returns how many. @throws StorageError */
export function showMoreInvitations(
  { store, team, clock }: Pick<InvitationsContext, 'store' | 'team' | 'clock'>,
  summary: PostId,
  count: number,
): Promise<number> {
  return store.transact(async (tx) => {
    const released = await releaseNewest(tx, team, summary, count);
    for (const { channel, content } of released)
      if (content.kind === 'invitation')
        await enqueueLetter(tx, team, ChannelId.parse(channel), content.invitation, clock.now());
    if (released.length > 0) await touchPost(tx, team, summary);
    return released.length;
  });
}
