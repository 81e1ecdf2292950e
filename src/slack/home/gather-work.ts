/** The user's open work: jobs to approve, claims and drafts. Reads only the store. */

import { BID_DRAFT_RETENTION_MS } from '../../bidding/bid-drafts.ts';
import { bidDrafts, bidKey, bids, type Job, jobs } from '../../bidding/records.ts';
import type { Instant } from '../../clock.ts';
import { type Card, cards, seenProjectKey, seenProjects } from '../../feed/records.ts';
import type { ChannelId, MessageTs, TeamId, UserId } from '../../ids.ts';
import { isDirectMessage } from '../../ids.ts';
import {
  type InvitationCard,
  invitationCards,
  invitationKey,
  invitationPostId,
  invitationRecords,
} from '../../invitations/records.ts';
import { cardPostId } from '../../outbox/outbox.ts';
import { type PostId, postKey, posts } from '../../outbox/posts.ts';
import type { ReadTransaction } from '../../storage/store.ts';
import { canApproveJob } from '../bids/bids.ts';
import type { Services } from '../core/routes.ts';
import type { HomeClaim, HomeDraft, JobAwaitingApproval, TruncatedList } from './home-facts.ts';

/** How many items show. Source: docs/slack-limits.md, `viewBlocks`, shared by all parts of the App Home. */
export const MAX_HOME_JOBS = 8;
const MOST_CLAIMS = 8;
const MOST_DRAFTS = 5;
/** Counting stops here. */
const COUNTED = 200;

interface Reader {
  readonly team: TeamId;
  readonly user: UserId;
  /** Whether the user is in a channel. */
  readonly isIn: (channel: ChannelId) => boolean;
  readonly at: Instant;
}

/** @param isCut whether reading stopped at a limit */
function firstOf<T>(all: readonly T[], most: number, isCut: boolean): TruncatedList<T> {
  const more = Math.max(0, all.length - most);
  return { shown: all.slice(0, most), more, ...(isCut ? { orMore: true as const } : {}) };
}

/** Jobs of a channel that wait for someone, newest first. */
export async function listJobsAwaitingApproval(
  tx: ReadTransaction,
  team: TeamId,
  channel: ChannelId,
): Promise<readonly Job[]> {
  const range = { index: 'waiting', prefix: [team, channel] as const, limit: COUNTED, reverse: true };
  const found = await tx.list(jobs, range);
  return found.map(({ value }) => value).filter(canApproveJob);
}

/** Direct messages with Gigdesk, keyed by channel ID (D) or by user ID (U, W). */
const DIRECT = [
  { from: ['D'], to: ['E'] },
  { from: ['U'], to: ['X'] },
];

/** Jobs from bids in direct messages with Gigdesk that wait for someone. */
export async function listWaitingDirectMessageJobs(
  tx: ReadTransaction,
  team: TeamId,
): Promise<readonly Job[]> {
  const found: Job[] = [];
  for (const range of DIRECT) {
    const listed = await tx.list(jobs, { index: 'waiting', prefix: [team], ...range, limit: COUNTED });
    found.push(...listed.map(({ value }) => value).filter(canApproveJob));
  }
  return found;
}

/** Who placed the bid of a job in a direct message: its channel does not identify the user. */
async function bidderOf(tx: ReadTransaction, team: TeamId, job: Job): Promise<UserId | undefined> {
  if (job.bid === undefined || !isDirectMessage(job.channel)) return undefined;
  return (await tx.get(bids, bidKey(team, job.bid)))?.by;
}

/** Jobs of several channels, newest first, with what is known about their projects. */
export async function describeJobsAwaitingApproval(
  tx: ReadTransaction,
  team: TeamId,
  waiting: readonly Job[],
): Promise<TruncatedList<JobAwaitingApproval>> {
  const newest = waiting.toSorted((a, b) => b.knownAt - a.knownAt);
  const { shown, ...rest } = firstOf(newest, MAX_HOME_JOBS, false);
  const described: JobAwaitingApproval[] = [];
  for (const job of shown) {
    const seen = job.project && (await tx.get(seenProjects, seenProjectKey(team, job.project)));
    const title = seen?.project.title || job.title;
    const by = await bidderOf(tx, team, job);
    described.push({
      job,
      ...(by ? { by } : {}),
      ...(title ? { title } : {}),
      ...(seen?.project.verdict ? { verdict: seen.project.verdict } : {}),
    });
  }
  return { shown: described, ...rest };
}

