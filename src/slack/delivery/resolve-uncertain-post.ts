/** Looks for a post whose arrival is unknown. It is sent again only when it is certainly not in Slack. */
import type { SlackCallError } from '../core/errors.ts';
import { type NextChannelCheck, openPostConversation, type PostDeliveryAttempt } from './channel-turn.ts';
import { MIN_CHANNEL_POST_GAP_MS } from './delays.ts';
import { markPostFailedAndNotify, requireSlackCallError, stopDeliveryToChannel } from './handle-refusal.ts';
import { classifyRefusal } from './refusals.ts';
import { searchSlackForPost } from './search-for-post.ts';
import { readThreadPlacement } from './threads.ts';
import { markPostPosted, markPostWaiting } from './transitions.ts';

export async function resolveUncertainPost(turn: PostDeliveryAttempt): Promise<NextChannelCheck> {
  const { context, memory, post } = turn;
  const { store, clock, port } = context;
  const { searches } = memory;
  try {
    const channel = await openPostConversation(turn);
    const placing = await store.read((tx) => readThreadPlacement(tx, post));
    const place = { channel, ...(placing.kind === 'in-thread' ? { thread: placing.thread } : {}) };
    const ts = await searchSlackForPost({ port, searches }, place, post);
    await store.transact((tx) =>
      ts === undefined ? markPostWaiting(tx, post) : markPostPosted(tx, post, { channel, ts }),
    );
    searches.endSearch(post.id);
    if (ts !== undefined) context.onOutcome?.('posted');
    memory.failures.delete(post.channel);
    context.log.info('the outcome of a post is now known', { post: post.id, arrived: ts !== undefined });
    return { kind: 'at', at: clock.monotonicNow() };
  } catch (thrown) {
    return afterUnread(turn, requireSlackCallError(thrown));
  }
}

/** A page could not be read, so the post stays `sending`. */
async function afterUnread(turn: PostDeliveryAttempt, error: SlackCallError): Promise<NextChannelCheck> {
  const { context, memory, post } = turn;
  const { clock, log, random } = context;
  const { searches } = memory;
  const next: NextChannelCheck = { kind: 'at', at: clock.monotonicNow() + MIN_CHANNEL_POST_GAP_MS };
  if (error.failureKind === 'rate-limited') {
    searches.delaySearch(post, error.retryAfterMs ?? MIN_CHANNEL_POST_GAP_MS);
    return next;
  }
  if (error.code === 'invalid_cursor') searches.restartSearch(post);
  const isRefused = error.failureKind === 'refused';
  const kind = isRefused ? classifyRefusal(error.code) : 'later';
  if (kind === 'token' && (await memory.tokenCheck.checkToken()) === 'refused') {
    searches.recordReadFailure(post, random);
    return { kind: 'token', error: error.code };
  }
  // Where other posts may be sent, they show whether the channel accepts any.
  if (kind === 'channel' && !searches.canBeSkipped(post)) {
    searches.recordReadFailure(post, random);
    return stopDeliveryToChannel(turn, error, async () => undefined);
  }
  if (isRefused && searches.hasTimedOut(post)) {
    searches.endSearch(post.id);
    return markPostFailedAndNotify(turn, { failure: error.code, why: 'unclear' });
  }
  const pauseMs = searches.recordReadFailure(post, random);
  log.warn('could not look for a post, retrying later', { post: post.id, error: error.code, pauseMs });
  return next;
}
