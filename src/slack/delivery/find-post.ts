/** Looking for a post in Slack by its id, when it is not on record whether it arrived. */
import type { Instant } from '../../clock.ts';
import type { ChannelId, MessageTs } from '../../ids.ts';
import type { PostId } from '../../outbox/posts.ts';
import { SlackCallError } from '../errors.ts';
import { asTs, SEARCH_BEFORE_MS } from './pauses.ts';
import type { DeliveryPort } from './port.ts';

/**
 * Reads the channel's history from `SEARCH_BEFORE_MS` before `since`, all pages.
 * @returns undefined when it is certain that the post does not stand there.
 * @throws SlackCallError when history can't be read to its end: then nothing is certain.
 */
export async function findPost(
  port: DeliveryPort,
  channel: ChannelId,
  post: PostId,
  since: Instant,
): Promise<MessageTs | undefined> {
  const oldest = asTs(since - SEARCH_BEFORE_MS);
  const cursors = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const page = await port.history(channel, oldest, cursor);
    const found = page.messages.find((message) => message.post === post);
    if (found) return found.ts;
    if (!page.next) return undefined;
    if (cursors.has(page.next)) throw new SlackCallError('unreadable', 'unknown');
    cursors.add(page.next);
    cursor = page.next;
  }
}
