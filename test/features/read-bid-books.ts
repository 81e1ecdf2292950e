/** The app's stored bid records. */
import { projectAliases } from '../../src/aliases/project-aliases.ts';
import { type AuditEntry, auditEntries } from '../../src/audit/audit.ts';
import { type Bid, bids, type Job, jobs } from '../../src/bidding/records.ts';
import { TeamId } from '../../src/ids.ts';
import { type Post, posts } from '../../src/outbox/posts.ts';
import {
  type ConnectsUse,
  type ConnectsWeek,
  connectsUses,
  connectsWeeks,
} from '../../src/spending/records.ts';
import { type Collection, type ReadTransaction, scanCollection } from '../../src/storage/store.ts';
import { type LedgerBooks, readLedger } from './read-ledger.ts';

export interface BidBooks {
  readonly bids: readonly Bid[];
  readonly jobs: readonly Job[];
  readonly audit: readonly AuditEntry[];
  readonly ledger: LedgerBooks;
  readonly posts: readonly Post[];
  readonly uses: readonly ConnectsUse[];
  readonly weeks: readonly ConnectsWeek[];
  /** When the app linked a uid with its `~id`. */
  readonly linked: readonly { readonly uid: string; readonly at: number }[];
}

export async function readBidBooks(tx: ReadTransaction, team: string): Promise<BidBooks> {
  const all = async <T>(collection: Collection<T>): Promise<T[]> => {
    const found: T[] = [];
    for await (const { value } of scanCollection(tx, collection, { prefix: [TeamId.parse(team)] }))
      found.push(value);
    return found;
  };
  return {
    bids: await all(bids),
    jobs: await all(jobs),
    audit: await all(auditEntries),
    ledger: await readLedger(tx, team),
    posts: await all(posts),
    uses: await all(connectsUses),
    weeks: await all(connectsWeeks),
    linked: await all(projectAliases),
  };
}
