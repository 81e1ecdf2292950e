/** Finds the record of a pressed message; nothing in the press itself is trusted. */
import type { CardData } from '../../feed/feed.ts';
import type { MessageTs } from '../../ids.ts';
import { findPostByMessage } from '../../outbox/outbox.ts';
import type { Post } from '../../outbox/posts.ts';
import type { ActionCall, Message } from './routes.ts';

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
