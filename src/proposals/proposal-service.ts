/** One proposal by its id or its application's uid: out of the mirror, else of the marketplace. */
import { asError } from '../errors.ts';
import { ProposalId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { MarketplaceClient } from '../marketplace/client.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { Proposal } from '../marketplace/schema.ts';
import type { ProposalMirror } from './mirror.ts';
import type { ProposalSearch } from './search.ts';

/** Where both are given, they are tried in this order. */
export interface ProposalReference {
  readonly id?: ProposalId;
  readonly uid?: string;
}

export type FindProposalOutcome =
  | { readonly kind: 'found'; readonly proposal: Proposal; readonly from: 'mirror' | 'marketplace' }
  /** The marketplace knows none by that id, or not for our token. */
  | { readonly kind: 'none' };

/** What people ask of proposals. */
export interface ProposalService {
  readonly mirror: ProposalMirror;
  readonly search: ProposalSearch;
  /** @throws MarketplaceError for anything but a proposal that is not there. */
  findProposal(reference: ProposalReference): Promise<FindProposalOutcome>;
}

interface Sources {
  readonly mirror: Pick<ProposalMirror, 'get' | 'getByApplicationUid' | 'addFetchedProposal'>;
  readonly marketplace: Pick<MarketplaceClient, 'fetchProposal' | 'fetchProposalByUid'>;
  readonly log: Log;
}

const DIGITS = /^#?\s*(\d{1,15})$/u;
/** Not documented; letters, digits and a few signs, beginning with no minus. */
const UID = /^[\w~][\w~.:-]{0,99}$/u;

/** What somebody means by `900`, `#900` or a uid, which may be all digits, too; undefined for what can be neither. Pure. */
export function parseProposalReference(text: string): ProposalReference | undefined {
  const words = text.trim();
  const id = ProposalId.safeParse(Number(DIGITS.exec(words)?.[1])).data;
  const uid = UID.test(words) ? words : undefined;
  if (id === undefined && (uid === undefined || /^0*$/u.test(uid))) return undefined;
  return { ...(id === undefined ? {} : { id }), ...(uid === undefined ? {} : { uid }) };
}

/** What is not there is undefined. */
async function orNone(asked: Promise<Proposal>): Promise<Proposal | undefined> {
  try {
    return await asked;
  } catch (thrown) {
    if (thrown instanceof MarketplaceError && thrown.code === 'not-found') return undefined;
    throw thrown;
  }
}

/**
 * Costs no credits. What the marketplace told is handed to the mirror.
 * @throws MarketplaceError for anything but a proposal that is not there.
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
    // Whoever asked shall see it all the same; the mirror reads it again by itself.
    log.warn("Couldn't store a proposal", { proposal: read.id, error: asError(thrown) });
  }
  return { kind: 'found', proposal: read, from: 'marketplace' };
}
