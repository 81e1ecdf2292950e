/** Recently listed projects of monitoring results. Their buttons and the bid form use them. */
import { z } from 'zod';
import { DAY, type Instant, isRecent } from '../clock.ts';
import { type ProjectKey, TeamId } from '../ids.ts';
import { ListedProject } from '../marketplace/schema.ts';
import { deleteOldRecords } from '../storage/delete-old-records.ts';
import type { Collection, ReadTransaction, Transaction } from '../storage/store.ts';

/** Slack shows a person's own replies for about that long. */
export const LISTING_TTL_MS = DAY;
/** More than a page adds. */
const CLEARED_AT_ONCE = 200;

/** Without the description, which nothing here shows. */
const Listing = z.object({
  team: TeamId,
  at: z.number(),
  project: ListedProject.omit({ description: true }),
});
type Listing = z.infer<typeof Listing>;
export type CachedListing = Listing['project'];

/** Key: [team, project]. */
export const projectListings: Collection<Listing> = {
  name: 'project-listings',
  schema: Listing,
  indexes: { /** [team, at] */ byAge: ({ team, at }) => [team, at] },
};

export async function findCachedListing(
  tx: ReadTransaction,
  team: TeamId,
  project: string,
  now: Instant,
): Promise<CachedListing | undefined> {
  const found = await tx.get(projectListings, [team, project]);
  return found && isRecent(found.at, LISTING_TTL_MS, now) ? found.project : undefined;
}

export async function cacheListings(
  tx: Transaction,
  team: TeamId,
  projects: readonly ListedProject[],
  at: Instant,
): Promise<void> {
  const old = {
    index: 'byAge',
    prefix: [team],
    at,
    keptMs: LISTING_TTL_MS,
    limit: CLEARED_AT_ONCE,
  } as const;
  await deleteOldRecords(tx, projectListings, old);
  const byKey = new Map<ProjectKey, ListedProject>(projects.map((project) => [project.key, project]));
  for (const [key, { description: _, ...project }] of byKey)
    await tx.put(projectListings, [team, key], { team, at, project });
}
