/** Finds notices by kind, independent of their wording. */
import type { ChannelNotice } from '../../src/outbox/posts.ts';
import type { SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';
import { readBidBooks } from './read-bid-books.ts';
import { postOf, type World } from './world.ts';

/** Notices of this kind among messages. */
export async function noticesAmong(
  messages: readonly SlackMessage[],
  world: World,
  about: ChannelNotice['about'],
): Promise<readonly SlackMessage[]> {
  const { posts } = await world.read((tx) => readBidBooks(tx, world.slack.team.id));
  const ids = posts.flatMap(({ id, content }) =>
    content.kind === 'notice' && content.notice.about === about ? [String(id)] : [],
  );
  return messages.filter((it) => ids.includes(postOf(it)));
}

/** Notices in a channel. */
export function noticesIn(
  world: World,
  about: ChannelNotice['about'],
  channel = 'web',
): Promise<readonly SlackMessage[]> {
  return noticesAmong(world.slack.messages(channel), world, about);
}
