/** A post whose arrival is unknown: look for it. It is never sent again before it is certain that it is not there. */
import type { SlackCallError } from '../errors.ts';
import { asSlackError, giveUp, stopChannel } from './after-refusal.ts';
import { findPost } from './find-post.ts';
import { CHANNEL_GAP_MS } from './pauses.ts';
import { refusalKind } from './refusals.ts';
import { placingOf } from './threads.ts';
import { markPosted, markWaiting } from './transitions.ts';
import { conversationOf, type Step, type Turn } from './turn.ts';

export async function settlePost(turn: Turn): Promise<Step> {
  const { context, memory, post } = turn;
  const { store, clock, port } = context;
  const { searches } = memory;
  try {
    const channel = await conversationOf(turn);
    const placing = await store.read((tx) => placingOf(tx, post));
    const place = { channel, ...(placing.kind === 'in-thread' ? { thread: placing.thread } : {}) };
    const ts = await findPost({ port, searches }, place, post);
    await store.transact((tx) =>
      ts === undefined ? markWaiting(tx, post) : markPosted(tx, post, { channel, ts }),
    );
    searches.end(post.id);
    if (ts !== undefined) context.onOutcome?.('posted');
    memory.failures.delete(post.channel);
    context.log.info('the outcome of a post is now known', { post: post.id, arrived: ts !== undefined });
    return { kind: 'at', at: clock.steady() };
  } catch (thrown) {
    return afterUnread(turn, asSlackError(thrown));
  }
}

/** A page could not be read, so the post stays `sending`. */
async function afterUnread(turn: Turn, error: SlackCallError): Promise<Step> {
  const { context, memory, post } = turn;
  const { clock, log, random } = context;
  const { searches } = memory;
  const next: Step = { kind: 'at', at: clock.steady() + CHANNEL_GAP_MS };
  if (error.end === 'rate-limited') {
    searches.wait(post, error.retryAfterMs ?? CHANNEL_GAP_MS);
    return next;
  }
  if (error.code === 'invalid_cursor') searches.beginAgain(post);
  const isRefused = error.end === 'refused';
  const kind = isRefused ? refusalKind(error.code) : 'later';
  if (kind === 'token' && (await memory.tokenCheck.run()) === 'refused') {
    searches.fail(post, random);
    return { kind: 'token', error: error.code };
  }
  // Where others may go on, their posts show whether the channel takes any.
  if (kind === 'channel' && !searches.mayBePassed(post)) {
    searches.fail(post, random);
    return stopChannel(turn, error, async () => undefined);
  }
  if (isRefused && searches.isHopeless(post)) {
    searches.end(post.id);
    return giveUp(turn, { failure: error.code, why: 'unclear' });
  }
  const pauseMs = searches.fail(post, random);
  log.warn('could not look for a post, retrying later', { post: post.id, error: error.code, pauseMs });
  return next;
}
