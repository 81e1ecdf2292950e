/** Looks for a post in Slack by its ID when its arrival is unknown. */
import type { MessageTs } from '../../ids.ts';
import type { Post } from '../../outbox/posts.ts';
import { SlackCallError } from '../core/errors.ts';
import {
  SEARCHED_AFTER_ATTEMPT_MS,
  SEARCHED_BEFORE_ATTEMPT_MS,
  toSlackTs,
  UNDATED_ATTEMPT_SEARCH_MS,
} from './delays.ts';
import type { DeliveryPort, HistoryWindow, PostLocation } from './port.ts';
import type { PostSearch, PostSearchTracker } from './post-searches.ts';
import { isThreadRefusal } from './refusals.ts';

export interface PostSearchDependencies {
  readonly port: Pick<DeliveryPort, 'history'>;
  readonly searches: PostSearchTracker;
}

/**
 * Searches the thread, if the post has one, and the channel: a post whose thread is gone goes there. Reads
 * all pages from `SEARCH_BEFORE_MS` before the attempt to `SEARCH_AFTER_MS` after it, from the search's
 * position.
 * @returns undefined when the post is certainly not there.
 * @throws SlackCallError when a page can't be read: the result is then open, and the next call continues with
 * that page.
 */
export async function searchSlackForPost(
  ports: PostSearchDependencies,
  place: PostLocation,
  post: Post,
): Promise<MessageTs | undefined> {
  const { searches } = ports;
  const { channel, thread } = place;
  if (thread && !searches.getOrStartSearch(post).isThreadRead) {
    const there = await findInThread(ports, place, post);
    if (there) return there;
    searches.finishThread(post);
  }
  return findIn(ports, { channel }, post);
}

/** A deleted thread contains nothing. */
async function findInThread(
  ports: PostSearchDependencies,
  place: PostLocation,
  post: Post,
): Promise<MessageTs | undefined> {
  try {
    return await findIn(ports, place, post);
  } catch (thrown) {
    if (thrown instanceof SlackCallError && thrown.failureKind === 'refused' && isThreadRefusal(thrown.code))
      return undefined;
    throw thrown;
  }
}

/** An attempt without a valid date may be anywhere in the last day. */
function windowOf({ since, isUndated, datedAt }: PostSearch): HistoryWindow {
  if (isUndated) return { oldest: toSlackTs(datedAt - UNDATED_ATTEMPT_SEARCH_MS) };
  return {
    oldest: toSlackTs(since - SEARCHED_BEFORE_ATTEMPT_MS),
    latest: toSlackTs(since + SEARCHED_AFTER_ATTEMPT_MS),
  };
}

async function findIn(
  { port, searches }: PostSearchDependencies,
  place: PostLocation,
  post: Post,
): Promise<MessageTs | undefined> {
  const search = searches.getOrStartSearch(post);
  const { cursor } = search;
  const window = windowOf(search);
  for (let at = cursor; ; ) {
    const page = await port.history(place, window, at);
    const found = page.messages.find((message) => message.post === post.id);
    if (found) return found.ts;
    if (!page.next) return undefined;
    if (!searches.advanceCursor(post, page.next)) {
      searches.restartSearch(post);
      throw new SlackCallError('unreadable', 'unknown');
    }
    at = page.next;
  }
}
