/** What happens after Slack refuses a channel's turn, and the direct messages about it. */
import { listKnownAdmins } from '../../access/create-access.ts';
import { DAY, HOUR, type Instant, MINUTE, SECOND } from '../../clock.ts';
import { asError } from '../../errors.ts';
import { listSubscribers } from '../../feed/channels.ts';
import { ChannelId, UserId } from '../../ids.ts';
import { enqueueNotice } from '../../outbox/outbox.ts';
import type { ChannelNotice } from '../../outbox/posts.ts';
import { listProfileFollowers } from '../../profiles/profile-feeds.ts';
import type { Transaction } from '../../storage/store.ts';
import { SlackCallError } from '../core/errors.ts';
import {
  checkAt,
  type DeliveryContext,
  type NextChannelCheck,
  type PostDeliveryAttempt,
  toDeliveryAttemptOutcome,
} from './context.ts';
import { asChannelId, findDirectMessageUser } from './decide-next.ts';
import {
  backoffDelayMs,
  MIN_CHANNEL_POST_GAP_MS,
  RESUMED_CHANNEL_POLL_MS,
  UNCERTAIN_POST_SEARCH_DELAY_MS,
} from './delays.ts';
import { classifyRefusal, isThreadRefusal } from './refusals.ts';
import { recordRefusedConversation, recordStoppedChannel } from './stops.ts';
import { markPostFailed, markPostWaiting, type PostDestination } from './transitions.ts';

/** Any other error is a bug of ours or a storage failure: rethrow it. */
export function requireSlackCallError(thrown: unknown): SlackCallError {
  if (thrown instanceof SlackCallError) return thrown;
  throw asError(thrown);
}

export async function handleRefusedPost(turn: PostDeliveryAttempt, error: SlackCallError) {
  const { context, post, startedAt } = turn;
  context.onOutcome?.(toDeliveryAttemptOutcome(error));
  if (error.failureKind === 'unknown') {
    context.log.warn('post has an unknown outcome, checking later', { post: post.id, error: error.code });
    return checkAt(startedAt + UNCERTAIN_POST_SEARCH_DELAY_MS);
  }
  if (error.failureKind === 'rate-limited') {
    await context.store.transact((tx) => markPostWaiting(tx, post));
    return checkAt(context.clock.monotonicNow() + (error.retryAfterMs ?? MIN_CHANNEL_POST_GAP_MS));
  }
  if (turn.thread && isThreadRefusal(error.code)) return sendOnItsOwnNext(turn, error);
  switch (classifyRefusal(error.code)) {
    case 'channel':
      return stopDeliveryToChannel(turn, error, (tx) => markPostWaiting(tx, post));
    case 'content':
      return sendPlainNext(turn, error);
    case 'conversation':
      return holdConversation(turn, error);
    case 'token':
      return afterTokenRefusal(turn, error);
    case 'later':
      return afterUnknownRefusal(turn, error);
  }
}

/** An unknown code may concern this post only, its channel, or all of Slack for a while. */
async function afterUnknownRefusal(turn: PostDeliveryAttempt, error: SlackCallError) {
  const { context, memory, post } = turn;
  const { clock, log, random } = context;
  const next = memory.unknownRefusals.decideAfterRefusal(post.id, post.channel, clock.monotonicNow(), random);
  const fields = { channel: post.channel, post: post.id, error: error.code };
  switch (next) {
    case 'give-up':
      return markPostFailedAndNotify(turn, error.code, 'refused');
    case 'hold-channel':
      return holdConversation(turn, error);
    case 'set-aside':
      log.error('Slack rejected a post, sending others first', fields);
      await context.store.transact((tx) => markPostWaiting(tx, post));
      return checkAt(turn.startedAt + MIN_CHANNEL_POST_GAP_MS);
    case 'retry-as-text':
      log.warn('Slack rejected a post, retrying as text only', fields);
      break;
    case 'retry':
      break;
  }
  await context.store.transact((tx) => markPostWaiting(tx, post));
  return retryPostLater(turn, error);
}

/** Marks the post as failed for good; logs it, counts it and notifies an admin. */
export async function markPostFailedAndNotify(
  { context, memory, post }: PostDeliveryAttempt,
  failure: string,
  why: 'refused' | 'unclear',
) {
  const { store, clock, log } = context;
  const at = clock.now();
  const channel = asChannelId(post.channel);
  const project = post.content.kind === 'card' ? post.content.project : undefined;
  const notice: ChannelNotice = { about: 'post-given-up', channel, error: failure, why, project };
  // One message an hour for each channel and reason: a policy may hit every card.
  const matter = `post-given-up:${channel}:${why}:${failure}:${Math.floor(at / HOUR)}`;
  await store.transact(async (tx) => {
    const reason = why === 'unclear' ? `unclear: ${failure}` : failure;
    const isDone = await markPostFailed(tx, { ...post, state: 'sending' }, reason);
    if (isDone) await notifyAboutRefusal(tx, context, { channel, matter, at }, notice);
  });
  memory.textOnlyPosts.delete(post.id);
  memory.unthreadedPosts.delete(post.id);
  memory.unknownRefusals.forgetPost(post.id);
  context.onOutcome?.('failed');
  log.error('gave up on a post', { channel, post: post.id, error: failure, why });
  return checkAt(clock.monotonicNow() + MIN_CHANNEL_POST_GAP_MS);
}

