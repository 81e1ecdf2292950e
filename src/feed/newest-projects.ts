/** A channel's newest projects, on which the effect of a mute is shown before it is set. */
import type { ChannelId, TeamId } from '../ids.ts';
import type { ListedProject } from '../marketplace/schema.ts';
import type { ReadTransaction } from '../storage/store.ts';
import { cards, seenProjectKey, seenProjects } from './records.ts';

/** Enough to see a rule's effect, and few enough to read while a person waits for a window. */
export const PREVIEWED_PROJECTS = 50;

/** The projects that a channel got last, at most 50, newest first; muted and unsuitable ones don't count. */
export async function listNewestPostedProjects(
  tx: ReadTransaction,
  team: TeamId,
  channel: ChannelId,
): Promise<readonly ListedProject[]> {
  const range = { index: 'byChannel', prefix: [team, channel] as const, reverse: true } as const;
  const newest = await tx.list(cards, { ...range, limit: 4 * PREVIEWED_PROJECTS });
  const posted = newest.filter(({ value }) => value.state === 'posted').slice(0, PREVIEWED_PROJECTS);
  const keys = posted.map(({ value }) => seenProjectKey(team, value.project));
  const found = keys.length > 0 ? await tx.getMany(seenProjects, keys) : [];
  return found.flatMap((seen) => (seen ? [seen.project] : []));
}
