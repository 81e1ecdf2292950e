/** Looking for a post in Slack by its id, when it is not on record whether it arrived. */
import type { Instant } from '../../clock.ts';
import type { MessageTs } from '../../ids.ts';
import type { PostId } from '../../outbox/posts.ts';
import { SlackCallError } from '../errors.ts';
import { asTs, SEARCH_BEFORE_MS } from './pauses.ts';
import type { DeliveryPort, Place } from './port.ts';
import { isThreadRefusal } from './refusals.ts';

/**
 * Looks through a thread, where it may stand in one, and through the channel: a post whose thread is gone is sent there.
 * Reads from `SEARCH_BEFORE_MS` before `since`, all pages.
 * @returns undefined when it is certain that the post does not stand there.
 * @throws SlackCallError when history can't be read to its end: then nothing is certain.
 */
export async function findPost(
  port: DeliveryPort,
  place: Place,
  post: PostId,
  since: Instant,
): Promise<MessageTs | undefined> {
  const { channel, thread } = place;
  const there = thread && (await findInThread(port, { channel, thread }, post, since));
  return there ?? findIn(port, { channel }, post, since);
}

/** In a thread that is gone nothing stands. */
async function findInThread(
  port: DeliveryPort,
  place: Place,
  post: PostId,
  since: Instant,
): Promise<MessageTs | undefined> {
  try {
    return await findIn(port, place, post, since);
  } catch (thrown) {
    if (thrown instanceof SlackCallError && thrown.end === 'refused' && isThreadRefusal(thrown.code))
      return undefined;
    throw thrown;
  }
}

async function findIn(
  port: DeliveryPort,
  place: Place,
  post: PostId,
  since: Instant,
): Promise<MessageTs | undefined> {
  const oldest = asTs(since - SEARCH_BEFORE_MS);
  const cursors = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const page = await port.history(place, oldest, cursor);
    const found = page.messages.find((message) => message.post === post);
    if (found) return found.ts;
    if (!page.next) return undefined;
    if (cursors.has(page.next)) throw new SlackCallError('unreadable', 'unknown');
    cursors.add(page.next);
    cursor = page.next;
  }
}
