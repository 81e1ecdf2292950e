/** Whether anybody has bid on a project, from here or elsewhere, as far as we know. */
import { bids, jobs } from '../bidding/records.ts';
import type { ProjectKey, TeamId } from '../ids.ts';
import type { ReadTransaction } from '../storage/store.ts';

export async function isBidOn(tx: ReadTransaction, team: TeamId, project: ProjectKey): Promise<boolean> {
  const range = { index: 'byProject', prefix: [team, project] as const, limit: 1 };
  return (await tx.list(bids, range)).length > 0 || (await tx.list(jobs, range)).length > 0;
}
