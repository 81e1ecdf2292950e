/**
 * One step of a channel: sends the next post, or resolves an uncertain one. Each post reaches Slack exactly
 * once, even across a crash. Protocol: docs/decisions/0004-slack.md.
 */
import { asError } from '../../errors.ts';
import type { ChannelId } from '../../ids.ts';
import type { Message } from '../core/routes.ts';
import {
  type DeliveryContext,
  type DeliveryRuntimeState,
  type NextChannelCheck,
  type PostDeliveryAttempt,
  toDeliveryAttemptOutcome,
} from './context.ts';
import { asChannelId, decideNextDelivery } from './decide-next.ts';
import { clearUpdateDelayAfterPost, MIN_CHANNEL_POST_GAP_MS } from './delays.ts';
import { handleRefusedPost, requireSlackCallError, retryPostLater } from './handle-refusal.ts';
import type { PostDestination } from './outbox-queries.ts';
import { openPostConversation, resolveUncertainPost } from './resolve-uncertain-post.ts';
import { clearDeliveryStop } from './stops.ts';
import { markPostPosted, markPostWaiting } from './transitions.ts';

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
      return { kind: 'at', at: startedAt + next.forMs };
    case 'again':
      context.onOutcome?.('failed');
      return { kind: 'at', at: startedAt };
    case 'bundling':
      return { kind: 'at', at: startedAt };
    case 'settle':
      return resolveUncertainPost({ context, memory, post: next.post, startedAt });
    case 'send':
      if (next.problem)
        context.log.error('could not render a post as intended', {
          post: next.post.id,
          error: asError(next.problem),
        });
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
    const ts = await context.port.post({ channel, ...(thread ? { thread } : {}) }, message, post.id);
    await context.store.transact(async (tx) => {
      await markPostPosted(tx, post, { channel, ts });
      await clearDeliveryStop(tx, post.team, asChannelId(post.channel));
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
  return { kind: 'at', at: startedAt + MIN_CHANNEL_POST_GAP_MS };
}
