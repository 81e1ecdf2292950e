/** The newest known projects of a filter: what previews of rules look at. */
import type { FilterId, TeamId } from '../ids.ts';
import type { ListedProject } from '../marketplace/schema.ts';
import { type ReadTransaction, scanCollection } from '../storage/store.ts';
import { seenProjects } from './records.ts';

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
