/** What a bid or an approval sends, from our records. */
import { omitUndefined } from '../base/omit-undefined.ts';
import { findSeenProject } from '../feed/find-project.ts';
import type { TeamId } from '../ids.ts';
import { storedSetups } from '../setups/setups.ts';
import type { ReadTransaction } from '../storage/store.ts';
import type { ApprovalSubject } from './approval-request.ts';
import { findJobIdDoubt } from './check-job-id.ts';
import { type Bid, bidKey, bids } from './records.ts';

type NamedBid = NonNullable<ApprovalSubject['bid']> & Pick<Bid, 'team' | 'setupName'>;

/** Before the marketplace has a job for it. */
export function readBidSubject(tx: ReadTransaction, bid: NamedBid): Promise<ApprovalSubject> {
  const { team, project, setupName, request } = bid;
  const { marketplaceJobId, setup } = request;
  return readSubject(tx, team, { project, marketplaceJobId, setup, ...omitUndefined({ setupName }) }, bid);
}

/** @param job our record, or just the reported status */
export async function readApprovalSubject(
  tx: ReadTransaction,
  team: TeamId,
  job: ApprovalSubject['job'],
): Promise<ApprovalSubject> {
  return readSubject(tx, team, job, await readCreatingBid(tx, team, job));
}

/** The bid whose latest request created the job. After a later attempt, its record describes another job. */
async function readCreatingBid(
  tx: ReadTransaction,
  team: TeamId,
  { id, bid: bidId }: ApprovalSubject['job'],
): Promise<Bid | undefined> {
  const bid = bidId === undefined ? undefined : await tx.get(bids, bidKey(team, bidId));
  return bid?.job === id ? bid : undefined;
}

async function readSubject(
  tx: ReadTransaction,
  team: TeamId,
  job: ApprovalSubject['job'],
  bid: ApprovalSubject['bid'],
): Promise<ApprovalSubject> {
  const { marketplaceJobId = bid?.request.marketplaceJobId, project = bid?.project } = job;
  const { projectId } = bid?.request ?? {};
  const seen = await findSeenProject(tx, team, { project, marketplaceJobId });
  const doubt =
    project && marketplaceJobId
      ? await findJobIdDoubt(tx, team, { project, marketplaceJobId, projectId })
      : undefined;
  const template = await readTemplateName(tx, team, job.setup ?? bid?.request.setup);
  return { job, ...omitUndefined({ bid, project: seen?.project, doubt, template }) };
}

async function readTemplateName(
  tx: ReadTransaction,
  team: TeamId,
  setup: ApprovalSubject['job']['setup'],
): Promise<ApprovalSubject['template']> {
  const stored = setup === undefined ? undefined : await tx.get(storedSetups, [team, setup]);
  return stored && (stored.setup.template ?? 'none');
}
