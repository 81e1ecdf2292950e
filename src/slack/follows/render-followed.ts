/** From a stored post about followed projects to its message. */
import type { FeedService } from '../../feed/feed.ts';
import type { TeamId } from '../../ids.ts';
import { cardPostId } from '../../outbox/outbox.ts';
import type { PostContentOf } from '../../outbox/posts.ts';
import type { ReadTransaction } from '../../storage/store.ts';
import type { Message } from '../core/routes.ts';
import { readPostLink } from '../kit/message-link.ts';
import { type FollowedRow, followedListMessage, followedProjectMessage } from './followed-message.ts';

interface RenderPorts {
  readonly team: TeamId;
  readonly feed: Pick<FeedService, 'readCardData'>;
  /** `https://acme.slack.com/`; missing: no links to cards. */
  readonly workspaceUrl?: string | undefined;
}

/** To the card, or to the summary that lists it. */
function readCardLink(
  tx: ReadTransaction,
  { team, workspaceUrl }: RenderPorts,
  { channel, project }: Pick<PostContentOf<'followed-project'>, 'channel' | 'project'>,
): Promise<string | undefined> {
  return readPostLink(tx, team, cardPostId(channel, project), workspaceUrl);
}

/** @returns undefined: the project was deleted */
export async function renderFollowedProject(
  tx: ReadTransaction,
  ports: RenderPorts,
  content: PostContentOf<'followed-project'>,
): Promise<Message | undefined> {
  const view = await ports.feed.readCardData(tx, content.channel, content.project);
  return view && followedProjectMessage(content, view, await readCardLink(tx, ports, content));
}

export async function renderFollowedList(
  tx: ReadTransaction,
  ports: RenderPorts,
  content: PostContentOf<'followed-list'>,
): Promise<Message | undefined> {
  const rows: FollowedRow[] = [];
  for (const item of content.items) {
    const view = await ports.feed.readCardData(tx, item.channel, item.project);
    if (!view) continue;
    const link = await readCardLink(tx, ports, item);
    rows.push({ project: view.seen.project, channel: item.channel, link });
  }
  return rows.length > 0 ? followedListMessage(content, rows) : undefined;
}
