/** What the response clock needs to know of a card or an invitation, found by its post. */
import { refreshProjectCards } from '../bidding/post-bid-news.ts';
import { findOpenBid } from '../bidding/project-bidding.ts';
import type { Instant } from '../clock.ts';
import { placeOfCard } from '../feed/card-teamwork.ts';
import { findMute } from '../feed/decide-card.ts';
import type { Card, ChannelSettings, Mute } from '../feed/feed.ts';
import { readCard, readSeenProject } from '../feed/find-project.ts';
import type { ProjectKey, UserId } from '../ids.ts';
import {
  findInvitedProject,
  type InvitationCard,
  placeOfInvitation,
  readInvitation,
  readInvitationCard,
} from '../invitations/invitations.ts';
import { readPost } from '../outbox/outbox.ts';
import { isPostPending, type Post } from '../outbox/posts.ts';
import { type Claim, putChangedCard } from '../sources/claims.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import type { ClockPlace } from './response.ts';
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

type Place = Pick<ClockPlace, 'channel' | 'post'>;

/** Cards and invitations that waited for the end of quiet hours have their place in the channel from then. */
export function findPostedAt({ content, released, order }: Post, postedAt: Instant): Instant {
  return released || content.kind === 'invitation' ? Math.max(postedAt, order) : postedAt;
}

/** The card may still be posted on its own: its summary waits for the end of quiet hours. */
async function isSummaryHeld(tx: ReadTransaction, { state, bundle }: Post): Promise<boolean> {
  if (state !== 'bundled' || bundle === undefined) return false;
  return (await readPost(tx, bundle))?.state === 'held';
}

async function stateOf(
  tx: ReadTransaction,
  post: Post,
  isOver: boolean,
  { claim, isBidding }: Pick<WatchedCard, 'claim' | 'isBidding'>,
) {
  if (isOver || post.state === 'failed') return 'ended';
  if (isBidding || isPostPending(post) || (await isSummaryHeld(tx, post))) return 'pending';
  // A summary lists many at once: nobody is nudged about one of them.
  return post.state === 'bundled' && !claim ? 'ended' : 'open';
}

function overOf({ skip }: Card, mute: Mute | undefined, isBid: boolean): WatchedCard['over'] {
  if (isBid) return { what: 'bid' };
  if (skip) return { what: 'skipped', by: skip.by };
  return mute && { what: 'muted', by: mute.by };
}

async function readProjectCard(
  tx: ReadTransaction,
  { channel }: Place,
  post: Post,
  project: ProjectKey,
  { mutes }: ChannelSettings,
): Promise<WatchedCard | undefined> {
  const card = await readCard(tx, channel, project);
  const seen = await readSeenProject(tx, project);
  if (card?.state !== 'posted' || !seen) return undefined;
  const bid = await findOpenBid(tx, project);
  const isBidding = bid === 'sending';
  const over = overOf(card, findMute(seen.project, mutes), bid === 'made');
  const isOver = over !== undefined || card.sharedBy !== undefined;
  const { claim } = card;
  return {
    of: 'project',
    post,
    title: seen.project.title,
    claim,
    wasClaimed: card.firstClaim !== undefined,
    startsAt: findClockStart(card.publishedAt, findPostedAt(post, card.postedAt ?? card.foundAt)),
    state: await stateOf(tx, post, isOver, { claim, isBidding }),
    isBidding,
    over,
    release: async (write) => {
      await putChangedCard(write, placeOfCard(channel, project), { ...card, claim: undefined });
      await refreshProjectCards(write, { project });
    },
  };
}

async function readInvitedCard(
  tx: ReadTransaction,
  { channel }: Place,
  post: Post,
  card: InvitationCard | undefined,
): Promise<WatchedCard | undefined> {
  const record = card && (await readInvitation(tx, card.uid));
  if (card?.state !== 'posted' || !record) return undefined;
  const project = findInvitedProject(record)?.project;
  const bid = project && (await findOpenBid(tx, project));
  const isBidding = bid === 'sending';
  const { claim } = card;
  return {
    of: 'invitation',
    post,
    title: record.title,
    claim,
    wasClaimed: card.firstClaim !== undefined,
    startsAt: findClockStart(record.invitedAt, findPostedAt(post, card.foundAt)),
    state: await stateOf(tx, post, bid === 'made', { claim, isBidding }),
    isBidding,
    over: bid === 'made' ? { what: 'bid' } : undefined,
    release: async (write) => {
      await putChangedCard(write, placeOfInvitation(channel, card.uid), { ...card, claim: undefined });
      if (project) await refreshProjectCards(write, { project });
    },
  };
}

/** undefined: it was deleted. */
export async function readWatchedCard(tx: ReadTransaction, place: Place, settings: ChannelSettings) {
  const { channel } = place;
  const post = await readPost(tx, place.post);
  if (post?.content.kind === 'card') return readProjectCard(tx, place, post, post.content.project, settings);
  if (post?.content.kind !== 'invitation') return undefined;
  return readInvitedCard(tx, place, post, await readInvitationCard(tx, channel, post.content.invitation));
}
