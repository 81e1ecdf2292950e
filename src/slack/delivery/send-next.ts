/**
 * One step of a channel: sends the next post, or resolves an uncertain one. Each post reaches Slack exactly
 * once, even across a crash. Protocol: docs/decisions/0004-slack.md.
 */
import type { ChannelId } from '../../ids.ts';
import type { Post } from '../../outbox/posts.ts';
import { SlackCallError } from '../core/errors.ts';
import type { Message } from '../core/routes.ts';
import {
  checkAt,
  type DeliveryContext,
  type DeliveryRuntimeState,
  type NextChannelCheck,
  type PostDeliveryAttempt,
  readThreadPlacement,
  toDeliveryAttemptOutcome,
} from './context.ts';
import { asChannelId, decideNextDelivery, findDirectMessageUser } from './decide-next.ts';
import {
  clearUpdateDelayAfterPost,
  MIN_CHANNEL_POST_GAP_MS,
  SEARCHED_AFTER_ATTEMPT_MS,
  SEARCHED_BEFORE_ATTEMPT_MS,
  toSlackTs,
  UNDATED_ATTEMPT_SEARCH_MS,
} from './delays.ts';
import {
  handleRefusedPost,
  markPostFailedAndNotify,
  requireSlackCallError,
  retryPostLater,
  stopDeliveryToChannel,
} from './handle-refusal.ts';
import { classifyRefusal, isThreadRefusal } from './refusals.ts';
import { deliveryStops } from './stops.ts';
import type { PostSearch, PostSearchTracker } from './trackers.ts';
import { markPostPosted, markPostWaiting, type PostDestination } from './transitions.ts';
import type { DeliveryPort, HistoryWindow, PostLocation } from './web-port.ts';

/** The channel ID to post to; for a user's ID, opens the direct message. @throws SlackCallError */
async function openPostConversation({ context, post }: PostDeliveryAttempt): Promise<ChannelId> {
  const person = findDirectMessageUser(post.channel);
  return person ? context.port.openDirect(person) : asChannelId(post.channel);
}

async function resolveUncertainPost(turn: PostDeliveryAttempt): Promise<NextChannelCheck> {
  const { context, memory, post } = turn;
  const { store, clock, port } = context;
  const { searches } = memory;
  try {
    const channel = await openPostConversation(turn);
    const placing = await store.read((tx) => readThreadPlacement(tx, post));
    const place = { channel, thread: placing.kind === 'in-thread' ? placing.thread : undefined };
    const ts = await searchSlackForPost({ port, searches }, place, post);
    await store.transact((tx) =>
      ts === undefined ? markPostWaiting(tx, post) : markPostPosted(tx, post, { channel, ts }),
    );
    searches.endSearch(post.id);
    if (ts !== undefined) context.onOutcome?.('posted');
    memory.failures.delete(post.channel);
    context.log.info('the outcome of a post is now known', { post: post.id, arrived: ts !== undefined });
    return checkAt(clock.monotonicNow());
  } catch (thrown) {
    return afterUnread(turn, requireSlackCallError(thrown));
  }
}

/** A page could not be read, so the post stays `sending`. */
async function afterUnread(turn: PostDeliveryAttempt, error: SlackCallError): Promise<NextChannelCheck> {
  const { context, memory, post } = turn;
  const { clock, log, random } = context;
  const { searches } = memory;
  const next = checkAt(clock.monotonicNow() + MIN_CHANNEL_POST_GAP_MS);
  if (error.failureKind === 'rate-limited') {
    searches.delaySearch(post, error.retryAfterMs ?? MIN_CHANNEL_POST_GAP_MS);
    return next;
  }
  if (error.code === 'invalid_cursor') searches.restartSearch(post);
  const isRefused = error.failureKind === 'refused';
  const kind = isRefused ? classifyRefusal(error.code) : 'later';
  if (kind === 'token' && (await memory.checkToken()) === 'refused') {
    searches.recordReadFailure(post, random);
    return { kind: 'token', error: error.code };
  }
  // Where other posts may be sent, they show whether the channel accepts any.
  if (kind === 'channel' && searches.remainingBlockMs(post) > 0) {
    searches.recordReadFailure(post, random);
    return stopDeliveryToChannel(turn, error, async () => undefined);
  }
  if (isRefused && searches.hasTimedOut(post)) {
    searches.endSearch(post.id);
    return markPostFailedAndNotify(turn, error.code, 'unclear');
  }
  const pauseMs = searches.recordReadFailure(post, random);
  log.warn('could not look for a post, retrying later', { post: post.id, error: error.code, pauseMs });
  return next;
}

