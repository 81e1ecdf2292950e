/** Decides in one transaction what a channel sends next, and marks that post as `sending`. */
import type { Instant } from '../../clock.ts';
import { asError } from '../../errors.ts';
import { ChannelId, type MessageTs, UserId } from '../../ids.ts';
import { bundleInvitationsIntoSummary } from '../../invitations/invitation-posts.ts';
import type { BundleResult } from '../../outbox/card-summary.ts';
import type { Post } from '../../outbox/posts.ts';
import { type ReadTransaction, StorageError, type Transaction } from '../../storage/store.ts';
import type { Message } from '../core/routes.ts';
import { findMessageLimitProblems, SlackLimitError } from '../kit/check-limits.ts';
import { clipText } from '../kit/mrkdwn.ts';
import { type DeliveryContext, type DeliveryRuntimeState, readThreadPlacement } from './context.ts';
import { RESUMED_CHANNEL_POLL_MS } from './delays.ts';
import { remainingDeliveryStopMs } from './stops.ts';
import { iteratePostsToSend, markPostFailed, markPostSending, type PostDestination } from './transitions.ts';

export interface RenderedPost {
  readonly message: Message;
  /** Why the post is not rendered as intended; for the log. */
  readonly problem: Error | undefined;
}

export const UNRENDERABLE_POST_TEXT = "There's an update here, but it couldn't be shown.";

/** The text only, so that Slack has as little as possible to refuse. */
function plainOf(message: Message): Message {
  return { text: clipText(message.text.trim(), 3_000) || UNRENDERABLE_POST_TEXT };
}

/**
 * A post's current message: text only where Slack refused or would refuse its blocks, and a fixed sentence
 * where rendering fails.
 * @returns undefined when there is nothing left to show.
 * @throws StorageError
 */
export async function renderPostForSending(
  context: DeliveryContext,
  tx: ReadTransaction,
  post: Post,
  isPlain: boolean,
): Promise<RenderedPost | undefined> {
  try {
    const message = await context.render(tx, post);
    if (!message) return undefined;
    const problems = isPlain ? [] : findMessageLimitProblems(message);
    const problem = problems.length > 0 ? new SlackLimitError('message', problems) : undefined;
    return { message: isPlain || problem ? plainOf(message) : message, problem };
  } catch (thrown) {
    if (thrown instanceof StorageError) throw thrown;
    return { message: { text: UNRENDERABLE_POST_TEXT }, problem: asError(thrown) };
  }
}

type NextDeliveryStep =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'hold'; readonly forMs: number }
  /** A post had nothing to show and was marked failed: decide again. */
  | { readonly kind: 'again' }
  /** A backlog is moving into its summary, which is sent once it is complete. */
  | { readonly kind: 'bundling' }
  /** The post's arrival is unknown: look for it. */
  | { readonly kind: 'settle'; readonly post: Post }
  | ({ readonly kind: 'send'; readonly post: Post; readonly thread: MessageTs | undefined } & RenderedPost);

/** A user's ID means a direct message with them. */
export function findDirectMessageUser(channel: PostDestination): UserId | undefined {
  return /^[UW]/u.test(channel) ? UserId.parse(channel) : undefined;
}

export function asChannelId(channel: PostDestination): ChannelId {
  return ChannelId.parse(channel);
}

/** `passed`: other posts may go first; check this one again within `forMs`. */
type Unclear =
  | Extract<NextDeliveryStep, { kind: 'hold' | 'settle' }>
  | { readonly kind: 'passed'; readonly forMs: number };

/** What to do about posts whose arrival is unknown. @param before about the earlier ones */
function chooseUnclear(
  { searches }: DeliveryRuntimeState,
  post: Post,
  before: Exclude<Unclear, { kind: 'settle' }> | undefined,
): Unclear {
  const arrivesMs = searches.remainingArrivalMs(post);
  const turnMs = arrivesMs > 0 ? arrivesMs : searches.claimReadTurn(post);
  if (turnMs <= 0) return { kind: 'settle', post };
  const blockMs = searches.remainingBlockMs(post);
  const waitMs = blockMs > 0 ? Math.min(turnMs, blockMs) : turnMs;
  const isPassed = blockMs === 0 && before?.kind !== 'hold';
  return { kind: isPassed ? 'passed' : 'hold', forMs: Math.min(before?.forMs ?? waitMs, waitMs) };
}

type Waiting = { readonly post: Post; readonly thread: MessageTs | undefined };

