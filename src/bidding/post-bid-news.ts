/** Posts news of bids and jobs in their threads and updates their cards, in the change's own transaction. */
import { findProjectAliases, type ProjectIdentifiers } from '../aliases/project-aliases.ts';
import type { Instant } from '../clock.ts';
import { markCardsChanged } from '../feed/cards.ts';
import type { ChannelId, ProjectKey, TeamId } from '../ids.ts';
import { markInvitationCardsChanged } from '../invitations/invitation-card-data.ts';
import type { BidNews } from '../outbox/news.ts';
import { enqueuePost, markPostChanged } from '../outbox/outbox.ts';
import { PostId, postKey, posts } from '../outbox/posts.ts';
import type { Transaction } from '../storage/store.ts';

/** Where the news of a bid or a job is posted. */
export interface ThreadAnchor {
  readonly team: TeamId;
  readonly channel: ChannelId;
  readonly home: PostId;
  readonly project?: ProjectKey | undefined;
  /** Set for a job. */
  readonly marketplaceJobId?: string | undefined;
  /** Set for a bid. */
  readonly request?: { readonly marketplaceJobId: string } | undefined;
}

/**
 * Posts one line of news in the thread, once, and updates all messages about the bid or job.
 * @param matter identifies the news, for example `bid:17:0123:2`; a repeat isn't sent
 */
export async function postBidNews(
  tx: Transaction,
  where: ThreadAnchor,
  matter: string,
  news: BidNews,
  at: Instant,
): Promise<void> {
  const { team, channel, home } = where;
  const parent = await tx.get(posts, postKey(team, home));
  await enqueuePost(tx, {
    team,
    id: PostId.parse(`news:${channel}:${matter}`),
    channel,
    content: { kind: 'bid-news', news },
    under: home,
    // Never before its parent: a thread begins with its message.
    order: Math.max(at, parent?.order ?? at),
    at,
  });
  await refreshMessages(tx, where);
}

/** Updates the anchor message, and every card of the project and of invitations to it. */
export async function refreshMessages(tx: Transaction, where: ThreadAnchor): Promise<void> {
  const { team, home, project, request, marketplaceJobId = request?.marketplaceJobId } = where;
  if (project) await refreshProjectCards(tx, team, { project, marketplaceJobId });
  const kind = (await tx.get(posts, postKey(team, home)))?.content.kind;
  // The loop above already updated cards of this project.
  if (kind !== 'card' && kind !== 'invitation') await markPostChanged(tx, team, home);
}

/** Updates every card of the project and of invitations to it, under all its names. */
export async function refreshProjectCards(
  tx: Transaction,
  team: TeamId,
  names: ProjectIdentifiers,
): Promise<void> {
  for (const key of (await findProjectAliases(tx, team, names)).keys) {
    await markCardsChanged(tx, team, key);
    await markInvitationCardsChanged(tx, team, key);
  }
}
