/**
 * Channels that invited Gigdesk while it was down: Slack's event is lost then. Each start compares the bot's
 * channels with those of the previous start, and welcomes the new ones.
 */
import { z } from 'zod';
import type { Instant } from '../../clock.ts';
import { ChannelId, type UserId } from '../../ids.ts';
import { listWelcomes } from '../../outbox/outbox.ts';
import type { ScheduledJob } from '../../schedule/job-scheduler.ts';
import type { Collection, ReadTransaction } from '../../storage/store.ts';
import { toSlackCallError } from '../core/errors.ts';
import type { Services } from '../core/routes.ts';
import { enqueueWelcome, isSetUp } from './welcome.ts';

/** The channels that the bot was in at the latest start. One record. */
const BotChannels = z.object({ channels: z.array(ChannelId) });

export const botChannels: Collection<z.infer<typeof BotChannels>> = {
  name: 'bot-channels',
  schema: BotChannels,
  indexes: {},
};

export async function readBotChannels(tx: ReadTransaction): Promise<readonly ChannelId[]> {
  return (await tx.get(botChannels, []))?.channels ?? [];
}

/** At the first start ever nothing is new: the channels may have been welcomed long ago. */
function welcomeNew({ store }: Services, channels: readonly ChannelId[], at: Instant): Promise<void> {
  return store.transact(async (tx) => {
    const before = await tx.get(botChannels, []);
    await tx.put(botChannels, [], { channels: [...channels] });
    if (!before) return;
    const known = new Set(before.channels);
    for (const channel of channels) {
      if (known.has(channel) || (await isSetUp(tx, channel))) continue;
      if ((await listWelcomes(tx, channel)).length > 0) continue;
      await enqueueWelcome(tx, { channel, cause: 'start', at });
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
