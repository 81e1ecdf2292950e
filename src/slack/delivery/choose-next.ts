/** Decides, in one transaction, what is next in a channel; a message about to be sent is on record as `sending` then. */
import type { Instant } from '../../clock.ts';
import { ChannelId, type MessageTs, UserId } from '../../ids.ts';
import { bundleInvitations } from '../../invitations/floods.ts';
import type { Post } from '../../outbox/posts.ts';
import type { ReadTransaction, Transaction } from '../../storage/store.ts';
import type { DeliveryContext, DeliveryMemory } from './context.ts';
import { RESUME_LOOK_MS } from './pauses.ts';
import { type Channel, postsIn } from './queues.ts';
import { renderSendable, type Sendable } from './sendable.ts';
import { stoppedFor } from './stops.ts';
import { placingOf } from './threads.ts';
import { markFailed, markSending } from './transitions.ts';

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

/** `passed`: others go on; there is something to look for again within `forMs`. */
type Unclear =
  | Extract<Next, { kind: 'hold' | 'settle' }>
  | { readonly kind: 'passed'; readonly forMs: number };

/** What is to be done about posts whose arrival is unknown; undefined where there is none. */
async function chooseUnclear(
  tx: ReadTransaction,
  { team }: DeliveryContext,
  { searches }: DeliveryMemory,
  channel: Channel,
): Promise<Unclear | undefined> {
  let forMs: number | undefined;
  let kind: 'hold' | 'passed' = 'passed';
  for await (const post of postsIn(tx, team, 'sending', channel)) {
    const arrivesMs = searches.arrivesFor(post);
    const waitMs = arrivesMs > 0 ? arrivesMs : searches.takeTurn(post);
    if (waitMs <= 0) return { kind: 'settle', post };
    if (!searches.mayBePassed(post)) kind = 'hold';
    forMs = Math.min(forMs ?? waitMs, waitMs);
  }
  return forMs === undefined ? undefined : { kind, forMs };
}

interface Waiting {
  readonly post: Post;
  readonly thread: MessageTs | undefined;
}

/**
 * The channel's first waiting post, and the thread that it goes into; a thread begins with its message. Posts that are
 * set aside are passed over, with what stands under them.
 */
async function firstWaiting(
  tx: ReadTransaction,
  { team, clock }: DeliveryContext,
  { tried }: DeliveryMemory,
  channel: Channel,
): Promise<Waiting | undefined> {
  const isAside = (post: Post) => tried.isAside(post.id, clock.steady());
  for await (const post of postsIn(tx, team, 'waiting', channel)) {
    if (isAside(post)) continue;
    const placing = await placingOf(tx, post);
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

/** Nothing can be sent now: how long that is so at most. */
function chooseRest(
  unclear: Unclear | undefined,
  { tried }: DeliveryMemory,
  channel: Channel,
  steady: number,
): Next {
  const asideMs = tried.asideFor(channel, steady);
  const waits = [unclear?.kind === 'passed' ? unclear.forMs : undefined, asideMs].filter(
    (it) => it !== undefined,
  );
  return waits.length > 0 ? { kind: 'hold', forMs: Math.min(...waits, RESUME_LOOK_MS) } : { kind: 'nothing' };
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
  const unclear = await chooseUnclear(tx, context, memory, channel);
  if (unclear && unclear.kind !== 'passed') return unclear;
  const first = await firstWaiting(tx, context, memory, channel);
  if (first && (await bundle(tx, context, first.post, at))) return { kind: 'bundling' };
  const next = await firstWaiting(tx, context, memory, channel);
  if (!next) return chooseRest(unclear, memory, channel, clock.steady());
  const { post } = next;
  const thread = memory.unthreaded.has(post.id) ? undefined : next.thread;
  const isPlain = memory.plain.has(post.id) || memory.tried.isPlain(post.id);
  const sendable = await renderSendable(context, tx, post, isPlain);
  if (!sendable) {
    await markFailed(tx, post, 'nothing to show');
    return { kind: 'again' };
  }
  await markSending(tx, post, at);
  return { kind: 'send', post, thread, ...sendable };
}
