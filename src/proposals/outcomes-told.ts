/** Which outcomes of a proposal were told, so that one which goes and comes again is told once. */
import { z } from 'zod';
import { DAY, type Instant } from '../clock.ts';
import { ProposalId, TeamId } from '../ids.ts';
import { Outcome } from '../outbox/outcome-news.ts';
import { clearOlder } from '../storage/clear-older.ts';
import type { Collection, ReadTransaction, Transaction } from '../storage/store.ts';

/** Key: [team, proposal]. */
const OutcomesTold = z.object({
  team: TeamId,
  proposal: ProposalId,
  told: z.array(Outcome),
  at: z.number(),
});
type OutcomesTold = z.infer<typeof OutcomesTold>;

export const outcomesTold: Collection<OutcomesTold> = {
  name: 'outcomes-told',
  schema: OutcomesTold,
  indexes: {
    /** [team, when]: for clearing out the old. */
    byAge: (it) => [it.team, it.at],
  },
};

const KEPT_MS = 180 * DAY;
const CLEARED_AT_ONCE = 50;

export async function readTold(
  tx: ReadTransaction,
  team: TeamId,
  proposal: ProposalId,
): Promise<readonly Outcome[]> {
  const key = [team, proposal] as const;
  const stored = await tx.get(outcomesTold, key);
  if (stored) return stored.told;
  return (await tx.has(outcomesTold, key)) ? Outcome.options : [];
}

/** Remembers more of them; nothing is written for what is known. */
export async function noteTold(
  tx: Transaction,
  team: TeamId,
  proposal: ProposalId,
  more: readonly Outcome[],
  at: Instant,
): Promise<void> {
  const before = await readTold(tx, team, proposal);
  const told = [...new Set([...before, ...more])];
  if (told.length > before.length) await tx.put(outcomesTold, [team, proposal], { team, proposal, told, at });
}

/** A few at a time. */
export async function clearTold(tx: Transaction, team: TeamId, at: Instant): Promise<void> {
  const old = { index: 'byAge', prefix: [team], at, keptMs: KEPT_MS, limit: CLEARED_AT_ONCE } as const;
  await clearOlder(tx, outcomesTold, old);
}
