/** Notices by what they are about, whatever they say. */
import type { Notice } from '../../src/outbox/posts.ts';
import type { Message } from '../../src/workbench/slack/simulated-slack.ts';
import { readBidBooks } from './read-bid-books.ts';
import { postOf, type World } from './world.ts';

/** Those among messages that are notices of this kind. */
export async function noticesAmong(
  messages: readonly Message[],
  world: World,
  about: Notice['about'],
): Promise<readonly Message[]> {
  const { posts } = await world.read((tx) => readBidBooks(tx, world.slack.team.id));
  const ids = posts.flatMap(({ id, content }) =>
    content.kind === 'notice' && content.notice.about === about ? [String(id)] : [],
  );
  return messages.filter((it) => ids.includes(postOf(it)));
}

/** Those that stand in a channel. */
export function noticesIn(
  world: World,
  about: Notice['about'],
  channel = 'web',
): Promise<readonly Message[]> {
  return noticesAmong(world.slack.messages(channel), world, about);
}
