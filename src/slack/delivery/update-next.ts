/** One step of keeping what stands in Slack up to date: the newest message that shows something old. */

import { asError } from '../../errors.ts';
import { repostSummary } from '../../outbox/floods.ts';
import type { Post } from '../../outbox/posts.ts';
import { SlackCallError } from '../errors.ts';
import { asChannel } from './choose-next.ts';
import { type DeliveryContext, type DeliveryMemory, outcomeOf } from './context.ts';
import { UPDATE_GAP_MS } from './pauses.ts';
import { channelsToUpdate, newestChanged } from './queues.ts';
import { isFinalForUpdate, refusalKind } from './refusals.ts';
import { renderSendable, type Sendable } from './sendable.ts';
import { markShown } from './transitions.ts';
import type { Step } from './turn.ts';
import {
  channelTookUpdate,
  holdUpdates,
  isChannelHeld,
  isMessageHeld,
  type UpdateHolds,
} from './update-holds.ts';

interface Update {
  readonly post: Post;
  readonly sendable: Sendable | undefined;
}

/** The newest message that is not held, over all channels that are not. */
async function chooseUpdate(context: DeliveryContext, holds: UpdateHolds): Promise<Update | undefined> {
  const { team, store } = context;
  const steady = context.clock.steady();
  return store.read(async (tx) => {
    let newest: Post | undefined;
    for (const channel of await channelsToUpdate(tx, team)) {
      if (isChannelHeld(holds, channel, steady)) continue;
      const post = await newestChanged(tx, team, channel, (id) => isMessageHeld(holds, id, steady));
      if (post && (!newest || post.order > newest.order)) newest = post;
    }
    return newest && { post: newest, sendable: await renderSendable(context, tx, newest, false) };
  });
}

/** @returns when the next update may be sent; `idle` when all that can be is up to date. */
export async function updateNext(context: DeliveryContext, memory: DeliveryMemory): Promise<Step> {
  const startedAt = context.clock.steady();
  const update = await chooseUpdate(context, memory.updateHolds);
  if (!update) return { kind: 'idle' };
  const { post, sendable } = update;
  const { ts } = post;
  if (sendable?.problem)
    context.log.error('could not render an update', { post: post.id, error: asError(sendable.problem) });
  // A card that stands is worth more than its text alone, and nothing is to be shown of what is gone.
  if (!ts || !sendable || sendable.problem) return giveUp(context, post, startedAt);
  try {
    const channel = post.postedIn ?? asChannel(post.channel);
    await context.port.update(channel, ts, sendable.message, post.id);
  } catch (thrown) {
    if (!(thrown instanceof SlackCallError)) throw thrown;
    return afterRefusal(context, memory, post, thrown);
  }
  context.onOutcome?.('updated');
  channelTookUpdate(memory.updateHolds, post);
  await context.store.transact((tx) => markShown(tx, post, post.revision));
  return { kind: 'at', at: startedAt + UPDATE_GAP_MS };
}

async function giveUp(context: DeliveryContext, post: Post, at: number): Promise<Step> {
  await context.store.transact((tx) => markShown(tx, post, post.revision));
  return { kind: 'at', at };
}

async function afterRefusal(
  context: DeliveryContext,
  memory: DeliveryMemory,
  post: Post,
  error: SlackCallError,
): Promise<Step> {
  const at = context.clock.steady();
  context.onOutcome?.(outcomeOf(error));
  if (error.end === 'rate-limited') return { kind: 'at', at: at + (error.retryAfterMs ?? UPDATE_GAP_MS) };
  const isRefused = error.end === 'refused';
  context.log.warn('an update failed', { post: post.id, error: error.code });
  const isFinal = isRefused && isFinalForUpdate(error.code);
  if (isFinal || !holdUpdates(memory.updateHolds, post, error, at, context.random)) {
    if (!isFinal)
      context.log.error('Slack rejected an update, leaving the message unchanged', {
        post: post.id,
        error: error.code,
      });
    // What a summary took in after its message was deleted would be seen nowhere.
    const isReposted = await context.store.transact((tx) => repostSummary(tx, post));
    return isReposted ? { kind: 'at', at } : giveUp(context, post, at + UPDATE_GAP_MS);
  }
  if (isRefused && refusalKind(error.code) === 'token' && (await memory.tokenCheck.run()) === 'refused')
    return { kind: 'token', error: error.code };
  return { kind: 'at', at: at + UPDATE_GAP_MS };
}
