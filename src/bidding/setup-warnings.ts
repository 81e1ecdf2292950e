/** Warnings about a setup before it bids, and the order of setups in lists. Pure. */
import type { BiddingSetup } from '../marketplace/schema.ts';

/**
 * Missing numbers for today raise no warning; nor does a limit of 0, whose meaning is undocumented. Without a
 * template, a bid needs its own cover letter. `status`: in lower case, unless it is `active`.
 */
export function findSetupWarnings({ status, dailyLimit, sentToday, template }: BiddingSetup) {
  const plain = status.trim().toLowerCase();
  const isUsedUp =
    dailyLimit !== undefined && sentToday !== undefined && dailyLimit > 0 && sentToday >= dailyLimit;
  return {
    status: plain === 'active' ? undefined : plain,
    limitUsedUp: isUsedUp ? { sent: sentToday, limit: dailyLimit } : undefined,
    noTemplate: template ? undefined : (true as const),
  };
}

/** Active setups first, then by name; equal names by age, oldest first. */
export function sortSetups(setups: readonly BiddingSetup[]): readonly BiddingSetup[] {
  const rank = (setup: BiddingSetup): number => (findSetupWarnings(setup).status === undefined ? 0 : 1);
  return [...setups].sort(
    (a, b) =>
      rank(a) - rank(b) ||
      a.name.localeCompare(b.name, 'en', { sensitivity: 'base', numeric: true }) ||
      a.id - b.id,
  );
}

export type SetupMatch =
  | { readonly kind: 'found'; readonly setup: BiddingSetup }
  | { readonly kind: 'none' }
  | { readonly kind: 'several'; readonly setups: readonly BiddingSetup[] };

/** Finds a setup by its id, its name, or part of its name. */
export function findSetupByIdOrName(setups: readonly BiddingSetup[], wanted: string): SetupMatch {
  const fold = (text: string): string => text.trim().toLowerCase().replace(/\s+/gu, ' ');
  const words = fold(wanted.replace(/^["'“”‘’]+|["'“”‘’]+$/gu, ''));
  const byId = setups.find((each) => String(each.id) === words);
  if (byId) return { kind: 'found', setup: byId };
  const same = setups.filter((each) => fold(each.name) === words);
  const matching = same.length > 0 ? same : setups.filter((each) => fold(each.name).includes(words));
  const [only, ...others] = sortSetups(matching);
  if (!only || words === '') return { kind: 'none' };
  return others.length === 0
    ? { kind: 'found', setup: only }
    : { kind: 'several', setups: [only, ...others] };
}
