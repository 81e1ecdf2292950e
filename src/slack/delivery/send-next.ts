/**
 * One step of a channel: send the next post, or find out what became of one. Whatever happens in between, a crash
 * included, each post ends up in Slack once. The protocol is told in docs/decisions/0004-slack.md.
 */
import { DAY, MINUTE, SECOND } from '../../clock.ts';
import { asError } from '../../errors.ts';
import type { ChannelId, MessageTs } from '../../ids.ts';
import type { Post } from '../../outbox/posts.ts';
import type { Transaction } from '../../storage/store.ts';
import { SlackCallError } from '../errors.ts';
import type { Message } from '../routes.ts';
import { asChannel, asPerson, chooseNext } from './choose-next.ts';
import { type DeliveryContext, type DeliveryMemory, outcomeOf } from './context.ts';
import { findPost } from './find-post.ts';
import { CHANNEL_GAP_MS, growingPause, RESUME_LOOK_MS, SETTLE_AFTER_MS } from './pauses.ts';
import type { Channel } from './queues.ts';
import { isThreadRefusal, refusalKind } from './refusals.ts';
import { clearStop, recordRefusal, recordStop } from './stops.ts';
import { tellTrouble } from './tell-trouble.ts';
import { placingOf } from './threads.ts';
import { markFailed, markPosted, markWaiting } from './transitions.ts';
import { channelTookPost } from './update-holds.ts';

/** `at`: when the channel is to be looked at again, by the clock's steady time · `token`: Slack refuses it, so nothing can be posted anywhere. */
export type Step =
  | { readonly kind: 'idle' }
  | { readonly kind: 'at'; readonly at: number }
  | { readonly kind: 'token'; readonly error: string };

/** One channel's turn. */
interface Turn {
  readonly context: DeliveryContext;
  readonly memory: DeliveryMemory;
  readonly post: Post;
  /** The thread that it goes into. */
  readonly thread?: MessageTs | undefined;
  /** By the clock's steady time. */
  readonly startedAt: number;
}

const FIRST_PAUSE_MS = 5 * SECOND;
const LONGEST_PAUSE_MS = 10 * MINUTE;

export async function sendNext(
  context: DeliveryContext,
  memory: DeliveryMemory,
  channel: Channel,
): Promise<Step> {
  const startedAt = context.clock.steady();
  const next = await context.store.transact((tx) => chooseNext(tx, context, memory, channel));
  switch (next.kind) {
    case 'nothing':
      return { kind: 'idle' };
    case 'hold':
      return { kind: 'at', at: startedAt + next.forMs };
    case 'again':
      context.onOutcome?.('failed');
      return { kind: 'at', at: startedAt };
    case 'bundling':
      return { kind: 'at', at: startedAt };
    case 'settle':
      return settle({ context, memory, post: next.post, startedAt });
    case 'send':
      if (next.problem)
        context.log.error('a post can not be shown as meant', {
          post: next.post.id,
          error: asError(next.problem),
        });
      return send({ context, memory, post: next.post, thread: next.thread, startedAt }, next.message);
  }
}

/** The real conversation of a post. */
async function conversationOf({ context, post }: Turn): Promise<ChannelId> {
  const person = asPerson(post.channel);
  return person ? context.port.openDirect(person) : asChannel(post.channel);
}

async function send(turn: Turn, message: Message): Promise<Step> {
  const { context, memory, post, thread, startedAt } = turn;
  let channel: ChannelId;
  try {
    channel = await conversationOf(turn);
  } catch (thrown) {
    // Opening a conversation posts nothing, however unclear its answer is.
    return afterRefusal(turn, asRefusal(asSlackError(thrown)));
  }
  try {
    const ts = await context.port.post({ channel, ...(thread ? { thread } : {}) }, message, post.id);
    await context.store.transact(async (tx) => {
      await markPosted(tx, post, { channel, ts });
      await clearStop(tx, post.team, asChannel(post.channel));
    });
  } catch (thrown) {
    return afterRefusal(turn, asSlackError(thrown));
  }
  context.onOutcome?.('posted');
  channelTookPost(memory.updateHolds, post.channel);
  memory.failures.delete(post.channel);
  memory.plain.delete(post.id);
  memory.unthreaded.delete(post.id);
  return { kind: 'at', at: startedAt + CHANNEL_GAP_MS };
}

