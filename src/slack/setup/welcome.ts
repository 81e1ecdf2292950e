/** What Gigdesk says when it's invited to a channel, once per invitation. */
import { ChannelId, type TeamId, type UserId } from '../../ids.ts';
import { enqueuePost, listPostIdsByPrefix, readPost } from '../../outbox/outbox.ts';
import { PostId } from '../../outbox/posts.ts';
import type { ReadTransaction } from '../../storage/store.ts';
import type { BotJoinedCall, Message, Services } from '../core/routes.ts';
import { actionsBlock, joinLines, textMessage } from '../kit/block-builders.ts';
import { setUpButton } from '../kit/set-up-button.ts';

const WELCOME = joinLines(
  "*Hi, I'm Gigdesk.* I post new projects from your saved filters here, as cards that your team claims, " +
    'skips or bids on.',
  'I can also post invitations, tell you when a proposal is viewed or leads to a hire, and post a daily ' +
    'digest.',
  'Setup takes about a minute and costs no credits. Nothing is posted until you save.',
);

export function welcomeMessage(): Message {
  return textMessage(WELCOME, actionsBlock([setUpButton('Set Up This Channel')]));
}

const MOST_INVITATIONS = 20;

/** Who invited Gigdesk to a channel; undefined if nobody is known. */
export function findInviter({ store, team }: Services, channel: ChannelId): Promise<UserId | undefined> {
  return store.read(async (tx) => {
    for (const id of await listPostIdsByPrefix(tx, team, `welcome:${channel}:`, MOST_INVITATIONS)) {
      const post = await readPost(tx, team, id);
      if (post?.content.kind === 'welcome' && post.content.by) return post.content.by;
    }
    return undefined;
  });
}

/** More channels than a Home shows; older invitations are set up by then. */
const MOST_WELCOMED = 200;

/** The channels that Gigdesk was invited to, as far as their welcomes are still stored. */
export async function listWelcomedChannels(tx: ReadTransaction, team: TeamId): Promise<readonly ChannelId[]> {
  const ids = await listPostIdsByPrefix(tx, team, 'welcome:', MOST_WELCOMED);
  return [...new Set(ids.map((id) => ChannelId.parse(id.split(':')[1])))];
}

/** The event's ID is the post's: when Slack sends the event again, there is no second welcome. */
export async function handleBotJoined({
  channel,
  invitedBy,
  eventId,
  services,
}: BotJoinedCall): Promise<void> {
  const { store, team, clock } = services;
  const at = clock.now();
  await store.transact((tx) =>
    enqueuePost(tx, {
      team,
      id: PostId.parse(`welcome:${channel}:${eventId}`),
      channel,
      content: { kind: 'welcome', ...(invitedBy ? { by: invitedBy } : {}) },
      order: at,
      at,
    }),
  );
}
