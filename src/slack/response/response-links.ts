/** Links from a stage's message to the cards that it lists. */
import type { TeamId } from '../../ids.ts';
import { findMessageOfPost } from '../../outbox/outbox.ts';
import type { PostId } from '../../outbox/posts.ts';
import type { ReadTransaction } from '../../storage/store.ts';
import type { Message } from '../core/routes.ts';
import { type ResponseContent, responseMessage } from './response-message.ts';

/** Reads stored posts only. @param workspaceUrl `https://acme.slack.com/`; missing: no links */
export async function renderResponse(
  tx: ReadTransaction,
  team: TeamId,
  content: ResponseContent,
  workspaceUrl: string | undefined,
): Promise<Message> {
  const links = new Map<PostId, string>();
  for (const { card } of workspaceUrl === undefined ? [] : content.items) {
    const message = await findMessageOfPost(tx, team, card);
    if (!message) continue;
    const address = `archives/${message.channel}/p${message.ts.replace('.', '')}`;
    links.set(card, new URL(address, workspaceUrl).href);
  }
  return responseMessage(content, (card) => links.get(card));
}
