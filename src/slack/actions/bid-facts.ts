/** Reads what the bid modal shows, from our own records alone. */
import { sameProject } from '../../aliases/project-aliases.ts';
import type { BidView } from '../../bidding/bidding.ts';
import { bidsOnProject, viewOf } from '../../bidding/project-bidding.ts';
import { readMarketplaceJobId } from '../../bidding/read-job-id.ts';
import type { BidDraft } from '../../bidding/records.ts';
import type { Instant } from '../../clock.ts';
import type { TeamId } from '../../ids.ts';
import type { ProjectReference } from '../../marketplace/client.ts';
import type { ListedProject, LookedUpProject } from '../../marketplace/schema.ts';
import { findLookup } from '../../projects/lookups.ts';
import type { ReadTransaction } from '../../storage/store.ts';
import { findCardOf, findSeenProject } from '../known-project.ts';
import { type BidFormFacts, chosenBid } from '../views/bid-form-facts.ts';
import { draftReference } from '../views/bid-form-top.ts';

/** What is stored of a draft's project and its bids. */
export type StoredFacts = Omit<BidFormFacts, 'setups' | 'template' | 'note' | 'news'>;

/** A lookup of the last minutes. */
export async function knownLookup(
  tx: ReadTransaction,
  team: TeamId,
  reference: ProjectReference | undefined,
  now: Instant,
): Promise<LookedUpProject | undefined> {
  if (!reference) return undefined;
  return findLookup(tx, team, 'ciphertext' in reference ? reference.ciphertext : reference.uid, now);
}

/** All on the project, and on another one where its job id was typed. */
async function readBids(
  tx: ReadTransaction,
  draft: BidDraft,
): Promise<Pick<BidFormFacts, 'bids' | 'jobIds'>> {
  const { team, project, form } = draft;
  const marketplaceJobId = readMarketplaceJobId(form.marketplaceJobId);
  const bids: BidView[] = [];
  for (const bid of await bidsOnProject(tx, team, { project, marketplaceJobId }))
    bids.push(await viewOf(tx, bid));
  const { jobIds } = await sameProject(tx, team, { marketplaceJobId });
  return { bids, jobIds };
}

/** The bid that sending the draft would repeat, where there is one. */
export async function readChosenBid(tx: ReadTransaction, draft: BidDraft): Promise<BidView | undefined> {
  return chosenBid({ draft, ...(await readBids(tx, draft)) });
}

async function readBudget(
  tx: ReadTransaction,
  draft: BidDraft,
  now: Instant,
): Promise<ListedProject['budget']> {
  const { team, project } = draft;
  const looked = await knownLookup(tx, team, draftReference(draft), now);
  if (looked?.budget) return looked.budget;
  return (await findSeenProject(tx, team, { project }))?.project.budget;
}

export async function readFormFacts(
  tx: ReadTransaction,
  draft: BidDraft,
  now: Instant,
): Promise<StoredFacts> {
  const { team, channel, project } = draft;
  const card = await findCardOf(tx, team, channel, { project });
  const bids = await readBids(tx, draft);
  const budget = await readBudget(tx, draft, now);
  return {
    draft,
    ...bids,
    ...(card?.claim ? { claim: card.claim } : {}),
    ...(budget ? { budget } : {}),
  };
}