/** Anything but Slack's own error is a fault of ours or of the disk, and comes through. */
function asSlackError(thrown: unknown): SlackCallError {
  if (thrown instanceof SlackCallError) return thrown;
  throw asError(thrown);
}

function asRefusal(error: SlackCallError): SlackCallError {
  return error.end === 'unknown' ? new SlackCallError(error.code, 'refused', { cause: error }) : error;
}

async function afterRefusal(turn: Turn, error: SlackCallError): Promise<Step> {
  const { context, post, startedAt } = turn;
  context.onOutcome?.(outcomeOf(error));
  if (error.end === 'unknown') {
    context.log.warn('no clear answer to a post: looking for it later', { post: post.id, error: error.code });
    return { kind: 'at', at: startedAt + SETTLE_AFTER_MS };
  }
  if (error.end === 'rate-limited') {
    await context.store.transact((tx) => markWaiting(tx, post));
    return { kind: 'at', at: context.clock.steady() + (error.retryAfterMs ?? CHANNEL_GAP_MS) };
  }
  if (turn.thread && isThreadRefusal(error.code)) return sendOnItsOwnNext(turn, error);
  switch (refusalKind(error.code)) {
    case 'channel':
      return stopChannel(turn, error, (tx) => markWaiting(tx, post));
    case 'content':
      return sendPlainNext(turn, error);
    case 'conversation':
      return holdConversation(turn, error);
    case 'token':
      return afterTokenRefusal(turn, error);
    case 'later':
      await context.store.transact((tx) => markWaiting(tx, post));
      return pause(turn, error);
  }
}

/** Some of these codes are answered for one conversation or method alone, so `auth.test` decides what is refused. */
async function afterTokenRefusal(turn: Turn, error: SlackCallError): Promise<Step> {
  const { context, memory, post } = turn;
  const state = await memory.tokenCheck.run();
  if (state === 'accepted') return holdConversation(turn, error);
  await context.store.transact((tx) => markWaiting(tx, post));
  return state === 'refused' ? { kind: 'token', error: error.code } : pause(turn, error);
}

/** The message that it stands under is gone: once more, as a message of its own. */
async function sendOnItsOwnNext(turn: Turn, error: SlackCallError): Promise<Step> {
  const { context, memory, post, startedAt } = turn;
  context.log.warn('a thread is gone: its news go into the channel', { post: post.id, error: error.code });
  memory.unthreaded.add(post.id);
  await context.store.transact((tx) => markWaiting(tx, post));
  return { kind: 'at', at: startedAt + CHANNEL_GAP_MS };
}

/** The channel's posts wait until it takes messages again; a person who can't be written to is not written to. */
async function stopChannel(
  turn: Turn,
  error: SlackCallError,
  also: (tx: Transaction) => Promise<unknown>,
): Promise<Step> {
  const { context, post } = turn;
  if (asPerson(post.channel)) {
    await context.store.transact((tx) => markFailed(tx, { ...post, state: 'sending' }, error.code));
    context.onOutcome?.('failed');
    context.log.warn('a person can not be written to', { post: post.id, error: error.code });
    return { kind: 'at', at: context.clock.steady() };
  }
  return holdChannel(turn, error, also);
}

/** The channel is tried again at growing pauses; the feed stops there, and tells whoever subscribed. */
async function holdChannel(
  { context, post }: Turn,
  error: SlackCallError,
  also: (tx: Transaction) => Promise<unknown>,
): Promise<Step> {
  const { store, feed, clock, random, log } = context;
  const at = clock.now();
  const channel = asChannel(post.channel);
  await store.transact(async (tx) => {
    await also(tx);
    const isFirst = await recordStop(tx, { team: post.team, channel, error: error.code }, at, random);
    if (isFirst) await feed.stopChannel(tx, channel, error.code, at);
  });
  log.warn('Slack refuses a channel', { channel, error: error.code });
  return { kind: 'at', at: clock.steady() + RESUME_LOOK_MS };
}