interface SearchTools {
  readonly port: Pick<DeliveryPort, 'history'>;
  readonly searches: PostSearchTracker;
}

/**
 * Searches the thread, if the post has one, and the channel: a post whose thread is gone goes there. Reads
 * all pages of the time around the attempt, from the search's position.
 * @returns undefined when the post is certainly not there.
 * @throws SlackCallError when a page can't be read: the result is then open, and the next call continues with
 * that page.
 */
async function searchSlackForPost(ports: SearchTools, place: PostLocation, post: Post) {
  const { searches } = ports;
  const { channel, thread } = place;
  if (thread && !searches.getOrStartSearch(post).isThreadRead) {
    try {
      const there = await findIn(ports, place, post);
      if (there) return there;
    } catch (thrown) {
      // A deleted thread contains nothing.
      const isRefused = thrown instanceof SlackCallError && thrown.failureKind === 'refused';
      if (!isRefused || !isThreadRefusal(thrown.code)) throw thrown;
    }
    searches.finishThread(post);
  }
  return findIn(ports, { channel }, post);
}

/** An attempt without a valid date may be anywhere in the last day. */
function windowOf({ since, isUndated, datedAt }: PostSearch): HistoryWindow {
  if (isUndated) return { oldest: toSlackTs(datedAt - UNDATED_ATTEMPT_SEARCH_MS) };
  return {
    oldest: toSlackTs(since - SEARCHED_BEFORE_ATTEMPT_MS),
    latest: toSlackTs(since + SEARCHED_AFTER_ATTEMPT_MS),
  };
}

async function findIn({ port, searches }: SearchTools, place: PostLocation, post: Post) {
  const search = searches.getOrStartSearch(post);
  const window = windowOf(search);
  for (let at = search.cursor; ; ) {
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

export async function sendNextPost(
  context: DeliveryContext,
  memory: DeliveryRuntimeState,
  channel: PostDestination,
): Promise<NextChannelCheck> {
  const startedAt = context.clock.monotonicNow();
  const next = await context.store.transact((tx) => decideNextDelivery(tx, context, memory, channel));
  switch (next.kind) {
    case 'nothing':
      return { kind: 'idle' };
    case 'hold':
      return checkAt(startedAt + next.forMs);
    case 'again':
      context.onOutcome?.('failed');
      return checkAt(startedAt);
    case 'bundling':
      return checkAt(startedAt);
    case 'settle':
      return resolveUncertainPost({ context, memory, post: next.post, startedAt });
    case 'send':
      if (next.problem) {
        const fields = { post: next.post.id, error: next.problem };
        context.log.error('could not render a post as intended', fields);
      }
      return send({ context, memory, post: next.post, thread: next.thread, startedAt }, next.message);
  }
}

async function send(turn: PostDeliveryAttempt, message: Message): Promise<NextChannelCheck> {
  const { context, memory, post, thread, startedAt } = turn;
  let channel: ChannelId;
  try {
    channel = await openPostConversation(turn);
  } catch (thrown) {
    const error = requireSlackCallError(thrown);
    if (error.failureKind !== 'unknown') return handleRefusedPost(turn, error);
    // Opening a conversation posts nothing, so a retry is safe even after an unclear answer.
    context.onOutcome?.(toDeliveryAttemptOutcome(error));
    await context.store.transact((tx) => markPostWaiting(tx, post));
    return retryPostLater(turn, error);
  }
  try {
    const ts = await context.port.post({ channel, thread }, message, post.id);
    await context.store.transact(async (tx) => {
      await markPostPosted(tx, post, { channel, ts });
      await tx.delete(deliveryStops, [post.channel]);
    });
  } catch (thrown) {
    return handleRefusedPost(turn, requireSlackCallError(thrown));
  }
  context.onOutcome?.('posted');
  clearUpdateDelayAfterPost(memory.updateDelays, post.channel);
  memory.failures.delete(post.channel);
  memory.textOnlyPosts.delete(post.id);
  memory.unknownRefusals.recordDelivered(post.id, post.channel, context.clock.monotonicNow());
  memory.unthreadedPosts.delete(post.id);
  return checkAt(startedAt + MIN_CHANNEL_POST_GAP_MS);
}
