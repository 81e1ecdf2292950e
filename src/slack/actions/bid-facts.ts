/** Reads what the bid modal shows, from our own records alone. */
import type { BidView } from '../../bidding/bidding.ts';
import { bidsOnProject, viewOf } from '../../bidding/project-bidding.ts';
import { readMarketplaceJobId } from '../../bidding/read-job-id.ts';
import type { BidDraft } from '../../bidding/records.ts';
import type { Instant } from '../../clock.ts';
import { cardKey, cards, projectRecordKey, seenProjects } from '../../feed/records.ts';
import type { TeamId } from '../../ids.ts';
import type { ProjectReference } from '../../marketplace/client.ts';
import type { ListedProject, LookedUpProject } from '../../marketplace/schema.ts';
import { findLookup } from '../../projects/lookups.ts';
import type { ReadTransaction } from '../../storage/store.ts';
import type { BidFormFacts } from '../views/bid-form-facts.ts';
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
async function readBids(tx: ReadTransaction, draft: BidDraft): Promise<readonly BidView[]> {
  const { team, project, form } = draft;
  const marketplaceJobId = readMarketplaceJobId(form.marketplaceJobId);
  const views: BidView[] = [];
  for (const bid of await bidsOnProject(tx, team, { project, marketplaceJobId }))
    views.push(await viewOf(tx, bid));
  return views;
}

async function readBudget(
  tx: ReadTransaction,
  draft: BidDraft,
  now: Instant,
): Promise<ListedProject['budget']> {
  const { team, project } = draft;
  const looked = await knownLookup(tx, team, draftReference(draft), now);
  if (looked?.budget) return looked.budget;
  return (await tx.get(seenProjects, projectRecordKey(team, project)))?.project.budget;
}

export async function readFormFacts(
  tx: ReadTransaction,
  draft: BidDraft,
  now: Instant,
): Promise<StoredFacts> {
  const card = await tx.get(cards, cardKey(draft.team, draft.channel, draft.project));
  const bids = await readBids(tx, draft);
  const budget = await readBudget(tx, draft, now);
  return {
    draft,
    bids,
    ...(card?.claim ? { claim: card.claim } : {}),
    ...(budget ? { budget } : {}),
  };
}
