/** What becomes of a channel's turn that Slack refused. */
import { DAY, HOUR, MINUTE, SECOND } from '../../clock.ts';
import { asError } from '../../errors.ts';
import type { Notice } from '../../outbox/posts.ts';
import type { Transaction } from '../../storage/store.ts';
import { SlackCallError } from '../errors.ts';
import { asChannel, asPerson } from './choose-next.ts';
import { outcomeOf } from './context.ts';
import { CHANNEL_GAP_MS, growingPause, RESUME_LOOK_MS, SETTLE_AFTER_MS } from './pauses.ts';
import { isThreadRefusal, refusalKind } from './refusals.ts';
import { recordRefusal, recordStop } from './stops.ts';
import { tellTrouble } from './tell-trouble.ts';
import { markFailed, markWaiting } from './transitions.ts';
import type { Step, Turn } from './turn.ts';

const FIRST_PAUSE_MS = 5 * SECOND;
const LONGEST_PAUSE_MS = 10 * MINUTE;

/** Anything but Slack's own error is a fault of ours or of the disk, and comes through. */
export function asSlackError(thrown: unknown): SlackCallError {
  if (thrown instanceof SlackCallError) return thrown;
  throw asError(thrown);
}

export async function afterRefusal(turn: Turn, error: SlackCallError): Promise<Step> {
  const { context, post, startedAt } = turn;
  context.onOutcome?.(outcomeOf(error));
  if (error.end === 'unknown') {
    context.log.warn('post has an unknown outcome, checking later', { post: post.id, error: error.code });
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
      return afterUnknownRefusal(turn, error);
  }
}

/** The code is none that we know: it may concern this post alone, its channel, or all of Slack for a while. */
async function afterUnknownRefusal(turn: Turn, error: SlackCallError): Promise<Step> {
  const { context, memory, post } = turn;
  const { clock, log, random } = context;
  const next = memory.tried.refused(post.id, post.channel, clock.steady(), random);
  const fields = { channel: post.channel, post: post.id, error: error.code };
  switch (next) {
    case 'give-up':
      return giveUp(turn, { failure: error.code, why: 'refused' });
    case 'hold-channel':
      return holdConversation(turn, error);
    case 'set-aside':
      log.error('Slack rejected a post, sending others first', fields);
      await context.store.transact((tx) => markWaiting(tx, post));
      return { kind: 'at', at: turn.startedAt + CHANNEL_GAP_MS };
    case 'retry-as-text':
      log.warn('Slack rejected a post, retrying as text only', fields);
      break;
    case 'retry':
      break;
  }
  await context.store.transact((tx) => markWaiting(tx, post));
  return pause(turn, error);
}

/** The post is not sent any more; the log, the metrics and an admin hear of it. */
export async function giveUp(
  { context, memory, post }: Turn,
  { failure, why }: { readonly failure: string; readonly why: 'refused' | 'unclear' },
): Promise<Step> {
  const { store, clock, log } = context;
  const at = clock.now();
  const channel = asChannel(post.channel);
  const notice: Notice = {
    about: 'post-given-up',
    channel,
    error: failure,
    why,
    ...(post.content.kind === 'card' ? { project: post.content.project } : {}),
  };
  // One message an hour for each channel and reason: a policy may hit every card.
  const matter = `post-given-up:${channel}:${why}:${failure}:${Math.floor(at / HOUR)}`;
  await store.transact(async (tx) => {
    const isDone = await markFailed(
      tx,
      { ...post, state: 'sending' },
      why === 'unclear' ? `unclear: ${failure}` : failure,
    );
    if (isDone) await tellTrouble(tx, context, { channel, matter, at }, notice);
  });
  memory.plain.delete(post.id);
  memory.unthreaded.delete(post.id);
  memory.tried.forget(post.id);
  context.onOutcome?.('failed');
  log.error('gave up on a post', { channel, post: post.id, error: failure, why });
  return { kind: 'at', at: clock.steady() + CHANNEL_GAP_MS };
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
  context.log.warn('thread no longer exists, posting its updates in the channel', {
    post: post.id,
    error: error.code,
  });
  memory.unthreaded.add(post.id);
  await context.store.transact((tx) => markWaiting(tx, post));
  return { kind: 'at', at: startedAt + CHANNEL_GAP_MS };
}

/** The channel's posts wait until it takes messages again; a person who can't be written to is not written to. */
export async function stopChannel(
  turn: Turn,
  error: SlackCallError,
  also: (tx: Transaction) => Promise<unknown>,
): Promise<Step> {
  const { context, post } = turn;
  if (asPerson(post.channel)) {
    await context.store.transact((tx) => markFailed(tx, { ...post, state: 'sending' }, error.code));
    context.onOutcome?.('failed');
    context.log.warn('could not send a direct message to a person', { post: post.id, error: error.code });
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
  log.warn('Slack rejected a channel', { channel, error: error.code });
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
  log.error('Slack rejects posts in a conversation', { channel, error: error.code, pauseMs });
  return { kind: 'at', at: clock.steady() + pauseMs };
}

/** Once more as text alone; when that is refused too, nothing of it can be said. */
async function sendPlainNext(turn: Turn, error: SlackCallError): Promise<Step> {
  const { context, memory, post, startedAt } = turn;
  const asText = memory.plain.has(post.id);
  context.log.error('Slack rejected a post', { post: post.id, error: error.code, asText });
  if (asText) return giveUp(turn, { failure: error.code, why: 'refused' });
  memory.plain.add(post.id);
  await context.store.transact((tx) => markWaiting(tx, post));
  return { kind: 'at', at: startedAt + CHANNEL_GAP_MS };
}

/** The post is waiting again; its channel is tried after a growing pause. */
export function pause({ context, memory, post }: Turn, error: SlackCallError): Step {
  const failures = (memory.failures.get(post.channel) ?? 0) + 1;
  memory.failures.set(post.channel, failures);
  context.log.warn('retrying a channel later', {
    channel: post.channel,
    post: post.id,
    error: error.code,
    failures,
  });
  const pauseMs = growingPause(failures, FIRST_PAUSE_MS, LONGEST_PAUSE_MS, context.random);
  return { kind: 'at', at: context.clock.steady() + pauseMs };
}
