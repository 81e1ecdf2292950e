/** What a bid sends, from our records, before the marketplace has a job for it. */
import { omitUndefined } from '../base/omit-undefined.ts';
import { findSeenProject } from '../feed/find-project.ts';
import type { ReadTransaction } from '../storage/store.ts';
import type { ApprovalSubject } from './approval-request.ts';
import { findJobIdDoubt } from './check-job-id.ts';
import type { Bid } from './records.ts';

type NamedBid = NonNullable<ApprovalSubject['bid']> & Pick<Bid, 'team' | 'setupName'>;

export async function readBidSubject(tx: ReadTransaction, bid: NamedBid): Promise<ApprovalSubject> {
  const { team, project, setupName, request } = bid;
  const { marketplaceJobId, projectId, setup } = request;
  const seen = await findSeenProject(tx, team, { project, marketplaceJobId });
  const doubt = await findJobIdDoubt(tx, team, { project, marketplaceJobId, projectId });
  return {
    job: { project, marketplaceJobId, setup, ...omitUndefined({ setupName }) },
    bid,
    ...omitUndefined({ project: seen?.project, doubt }),
  };
}
