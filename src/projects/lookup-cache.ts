/** What lookups remember: paid answers, listings, and projects that weren't found. */

import { z } from 'zod';
import { type Clock, DAY, type Instant, isRecent, MINUTE } from '../clock.ts';
import { type ProjectKey, TeamId } from '../ids.ts';
import { ListedProject, LookedUpProject } from '../marketplace/schema.ts';
import { deleteOldRecords } from '../storage/delete-old-records.ts';
import type { Collection, ReadTransaction, Transaction } from '../storage/store.ts';

/** An older answer isn't used for a new decision, such as a bid. */
const LOOKUP_TTL_MS = 15 * MINUTE;
/** A card's details show an older answer with its age: looking it up again may cost a credit. */
const LOOKUP_KEPT_MS = DAY;
/** More than one lookup adds, so old records go away. The request limit bounds their number. */
const LOOKUPS_CLEARED_AT_ONCE = 20;

const Lookup = z.object({ team: TeamId, at: z.number(), project: LookedUpProject });
type Lookup = z.infer<typeof Lookup>;

/** Key: [team, ciphertext or uid]. */
export const projectLookups: Collection<Lookup> = {
  name: 'project-lookups',
  schema: Lookup,
  indexes: { /** [team, at] */ byAge: ({ team, at }) => [team, at] },
};

export async function findCachedLookup(
  tx: ReadTransaction,
  team: TeamId,
  reference: string,
  now: Instant,
): Promise<LookedUpProject | undefined> {
  const found = await tx.get(projectLookups, [team, reference]);
  return found && isRecent(found.at, LOOKUP_TTL_MS, now) ? found.project : undefined;
}

/** The last answer, up to a day old, with its time. */
export async function findStoredLookup(
  tx: ReadTransaction,
  team: TeamId,
  reference: string,
  now: Instant,
): Promise<Pick<Lookup, 'project' | 'at'> | undefined> {
  const found = await tx.get(projectLookups, [team, reference]);
  return found && isRecent(found.at, LOOKUP_KEPT_MS, now) ? found : undefined;
}

export async function cacheLookup(
  tx: Transaction,
  team: TeamId,
  reference: string,
  project: LookedUpProject,
  at: Instant,
): Promise<void> {
  const old = {
    index: 'byAge',
    prefix: [team],
    at,
    keptMs: LOOKUP_KEPT_MS,
    limit: LOOKUPS_CLEARED_AT_ONCE,
  } as const;
  await deleteOldRecords(tx, projectLookups, old);
  // A lookup by uid is also stored under its `~id`.
  const names = project.key.startsWith('~') ? [reference, project.key] : [reference];
  for (const name of new Set(names)) await tx.put(projectLookups, [team, name], { team, at, project });
}

/** Slack shows a person's own replies for about that long. */
const LISTING_TTL_MS = DAY;
/** More than a page adds. */
const LISTINGS_CLEARED_AT_ONCE = 200;

/** Without the description, which nothing here shows. */
const Listing = z.object({
  team: TeamId,
  at: z.number(),
  project: ListedProject.omit({ description: true }),
});
type Listing = z.infer<typeof Listing>;

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
): Promise<Listing['project'] | undefined> {
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
    limit: LISTINGS_CLEARED_AT_ONCE,
  } as const;
  await deleteOldRecords(tx, projectListings, old);
  const byKey = new Map<ProjectKey, ListedProject>(projects.map((project) => [project.key, project]));
  for (const [key, { description: _, ...project }] of byKey)
    await tx.put(projectListings, [team, key], { team, at, project });
}

/** Long enough for a link that people share, short enough for a project that appears later. */
export const NOT_FOUND_TTL_MS = 3 * MINUTE;
const MOST_KEPT = 1_000;

export class NotFoundCache {
  readonly #clock: Clock;
  /** When the marketplace answered, oldest first. */
  readonly #askedAt = new Map<string, Instant>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(reference: string): void {
    this.#askedAt.delete(reference);
    this.#askedAt.set(reference, this.#clock.now());
    for (const oldest of this.#askedAt.keys()) {
      if (this.#askedAt.size <= MOST_KEPT) return;
      this.#askedAt.delete(oldest);
    }
  }

  /** When the marketplace said it doesn't know this id; undefined when a request is allowed. */
  notFoundAt(reference: string): Instant | undefined {
    const at = this.#askedAt.get(reference);
    const now = this.#clock.now();
    // A future time means the clock was set back; it would keep the id unknown for too long.
    return at !== undefined && at <= now && now < at + NOT_FOUND_TTL_MS ? at : undefined;
  }
}
