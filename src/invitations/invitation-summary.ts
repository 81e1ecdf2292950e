/** Moves invitations into a summary when too many wait, with their thread posts, and releases them again. */
import type { Instant } from '../clock.ts';
import { ChannelId, type TeamId } from '../ids.ts';
import {
  type BundleResult,
  bundleWaitingPosts,
  releaseNewestPostsFromSummary,
} from '../outbox/card-summary.ts';
import { markPostChanged } from '../outbox/outbox.ts';
import type { PostId } from '../outbox/posts.ts';
import type { Transaction } from '../storage/store.ts';
import type { InvitationsContext } from './context.ts';
import { deleteInvitationThreadPosts, enqueueInvitationLetter } from './invitation-posts.ts';

/** Bundles waiting invitations of a channel if they are too many or belong to an open summary. */
export async function bundleInvitationsIntoSummary(
  tx: Transaction,
  team: TeamId,
  channel: ChannelId,
  at: Instant,
): Promise<BundleResult> {
  const bundled = await bundleWaitingPosts(tx, { team, channel, of: 'invitation' }, at);
  for (const { content } of bundled.taken)
    if (content.kind === 'invitation')
      await deleteInvitationThreadPosts(tx, team, channel, content.invitation);
  return bundled;
}

/** Posts the newest invitations of a summary on their own. @returns how many. @throws StorageError */
export function postMoreInvitationsFromSummary(
  { store, team, clock }: Pick<InvitationsContext, 'store' | 'team' | 'clock'>,
  summary: PostId,
  count: number,
): Promise<number> {
  return store.transact(async (tx) => {
    const released = await releaseNewestPostsFromSummary(tx, team, summary, count);
    for (const { channel, content } of released)
      if (content.kind === 'invitation')
        await enqueueInvitationLetter(tx, team, ChannelId.parse(channel), content.invitation, clock.now());
    if (released.length > 0) await markPostChanged(tx, team, summary);
    return released.length;
  });
}
