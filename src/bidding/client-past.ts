/**
 * What the team did with a project's client before. The API names a client only in two ways: a lookup lists
 * the client's earlier jobs, and an invitation has the client's uid. Without either, nothing is known.
 */
import { findProjectAliases, type ProjectIdentifiers } from '../aliases/project-aliases.ts';
import type { Card } from '../feed/feed.ts';
import { readCard, readSeenProject } from '../feed/find-project.ts';
import type { ChannelId, ProjectKey } from '../ids.ts';
import { listInvitedProjectsOfClient } from '../invitations/invitations.ts';
import { parseProjectKey } from '../marketplace/project-key.ts';
import type { WorkHistoryEntry } from '../marketplace/schema.ts';
import type { ReadTransaction } from '../storage/store.ts';
import type { BidWithJob } from './bidding.ts';
import { joinBidWithJob, listBidsOnProject } from './project-bidding.ts';

export interface PastWithClient {
  /** Untrusted text; may be empty. */
  readonly title: string;
  /** Of this channel, if it was claimed or skipped. */
  readonly card?: Card;
  /** From any channel, newest first. */
  readonly bids: readonly BidWithJob[];
}

/** A client's history may have hundreds of jobs. */
const MOST_PROJECTS = 60;

type Named = ProjectIdentifiers & Pick<PastWithClient, 'title'>;

function nameOfJob({ uid, url, title = '' }: WorkHistoryEntry): Named | undefined {
  const project = url ? parseProjectKey(url) : undefined;
  const marketplaceJobId = uid && /^[\w-]{1,100}$/u.test(uid) ? uid : undefined;
  if (project === undefined && marketplaceJobId === undefined) return undefined;
  return { title, project, marketplaceJobId };
}

async function pastOf(tx: ReadTransaction, channel: ChannelId, named: Named) {
  const { keys } = await findProjectAliases(tx, named);
  let card: Card | undefined;
  let { title } = named;
  for (const key of keys) {
    const here = await readCard(tx, channel, key);
    if (here?.claim || here?.skip) card = here;
    title ||= (await readSeenProject(tx, key))?.project.title ?? '';
  }
  const bids: BidWithJob[] = [];
  for (const bid of await listBidsOnProject(tx, named)) bids.push(await joinBidWithJob(tx, bid));
  if (!card && bids.length === 0) return undefined;
  return { title: title || bids[0]?.bid.title || '', bids, card };
}

/**
 * Other projects of the same client that this channel claimed or skipped, or that the team bid on.
 * @param history the client's earlier jobs, from a lookup; empty if there was none
 */
export async function listPastWithClient(
  tx: ReadTransaction,
  { channel, project }: { readonly channel: ChannelId; readonly project: ProjectKey },
  history: readonly WorkHistoryEntry[],
): Promise<readonly PastWithClient[]> {
  const own = await findProjectAliases(tx, { project });
  const named: Named[] = history.flatMap((entry) => nameOfJob(entry) ?? []);
  for (const key of own.keys) named.push(...(await listInvitedProjectsOfClient(tx, key)));
  const found: PastWithClient[] = [];
  const done = new Set<string>(own.keys);
  for (const each of named.slice(0, MOST_PROJECTS)) {
    const { keys } = await findProjectAliases(tx, each);
    if (keys.some((key) => done.has(key))) continue;
    for (const key of keys) done.add(key);
    const past = await pastOf(tx, channel, each);
    if (past) found.push(past);
  }
  return found;
}