/** The conversation's posts wait for growing pauses; its feeds go on, and an admin hears once. */
async function holdConversation({ context, post }: Turn, error: SlackCallError): Promise<Step> {
  const { store, clock, random, log, team } = context;
  const at = clock.now();
  const channel = asChannel(post.channel);
  const { pauseMs } = await store.transact(async (tx) => {
    await markWaiting(tx, post);
    const refusal = await recordRefusal(tx, { team, channel, error: error.code }, at, random);
    if (refusal.isNew) {
      // A refusal that comes and goes is told once a day.
      const matter = `conversation-refused:${channel}:${error.code}:${Math.floor(at / DAY)}`;
      const notice = { about: 'conversation-refused', channel, error: error.code } as const;
      await tellTrouble(tx, context, { channel, matter, at }, notice);
    }
    return refusal;
  });
  log.error('Slack refuses posts in a conversation', { channel, error: error.code, pauseMs });
  return { kind: 'at', at: clock.steady() + pauseMs };
}

/** Once more as text alone; when that is refused too, nothing of it can be said. */
async function sendPlainNext(turn: Turn, error: SlackCallError): Promise<Step> {
  const { context, memory, post, startedAt } = turn;
  const wasPlain = memory.plain.has(post.id);
  context.log.error('Slack refuses a post', { post: post.id, error: error.code, asText: wasPlain });
  await context.store.transact((tx) =>
    wasPlain ? markFailed(tx, { ...post, state: 'sending' }, error.code) : markWaiting(tx, post),
  );
  if (wasPlain) {
    memory.plain.delete(post.id);
    context.onOutcome?.('failed');
  } else memory.plain.add(post.id);
  return { kind: 'at', at: startedAt + CHANNEL_GAP_MS };
}

function pause({ context, memory, post }: Turn, error: SlackCallError): Step {
  const failures = (memory.failures.get(post.channel) ?? 0) + 1;
  memory.failures.set(post.channel, failures);
  context.log.warn('a channel is tried again later', {
    channel: post.channel,
    post: post.id,
    error: error.code,
    failures,
  });
  const pauseMs = growingPause(failures, FIRST_PAUSE_MS, LONGEST_PAUSE_MS, context.random);
  return { kind: 'at', at: context.clock.steady() + pauseMs };
}

/** A post whose arrival is not on record: look for it. Never sent again before that is certain. */
async function settle(turn: Turn): Promise<Step> {
  const { context, memory, post } = turn;
  try {
    const channel = await conversationOf(turn);
    const placing = await context.store.read((tx) => placingOf(tx, post));
    const place = { channel, ...(placing.kind === 'in-thread' ? { thread: placing.thread } : {}) };
    const ts = await findPost(context.port, place, post.id, post.sendingSince ?? context.clock.now());
    await context.store.transact((tx) =>
      ts === undefined ? markWaiting(tx, post) : markPosted(tx, post, { channel, ts }),
    );
    if (ts !== undefined) context.onOutcome?.('posted');
    memory.failures.delete(post.channel);
    context.log.info('an unclear post is settled', { post: post.id, arrived: ts !== undefined });
    return { kind: 'at', at: context.clock.steady() };
  } catch (thrown) {
    const error = asSlackError(thrown);
    if (error.end === 'rate-limited')
      return { kind: 'at', at: context.clock.steady() + (error.retryAfterMs ?? CHANNEL_GAP_MS) };
    const refusal = error.end === 'refused' ? refusalKind(error.code) : 'later';
    if (refusal === 'token' && (await memory.tokenCheck.run()) === 'refused')
      return { kind: 'token', error: error.code };
    // In a channel it stays unclear, so the post stays `sending`.
    if (refusal === 'channel') return stopChannel(turn, error, async () => undefined);
    return pause(turn, error);
  }
}
