/** Whether there is a known bid on a project, from Gigdesk or elsewhere. */
import { findProjectAliases } from '../aliases/project-aliases.ts';
import { bids, jobs } from '../bidding/records.ts';
import type { ProjectKey, TeamId } from '../ids.ts';
import type { ReadTransaction } from '../storage/store.ts';

export async function hasBidOnProject(
  tx: ReadTransaction,
  team: TeamId,
  project: ProjectKey,
): Promise<boolean> {
  for (const key of (await findProjectAliases(tx, team, { project })).keys) {
    const range = { index: 'byProject', prefix: [team, key] as const, limit: 1 };
    if ((await tx.list(bids, range)).length > 0 || (await tx.list(jobs, range)).length > 0) return true;
  }
  return false;
}