/** The message ts of a post. */
async function messageOf(tx: ReadTransaction, team: TeamId, id: PostId): Promise<MessageTs | undefined> {
  return (await tx.get(posts, postKey(team, id)))?.ts;
}

/** A claim and its card's message: the link is loaded separately. */
export type ClaimWithMessageTs = { readonly claim: HomeClaim; readonly ts: MessageTs | undefined };

async function claimOfCard(tx: ReadTransaction, card: Card): Promise<ClaimWithMessageTs | undefined> {
  const { team, channel, project: key, claim } = card;
  const seen = await tx.get(seenProjects, seenProjectKey(team, key));
  if (!seen || !claim) return undefined;
  const { title, url } = seen.project;
  return {
    claim: { kind: 'project', channel, at: claim.at, project: { key, title, url } },
    ts: await messageOf(tx, team, cardPostId(channel, key)),
  };
}

async function claimOfInvitation(
  tx: ReadTransaction,
  card: InvitationCard,
): Promise<ClaimWithMessageTs | undefined> {
  const { team, channel, uid, claim } = card;
  const record = await tx.get(invitationRecords, invitationKey(team, uid));
  if (!record || !claim) return undefined;
  return {
    claim: { kind: 'invitation', channel, at: claim.at, uid, title: record.title },
    ts: await messageOf(tx, team, invitationPostId(channel, uid)),
  };
}

/** The user's claims in channels that they are in, newest first, without projects skipped since. */
export async function readHomeClaims(
  tx: ReadTransaction,
  { team, user, isIn }: Reader,
): Promise<TruncatedList<ClaimWithMessageTs>> {
  const newest = { index: 'byClaimer', prefix: [team, user] as const, limit: COUNTED, reverse: true };
  const [ofProjects, ofInvitations] = [await tx.list(cards, newest), await tx.list(invitationCards, newest)];
  const claimed = [
    ...ofProjects.flatMap(({ value: card }) =>
      card.skip ? [] : [{ ...at(card), describe: () => claimOfCard(tx, card) }],
    ),
    ...ofInvitations.map(({ value: card }) => ({ ...at(card), describe: () => claimOfInvitation(tx, card) })),
  ]
    .filter(({ channel }) => isIn(channel))
    .sort((a, b) => b.at - a.at);
  const isCut = ofProjects.length === COUNTED || ofInvitations.length === COUNTED;
  const { shown, ...rest } = firstOf(claimed, MOST_CLAIMS, isCut);
  const described: ClaimWithMessageTs[] = [];
  for (const { describe } of shown) {
    const claim = await describe();
    if (claim) described.push(claim);
  }
  return { shown: described, ...rest };
}

function at({ channel, claim }: Pick<Card, 'channel' | 'claim'>) {
  return { channel, at: claim?.at ?? 0 };
}

/** Bid drafts from the user's channels or direct messages, and all template drafts. Last changed first. */
export async function readHomeDrafts(
  services: Pick<Services, 'store' | 'templates'>,
  { team, user, isIn, at: now }: Reader,
): Promise<TruncatedList<HomeDraft>> {
  const range = { index: 'byUser', prefix: [team, user] as const, from: [now - BID_DRAFT_RETENTION_MS] };
  const bids = await services.store.read((tx) =>
    tx.list(bidDrafts, { ...range, limit: COUNTED, reverse: true }),
  );
  const templates = await services.templates.drafts.list(user);
  const drafts = [
    ...bids
      .map(({ value: draft }) => ({ kind: 'bid' as const, draft, at: draft.at }))
      .filter(({ draft }) => isDirectMessage(draft.channel) || isIn(draft.channel)),
    ...templates.map((draft) => ({ kind: 'template' as const, draft, at: draft.updatedAt })),
  ].sort((a, b) => b.at - a.at);
  return firstOf(drafts, MOST_DRAFTS, bids.length === COUNTED);
}
