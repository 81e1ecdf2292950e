/** From a post on record to the message that stands for it. */
import type { Feed } from '../../feed/feed.ts';
import { projectRecordKey, seenProjects } from '../../feed/records.ts';
import type { ChannelId, TeamId } from '../../ids.ts';
import type { ListedProject } from '../../marketplace/schema.ts';
import { countBundled } from '../../outbox/outbox.ts';
import { type Post, posts } from '../../outbox/posts.ts';
import { type ReadTransaction, scan } from '../../storage/store.ts';
import type { Message } from '../routes.ts';
import { cardMessage } from './card.ts';
import { floodMessage, MORE_AT_ONCE } from './flood.ts';
import { noticeMessage } from './notice.ts';

export type RenderPost = (tx: ReadTransaction, post: Post) => Promise<Message | undefined>;

async function newestBundled(tx: ReadTransaction, team: TeamId, post: Post): Promise<ListedProject[]> {
  const entries = await tx.list(posts, {
    index: 'byBundle',
    prefix: [team, post.id, 'bundled'],
    limit: MORE_AT_ONCE,
    reverse: true,
  });
  const found: ListedProject[] = [];
  for (const { value } of entries) {
    if (value.content.kind !== 'card') continue;
    const seen = await tx.get(seenProjects, projectRecordKey(team, value.content.project));
    if (seen) found.push(seen.project);
  }
  return found;
}

async function renderFlood(tx: ReadTransaction, team: TeamId, post: Post): Promise<Message> {
  let total = 0;
  for await (const _ of scan(tx, posts, { index: 'byBundle', prefix: [team, post.id] })) total++;
  return floodMessage({
    newest: await newestBundled(tx, team, post),
    waiting: await countBundled(tx, team, post.id),
    total,
  });
}

/**
 * What a post shows now. undefined: there is nothing to show any more (its project was cleared out).
 * Reads only, so delivery may call it inside its own transaction.
 */
export function renderPost(ports: {
  readonly team: TeamId;
  readonly feed: Pick<Feed, 'cardView'>;
}): RenderPost {
  return async (tx, post) => {
    switch (post.content.kind) {
      case 'card': {
        const view = await ports.feed.cardView(tx, post.channel as string as ChannelId, post.content.project);
        return view && cardMessage(view);
      }
      case 'flood':
        return renderFlood(tx, ports.team, post);
      case 'notice':
        return noticeMessage(post.content.notice);
    }
  };
}