/** Slack returns some of these codes for a single conversation or method, so `auth.test` decides. */
async function afterTokenRefusal(
  turn: PostDeliveryAttempt,
  error: SlackCallError,
): Promise<NextChannelCheck> {
  const { context, memory, post } = turn;
  const state = await memory.checkToken();
  if (state === 'accepted') return holdConversation(turn, error);
  await context.store.transact((tx) => markPostWaiting(tx, post));
  return state === 'refused' ? { kind: 'token', error: error.code } : retryPostLater(turn, error);
}

/** The thread's parent message is gone: post in the channel instead. */
async function sendOnItsOwnNext(turn: PostDeliveryAttempt, error: SlackCallError) {
  const { context, memory, post, startedAt } = turn;
  const fields = { post: post.id, error: error.code };
  context.log.warn('thread no longer exists, posting its updates in the channel', fields);
  memory.unthreadedPosts.add(post.id);
  await context.store.transact((tx) => markPostWaiting(tx, post));
  return checkAt(startedAt + MIN_CHANNEL_POST_GAP_MS);
}

/**
 * Retries the channel after growing delays, until it accepts messages again; its feeds stop, and its
 * subscribers are notified. A direct message is marked failed.
 */
export async function stopDeliveryToChannel(
  turn: PostDeliveryAttempt,
  error: SlackCallError,
  also: (tx: Transaction) => Promise<unknown>,
) {
  const { context, post } = turn;
  if (findDirectMessageUser(post.channel)) {
    await context.store.transact((tx) => markPostFailed(tx, { ...post, state: 'sending' }, error.code));
    context.onOutcome?.('failed');
    context.log.warn('could not send a direct message to a person', { post: post.id, error: error.code });
    return checkAt(context.clock.monotonicNow());
  }
  const { store, feed, clock, random, log } = context;
  const at = clock.now();
  const channel = asChannelId(post.channel);
  await store.transact(async (tx) => {
    await also(tx);
    const isFirst = await recordStoppedChannel(tx, { channel, error: error.code }, at, random);
    if (isFirst) await feed.stopChannelFeeds(tx, channel, error.code, at);
  });
  log.warn('Slack rejected a channel', { channel, error: error.code });
  return checkAt(clock.monotonicNow() + RESUMED_CHANNEL_POLL_MS);
}

/** The conversation's posts wait for growing delays; its feeds continue, and an admin is notified once. */
async function holdConversation({ context, post }: PostDeliveryAttempt, error: SlackCallError) {
  const { store, clock, random, log } = context;
  const at = clock.now();
  const channel = asChannelId(post.channel);
  const { pauseMs } = await store.transact(async (tx) => {
    await markPostWaiting(tx, post);
    const refusal = await recordRefusedConversation(tx, { channel, error: error.code }, at, random);
    if (refusal.isNew) {
      // A refusal that comes and goes is reported once a day.
      const matter = `conversation-refused:${channel}:${error.code}:${Math.floor(at / DAY)}`;
      const notice = { about: 'conversation-refused', channel, error: error.code } as const;
      await notifyAboutRefusal(tx, context, { channel, matter, at }, notice);
    }
    return refusal;
  });
  log.error('Slack rejects posts in a conversation', { channel, error: error.code, pauseMs });
  return checkAt(clock.monotonicNow() + pauseMs);
}

/** Retries as text only; when Slack refuses that too, the post fails. */
async function sendPlainNext(turn: PostDeliveryAttempt, error: SlackCallError) {
  const { context, memory, post, startedAt } = turn;
  const asText = memory.textOnlyPosts.has(post.id);
  context.log.error('Slack rejected a post', { post: post.id, error: error.code, asText });
  if (asText) return markPostFailedAndNotify(turn, error.code, 'refused');
  memory.textOnlyPosts.add(post.id);
  await context.store.transact((tx) => markPostWaiting(tx, post));
  return checkAt(startedAt + MIN_CHANNEL_POST_GAP_MS);
}

/** Marks the post as waiting again; its channel is retried after a growing delay. */
export function retryPostLater({ context, memory, post }: PostDeliveryAttempt, error: SlackCallError) {
  const { channel, id } = post;
  const failures = (memory.failures.get(channel) ?? 0) + 1;
  memory.failures.set(channel, failures);
  context.log.warn('retrying a channel later', { channel, post: id, error: error.code, failures });
  const pauseMs = backoffDelayMs(failures, 5 * SECOND, 10 * MINUTE, context.random);
  return checkAt(context.clock.monotonicNow() + pauseMs);
}

/**
 * Notifies the known admins; if there are none, the channel's subscribers. Skips the recipient whose own
 * conversation is refused.
 * @param matter identifies the failure: a repeat is not sent.
 */
async function notifyAboutRefusal(
  tx: Transaction,
  { admins }: Pick<DeliveryContext, 'admins'>,
  about: { readonly channel: PostDestination; readonly matter: string; readonly at: Instant },
  notice: ChannelNotice,
): Promise<void> {
  const { matter, at } = about;
  const channel = ChannelId.parse(about.channel);
  const known = await listKnownAdmins(tx, admins, channel);
  const all = new Set(known);
  if (known.length === 0) {
    for (const user of await listSubscribers(tx, channel)) all.add(user);
    for (const user of await listProfileFollowers(tx, channel)) all.add(user);
  }
  const others = [...all].filter((user) => user !== UserId.parse(about.channel));
  for (const user of others.slice(0, 10)) await enqueueNotice(tx, { channel: user, matter, at }, notice);
}
