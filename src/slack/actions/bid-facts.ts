/** Reads what the bid modal shows, from our own records alone. */
import type { BidView } from '../../bidding/bidding.ts';
import { readBidView, readProjectBidding } from '../../bidding/project-bidding.ts';
import type { BidDraft } from '../../bidding/records.ts';
import type { Instant } from '../../clock.ts';
import { cardKey, cards, projectRecordKey, seenProjects } from '../../feed/records.ts';
import type { TeamId } from '../../ids.ts';
import type { ProjectReference } from '../../marketplace/client.ts';
import type { ListedProject, LookedUpProject } from '../../marketplace/schema.ts';
import { findLookup } from '../../projects/lookups.ts';
import type { ReadTransaction } from '../../storage/store.ts';
import { type BidFormFacts, chosenBidId } from '../views/bid-form-facts.ts';
import { draftReference } from '../views/bid-form-top.ts';

/** What is stored of a draft's project and its bids. */
export type StoredFacts = Omit<BidFormFacts, 'setups' | 'template' | 'note'>;

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

async function readBids(tx: ReadTransaction, draft: BidDraft): Promise<readonly BidView[]> {
  const { bids } = await readProjectBidding(tx, draft.team, draft.project);
  const chosen = chosenBidId(draft);
  if (chosen === undefined || bids.some(({ bid }) => bid.id === chosen)) return bids;
  // Under another key of the same project, or for another job id that was typed.
  const other = await readBidView(tx, draft.team, chosen);
  return other ? [other, ...bids] : bids;
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
