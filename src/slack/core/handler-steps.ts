/**
 * Steps that handlers share: find the record of a pressed message, since nothing in the press itself is
 * trusted; update an open view; describe what failed; post a result for everyone in the channel.
 */

import type { ModalView } from '@slack/types';
import { asError } from '../../errors.ts';
import type { CardData } from '../../feed/feed.ts';
import type { MessageTs } from '../../ids.ts';
import { findPostByMessage } from '../../outbox/outbox.ts';
import type { Post } from '../../outbox/posts.ts';
import { SlackCallError } from './errors.ts';
import { createErrorReference, failureMessage } from './failures.ts';
import type { ActionCall, Message, Services } from './routes.ts';

type Where = Pick<ActionCall, 'services' | 'channel'>;

/** A new message may be pressed before our record of it exists. */
const TRIES = 3;
const PAUSE_MS = 700;

/** The record of this message in this channel. */
export async function findPressedPost(where: Where, ts: MessageTs): Promise<Post | undefined> {
  const { store, clock, team } = where.services;
  for (let tried = 1; ; tried++) {
    const post = await store.read((tx) => findPostByMessage(tx, team, where.channel, ts));
    if (post || tried === TRIES) return post;
    await clock.sleep(PAUSE_MS);
  }
}

/** The card of this message in this channel; undefined if there is none (anymore). */
export async function findPressedCard(
  where: Where,
  ts: MessageTs | undefined,
): Promise<CardData | undefined> {
  const post = ts === undefined ? undefined : await findPressedPost(where, ts);
  if (post?.content.kind !== 'card') return undefined;
  const { project } = post.content;
  return where.services.store.read((tx) => where.services.feed.readCardData(tx, where.channel, project));
}

/** The card was deleted, or is only just being posted. */
export const CARD_GONE: Message = {
  text: "Couldn't find this card. It may be too old. If it was just posted, try again in a moment.",
};

/** Logs a failure in full, and returns a message for the person. */
export function logAndDescribeFailure(
  { log, random, clock }: Services,
  what: string,
  thrown: unknown,
): Message {
  const ref = createErrorReference(random);
  log.error(what, { ref, error: thrown instanceof Error ? thrown : String(thrown) });
  return failureMessage(thrown, ref, clock.now());
}

/** @returns false when the person has closed it. */
export async function updateViewIfOpen(
  { slack }: Services,
  viewId: string,
  view: ModalView,
): Promise<boolean> {
  try {
    await slack.updateView(viewId, view);
    return true;
  } catch (thrown) {
    if (thrown instanceof SlackCallError && thrown.code === 'not_found') return false;
    throw thrown;
  }
}

/** If posting fails, the action stays done: the failure is only logged. */
export async function postResultToChannel(
  call: Pick<ActionCall, 'services' | 'channel'>,
  message: Message,
): Promise<void> {
  const { slack, log } = call.services;
  try {
    await slack.post(call.channel, message);
  } catch (thrown) {
    log.warn("could not post a button's result to its channel", {
      channel: call.channel,
      error: asError(thrown),
    });
  }
}
