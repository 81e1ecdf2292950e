/** Details that a card leaves to its thread, if the channel wants that: a post in the card's thread. */
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

/** Enqueues the details after the card's post, if there are any. */
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

/** For a card that moves into a summary: its details are posted when the card is. */
export async function deleteCardDetailsPost(
  tx: Transaction,
  team: TeamId,
  channel: ChannelId,
  project: ProjectKey,
): Promise<void> {
  await tx.delete(posts, postKey(team, cardDetailsPostId(channel, project)));
}

/** Whether the card's thread shows the details, or will. */
export async function hasCardDetailsPost(
  tx: ReadTransaction,
  team: TeamId,
  channel: ChannelId,
  project: ProjectKey,
): Promise<boolean> {
  const post = await tx.get(posts, postKey(team, cardDetailsPostId(channel, project)));
  return post !== undefined && post.state !== 'failed';
}

export async function markCardDetailsChanged(
  tx: Transaction,
  team: TeamId,
  project: ProjectKey,
): Promise<void> {
  for await (const { value } of scanCollection(tx, cards, { index: 'byProject', prefix: [team, project] }))
    if (value.state === 'posted') await markPostChanged(tx, team, cardDetailsPostId(value.channel, project));
}
