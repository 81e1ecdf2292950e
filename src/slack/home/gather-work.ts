/** The user's open work with links to it: bids to approve, claims and drafts. Reads only the store. */

import { findDraftOfBid, isBidDraftTyped } from '../../bidding/bid-drafts.ts';
import type { Bid, BidDraft, Job } from '../../bidding/bidding.ts';
import { readBid } from '../../bidding/project-bidding.ts';
import { listUncertainBidsOf } from '../../bidding/uncertain-bids.ts';
import type { Instant } from '../../clock.ts';
import type { Card } from '../../feed/feed.ts';
import { listCardsClaimedBy, readSeenProject } from '../../feed/find-project.ts';
import { type ChannelId, type DraftId, isDirectMessage, type MessageTs, type UserId } from '../../ids.ts';
import {
  type InvitationCard,
  invitationPostId,
  listInvitationCardsClaimedBy,
  readInvitation,
} from '../../invitations/invitations.ts';
import { cardPostId, readPost } from '../../outbox/outbox.ts';
import type { PostId } from '../../outbox/posts.ts';
import type { ReadTransaction } from '../../storage/store.ts';
import { isTemplateDraftTyped } from '../../templates/drafts.ts';
import type { Services } from '../core/routes.ts';
import type { HomeClaim, HomeDraft, JobAwaitingApproval, TruncatedList } from './home-facts.ts';

/** An item and its message: the link is loaded separately. */
export interface WithMessageTs<T> {
  readonly item: T;
  readonly channel: ChannelId;
  /** undefined: it isn't posted. */
  readonly ts: MessageTs | undefined;
}

export type LinkedMessage = Pick<WithMessageTs<unknown>, 'channel' | 'ts'>;

/** The items with the links that are known. @param unlinked gets the messages whose link isn't */
export function addKnownLinks<T>(
  { homes }: Services,
  { shown, ...rest }: TruncatedList<WithMessageTs<T>>,
  unlinked: LinkedMessage[],
): TruncatedList<T & { readonly link?: string }> {
  return {
    ...rest,
    shown: shown.map(({ item, channel, ts }) => {
      const link = ts && homes.findMessageLink(channel, ts);
      if (ts && !link) unlinked.push({ channel, ts });
      return { ...item, link };
    }),
  };
}

/** How many items show. Source: docs/slack-limits.md, `viewBlocks`, shared by all parts of the App Home. */
export const MAX_HOME_JOBS = 7;
const MOST_CLAIMS = 6;
const MOST_DRAFTS = 4;
const MOST_UNCERTAIN = 3;
/** Counting stops here. */
export const COUNTED = 200;

/** Whose Home is drawn, and when. */
export interface HomeReader {
  readonly user: UserId;
  readonly isIn: (channel: ChannelId) => boolean;
  readonly at: Instant;
}

/** @param isCut whether reading stopped at a limit */
export function firstOf<T>(all: readonly T[], most: number, isCut = false): TruncatedList<T> {
  const more = Math.max(0, all.length - most);
  return { shown: all.slice(0, most), more, orMore: isCut ? (true as const) : undefined };
}

/** Jobs of several channels, newest first, with what is known about their projects. */
export async function describeJobsAwaitingApproval(
  tx: ReadTransaction,
  waiting: readonly Job[],
): Promise<TruncatedList<JobAwaitingApproval>> {
  const newest = waiting.toSorted((a, b) => b.knownAt - a.knownAt);
  const { shown, ...rest } = firstOf(newest, MAX_HOME_JOBS);
  const described: JobAwaitingApproval[] = [];
  for (const job of shown) {
    const seen = job.project && (await readSeenProject(tx, job.project));
    const title = seen?.project.title || job.title;
    // The channel of a job in a direct message does not identify the user.
    const bid = isDirectMessage(job.channel) ? job.bid : undefined;
    const by = bid === undefined ? undefined : (await readBid(tx, bid))?.by;
    described.push({ job, by, title: title || undefined, verdict: seen?.project.verdict });
  }
  return { shown: described, ...rest };
}

export async function messageOf(tx: ReadTransaction, id: PostId): Promise<MessageTs | undefined> {
  return (await readPost(tx, id))?.ts;
}

