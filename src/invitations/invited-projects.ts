/** Invitation cards by project: they show the project's bids, and their threads show news of those bids. */
import type { ChannelId, ProjectKey, TeamId } from '../ids.ts';
import { markPostChanged } from '../outbox/outbox.ts';
import type { PostId } from '../outbox/posts.ts';
import { type ReadTransaction, scanCollection, type Transaction } from '../storage/store.ts';
import {
  type InvitationCard,
  invitationCardKey,
  invitationCards,
  invitationPostId,
  invitationRecords,
} from './records.ts';

/** The most invitations to one project that are updated. */
const MOST = 20;

/** Newest first. */
async function invitationsTo(tx: ReadTransaction, team: TeamId, project: ProjectKey) {
  const range = { index: 'byProject', prefix: [team, project], reverse: true, limit: MOST } as const;
  return (await tx.list(invitationRecords, range)).map(({ value }) => value);
}

export async function markInvitationCardsChanged(
  tx: Transaction,
  team: TeamId,
  project: ProjectKey,
): Promise<void> {
  for (const { uid } of await invitationsTo(tx, team, project)) {
    for await (const { value } of scanCollection(tx, invitationCards, {
      index: 'byInvitation',
      prefix: [team, uid],
    }))
      if (isTold(value)) await markPostChanged(tx, team, invitationPostId(value.channel, uid));
  }
}

function isTold(card: InvitationCard | undefined): boolean {
  return card?.state === 'posted';
}

/** The post of the newest invitation to a project in a channel; undefined if none was posted. */
export async function findInvitationPost(
  tx: ReadTransaction,
  team: TeamId,
  channel: ChannelId,
  project: ProjectKey,
): Promise<PostId | undefined> {
  for (const { uid } of await invitationsTo(tx, team, project))
    if (isTold(await tx.get(invitationCards, invitationCardKey(team, channel, uid))))
      return invitationPostId(channel, uid);
  return undefined;
}
