/** From a pressed message back to what stands there: the press itself says nothing that is believed. */
import type { CardData } from '../../feed/feed.ts';
import type { MessageTs } from '../../ids.ts';
import { type Post, posts } from '../../outbox/posts.ts';
import type { ReadTransaction } from '../../storage/store.ts';
import type { ActionCall, Message } from '../routes.ts';

type Where = Pick<ActionCall, 'services' | 'channel'>;

async function readPost(tx: ReadTransaction, where: Where, ts: MessageTs): Promise<Post | undefined> {
  const [entry] = await tx.list(posts, {
    index: 'byMessage',
    prefix: [where.services.team, where.channel, ts],
    limit: 1,
  });
  return entry?.value;
}

/** A message stands in Slack a moment before our record of it does, and a press may fall in between. */
const TRIES = 3;
const PAUSE_MS = 700;

/** The post that stands as this message in this channel. */
export async function findPressedPost(where: Where, ts: MessageTs): Promise<Post | undefined> {
  const { store, clock } = where.services;
  for (let tried = 1; ; tried++) {
    const post = await store.read((tx) => readPost(tx, where, ts));
    if (post || tried === TRIES) return post;
    await clock.sleep(PAUSE_MS);
  }
}

/** The card that stands as this message in this channel; undefined when none does, or none any more. */
export async function findPressedCard(
  where: Where,
  ts: MessageTs | undefined,
): Promise<CardData | undefined> {
  const post = ts === undefined ? undefined : await findPressedPost(where, ts);
  if (post?.content.kind !== 'card') return undefined;
  const { project } = post.content;
  return where.services.store.read((tx) => where.services.feed.readCardData(tx, where.channel, project));
}

/** The press came to nothing: its card was cleared out, or is only just being posted. */
export const CARD_GONE: Message = {
  text: "Couldn't find this card. It may be too old. If it was just posted, try again in a moment.",
};
