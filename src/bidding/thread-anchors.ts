/**
 * Finds the thread for a bid's or job's news: under the project's card, an invitation to it, or else a
 * message of its own.
 */
import { findProjectAliases } from '../aliases/project-aliases.ts';
import type { Instant } from '../clock.ts';
import type { BidId, ChannelId, JobId, ProjectKey, TeamId } from '../ids.ts';
import { findInvitationPost } from '../invitations/invitation-card-data.ts';
import { cardPostId, enqueuePost } from '../outbox/outbox.ts';
import { type PostContent, PostId, postKey, posts } from '../outbox/posts.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';

interface Place {
  readonly team: TeamId;
  readonly channel: ChannelId;
  readonly project?: ProjectKey | undefined;
}

/** Whether the message is posted or will be. A card folded into a card summary has no message. */
async function stands(tx: ReadTransaction, team: TeamId, id: PostId): Promise<boolean> {
  const post = await tx.get(posts, postKey(team, id));
  return post?.state === 'waiting' || post?.state === 'sending' || post?.state === 'posted';
}

async function findOrEnqueueAnchor(
  tx: Transaction,
  place: Place,
  own: PostId,
  content: PostContent,
  at: Instant,
): Promise<PostId> {
  const { team, channel, project } = place;
  if (await stands(tx, team, own)) return own;
  const { keys } = await findProjectAliases(tx, team, { project });
  for (const key of keys) {
    const card = cardPostId(channel, key);
    if (await stands(tx, team, card)) return card;
  }
  for (const key of keys) {
    const invitation = await findInvitationPost(tx, team, channel, key);
    if (invitation && (await stands(tx, team, invitation))) return invitation;
  }
  await enqueuePost(tx, { team, id: own, channel, content, order: at, at });
  return own;
}

/** The thread anchor of a bid in its channel; enqueues its own message if it needs one. */
export function anchorForBid(
  tx: Transaction,
  place: Place & { readonly id: BidId },
  at: Instant,
): Promise<PostId> {
  const own = PostId.parse(`bid:${place.channel}:${place.id}`);
  return findOrEnqueueAnchor(tx, place, own, { kind: 'bid', bid: place.id }, at);
}

/** The same for a job created outside Gigdesk. */
export function anchorForJob(
  tx: Transaction,
  place: Place & { readonly id: JobId },
  at: Instant,
): Promise<PostId> {
  const own = PostId.parse(`job:${place.channel}:${place.id}`);
  return findOrEnqueueAnchor(tx, place, own, { kind: 'job', job: place.id }, at);
}
