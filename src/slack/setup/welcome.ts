/** What Gigdesk says when it's invited to a channel, once per invitation; later, what the channel follows. */

import { HOUR, type Instant, isRecent } from '../../clock.ts';
import { listNamedSubscriptions } from '../../feed/feed-status.ts';
import { ChannelId, type UserId } from '../../ids.ts';
import {
  enqueuePost,
  listPostIdsByPrefix,
  listWelcomes,
  markWelcomesChanged,
  welcomePostIdPrefix,
} from '../../outbox/outbox.ts';
import { PostId } from '../../outbox/posts.ts';
import { listNamedProfileFeeds } from '../../profiles/profile-feeds.ts';
import type { ReadTransaction, Transaction } from '../../storage/store.ts';
import type { BotJoinedCall, Message, Services } from '../core/routes.ts';
import { actionsBlock, joinLines, sectionBlocks, textMessage } from '../kit/block-builders.ts';
import { setUpButton } from '../kit/command-button.ts';
import { formatCount } from '../kit/numbers.ts';
import { andMoreText } from '../kit/paged-list.ts';
import { filterName } from '../kit/words/filters.ts';
import { NOT_CONNECTED } from '../kit/words/marketplace-failure.ts';
import { type ProfileFeedName, profileFeedPhrase } from '../kit/words/profiles.ts';
import { toProfileFeedName, wantedText } from '../subscriptions/subscriptions.ts';

const WHAT_I_DO = joinLines(
  "*Hi, I'm Gigdesk.* I post new projects from your saved filters here, as cards that your team claims, " +
    'skips or bids on.',
  'I can also post invitations, tell you when a proposal is viewed or leads to a hire, and post a daily ' +
    'digest.',
);
const SETUP_IS_EASY = 'Setup takes about a minute and costs no credits. Nothing is posted until you save.';

/** What a channel follows; names are strangers' text. */
export interface Followed {
  readonly subscriptions: Awaited<ReturnType<typeof listNamedSubscriptions>>;
  readonly profiles: readonly ProfileFeedName[];
}

export async function readFollowed(tx: ReadTransaction, channel: ChannelId): Promise<Followed> {
  const subscriptions = await listNamedSubscriptions(tx, channel);
  const profiles = await listNamedProfileFeeds(tx, channel);
  return { subscriptions, profiles: profiles.map(toProfileFeedName) };
}

const MOST_LISTED = 8;

function followedRows({ subscriptions, profiles }: Followed): readonly string[] {
  return [
    ...subscriptions.map(({ filter, subscription }) =>
      wantedText(filterName(filter), subscription.rules, 150),
    ),
    ...profiles.map(profileFeedPhrase),
  ];
}

/** Once the channel follows something, the button for that is no longer the next step. */
export function welcomeMessage(followed: Followed, isAccountConnected: boolean): Message {
  const rows = followedRows(followed);
  if (rows.length === 0)
    return textMessage(
      joinLines(WHAT_I_DO, isAccountConnected ? SETUP_IS_EASY : NOT_CONNECTED),
      actionsBlock([setUpButton('Set Up This Channel')]),
    );
  const listed = rows.slice(0, MOST_LISTED).map((row) => `• ${row}`);
  const more = andMoreText(rows.length - MOST_LISTED);
  const text = `This channel is set up: it has ${formatCount(rows.length, 'subscription')}.`;
  const add = setUpButton('Add Subscription', { isPrimary: false, opens: 'add' });
  const hasFilter = followed.subscriptions.length > 0;
  const buttons = hasFilter ? [setUpButton('Edit', { isPrimary: false }), add] : [add];
  const head = '*This channel is set up.* Gigdesk posts here:';
  return {
    text,
    blocks: [...sectionBlocks([head, ...listed, ...(more ? [more] : [])]), actionsBlock(buttons)],
  };
}

/** Who invited Gigdesk to a channel; undefined if nobody is known. */
export function findInviter({ store }: Services, channel: ChannelId): Promise<UserId | undefined> {
  return store.read(async (tx) => {
    for (const { content } of await listWelcomes(tx, channel))
      if (content.kind === 'welcome' && content.by) return content.by;
    return undefined;
  });
}

/** More channels than a Home shows; older invitations are set up by then. */
const MOST_WELCOMED = 200;

/** The channels that Gigdesk was invited to, as far as their welcomes are still stored. */
export async function listWelcomedChannels(tx: ReadTransaction): Promise<readonly ChannelId[]> {
  const ids = await listPostIdsByPrefix(tx, 'welcome:', MOST_WELCOMED);
  return [...new Set(ids.map((id) => ChannelId.parse(id.split(':')[1])))];
}

/** After a marketplace account was connected or removed: the welcomes without a setup say so. */
export async function markOpenWelcomesChanged(tx: Transaction): Promise<void> {
  for (const channel of await listWelcomedChannels(tx)) {
    if (!(await isSetUp(tx, channel))) await markWelcomesChanged(tx, channel);
  }
}

interface NewWelcome {
  readonly channel: ChannelId;
  /** The event's ID: if Slack sends it again, there is no second welcome. `start`: there was no event. */
  readonly cause: string;
  readonly by?: UserId | undefined;
  readonly at: Instant;
}

export async function enqueueWelcome(tx: Transaction, { channel, cause, by, at }: NewWelcome) {
  await enqueuePost(tx, {
    id: PostId.parse(welcomePostIdPrefix(channel) + cause),
    channel,
    content: { kind: 'welcome', by },
    order: at,
    at,
  });
}

/** Whether a channel follows anything. */
export async function isSetUp(tx: ReadTransaction, channel: ChannelId): Promise<boolean> {
  return followedRows(await readFollowed(tx, channel)).length > 0;
}

/** How long after the start an event about an earlier invitation may still come. */
const LATE_EVENT_MS = 2 * HOUR;

export async function handleBotJoined({
  channel,
  invitedBy,
  eventId,
  services,
}: BotJoinedCall): Promise<void> {
  const { store, clock } = services;
  await store.transact(async (tx) => {
    const at = clock.now();
    const ofStart = PostId.parse(`${welcomePostIdPrefix(channel)}start`);
    const welcomes = await listWelcomes(tx, channel);
    const isWelcomed = welcomes.some((it) => it.id === ofStart && isRecent(it.enqueuedAt, LATE_EVENT_MS, at));
    if (!isWelcomed) await enqueueWelcome(tx, { channel, cause: eventId, by: invitedBy, at });
  });
}
