/** What lookups remember: paid answers, listings, and projects that weren't found. */

import { z } from 'zod';
import { putBounded } from '../base/put-bounded.ts';
import { type Clock, DAY, type Instant, isRecent, MINUTE } from '../clock.ts';
import { ListedProject, LookedUpProject } from '../marketplace/schema.ts';
import { collection, type ReadTransaction, type Transaction } from '../storage/store.ts';

/** An older answer isn't used for a new decision, such as a bid. */
const LOOKUP_TTL_MS = 15 * MINUTE;
/** A card's details show an older answer with its age: looking it up again may cost a credit. */
const LOOKUP_KEPT_MS = DAY;
/** Slack shows a person's own replies for about that long. */
const LISTING_TTL_MS = DAY;

/** Projects as the marketplace showed them, each with the time, under a name of the project. */
function createProjectCache<P>(name: string, project: z.ZodType<P>, keptMs: number) {
  const answers = collection({
    name,
    schema: z.object({ name: z.string(), at: z.number(), project }),
    key: (it) => [it.name],
    indexes: { byAge: ({ at }) => [at] },
    keepFor: { ms: keptMs },
  });
  return {
    answers,
    /** The last answer with its time, up to `maxAgeMs` old. */
    find: async (tx: ReadTransaction, called: string, now: Instant, maxAgeMs = keptMs) => {
      const found = await tx.get(answers, [called]);
      return found && isRecent(found.at, maxAgeMs, now) ? found : undefined;
    },
    async store(tx: Transaction, projects: ReadonlyMap<string, P>, at: Instant): Promise<void> {
      for (const [called, project] of projects) await tx.put(answers, { name: called, at, project });
    },
  };
}

/** By ciphertext or uid. The request limit bounds their number. */
const lookups = createProjectCache('project-lookups', LookedUpProject, LOOKUP_KEPT_MS);
export const projectLookups = lookups.answers;

/** The last answer, up to a day old, with its time. */
export const findStoredLookup = lookups.find;

export async function findCachedLookup(tx: ReadTransaction, reference: string, now: Instant) {
  return (await lookups.find(tx, reference, now, LOOKUP_TTL_MS))?.project;
}

export function cacheLookup(tx: Transaction, reference: string, project: LookedUpProject, at: Instant) {
  // A lookup by uid is also stored under its `~id`.
  const names = project.key.startsWith('~') ? [reference, project.key] : [reference];
  return lookups.store(tx, new Map(names.map((name) => [name, project])), at);
}

/** Without the description, which nothing here shows. */
const Listing = ListedProject.omit({ description: true });
const listings = createProjectCache('project-listings', Listing, LISTING_TTL_MS);
export const projectListings = listings.answers;

export async function findCachedListing(tx: ReadTransaction, project: string, now: Instant) {
  return (await listings.find(tx, project, now))?.project;
}

export function cacheListings(tx: Transaction, projects: readonly ListedProject[], at: Instant) {
  const byKey = new Map<string, z.infer<typeof Listing>>();
  for (const { description: _, ...project } of projects) byKey.set(project.key, project);
  return listings.store(tx, byKey, at);
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
    putBounded(this.#askedAt, reference, this.#clock.now(), MOST_KEPT);
  }

  /** When the marketplace said it doesn't know this id; undefined when a request is allowed. */
  notFoundAt(reference: string): Instant | undefined {
    const at = this.#askedAt.get(reference);
    return isRecent(at, NOT_FOUND_TTL_MS, this.#clock.now()) ? at : undefined;
  }
}
