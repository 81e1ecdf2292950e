/** Reads the bid modal's data from our own records alone. */
import { findProjectAliases } from '../../aliases/project-aliases.ts';
import type { BidWithJob } from '../../bidding/bidding.ts';
import { parseMarketplaceJobId } from '../../bidding/parse-job-id.ts';
import { joinBidWithJob, listBidsOnProject } from '../../bidding/project-bidding.ts';
import type { BidDraft } from '../../bidding/records.ts';
import type { Instant } from '../../clock.ts';
import { findProjectCard, findSeenProject } from '../../feed/find-project.ts';
import type { TeamId } from '../../ids.ts';
import type { ProjectReference } from '../../marketplace/client.ts';
import type { ListedProject, LookedUpProject } from '../../marketplace/schema.ts';
import { findCachedLookup } from '../../projects/lookup-cache.ts';
import type { ReadTransaction } from '../../storage/store.ts';
import { type BidFormFacts, findDuplicateBid } from './bid-form-facts.ts';
import { draftProjectReference } from './bid-form-top.ts';

/** The stored data of a draft's project and its bids. */
export type StoredBidFormFacts = Omit<BidFormFacts, 'setups' | 'template' | 'note' | 'bidsNotShownBefore'>;

/** A lookup within the last minutes. */
export async function findRecentProjectLookup(
  tx: ReadTransaction,
  team: TeamId,
  reference: ProjectReference | undefined,
  now: Instant,
): Promise<LookedUpProject | undefined> {
  if (!reference) return undefined;
  return findCachedLookup(tx, team, 'ciphertext' in reference ? reference.ciphertext : reference.uid, now);
}

/** All bids on the project, and on the one whose job ID was typed. */
async function readBids(
  tx: ReadTransaction,
  draft: BidDraft,
): Promise<Pick<BidFormFacts, 'bids' | 'jobIds'>> {
  const { team, project, form } = draft;
  const marketplaceJobId = parseMarketplaceJobId(form.marketplaceJobId);
  const bids: BidWithJob[] = [];
  for (const bid of await listBidsOnProject(tx, team, { project, marketplaceJobId }))
    bids.push(await joinBidWithJob(tx, bid));
  const { jobIds } = await findProjectAliases(tx, team, { marketplaceJobId });
  return { bids, jobIds };
}

/** The bid that sending the draft would repeat, if any. */
export async function readDuplicateBid(
  tx: ReadTransaction,
  draft: BidDraft,
): Promise<BidWithJob | undefined> {
  return findDuplicateBid({ draft, ...(await readBids(tx, draft)) });
}

async function readBudget(
  tx: ReadTransaction,
  draft: BidDraft,
  now: Instant,
): Promise<ListedProject['budget']> {
  const { team, project } = draft;
  const looked = await findRecentProjectLookup(tx, team, draftProjectReference(draft), now);
  if (looked?.budget) return looked.budget;
  return (await findSeenProject(tx, team, { project }))?.project.budget;
}

export async function readBidFormFacts(
  tx: ReadTransaction,
  draft: BidDraft,
  now: Instant,
): Promise<StoredBidFormFacts> {
  const { team, channel, project } = draft;
  const card = await findProjectCard(tx, team, channel, { project });
  const bids = await readBids(tx, draft);
  const budget = await readBudget(tx, draft, now);
  return {
    draft,
    ...bids,
    ...(card?.claim ? { claim: card.claim } : {}),
    ...(budget ? { budget } : {}),
  };
}
