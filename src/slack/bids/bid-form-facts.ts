/** Everything the bid modal shows, and how it is read from our own records. */

import { findProjectAliases } from '../../aliases/project-aliases.ts';
import type { Bid, BidDraft, BidWithJob } from '../../bidding/bidding.ts';
import { findBid } from '../../bidding/decide-bid.ts';
import { joinBidWithJob, listBidsOnProject } from '../../bidding/project-bidding.ts';
import { findJobIdDoubt } from '../../bidding/read-approval-subject.ts';
import { parseMarketplaceJobId } from '../../bidding/validate-bid-form.ts';
import type { Instant } from '../../clock.ts';
import type { Card } from '../../feed/feed.ts';
import { findProjectCard, findSeenProject } from '../../feed/find-project.ts';
import { withFilterVerdict } from '../../feed/merge-project.ts';
import type { BidId } from '../../ids.ts';
import type { ProjectReference } from '../../marketplace/client.ts';
import { parseProjectReference, projectReferenceId } from '../../marketplace/project-key.ts';
import type {
  BiddingSetup,
  ListedProject,
  LookedUpProject,
  ProposalTemplate,
} from '../../marketplace/schema.ts';
import { findCachedListing, findCachedLookup } from '../../projects/lookup-cache.ts';
import type { AnsweredLetter } from '../../proposals/create-search.ts';
import type { SetupList } from '../../setups/setups.ts';
import type { AnswerCost } from '../../statistics/statistics.ts';
import type { ReadTransaction } from '../../storage/store.ts';

/** The template of the chosen setup, as far as the marketplace shows it. */
export type SetupTemplate =
  | { readonly kind: 'read'; readonly template: ProposalTemplate }
  | { readonly kind: 'not-found' }
  /** The marketplace didn't answer just now. */
  | { readonly kind: 'unreadable' };

export interface BidFormFacts {
  readonly draft: BidDraft;
  readonly setups: SetupList;
  readonly claim?: Card['claim'];
  /** The project's bids, newest first, including the one of the chosen setup and job ID. */
  readonly bids: readonly BidWithJob[];
  /** All IDs equal to the form's job ID, without tildes. */
  readonly jobIds: readonly string[];
  readonly budget?: ListedProject['budget'];
  /** What is known of the project beside the draft; a missing description is unknown. */
  readonly project?: Pick<ListedProject, 'client' | 'title' | 'skills'> &
    Partial<Pick<ListedProject, 'description' | 'verdict'>>;
  readonly fit?: Card['fit'];
  /** Of the chosen setup; missing while it is being read, or if the setup has none. */
  readonly template?: SetupTemplate;
  /** Our most similar letters that got an answer. */
  readonly letters?: readonly AnsweredLetter[];
  /** Missing without enough data. */
  readonly answerCost?: AnswerCost;
  /** The draft's own letter nearly repeats this one. */
  readonly similarLetter?: Bid['similarLetter'];
  /** The result of an action in the modal; safe mrkdwn. */
  readonly note?: string;
  /** Bids that blocked the form from being sent, since it had not shown them. */
  readonly bidsNotShownBefore?: ReadonlySet<BidId>;
}

/** The bid that sending would repeat; undefined: none, or the setup or the job ID isn't chosen yet. */
export function findDuplicateBid(
  facts: Pick<BidFormFacts, 'draft' | 'bids' | 'jobIds'>,
): BidWithJob | undefined {
  const { setup } = facts.draft.form;
  if (setup === undefined) return undefined;
  const all = facts.bids.map(({ bid }) => bid);
  const found = findBid(all, facts.jobIds, setup);
  return facts.bids.find(({ bid }) => bid === found);
}

export function chosenSetup({ draft, setups }: BidFormFacts): BiddingSetup | undefined {
  return setups.setups.find(({ id }) => id === draft.form.setup);
}

/** The stored data of a draft's project and its bids. */
export type StoredBidFormFacts = Omit<
  BidFormFacts,
  'setups' | 'template' | 'letters' | 'answerCost' | 'similarLetter' | 'note' | 'bidsNotShownBefore'
>;

/** How to look up the project whose ID is sent; undefined if nothing identifies it. */
export function draftProjectReference({ url, form }: BidDraft): ProjectReference | undefined {
  return parseProjectReference(form.marketplaceJobId) ?? parseProjectReference(url ?? '');
}

/** Whether the form's job ID is known to be another project's. */
export async function isOtherProject(tx: ReadTransaction, { project, form }: BidDraft): Promise<boolean> {
  const marketplaceJobId = parseMarketplaceJobId(form.marketplaceJobId);
  if (marketplaceJobId === undefined) return false;
  return (await findJobIdDoubt(tx, { project, marketplaceJobId }))?.kind === 'other';
}

/** A lookup within the last minutes. */
export async function findRecentProjectLookup(
  tx: ReadTransaction,
  reference: ProjectReference | undefined,
  now: Instant,
): Promise<LookedUpProject | undefined> {
  return reference && findCachedLookup(tx, projectReferenceId(reference), now);
}

/** Also on the project whose job ID was typed: one project, one bid. */
async function readBids(tx: ReadTransaction, { project, form }: BidDraft) {
  const marketplaceJobId = parseMarketplaceJobId(form.marketplaceJobId);
  const bids: BidWithJob[] = [];
  for (const bid of await listBidsOnProject(tx, { project, marketplaceJobId }))
    bids.push(await joinBidWithJob(tx, bid));
  const { jobIds } = await findProjectAliases(tx, { marketplaceJobId });
  return { bids, jobIds };
}

/** From a recent lookup, the feed, or a list. The verdict is that of the channel's own filters. */
async function readProject(tx: ReadTransaction, draft: BidDraft, card: Card | undefined, now: Instant) {
  const { project: key } = draft;
  const looked = await findRecentProjectLookup(tx, draftProjectReference(draft), now);
  const seen = await findSeenProject(tx, { project: key });
  const listed = seen && withFilterVerdict(seen, card?.filters ?? []);
  const project = looked ?? listed ?? (await findCachedListing(tx, key, now));
  return {
    budget: looked?.budget ?? listed?.budget,
    project: project && { ...project, ...(listed?.verdict && { verdict: listed.verdict }) },
  };
}

export async function readBidFormFacts(
  tx: ReadTransaction,
  draft: BidDraft,
  now: Instant,
): Promise<StoredBidFormFacts> {
  const { channel, project } = draft;
  const card = await findProjectCard(tx, channel, { project });
  const bids = await readBids(tx, draft);
  return { draft, ...bids, ...(await readProject(tx, draft, card, now)), claim: card?.claim, fit: card?.fit };
}
