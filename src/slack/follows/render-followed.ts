/** From a stored post about followed projects to its message. */
import type { FeedService } from '../../feed/feed.ts';
import type { ChannelId, ProjectKey, TeamId } from '../../ids.ts';
import { cardPostId, findMessageOfPost } from '../../outbox/outbox.ts';
import type { PostContentOf } from '../../outbox/posts.ts';
import type { ReadTransaction } from '../../storage/store.ts';
import type { Message } from '../core/routes.ts';
import { type FollowedRow, followedListMessage, followedProjectMessage } from './followed-message.ts';

interface RenderPorts {
  readonly team: TeamId;
  readonly feed: Pick<FeedService, 'readCardData'>;
  /** `https://acme.slack.com/`; missing: no links to cards. */
  readonly workspaceUrl?: string | undefined;
}

interface CardPlace {
  readonly channel: ChannelId;
  readonly project: ProjectKey;
}

/** To the card, or to the summary that lists it. */
async function findCardLink(
  tx: ReadTransaction,
  { team, workspaceUrl }: RenderPorts,
  { channel, project }: CardPlace,
): Promise<string | undefined> {
  if (workspaceUrl === undefined) return undefined;
  const shown = await findMessageOfPost(tx, team, cardPostId(channel, project));
  return shown && new URL(`archives/${shown.channel}/p${shown.ts.replace('.', '')}`, workspaceUrl).href;
}

/** @returns undefined: the project was deleted */
export async function renderFollowedProject(
  tx: ReadTransaction,
  ports: RenderPorts,
  content: PostContentOf<'followed-project'>,
): Promise<Message | undefined> {
  const view = await ports.feed.readCardData(tx, content.channel, content.project);
  return view && followedProjectMessage(content, view, await findCardLink(tx, ports, content));
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
    const link = await findCardLink(tx, ports, item);
    rows.push({ project: view.seen.project, channel: item.channel, link });
  }
  return rows.length > 0 ? followedListMessage(content, rows) : undefined;
}
