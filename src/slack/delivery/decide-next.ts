/** Decides in one transaction what a channel sends next, and marks that post as `sending`. */
import type { Instant } from '../../clock.ts';
import { ChannelId, type MessageTs, UserId } from '../../ids.ts';
import { bundleInvitationsIntoSummary } from '../../invitations/invitation-posts.ts';
import type { BundleResult } from '../../outbox/card-summary.ts';
import type { Post } from '../../outbox/posts.ts';
import type { ReadTransaction, Transaction } from '../../storage/store.ts';
import { type DeliveryContext, type DeliveryRuntimeState, readThreadPlacement } from './context.ts';
import { RESUMED_CHANNEL_POLL_MS } from './delays.ts';
import { iteratePosts, type PostDestination } from './outbox-queries.ts';
import { type RenderedPost, renderPostForSending } from './sendable.ts';
import { remainingDeliveryStopMs } from './stops.ts';
import { markPostFailed, markPostSending } from './transitions.ts';

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

/** What to do about posts whose arrival is unknown; undefined when there are none. */
async function chooseUnclear(
  tx: ReadTransaction,
  { team }: DeliveryContext,
  { searches }: DeliveryRuntimeState,
  channel: PostDestination,
): Promise<Unclear | undefined> {
  let forMs: number | undefined;
  let kind: 'hold' | 'passed' = 'passed';
  for await (const post of iteratePosts(tx, team, 'sending', channel)) {
    const arrivesMs = searches.remainingArrivalMs(post);
    const waitMs = arrivesMs > 0 ? arrivesMs : searches.claimReadTurn(post);
    if (waitMs <= 0) return { kind: 'settle', post };
    if (!searches.canBeSkipped(post)) kind = 'hold';
    forMs = Math.min(forMs ?? waitMs, waitMs);
  }
  return forMs === undefined ? undefined : { kind, forMs };
}

interface Waiting {
  readonly post: Post;
  readonly thread: MessageTs | undefined;
}

/**
 * The channel's first post that may be sent, and its thread. A thread's parent message goes first. Skips
 * posts that are set aside, with the posts in their threads.
 */
async function firstWaiting(
  tx: ReadTransaction,
  { team, clock }: DeliveryContext,
  { unknownRefusals }: DeliveryRuntimeState,
  channel: PostDestination,
): Promise<Waiting | undefined> {
  const isAside = (post: Post) => unknownRefusals.isSetAside(post.id, clock.monotonicNow());
  for await (const post of iteratePosts(tx, team, 'waiting', channel)) {
    if (isAside(post)) continue;
    const placing = await readThreadPlacement(tx, post);
    switch (placing.kind) {
      case 'on-its-own':
        return { post, thread: undefined };
      case 'in-thread':
        return { post, thread: placing.thread };
      case 'after':
        if (!isAside(placing.parent)) return { post: placing.parent, thread: undefined };
        break;
      case 'unknown':
        break;
    }
  }
  return undefined;
}

/** Nothing can be sent now: how long to wait at most. */
function chooseRest(
  unclear: Unclear | undefined,
  { unknownRefusals }: DeliveryRuntimeState,
  channel: PostDestination,
  steady: number,
): NextDeliveryStep {
  const asideMs = unknownRefusals.setAsideForMs(channel, steady);
  const waits = [unclear?.kind === 'passed' ? unclear.forMs : undefined, asideMs].filter(
    (it) => it !== undefined,
  );
  return waits.length > 0
    ? { kind: 'hold', forMs: Math.min(...waits, RESUMED_CHANNEL_POLL_MS) }
    : { kind: 'nothing' };
}

/**
 * Moves a backlog into its summary if the first post belongs to one; undefined if it belongs to none.
 */
async function bundle(
  tx: Transaction,
  { team, feed }: DeliveryContext,
  { content, channel }: Post,
  at: Instant,
): Promise<Pick<BundleResult, 'summary' | 'isMore'> | undefined> {
  const isSummary = content.kind === 'flood' && !content.quiet;
  if (content.kind === 'invitation' || (isSummary && content.of === 'invitation'))
    return bundleInvitationsIntoSummary(tx, team, asChannelId(channel), at);
  if (content.kind === 'card' || isSummary) return feed.bundleCardsIntoSummary(tx, asChannelId(channel), at);
  return undefined;
}

export async function decideNextDelivery(
  tx: Transaction,
  context: DeliveryContext,
  memory: DeliveryRuntimeState,
  channel: PostDestination,
): Promise<NextDeliveryStep> {
  const { team, clock } = context;
  const at = clock.now();
  const stoppedMs = await remainingDeliveryStopMs(tx, team, asChannelId(channel), at);
  if (stoppedMs !== undefined) return { kind: 'hold', forMs: Math.min(stoppedMs, RESUMED_CHANNEL_POLL_MS) };
  const unclear = await chooseUnclear(tx, context, memory, channel);
  if (unclear && unclear.kind !== 'passed') return unclear;
  let next = await firstWaiting(tx, context, memory, channel);
  const bundled = next && (await bundle(tx, context, next.post, at));
  if (bundled?.isMore) return { kind: 'bundling' };
  if (bundled?.summary) next = await firstWaiting(tx, context, memory, channel);
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
