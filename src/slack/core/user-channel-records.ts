/** A user's channels from Slack's last answer, for opening the App Home while Slack doesn't answer. */
import { z } from 'zod';
import { DAY, type Instant } from '../../clock.ts';
import { ChannelId, TeamId, UserId } from '../../ids.ts';
import { deleteOldRecords } from '../../storage/delete-old-records.ts';
import type { Collection, Transaction } from '../../storage/store.ts';

/** Only public channels: for private ones, Slack must confirm the membership each time. Key: [team, user]. */
const HomeChannels = z.object({
  team: TeamId,
  user: UserId,
  channels: z.array(z.object({ id: ChannelId, name: z.string() })),
  at: z.number(),
});
export type HomeChannels = z.infer<typeof HomeChannels>;

export const homeChannels: Collection<HomeChannels> = {
  name: 'home-channels',
  schema: HomeChannels,
  indexes: {
    /** [team, time]: for deleting old records. */
    byAge: (it) => [it.team, it.at],
  },
};

const KEPT_MS = 90 * DAY;
/** More than the one record added, so that old ones run out. */
const CLEARED_AT_ONCE = 5;
/** An unchanged list is not rewritten more often than this. */
const WRITTEN_ANEW_MS = DAY;

/** Only channels where Gigdesk is active; when there are more, the first by name. */
export const MAX_SAVED_CHANNELS = 200;

function isSame(one: HomeChannels['channels'], other: HomeChannels['channels']): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export async function saveHomeChannels(tx: Transaction, now: HomeChannels): Promise<void> {
  const { team, user, at } = now;
  const before = await tx.get(homeChannels, [team, user]);
  if (before && isSame(before.channels, now.channels) && isYoung(before, at)) return;
  await deleteOldRecords(tx, homeChannels, {
    index: 'byAge',
    prefix: [team],
    at,
    keptMs: KEPT_MS,
    limit: CLEARED_AT_ONCE,
  });
  await tx.put(homeChannels, [team, user], now);
}

function isYoung(before: HomeChannels, at: Instant): boolean {
  return at >= before.at && at - before.at < WRITTEN_ANEW_MS;
}
