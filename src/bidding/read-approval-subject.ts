/** What a bid or an approval sends, from our records. */

import { findProjectAliases, removeJobIdTilde } from '../aliases/project-aliases.ts';
import { findSeenProject } from '../feed/find-project.ts';
import { projectLookups } from '../projects/lookup-cache.ts';
import { storedSetups } from '../setups/setups.ts';
import type { ReadTransaction } from '../storage/store.ts';
import type { ApprovalSubject, JobIdDoubt } from './approval-request.ts';
import { type Bid, type BidRequest, bids } from './records.ts';

/** Before the marketplace has a job for it. */
export function readBidSubject(
  tx: ReadTransaction,
  bid: NonNullable<ApprovalSubject['bid']> & Pick<Bid, 'setupName'>,
): Promise<ApprovalSubject> {
  const { project, setupName, request } = bid;
  const { marketplaceJobId, setup } = request;
  return readSubject(tx, { project, marketplaceJobId, setup, setupName }, bid);
}

/** @param job our record, or just the reported status */
export async function readApprovalSubject(tx: ReadTransaction, job: ApprovalSubject['job']) {
  return readSubject(tx, job, await readCreatingBid(tx, job));
}

/** The bid whose latest request created the job. After a later attempt, its record describes another job. */
export async function readCreatingBid(tx: ReadTransaction, { id, bid: bidId }: ApprovalSubject['job']) {
  const bid = bidId === undefined ? undefined : await tx.get(bids, [bidId]);
  return bid?.job === id ? bid : undefined;
}

async function readSubject(tx: ReadTransaction, job: ApprovalSubject['job'], bid: ApprovalSubject['bid']) {
  const { marketplaceJobId = bid?.request.marketplaceJobId, project = bid?.project } = job;
  const { projectId } = bid?.request ?? {};
  const seen = await findSeenProject(tx, { project, marketplaceJobId });
  const named = project && marketplaceJobId && { project, marketplaceJobId, projectId };
  const doubt = named ? await findJobIdDoubt(tx, named) : undefined;
  const template = await readTemplateName(tx, job.setup ?? bid?.request.setup);
  return { job, bid, project: seen?.project, doubt, template };
}

async function readTemplateName(tx: ReadTransaction, setup: ApprovalSubject['job']['setup']) {
  const stored = setup === undefined ? undefined : await tx.get(storedSetups, [setup]);
  return stored && (stored.setup.template ?? ('none' as const));
}

const UNPROVEN: JobIdDoubt = { kind: 'unproven' };

/**
 * undefined: it is the project's own.
 * @param bid `project` as the form or the card shows it, and the IDs that are sent. By its `projectId`, the
 * marketplace finds the project
 */
export async function findJobIdDoubt(
  tx: ReadTransaction,
  bid: Pick<Bid, 'project'> & Pick<BidRequest, 'marketplaceJobId' | 'projectId'>,
): Promise<JobIdDoubt | undefined> {
  const { project, marketplaceJobId, projectId } = bid;
  const own = projectId === undefined ? undefined : UNPROVEN;
  const { keys, jobIds } = await findProjectAliases(tx, { project });
  if (jobIds.includes(removeJobIdTilde(marketplaceJobId))) return own;
  // Its `~id` is known, and is another one.
  if (project.startsWith('~') || jobIds.length > 1) return { kind: 'other' };
  const seen = await findSeenProject(tx, { marketplaceJobId });
  if (seen && !keys.includes(seen.project.key)) return { kind: 'other', title: seen.project.title };
  const looked = await readLookup(tx, marketplaceJobId);
  if (!looked) return UNPROVEN;
  if (keys.includes(looked.key)) return own;
  // A title proves nothing: its client may have changed it since. Two different ids of one kind, such as two
  // `pid`s, do. Of two addresses nobody knows.
  const [kind] = project.split(':');
  const isOther = kind !== 'url' && looked.key.startsWith(`${kind}:`);
  return isOther ? { kind: 'other', title: looked.title } : UNPROVEN;
}

/** The last lookup of an ID, of a day at most; its price may be old, but not which project it is. */
async function readLookup(tx: ReadTransaction, marketplaceJobId: string) {
  for (const name of [marketplaceJobId, `~${removeJobIdTilde(marketplaceJobId)}`]) {
    const found = await tx.get(projectLookups, [name]);
    if (found) return found.project;
  }
  return undefined;
}
