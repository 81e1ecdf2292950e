/** One update step: updates the newest outdated message. */
import { repostCardSummary } from '../../outbox/card-summary.ts';
import type { Post, PostId } from '../../outbox/posts.ts';
import { SlackCallError } from '../core/errors.ts';
import {
  checkAt,
  type DeliveryContext,
  type DeliveryRuntimeState,
  type NextChannelCheck,
  toDeliveryAttemptOutcome,
} from './context.ts';
import { asChannelId, renderPostForSending } from './decide-next.ts';
import {
  clearUpdateDelaysAfterUpdate,
  delayUpdates,
  MIN_MESSAGE_UPDATE_GAP_MS,
  type UpdateDelays,
} from './delays.ts';
import { classifyRefusal, isPermanentUpdateRefusal } from './refusals.ts';
import { findNewestOutdatedPost, markPostRevisionShown, readOutboxWork } from './transitions.ts';

/** The newest outdated message, skipping delayed messages and channels. */
async function chooseUpdate(context: DeliveryContext, holds: UpdateDelays) {
  const { store } = context;
  const steady = context.clock.monotonicNow();
  return store.read(async (tx) => {
    let newest: Post | undefined;
    for (const channel of (await readOutboxWork(tx)).toUpdate) {
      if ((holds.channels.get(channel)?.until ?? 0) > steady) continue;
      const isHeld = (id: PostId) => (holds.messages.get(id)?.until ?? 0) > steady;
      const post = await findNewestOutdatedPost(tx, channel, isHeld);
      if (post && (!newest || post.order > newest.order)) newest = post;
    }
    return newest && { post: newest, sendable: await renderPostForSending(context, tx, newest, false) };
  });
}

/** @returns when the next update may be sent; `idle` when nothing can be updated now. */
export async function updateNextMessage(
  context: DeliveryContext,
  memory: DeliveryRuntimeState,
): Promise<NextChannelCheck> {
  const startedAt = context.clock.monotonicNow();
  const update = await chooseUpdate(context, memory.updateDelays);
  if (!update) return { kind: 'idle' };
  const { post, sendable } = update;
  const { ts } = post;
  if (sendable?.problem)
    context.log.error('could not render an update', { post: post.id, error: sendable.problem });
  // Keep the old card: it beats a text-only version, and a message with nothing left to show stays as it is.
  if (!ts || !sendable || sendable.problem) return giveUp(context, post, startedAt);
  try {
    const channel = post.postedIn ?? asChannelId(post.channel);
    await context.port.update(channel, ts, sendable.message, post.id);
  } catch (thrown) {
    if (!(thrown instanceof SlackCallError)) throw thrown;
    return afterRefusal(context, memory, post, thrown);
  }
  context.onOutcome?.('updated');
  clearUpdateDelaysAfterUpdate(memory.updateDelays, post);
  await context.store.transact((tx) => markPostRevisionShown(tx, post, post.revision));
  return checkAt(startedAt + MIN_MESSAGE_UPDATE_GAP_MS);
}

async function giveUp(context: DeliveryContext, post: Post, at: number) {
  await context.store.transact((tx) => markPostRevisionShown(tx, post, post.revision));
  return checkAt(at);
}

async function afterRefusal(
  context: DeliveryContext,
  memory: DeliveryRuntimeState,
  post: Post,
  error: SlackCallError,
): Promise<NextChannelCheck> {
  const at = context.clock.monotonicNow();
  context.onOutcome?.(toDeliveryAttemptOutcome(error));
  if (error.failureKind === 'rate-limited')
    return checkAt(at + (error.retryAfterMs ?? MIN_MESSAGE_UPDATE_GAP_MS));
  const isRefused = error.failureKind === 'refused';
  const fields = { post: post.id, error: error.code };
  context.log.warn('an update failed', fields);
  const isFinal = isRefused && isPermanentUpdateRefusal(error.code);
  if (isFinal || !delayUpdates(memory.updateDelays, post, error, at, context.random)) {
    if (!isFinal) context.log.error('Slack rejected an update, leaving the message unchanged', fields);
    // Projects added to a summary after its message was deleted would be visible nowhere.
    const isReposted = await context.store.transact((tx) => repostCardSummary(tx, post));
    return isReposted ? checkAt(at) : giveUp(context, post, at + MIN_MESSAGE_UPDATE_GAP_MS);
  }
  if (isRefused && classifyRefusal(error.code) === 'token' && (await memory.checkToken()) === 'refused')
    return { kind: 'token', error: error.code };
  return checkAt(at + MIN_MESSAGE_UPDATE_GAP_MS);
}
