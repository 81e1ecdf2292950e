/** Links from a digest to the messages that show its items. */
import type { DigestFacts } from '../../digests/facts.ts';
import { DIGEST_ROWS_SHOWN } from '../../digests/split-digest.ts';
import type { TeamId } from '../../ids.ts';
import { cardPostId, findMessageOfPost } from '../../outbox/outbox.ts';
import type { PostId } from '../../outbox/posts.ts';
import type { ReadTransaction } from '../../storage/store.ts';
import { listItemsToAnswer } from './digest-needs.ts';
import type { MessageLinks } from './digest-rows.ts';

/**
 * Reads stored posts only: Slack's links consist of the workspace's address, the channel and the message.
 * @param workspaceUrl `https://acme.slack.com/`; missing: no links
 */
export async function readDigestLinks(
  tx: ReadTransaction,
  team: TeamId,
  facts: DigestFacts,
  workspaceUrl: string | undefined,
): Promise<MessageLinks> {
  const links = new Map<PostId, string>();
  if (workspaceUrl === undefined) return links;
  const best = facts.projects.best.slice(0, DIGEST_ROWS_SHOWN.best);
  const shown = [
    ...best.map(({ project }) => cardPostId(facts.channel, project)),
    ...listItemsToAnswer(facts).flatMap(({ post }) => post ?? []),
  ];
  for (const post of shown) {
    const message = await findMessageOfPost(tx, team, post);
    if (!message) continue;
    const address = `archives/${message.channel}/p${message.ts.replace('.', '')}`;
    links.set(post, new URL(address, workspaceUrl).href);
  }
  return links;
}