/** A waiting post that may be sent now, or its thread's parent message, which goes first. */
async function placeWaiting(tx: ReadTransaction, post: Post, isAside: (post: Post) => boolean) {
  if (isAside(post)) return undefined;
  const placing = await readThreadPlacement(tx, post);
  switch (placing.kind) {
    case 'on-its-own':
      return { post, thread: undefined };
    case 'in-thread':
      return { post, thread: placing.thread };
    case 'after':
      return isAside(placing.parent) ? undefined : { post: placing.parent, thread: undefined };
    case 'unknown':
      return undefined;
  }
}

/**
 * The channel's first post that may be sent, and its thread, after the posts whose arrival is unknown. Skips
 * posts that are set aside, with the posts in their threads.
 * @param from `waiting`: only those to send
 */
async function choosePost(
  tx: ReadTransaction,
  { clock }: DeliveryContext,
  memory: DeliveryRuntimeState,
  channel: PostDestination,
  from: 'sending' | 'waiting',
): Promise<{ readonly unclear?: Unclear; readonly waiting?: Waiting }> {
  const isAside = (post: Post) => memory.unknownRefusals.isSetAside(post.id, clock.monotonicNow());
  let unclear: Exclude<Unclear, { kind: 'settle' }> | undefined;
  for await (const post of iteratePostsToSend(tx, channel, from)) {
    if (post.state === 'sending') {
      const chosen = chooseUnclear(memory, post, unclear);
      if (chosen.kind === 'settle') return { unclear: chosen };
      unclear = chosen;
      continue;
    }
    if (unclear?.kind === 'hold') break;
    const waiting = await placeWaiting(tx, post, isAside);
    if (waiting) return { unclear, waiting };
  }
  return { unclear };
}

/** Nothing can be sent now: how long to wait at most. */
function chooseRest(
  unclear: Unclear | undefined,
  { unknownRefusals }: DeliveryRuntimeState,
  channel: PostDestination,
  steady: number,
): NextDeliveryStep {
  const asideMs = unknownRefusals.setAsideForMs(channel, steady);
  const passedMs = unclear?.kind === 'passed' ? unclear.forMs : undefined;
  if (asideMs === undefined && passedMs === undefined) return { kind: 'nothing' };
  return {
    kind: 'hold',
    forMs: Math.min(asideMs ?? Infinity, passedMs ?? Infinity, RESUMED_CHANNEL_POLL_MS),
  };
}

/** Moves a backlog into its summary if the first post belongs to one; undefined if it belongs to none. */
async function bundle(
  tx: Transaction,
  { feed }: DeliveryContext,
  { content, channel }: Post,
  at: Instant,
): Promise<Pick<BundleResult, 'summary' | 'hasSingles' | 'isMore'> | undefined> {
  const isSummary = content.kind === 'flood' && !content.quiet;
  if (content.kind === 'invitation' || (isSummary && content.of === 'invitation'))
    return bundleInvitationsIntoSummary(tx, asChannelId(channel), at);
  if (content.kind === 'card' || isSummary) return feed.bundleCardsIntoSummary(tx, asChannelId(channel), at);
  return undefined;
}

export async function decideNextDelivery(
  tx: Transaction,
  context: DeliveryContext,
  memory: DeliveryRuntimeState,
  channel: PostDestination,
): Promise<NextDeliveryStep> {
  const { clock } = context;
  const at = clock.now();
  const stoppedMs = await remainingDeliveryStopMs(tx, asChannelId(channel), at);
  if (stoppedMs !== undefined) return { kind: 'hold', forMs: Math.min(stoppedMs, RESUMED_CHANNEL_POLL_MS) };
  const { unclear, waiting } = await choosePost(tx, context, memory, channel, 'sending');
  if (unclear && unclear.kind !== 'passed') return unclear;
  let next = waiting;
  const bundled = next && (await bundle(tx, context, next.post, at));
  if (bundled?.isMore) return { kind: 'bundling' };
  if (bundled?.summary || bundled?.hasSingles)
    next = (await choosePost(tx, context, memory, channel, 'waiting')).waiting;
  if (!next) return chooseRest(unclear, memory, channel, clock.monotonicNow());
  const { post } = next;
  const thread = memory.unthreadedPosts.has(post.id) ? undefined : next.thread;
  const isPlain = memory.textOnlyPosts.has(post.id) || memory.unknownRefusals.isTextOnly(post.id);
  const sendable = await renderPostForSending(context, tx, post, isPlain);
  if (!sendable) {
    await markPostFailed(tx, post, 'nothing to show');
    return { kind: 'again' };
  }
  await markPostSending(tx, post, at);
  return { kind: 'send', post, thread, ...sendable };
}
