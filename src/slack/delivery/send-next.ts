/**
 * One step of a channel: send the next post, or find out what became of one. Whatever happens in between, a crash
 * included, each post ends up in Slack once. The protocol is told in docs/decisions/0004-slack.md.
 */
import { asError } from '../../errors.ts';
import type { ChannelId } from '../../ids.ts';
import type { Message } from '../routes.ts';
import { afterRefusal, asSlackError, pause } from './after-refusal.ts';
import { asChannel, chooseNext } from './choose-next.ts';
import { type DeliveryContext, type DeliveryMemory, outcomeOf } from './context.ts';
import { CHANNEL_GAP_MS } from './pauses.ts';
import type { Channel } from './queues.ts';
import { settlePost } from './settle-post.ts';
import { clearStop } from './stops.ts';
import { markPosted, markWaiting } from './transitions.ts';
import { conversationOf, type Step, type Turn } from './turn.ts';
import { channelTookPost } from './update-holds.ts';

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
      return settlePost({ context, memory, post: next.post, startedAt });
    case 'send':
      if (next.problem)
        context.log.error('could not render a post as intended', {
          post: next.post.id,
          error: asError(next.problem),
        });
      return send({ context, memory, post: next.post, thread: next.thread, startedAt }, next.message);
  }
}

async function send(turn: Turn, message: Message): Promise<Step> {
  const { context, memory, post, thread, startedAt } = turn;
  let channel: ChannelId;
  try {
    channel = await conversationOf(turn);
  } catch (thrown) {
    const error = asSlackError(thrown);
    if (error.end !== 'unknown') return afterRefusal(turn, error);
    // Opening a conversation posts nothing, however unclear its answer is.
    context.onOutcome?.(outcomeOf(error));
    await context.store.transact((tx) => markWaiting(tx, post));
    return pause(turn, error);
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
  memory.tried.gotThrough(post.id, post.channel, context.clock.steady());
  memory.unthreaded.delete(post.id);
  return { kind: 'at', at: startedAt + CHANNEL_GAP_MS };
}
