/** Recently looked-up projects: repeating a lookup costs no request. */
import { z } from 'zod';
import { type Instant, isRecent, MINUTE } from '../clock.ts';
import { TeamId } from '../ids.ts';
import { LookedUpProject } from '../marketplace/schema.ts';
import { deleteOldRecords } from '../storage/delete-old-records.ts';
import type { Collection, ReadTransaction, Transaction } from '../storage/store.ts';

export const LOOKUP_TTL_MS = 15 * MINUTE;
/** More than one lookup adds, so old records go away. The request limit bounds their number. */
const CLEARED_AT_ONCE = 20;

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
    keptMs: LOOKUP_TTL_MS,
    limit: CLEARED_AT_ONCE,
  } as const;
  await deleteOldRecords(tx, projectLookups, old);
  // A lookup by uid is also stored under its `~id`.
  const names = project.key.startsWith('~') ? [reference, project.key] : [reference];
  for (const name of new Set(names)) await tx.put(projectLookups, [team, name], { team, at, project });
}
