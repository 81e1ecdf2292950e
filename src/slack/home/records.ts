/** Where somebody was when Slack last said so, for a Home that is opened while it does not. */
import { z } from 'zod';
import { DAY, type Instant } from '../../clock.ts';
import { ChannelId, TeamId, UserId } from '../../ids.ts';
import { deleteOldRecords } from '../../storage/delete-old-records.ts';
import type { Collection, Transaction } from '../../storage/store.ts';

/**
 * Public channels alone: whether somebody is still in a private one is for Slack to say, each time. Key: [team, user].
 */
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
    /** [team, when]: for clearing out the old. */
    byAge: (it) => [it.team, it.at],
  },
};

const KEPT_MS = 90 * DAY;
/** More than the one that is added, so that the old run out. */
const CLEARED_AT_ONCE = 5;
/** The same channels are not written anew before. */
const WRITTEN_ANEW_MS = DAY;

/** Those that Gigdesk has to do with; of more, the first by name. */
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
