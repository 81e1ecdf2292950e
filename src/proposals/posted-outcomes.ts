/** Which outcomes of a proposal are posted, so one that disappears and returns is posted once. */
import { z } from 'zod';
import { DAY, type Instant } from '../clock.ts';
import { ProposalId, TeamId } from '../ids.ts';
import { ProposalOutcome } from '../outbox/news.ts';
import { deleteOldRecords } from '../storage/delete-old-records.ts';
import type { Collection, ReadTransaction, Transaction } from '../storage/store.ts';

/** Key: [team, proposal]. */
const PostedOutcomes = z.object({
  team: TeamId,
  proposal: ProposalId,
  told: z.array(ProposalOutcome),
  at: z.number(),
});
type PostedOutcomes = z.infer<typeof PostedOutcomes>;

export const postedOutcomes: Collection<PostedOutcomes> = {
  name: 'outcomes-told',
  schema: PostedOutcomes,
  indexes: {
    /** [team, when]: for deleting old records. */
    byAge: (it) => [it.team, it.at],
  },
};

const KEPT_MS = 180 * DAY;
const CLEARED_AT_ONCE = 50;

export async function readPostedOutcomes(
  tx: ReadTransaction,
  team: TeamId,
  proposal: ProposalId,
): Promise<readonly ProposalOutcome[]> {
  const key = [team, proposal] as const;
  const stored = await tx.get(postedOutcomes, key);
  if (stored) return stored.told;
  return (await tx.has(postedOutcomes, key)) ? ProposalOutcome.options : [];
}

/** Adds posted outcomes; writes nothing when all are known. */
export async function recordPostedOutcomes(
  tx: Transaction,
  team: TeamId,
  proposal: ProposalId,
  more: readonly ProposalOutcome[],
  at: Instant,
): Promise<void> {
  const before = await readPostedOutcomes(tx, team, proposal);
  const told = [...new Set([...before, ...more])];
  if (told.length > before.length)
    await tx.put(postedOutcomes, [team, proposal], { team, proposal, told, at });
}

/** Deletes a few at a time. */
export async function clearOldPostedOutcomes(tx: Transaction, team: TeamId, at: Instant): Promise<void> {
  const old = { index: 'byAge', prefix: [team], at, keptMs: KEPT_MS, limit: CLEARED_AT_ONCE } as const;
  await deleteOldRecords(tx, postedOutcomes, old);
}
