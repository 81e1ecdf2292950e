/** Stored reminders. */
import { z } from 'zod';
import { ChannelId, ProjectKey, TeamId, UserId } from '../ids.ts';
import type { Collection } from '../storage/store.ts';

/** A person's reminder of a card, until it is delivered. Key: [team, user, channel, project]. */
export const Reminder = z.object({
  team: TeamId,
  user: UserId,
  channel: ChannelId,
  project: ProjectKey,
  /** Untrusted text; kept, because the project may be deleted before. */
  title: z.string(),
  /** To the card, if Slack gave one. */
  link: z.string().optional(),
  setAt: z.number(),
  dueAt: z.number(),
});
export type Reminder = z.infer<typeof Reminder>;

export const reminders: Collection<Reminder> = {
  name: 'reminders',
  schema: Reminder,
  indexes: {
    /** [team, due] */
    byDue: (it) => [it.team, it.dueAt],
  },
};
