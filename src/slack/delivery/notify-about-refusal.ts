/** Direct messages about posts that Slack refuses. */
import { listKnownAdmins } from '../../access/access-lists.ts';
import type { Instant } from '../../clock.ts';
import { listSubscribers } from '../../feed/channels.ts';
import { ChannelId, type TeamId, UserId } from '../../ids.ts';
import { enqueueNotice } from '../../outbox/outbox.ts';
import type { ChannelNotice } from '../../outbox/posts.ts';
import { listProfileFollowers } from '../../profiles/profile-feeds.ts';
import type { ReadTransaction, Transaction } from '../../storage/store.ts';
import type { DeliveryContext } from './context.ts';
import type { PostDestination } from './outbox-queries.ts';

/** Most recipients for one failure. */
const MOST_TOLD = 10;

/** Users who subscribed the channel to something. */
async function subscribersOf(tx: ReadTransaction, team: TeamId, channel: ChannelId): Promise<UserId[]> {
  const subscribers = await listSubscribers(tx, team, channel);
  return [...new Set([...subscribers, ...(await listProfileFollowers(tx, team, channel))])];
}

/**
 * Notifies the known admins; if there are none, the channel's subscribers. Skips the recipient whose own
 * conversation is refused.
 * @param matter identifies the failure: a repeat is not sent.
 */
export async function notifyAboutRefusal(
  tx: Transaction,
  { team, admins }: Pick<DeliveryContext, 'team' | 'admins'>,
  about: { readonly channel: PostDestination; readonly matter: string; readonly at: Instant },
  notice: ChannelNotice,
): Promise<void> {
  const { matter, at } = about;
  const channel = ChannelId.parse(about.channel);
  const known = await listKnownAdmins(tx, team, admins, channel);
  const all = known.length > 0 ? known : await subscribersOf(tx, team, channel);
  const others = all.filter((user) => user !== UserId.parse(about.channel));
  for (const user of others.slice(0, MOST_TOLD))
    await enqueueNotice(tx, { team, channel: user, matter, at }, notice);
}
