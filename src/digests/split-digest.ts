/** Which lists of a digest its one screen holds, and which go into its thread, cut so that no message grows too large. Pure. */
import type { DigestFacts } from './facts.ts';

/** How many of each the digest itself shows. */
export const DIGEST_ROWS_SHOWN = {
  best: 5,
  invitations: 3,
  bids: 3,
  outcomes: 3,
  setups: 5,
  feeds: 5,
} as const;

/** Rows of a message in the thread; each is 400 characters at the most, and a message about 13,000. */
export const THREAD_MESSAGE_ROWS = 30;
/** Of one list. Facts need not hold more: what is beyond is counted. */
export const MAX_LIST_ROWS = 300;

const listNames = ['invitations', 'bids', 'outcomes', 'unclaimed'] as const;
export type DigestListName = (typeof listNames)[number];

/** A message of the digest's thread: a stretch of one list. */
export interface DigestThreadPart {
  readonly list: DigestListName;
  /** The first of its rows, counted from 0, and the one behind its last. */
  readonly from: number;
  readonly to: number;
  /** How many there are in all, also of those that no list holds. */
  readonly total: number;
  /** The last message of its list tells how many stand nowhere. */
  readonly isLast: boolean;
}

/** Bids that were made before the digest's stretch and are not settled yet. */
export function countEarlierOpenBids({ made, open, list }: DigestFacts['bids']): number {
  return open ?? Math.max(0, list.length - made);
}

interface Listed {
  readonly rows: number;
  readonly total: number;
  /** The digest itself shows so many. */
  readonly shown: number;
}

function listed(facts: DigestFacts, list: DigestListName): Listed {
  const { invitations, bids, outcomes, projects } = facts;
  switch (list) {
    case 'invitations':
      return {
        rows: invitations.list.length,
        total: Math.max(invitations.waiting, invitations.list.length),
        shown: DIGEST_ROWS_SHOWN.invitations,
      };
    case 'bids':
      return {
        rows: bids.list.length,
        total: Math.max(bids.made + countEarlierOpenBids(bids), bids.list.length),
        shown: DIGEST_ROWS_SHOWN.bids,
      };
    case 'outcomes': {
      const counted = outcomes.counts.reduce((sum, { count }) => sum + count, 0);
      const total = Math.max(counted, outcomes.list.length);
      return { rows: outcomes.list.length, total, shown: DIGEST_ROWS_SHOWN.outcomes };
    }
    case 'unclaimed': {
      const { unclaimed, unclaimedList } = projects;
      return { rows: unclaimedList.length, total: Math.max(unclaimed, unclaimedList.length), shown: 0 };
    }
  }
}

/**
 * The messages of a digest's thread, in their order; the place in this list is a post's `part`. The same facts always give
 * the same parts. A list that the digest shows in full has none.
 */
export function splitDigestThread(facts: DigestFacts): readonly DigestThreadPart[] {
  return listNames.flatMap((list) => {
    const { rows: all, total, shown } = listed(facts, list);
    if (all <= shown) return [];
    const rows = Math.min(all, MAX_LIST_ROWS);
    return Array.from({ length: Math.ceil(rows / THREAD_MESSAGE_ROWS) }, (_, part) => {
      const from = part * THREAD_MESSAGE_ROWS;
      const to = Math.min(from + THREAD_MESSAGE_ROWS, rows);
      return { list, from, to, total, isLast: to === rows };
    });
  });
}
