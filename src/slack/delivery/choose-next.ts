/** Decides, in one transaction, what is next in a channel; a message about to be sent is on record as `sending` then. */
import type { Instant } from '../../clock.ts';
import { ChannelId, type MessageTs, type TeamId, UserId } from '../../ids.ts';
import { bundleInvitations } from '../../invitations/floods.ts';
import type { Post } from '../../outbox/posts.ts';
import type { ReadTransaction, Transaction } from '../../storage/store.ts';
import type { DeliveryContext, DeliveryMemory } from './context.ts';
import { RESUME_LOOK_MS, SETTLE_AFTER_MS } from './pauses.ts';
import { type Channel, firstPost } from './queues.ts';
import { renderSendable, type Sendable } from './sendable.ts';
import { stoppedFor } from './stops.ts';
import { placingOf } from './threads.ts';
import { markFailed, markSending, markSendingSince } from './transitions.ts';

export type Next =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'hold'; readonly forMs: number }
  /** A post that could not be shown was put aside: look again. */
  | { readonly kind: 'again' }
  /** A backlog is being put into its summary, which is not sent before all of it is in. */
  | { readonly kind: 'bundling' }
  /** It is not on record whether it arrived. */
  | { readonly kind: 'settle'; readonly post: Post }
  | ({ readonly kind: 'send'; readonly post: Post; readonly thread: MessageTs | undefined } & Sendable);

/** A person's id: the post goes into the direct messages with them. */
export function asPerson(channel: Channel): UserId | undefined {
  return /^[UW]/u.test(channel) ? UserId.parse(channel) : undefined;
}

export function asChannel(channel: Channel): ChannelId {
  return ChannelId.parse(channel);
}

/** An unclear attempt may be looked up when its message has had the time to arrive. */
async function settleOrHold(tx: Transaction, post: Post, at: Instant): Promise<Next> {
  const { sendingSince = 0 } = post;
  const waitMs = sendingSince + SETTLE_AFTER_MS - at;
  if (waitMs <= 0) return { kind: 'settle', post };
  if (sendingSince <= at) return { kind: 'hold', forMs: waitMs };
  // The clock was set back: how long ago it was is not known any more.
  await markSendingSince(tx, post, at);
  return { kind: 'hold', forMs: SETTLE_AFTER_MS };
}

/** The channel's first waiting post, and the thread that it goes into; a thread begins with its message. */
async function firstWaiting(
  tx: ReadTransaction,
  team: TeamId,
  channel: Channel,
): Promise<{ readonly post: Post; readonly thread: MessageTs | undefined } | undefined> {
  const post = await firstPost(tx, team, 'waiting', channel);
  if (!post) return undefined;
  const placing = await placingOf(tx, post);
  if (placing.kind === 'after') return { post: placing.parent, thread: undefined };
  return { post, thread: placing.kind === 'in-thread' ? placing.thread : undefined };
}

/** Puts a flood into its summary, where what comes first is part of one. @returns whether more of it waits. */
async function bundle(
  tx: Transaction,
  { team, feed }: DeliveryContext,
  { content, channel }: Post,
  at: Instant,
): Promise<boolean> {
  const isSummary = content.kind === 'flood' && !content.quiet;
  if (content.kind === 'invitation' || (isSummary && content.of === 'invitation'))
    return (await bundleInvitations(tx, team, asChannel(channel), at)).isMore;
  if (content.kind === 'card' || isSummary)
    return (await feed.bundleFlood(tx, asChannel(channel), at)).isMore;
  return false;
}

export async function chooseNext(
  tx: Transaction,
  context: DeliveryContext,
  memory: DeliveryMemory,
  channel: Channel,
): Promise<Next> {
  const { team, clock } = context;
  const at = clock.now();
  const stoppedMs = await stoppedFor(tx, team, asChannel(channel), at);
  if (stoppedMs !== undefined) return { kind: 'hold', forMs: Math.min(stoppedMs, RESUME_LOOK_MS) };
  const unclear = await firstPost(tx, team, 'sending', channel);
  if (unclear) return settleOrHold(tx, unclear, at);
  const first = await firstWaiting(tx, team, channel);
  if (first && (await bundle(tx, context, first.post, at))) return { kind: 'bundling' };
  const next = await firstWaiting(tx, team, channel);
  if (!next) return { kind: 'nothing' };
  const { post } = next;
  const thread = memory.unthreaded.has(post.id) ? undefined : next.thread;
  const sendable = await renderSendable(context, tx, post, memory.plain.has(post.id));
  if (!sendable) {
    await markFailed(tx, post, 'nothing to show');
    return { kind: 'again' };
  }
  await markSending(tx, post, at);
  return { kind: 'send', post, thread, ...sendable };
}
