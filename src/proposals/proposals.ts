/** Proposals as their users see them: the copy, the search, and each by its id or its application's uid. */
import { hasBidOnProject } from '../bidding/project-bidding.ts';
import { asError } from '../errors.ts';
import type { TeamRecord, WonProposal } from '../feed/fit-history.ts';
import { ProposalId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { MarketplaceClient } from '../marketplace/client.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { Proposal } from '../marketplace/schema.ts';
import type { ProposalSearch } from './create-search.ts';
import type { ProposalMirror } from './mirror.ts';
import { createSentLetters, type SentLettersContext } from './sent-letters.ts';

/** If both are given, they are tried in this order. */
export interface ProposalReference {
  readonly id?: ProposalId;
  readonly uid?: string;
}

export type FindProposalOutcome =
  | { readonly kind: 'found'; readonly proposal: Proposal; readonly from: 'mirror' | 'marketplace' }
  /** The marketplace has none with that id, or none that our token may see. */
  | { readonly kind: 'none' };

interface ProposalServiceParts extends SentLettersContext {
  readonly mirror: ProposalMirror;
  readonly search: ProposalSearch;
  readonly marketplace: Pick<MarketplaceClient, 'fetchProposal' | 'fetchProposalByUid'>;
  readonly log: Log;
}

export type ProposalService = ReturnType<typeof createProposalService>;

export function createProposalService(parts: ProposalServiceParts) {
  const { mirror, search } = parts;
  return {
    mirror,
    search,
    sentLetters: createSentLetters(parts),
    findProposal: findProposal.bind(null, parts),
  };
}

interface Sources extends Pick<ProposalServiceParts, 'marketplace' | 'log'> {
  readonly mirror: Pick<ProposalMirror, 'get' | 'getByApplicationUid' | 'addFetchedProposal'>;
}

const DIGITS = /^#?\s*(\d{1,15})$/u;
/** Not documented: digits, a tilde with letters and digits, or a long word with a digit. */
const UID = /^(?:\d{1,100}|~[\w.-]{1,99}|(?=\D*\d)\w[\w.-]{15,99})$/u;

/** Parses `900`, `#900` or a uid; undefined for anything else, such as words to search for. Pure. */
export function parseProposalReference(text: string): ProposalReference | undefined {
  const words = text.trim();
  const id = ProposalId.safeParse(Number(DIGITS.exec(words)?.[1])).data;
  const uid = UID.test(words) ? words : undefined;
  if (id === undefined && (uid === undefined || /^0*$/u.test(uid))) return undefined;
  return { id, uid };
}

async function orNone(asked: Promise<Proposal>): Promise<Proposal | undefined> {
  try {
    return await asked;
  } catch (thrown) {
    if (thrown instanceof MarketplaceError && thrown.code === 'not-found') return undefined;
    throw thrown;
  }
}

/**
 * Finds one proposal: in the mirror, else at the marketplace. Costs no credits. Adds the marketplace's answer
 * to the mirror.
 * @throws MarketplaceError for any failure except a missing proposal.
 */
export async function findProposal(
  { mirror, marketplace, log }: Sources,
  { id, uid }: ProposalReference,
): Promise<FindProposalOutcome> {
  const held =
    (id === undefined ? undefined : mirror.get(id)) ??
    (uid === undefined ? undefined : mirror.getByApplicationUid(uid));
  if (held) return { kind: 'found', proposal: held, from: 'mirror' };
  const options = { lane: 'person' } as const;
  const read =
    (id === undefined ? undefined : await orNone(marketplace.fetchProposal(id, options))) ??
    (uid === undefined ? undefined : await orNone(marketplace.fetchProposalByUid(uid, options)));
  if (!read) return { kind: 'none' };
  try {
    await mirror.addFetchedProposal(read);
  } catch (thrown) {
    // The user still gets the proposal; the mirror reads it again later.
    log.warn("Couldn't store a proposal", { proposal: read.id, error: asError(thrown) });
  }
  return { kind: 'found', proposal: read, from: 'marketplace' };
}

/** Older wins say little about what the team wants now. */
const MOST_READ = 5_000;
const MOST_WON = 100;

function listNewestWonProposals(mirror: Pick<ProposalMirror, 'listNewestFirst'>): readonly WonProposal[] {
  const won: WonProposal[] = [];
  let read = 0;
  for (const { hired, jobTitle, occupation } of mirror.listNewestFirst()) {
    if (hired && jobTitle !== undefined) won.push({ title: jobTitle, occupation });
    read += 1;
    if (read >= MOST_READ || won.length >= MOST_WON) break;
  }
  return won;
}

/**
 * What bids and proposals say of the team's work, for the feed to compare new projects with.
 * @param getMirror called once the feed runs: the mirror is created after the feed
 */
export function createTeamRecord(getMirror: () => Pick<ProposalMirror, 'listNewestFirst'>): TeamRecord {
  return { hasBid: hasBidOnProject, listWonProposals: () => listNewestWonProposals(getMirror()) };
}
