/** What is to be known of a setup before it bids, and in which order people are offered setups. Pure. */
import type { FilterId } from '../ids.ts';
import type { BiddingSetup } from '../marketplace/schema.ts';

export interface SetupWarnings {
  /** The server's status, lower-case, where it is not `active`. */
  readonly status?: string;
  /** As many proposals went out today as the setup may send. */
  readonly limitUsedUp?: { readonly sent: number; readonly limit: number };
  /** It names no template, so a bid needs a cover letter of its own. */
  readonly noTemplate?: true;
}

/** Numbers of today that are missing raise no note; nor does a limit of 0, of which nobody wrote what it means. */
export function findSetupWarnings({ status, dailyLimit, sentToday, template }: BiddingSetup): SetupWarnings {
  const plain = status.trim().toLowerCase();
  const isUsedUp =
    dailyLimit !== undefined && sentToday !== undefined && dailyLimit > 0 && sentToday >= dailyLimit;
  return {
    ...(plain === 'active' ? {} : { status: plain }),
    ...(isUsedUp ? { limitUsedUp: { sent: sentToday, limit: dailyLimit } } : {}),
    ...(template ? {} : { noTemplate: true }),
  };
}

/** Active ones first, then by name; of two with one name, the older first. */
export function orderSetups(setups: readonly BiddingSetup[]): readonly BiddingSetup[] {
  const rank = (setup: BiddingSetup): number => (findSetupWarnings(setup).status === undefined ? 0 : 1);
  return [...setups].sort(
    (a, b) =>
      rank(a) - rank(b) ||
      a.name.localeCompare(b.name, 'en', { sensitivity: 'base', numeric: true }) ||
      a.id - b.id,
  );
}

/**
 * The setup that a new form begins with: the one active setup that bids on a filter which found the project; else the only
 * active one. Of the groups of filters the first counts on which any bids: those of the channel say more than those of all. Where several could be meant, the person chooses; so they do where only a setup is left that sends no more today.
 */
export function suggestSetup(
  setups: readonly BiddingSetup[],
  ...groups: readonly (readonly FilterId[])[]
): BiddingSetup | undefined {
  const active = setups.filter((each) => findSetupWarnings(each).status === undefined);
  const fitting = groups.map((filters) =>
    active.filter(({ filter }) => filter && filters.includes(filter.id)),
  );
  const meant = fitting.find((each) => each.length > 0) ?? active;
  const [only, ...others] = meant.filter((each) => findSetupWarnings(each).limitUsedUp === undefined);
  return others.length === 0 ? only : undefined;
}

export type SetupMatch =
  | { readonly kind: 'found'; readonly setup: BiddingSetup }
  | { readonly kind: 'none' }
  /** Several could be meant. */
  | { readonly kind: 'several'; readonly setups: readonly BiddingSetup[] };

/** The setup that somebody means by its id, its name, or words of its name. */
export function findSetup(setups: readonly BiddingSetup[], wanted: string): SetupMatch {
  const fold = (text: string): string => text.trim().toLowerCase().replace(/\s+/gu, ' ');
  const words = fold(wanted.replace(/^["'“”‘’]+|["'“”‘’]+$/gu, ''));
  const byId = setups.find((each) => String(each.id) === words);
  if (byId) return { kind: 'found', setup: byId };
  const same = setups.filter((each) => fold(each.name) === words);
  const matching = same.length > 0 ? same : setups.filter((each) => fold(each.name).includes(words));
  const [only, ...others] = orderSetups(matching);
  if (!only || words === '') return { kind: 'none' };
  return others.length === 0
    ? { kind: 'found', setup: only }
    : { kind: 'several', setups: [only, ...others] };
}
