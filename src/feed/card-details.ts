/** What a card leaves to its thread, where the channel wants it so: a post under the card's own. */
import type { Instant } from '../clock.ts';
import type { ChannelId, ProjectKey, TeamId } from '../ids.ts';
import type { ListedProject } from '../marketplace/schema.ts';
import { cardDetailsPostId, cardPostId, enqueuePost, markPostChanged } from '../outbox/outbox.ts';
import { type Post, postKey, posts } from '../outbox/posts.ts';
import { type ReadTransaction, scanCollection, type Transaction } from '../storage/store.ts';
import { type ChannelSettings, cards, seenProjectKey, seenProjects } from './records.ts';

function hasDetails({ description, skills, verdict }: ListedProject): boolean {
  return description.trim() !== '' || skills.length > 0 || Boolean(verdict?.reason);
}

/** Puts the post on record, to be sent behind the card's, where there is anything to tell. */
export async function enqueueCardDetails(
  tx: Transaction,
  card: Pick<Post, 'team' | 'order'> & { readonly channel: ChannelId; readonly project: ProjectKey },
  settings: ChannelSettings,
  at: Instant,
): Promise<void> {
  if (!settings.threadDetails) return;
  const { team, channel, project, order } = card;
  const seen = await tx.get(seenProjects, seenProjectKey(team, project));
  if (!seen || !hasDetails(seen.project)) return;
  await enqueuePost(tx, {
    team,
    id: cardDetailsPostId(channel, project),
    channel,
    content: { kind: 'card-details', project },
    under: cardPostId(channel, project),
    order: order + 1,
    at,
  });
}

/** The card is put into a summary: its details come when it is shown by itself. */
export async function deleteCardDetailsPost(
  tx: Transaction,
  team: TeamId,
  channel: ChannelId,
  project: ProjectKey,
): Promise<void> {
  await tx.delete(posts, postKey(team, cardDetailsPostId(channel, project)));
}

/** Whether they stand, or are to stand, in the card's thread. */
export async function hasCardDetailsPost(
  tx: ReadTransaction,
  team: TeamId,
  channel: ChannelId,
  project: ProjectKey,
): Promise<boolean> {
  const post = await tx.get(posts, postKey(team, cardDetailsPostId(channel, project)));
  return post !== undefined && post.state !== 'failed';
}

/** A project has changed: what its threads tell is shown anew. */
export async function markCardDetailsChanged(
  tx: Transaction,
  team: TeamId,
  project: ProjectKey,
): Promise<void> {
  for await (const { value } of scanCollection(tx, cards, { index: 'byProject', prefix: [team, project] }))
    if (value.state === 'posted') await markPostChanged(tx, team, cardDetailsPostId(value.channel, project));
}
