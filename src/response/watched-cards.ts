/** What the response clock needs to know of a card or an invitation, found by its post. */

import { refreshProjectCards } from '../bidding/post-bid-news.ts';
import { findOpenBid } from '../bidding/project-bidding.ts';
import type { Instant } from '../clock.ts';
import { placeOfCard } from '../feed/card-teamwork.ts';
import { findMute } from '../feed/decide-card.ts';
import type { Card, ChannelSettings } from '../feed/feed.ts';
import { readCard, readSeenProject } from '../feed/find-project.ts';
import type { ChannelId, ProjectKey, UserId } from '../ids.ts';
import {
  findInvitedProject,
  type InvitationCard,
  placeOfInvitation,
  readInvitation,
  readInvitationCard,
} from '../invitations/invitations.ts';
import { readPost } from '../outbox/outbox.ts';
import { isPostPending, type Post, type PostId } from '../outbox/posts.ts';
import { type Claim, putChangedCard } from '../sources/claims.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import { findClockStart } from './stages.ts';

export interface WatchedCard {
  readonly of: 'project' | 'invitation';
  readonly post: Post;
  /** Untrusted text. */
  readonly title: string;
  readonly claim?: Claim | undefined;
  readonly wasClaimed: boolean;
  /** When its clock begins, as long as nobody has claimed it. */
  readonly startsAt: Instant;
  /**
   * ended: skipped, bid on, muted, shared, or without a message of its own · pending: its message isn't sent,
   * or a bid waits or is on its way · open: the clock runs.
   */
  readonly state: 'open' | 'pending' | 'ended';
  /** A bid waits or is on its way. */
  readonly isBidding: boolean;
  /** What ended it for the whole team, and who did it if known. */
  readonly over?: { readonly what: 'skipped' | 'muted' | 'bid'; readonly by?: UserId } | undefined;
  /** Stores it without its claim. */
  release(tx: Transaction): Promise<void>;
}

interface Place {
  readonly channel: ChannelId;
  readonly post: PostId;
}

function withoutClaim<C extends { claim?: unknown }>(card: C): Omit<C, 'claim'> {
  const { claim: _, ...rest } = card;
  return rest;
}

/** Cards and invitations that waited for the end of quiet hours have their place in the channel from then. */
export function findPostedAt({ content, released, order }: Post, postedAt: Instant): Instant {
  return released || content.kind === 'invitation' ? Math.max(postedAt, order) : postedAt;
}

/** The card may still be posted on its own: its summary waits for the end of quiet hours. */
async function isSummaryHeld(tx: ReadTransaction, { state, bundle }: Post): Promise<boolean> {
  if (state !== 'bundled' || bundle === undefined) return false;
  return (await readPost(tx, bundle))?.state === 'held';
}

interface StateFacts {
  readonly isOver: boolean;
  readonly isBidding: boolean;
  readonly isClaimed: boolean;
}

async function stateOf(tx: ReadTransaction, post: Post, { isOver, isBidding, isClaimed }: StateFacts) {
  if (isOver || post.state === 'failed') return 'ended';
  if (isBidding || isPostPending(post) || (await isSummaryHeld(tx, post))) return 'pending';
  // A summary lists many at once: nobody is nudged about one of them.
  return post.state === 'bundled' && !isClaimed ? 'ended' : 'open';
}

type Over = WatchedCard['over'];

function overOf(
  { skip }: Pick<Card, 'skip'>,
  mute: { readonly by: UserId } | undefined,
  isBid: boolean,
): Over {
  if (isBid) return { what: 'bid' };
  if (skip) return { what: 'skipped', by: skip.by };
  return mute && { what: 'muted', by: mute.by };
}

async function bidOn(tx: ReadTransaction, project: ProjectKey | undefined) {
  return project === undefined ? 'none' : findOpenBid(tx, project);
}

async function readProjectCard(
  tx: ReadTransaction,
  place: Place,
  post: Post,
  project: ProjectKey,
  { mutes }: ChannelSettings,
): Promise<WatchedCard | undefined> {
  const { channel } = place;
  const card = await readCard(tx, channel, project);
  const seen = await readSeenProject(tx, project);
  if (card?.state !== 'posted' || !seen) return undefined;
  const bid = await bidOn(tx, project);
  const isBidding = bid === 'sending';
  const over = overOf(card, findMute(seen.project, mutes), bid === 'made');
  const isOver = over !== undefined || card.sharedBy !== undefined;
  return {
    of: 'project',
    post,
    title: seen.project.title,
    claim: card.claim,
    wasClaimed: card.firstClaim !== undefined,
    startsAt: findClockStart(card.publishedAt, findPostedAt(post, card.postedAt ?? card.foundAt)),
    state: await stateOf(tx, post, { isOver, isBidding, isClaimed: card.claim !== undefined }),
    isBidding,
    over,
    release: async (write) => {
      await putChangedCard<Card>(write, placeOfCard(channel, project), withoutClaim(card));
      await refreshProjectCards(write, { project });
    },
  };
}

async function readInvitedCard(
  tx: ReadTransaction,
  place: Place,
  post: Post,
  card: InvitationCard | undefined,
): Promise<WatchedCard | undefined> {
  const { channel } = place;
  const record = card && (await readInvitation(tx, card.uid));
  if (card?.state !== 'posted' || !record) return undefined;
  const bid = await bidOn(tx, findInvitedProject(record)?.project);
  const isBidding = bid === 'sending';
  const over = overOf({}, undefined, bid === 'made');
  const isClaimed = card.claim !== undefined;
  return {
    of: 'invitation',
    post,
    title: record.title,
    claim: card.claim,
    wasClaimed: card.firstClaim !== undefined,
    startsAt: findClockStart(record.invitedAt, findPostedAt(post, card.foundAt)),
    state: await stateOf(tx, post, { isOver: over !== undefined, isBidding, isClaimed }),
    isBidding,
    over,
    release: async (write) => {
      const at = placeOfInvitation(channel, card.uid);
      await putChangedCard<InvitationCard>(write, at, withoutClaim(card));
      const project = findInvitedProject(record)?.project;
      if (project) await refreshProjectCards(write, { project });
    },
  };
}

/** undefined: it was deleted. */
export async function readWatchedCard(
  tx: ReadTransaction,
  place: Place,
  settings: ChannelSettings,
): Promise<WatchedCard | undefined> {
  const { channel } = place;
  const post = await readPost(tx, place.post);
  if (post?.content.kind === 'card') return readProjectCard(tx, place, post, post.content.project, settings);
  if (post?.content.kind !== 'invitation') return undefined;
  return readInvitedCard(tx, place, post, await readInvitationCard(tx, channel, post.content.invitation));
}
