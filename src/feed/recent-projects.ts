/** The newest known projects of a filter, and those that a channel got: what previews of rules look at. */
import type { ChannelId, FilterId, TeamId } from '../ids.ts';
import type { ListedProject } from '../marketplace/schema.ts';
import { type ReadTransaction, scanCollection } from '../storage/store.ts';
import { readSeenProject } from './find-project.ts';
import { cards, seenProjects } from './records.ts';

/** A person waits: of a filter that finds little, older projects don't count. */
const MOST_SCANNED = 2_000;

/** Newest first, at most `limit`. Looks at the team's newest 2,000 projects. */
export async function listRecentFilterProjects(
  tx: ReadTransaction,
  team: TeamId,
  filter: FilterId,
  limit: number,
): Promise<ListedProject[]> {
  const found: ListedProject[] = [];
  let scanned = 0;
  for await (const { value } of scanCollection(tx, seenProjects, {
    index: 'byAge',
    prefix: [team],
    reverse: true,
  })) {
    if (value.filters.includes(filter)) found.push(value.project);
    scanned += 1;
    if (found.length >= limit || scanned >= MOST_SCANNED) break;
  }
  return found;
}

/** The projects of a channel's newest cards, newest first, at most `limit`. Without suppressed ones. */
export async function listRecentChannelProjects(
  tx: ReadTransaction,
  team: TeamId,
  channel: ChannelId,
  limit: number,
): Promise<ListedProject[]> {
  const found: ListedProject[] = [];
  let scanned = 0;
  for await (const { value } of scanCollection(tx, cards, {
    index: 'byChannel',
    prefix: [team, channel],
    reverse: true,
  })) {
    const seen = value.state === 'suppressed' ? undefined : await readSeenProject(tx, team, value.project);
    if (seen) found.push(seen.project);
    scanned += 1;
    if (found.length >= limit || scanned >= MOST_SCANNED) break;
  }
  return found;
}