async function claimOfCard(tx: ReadTransaction, card: Card): Promise<WithMessageTs<HomeClaim> | undefined> {
  const { channel, project: key, claim } = card;
  const seen = await readSeenProject(tx, key);
  if (!seen || !claim) return undefined;
  const { title, url } = seen.project;
  return {
    item: { kind: 'project', channel, at: claim.at, project: { key, title, url } },
    channel,
    ts: await messageOf(tx, cardPostId(channel, key)),
  };
}

async function claimOfInvitation(
  tx: ReadTransaction,
  card: InvitationCard,
): Promise<WithMessageTs<HomeClaim> | undefined> {
  const { channel, uid, claim } = card;
  const record = await readInvitation(tx, uid);
  if (!record || !claim) return undefined;
  return {
    item: { kind: 'invitation', channel, at: claim.at, uid, title: record.title },
    channel,
    ts: await messageOf(tx, invitationPostId(channel, uid)),
  };
}

/** The user's claims in channels that they are in, newest first, without projects skipped since. */
export async function readHomeClaims(
  tx: ReadTransaction,
  { user, isIn }: HomeReader,
): Promise<TruncatedList<WithMessageTs<HomeClaim>>> {
  const ofProjects = await listCardsClaimedBy(tx, user, COUNTED);
  const ofInvitations = await listInvitationCardsClaimedBy(tx, user, COUNTED);
  const claimed = [
    ...ofProjects
      .filter(({ skip }) => !skip)
      .map((card) => ({ ...at(card), describe: () => claimOfCard(tx, card) })),
    ...ofInvitations.map((card) => ({ ...at(card), describe: () => claimOfInvitation(tx, card) })),
  ]
    .filter(({ channel }) => isIn(channel))
    .sort((a, b) => b.at - a.at);
  const isCut = ofProjects.length === COUNTED || ofInvitations.length === COUNTED;
  const { shown, ...rest } = firstOf(claimed, MOST_CLAIMS, isCut);
  const described: WithMessageTs<HomeClaim>[] = [];
  for (const { describe } of shown) {
    const claim = await describe();
    if (claim) described.push(claim);
  }
  return { shown: described, ...rest };
}

function at({ channel, claim }: Pick<Card, 'channel' | 'claim'>) {
  return { channel, at: claim?.at ?? 0 };
}

/** The user's bids that may or may not exist, oldest first; and the drafts of all of them. */
export async function readUncertainBids(tx: ReadTransaction, { user, isIn }: HomeReader) {
  const own = await listUncertainBidsOf(tx, user, COUNTED);
  const seen = own.filter(({ channel }) => isDirectMessage(channel) || isIn(channel));
  const oldest = seen.toSorted((a, b) => a.at - b.at);
  return { bids: firstOf(oldest, MOST_UNCERTAIN), drafts: await listDraftsOf(tx, own) };
}

/** The drafts that bids were sent from: the bids show in their place. */
export async function listDraftsOf(tx: ReadTransaction, bids: readonly Bid[]): Promise<readonly DraftId[]> {
  const drafts = await Promise.all(bids.map((bid) => findDraftOfBid(tx, bid)));
  return drafts.flatMap((draft) => (draft ? [draft.id] : []));
}

/**
 * Bid drafts from the user's channels or direct messages, and all template drafts, if something was typed.
 * Last changed first.
 * @param bids all bid drafts of the user
 * @param without these: they were sent. Their bids wait, or may exist and need a check, not another send
 */
export async function readHomeDrafts(
  services: Pick<Services, 'templates'>,
  { user, isIn }: HomeReader,
  bids: readonly BidDraft[],
  without: ReadonlySet<DraftId>,
): Promise<TruncatedList<HomeDraft>> {
  const templates = await services.templates.drafts.list(user);
  const kept = bids
    .filter((draft) => isBidDraftTyped(draft) && !without.has(draft.id))
    .filter(({ channel }) => isDirectMessage(channel) || isIn(channel));
  const drafts = [
    ...kept.map((draft) => ({ kind: 'bid' as const, draft, at: draft.at })),
    ...templates
      .filter(isTemplateDraftTyped)
      .map((draft) => ({ kind: 'template' as const, draft, at: draft.updatedAt })),
  ].sort((a, b) => b.at - a.at);
  return firstOf(drafts, MOST_DRAFTS, bids.length === COUNTED);
}
