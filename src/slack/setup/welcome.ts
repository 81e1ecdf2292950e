/**
 * What Gigdesk says when it's invited to a channel, once per invitation; later, what the channel follows.
 * Slack's event is lost if Gigdesk is down: each start compares the bot's channels with those of the previous
 * start, and welcomes the new ones.
 */
import { z } from 'zod';
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
import type { ScheduledJob } from '../../schedule/job-scheduler.ts';
import { collection, type ReadTransaction, type Transaction } from '../../storage/store.ts';
import { toSlackCallError } from '../core/errors.ts';
import type { BotJoinedCall, Message, Services } from '../core/routes.ts';
import {
  actionsBlock,
  contextBlock,
  joinLines,
  sectionBlock,
  sectionBlocks,
  textMessage,
} from '../kit/block-builders.ts';
import { setUpButton } from '../kit/command-button.ts';
import { formatCount } from '../kit/numbers.ts';
import { andMoreText } from '../kit/paged-list.ts';
import { filterName } from '../kit/words/filters.ts';
import { NOT_CONNECTED } from '../kit/words/marketplace-failure.ts';
import { profileFeedPhrase } from '../kit/words/profiles.ts';
import { toProfileFeedName, wantedText } from '../subscriptions/subscriptions.ts';

const WHAT_I_DO = joinLines(
  "*Hi, I'm Gigdesk.* I post new projects from your saved filters here, as cards that your team claims, " +
    'skips or bids on.',
  'I can also post invitations, tell you when a proposal is viewed or leads to a hire, and post a daily ' +
    'digest.',
);
const SETUP_IS_EASY = 'Setup takes about a minute and costs no credits. Nothing is posted until you save.';

/** What a channel follows; names are strangers' text. */
export async function readFollowed(tx: ReadTransaction, channel: ChannelId) {
  const subscriptions = await listNamedSubscriptions(tx, channel);
  const profiles = await listNamedProfileFeeds(tx, channel);
  return { subscriptions, profiles: profiles.map(toProfileFeedName) };
}

type Followed = Awaited<ReturnType<typeof readFollowed>>;
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
  const add = setUpButton('Add Subscription', { isPrimary: false, opens: 'add' });
  const hasFilter = followed.subscriptions.length > 0;
  const buttons = hasFilter ? [setUpButton('Edit', { isPrimary: false }), add] : [add];
  const head = '*This channel is set up.* Gigdesk posts here:';
  return {
    text: `This channel is set up: it has ${formatCount(rows.length, 'subscription')}.`,
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

/** @param cause the event's ID: sent again, it makes no second welcome. `start`: there was no event */
async function enqueueWelcome(tx: Transaction, channel: ChannelId, cause: string, at: Instant, by?: UserId) {
  await enqueuePost(tx, {
    id: PostId.parse(welcomePostIdPrefix(channel) + cause),
    channel,
    content: { kind: 'welcome', by },
    order: at,
    at,
  });
}

async function isSetUp(tx: ReadTransaction, channel: ChannelId): Promise<boolean> {
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
    if (!isWelcomed) await enqueueWelcome(tx, channel, eventId, at, invitedBy);
  });
}

const BotChannels = z.object({ channels: z.array(ChannelId) });

/** The channels that the bot was in at the latest start. One record. */
export const botChannels = collection({
  name: 'bot-channels',
  schema: BotChannels,
  key: () => [],
});

export async function readBotChannels(tx: ReadTransaction): Promise<readonly ChannelId[]> {
  return (await tx.get(botChannels, []))?.channels ?? [];
}

/** At the first start ever nothing is new: the channels may have been welcomed long ago. */
function welcomeNew({ store }: Services, channels: readonly ChannelId[], at: Instant): Promise<void> {
  return store.transact(async (tx) => {
    const before = await tx.get(botChannels, []);
    await tx.put(botChannels, { channels: [...channels] });
    if (!before) return;
    const known = new Set(before.channels);
    for (const channel of channels) {
      if (known.has(channel) || (await isSetUp(tx, channel))) continue;
      if ((await listWelcomes(tx, channel)).length > 0) continue;
      await enqueueWelcome(tx, channel, 'start', at);
    }
  });
}

/** Runs once; again the next minute if Slack doesn't answer. */
export function createMissedInvitationsJob(services: Services, bot: UserId): ScheduledJob {
  let isDone = false;
  return {
    name: 'missed invitations',
    async runIfDue(at) {
      if (isDone) return;
      const found = await services.slack.listUserChannels(bot).catch((thrown: unknown) => {
        const { code, failureKind } = toSlackCallError(thrown);
        isDone = failureKind === 'refused';
        services.log.warn("Couldn't compare Gigdesk's channels", { error: code });
      });
      if (!found) return;
      const channels = found.map(({ id }) => id);
      await welcomeNew(services, channels, at);
      isDone = true;
    },
  };
}

const WHAT = 'Example: this is how a new project looks';

/** For a channel that was set up while no project is known. No buttons: there is nothing to bid on. */
export function exampleCardMessage(): Message {
  return {
    text: `${WHAT}. It's made up.`,
    blocks: [
      contextBlock(`*${WHAT}.* It's made up. Real projects arrive here as soon as your filter finds them.`),
      sectionBlock(
        joinLines('*Booking site for a small hotel* (example)', '*$2,500 fixed* · posted a minute ago'),
      ),
      sectionBlock('Client: Germany · ★ 4.9 (31 reviews) · $40K spent · 23 hires · payment verified'),
      contextBlock('Skills: React, Node.js, Stripe'),
      contextBlock(
        'Under each real card: *Bid* opens the bid form, *Details* shows everything, ' +
          'and *Claim* tells your team that you work on it.',
      ),
    ],
  };
}
