/**
 * Splits a digest's lists between its main message and its thread, so that no message gets too large. Pure.
 */
import type { DigestCharts, DigestFacts } from './facts.ts';

/** How many rows of each list the main message shows. */
export const DIGEST_ROWS_SHOWN = {
  best: 5,
  invitations: 3,
  bids: 3,
  outcomes: 3,
  setups: 5,
  feeds: 5,
} as const;

/** Rows per thread message. A row has at most 400 characters, a message about 13,000. */
export const ROWS_PER_THREAD_MESSAGE = 30;
/** Per list. Facts don't need more rows: the rest is only counted. */
export const MAX_DIGEST_LIST_ROWS = 300;

/** Slack takes two charts in a message; the arrivals are two. */
const CHARTS_BY_MESSAGE = [['burn', 'stages'], ['arrivals']] as const;

const listNames = ['invitations', 'bids', 'outcomes', 'unclaimed'] as const;
export type DigestListName = (typeof listNames)[number];

/** A part of one list. */
export interface DigestListPart {
  readonly list: DigestListName;
  /** Index of its first row, from 0, and the index after its last row. */
  readonly from: number;
  readonly to: number;
  /** How many there are in total, listed or not. */
  readonly total: number;
  /** The last message of a list says how many aren't listed. */
  readonly isLast: boolean;
}

/** A message in the digest's thread: a part of one list, or one or two charts. */
export type DigestThreadPart = DigestListPart | { readonly charts: readonly (keyof DigestCharts)[] };

/** The rows that are stored, how many there are in total, and how many the main message shows. */
function listSizes({ invitations, bids, outcomes, projects }: DigestFacts) {
  const size = (list: readonly unknown[], count: number, shown: number) => ({
    rows: list.length,
    total: Math.max(count, list.length),
    shown,
  });
  const counted = outcomes.counts.reduce((sum, { count }) => sum + count, 0);
  return {
    invitations: size(invitations.list, invitations.waiting, DIGEST_ROWS_SHOWN.invitations),
    bids: size(bids.list, bids.made + bids.open, DIGEST_ROWS_SHOWN.bids),
    outcomes: size(outcomes.list, counted, DIGEST_ROWS_SHOWN.outcomes),
    unclaimed: size(projects.unclaimedList, projects.unclaimed, 0),
  };
}

/**
 * The messages of a digest's thread, in order; a post's `part` is the index in this list. The same facts
 * always give the same parts. A list that the main message shows completely has none.
 */
export function splitDigestThread(facts: DigestFacts): readonly DigestThreadPart[] {
  const sizes = listSizes(facts);
  const lists = listNames.flatMap((list): readonly DigestListPart[] => {
    const { rows: all, total, shown } = sizes[list];
    if (all <= shown) return [];
    const rows = Math.min(all, MAX_DIGEST_LIST_ROWS);
    return Array.from({ length: Math.ceil(rows / ROWS_PER_THREAD_MESSAGE) }, (_, part) => {
      const from = part * ROWS_PER_THREAD_MESSAGE;
      const to = Math.min(from + ROWS_PER_THREAD_MESSAGE, rows);
      return { list, from, to, total, isLast: to === rows };
    });
  });
  const shown = CHARTS_BY_MESSAGE.map((names) => names.filter((name) => facts.charts?.[name]));
  return [...lists, ...shown.filter((charts) => charts.length > 0).map((charts) => ({ charts }))];
}

/** An empty digest is one line with the credits spent, without charts. */
export function isDigestEmpty(facts: DigestFacts): boolean {
  const { projects, invitations, bids, outcomes, connects, setups, feeds } = facts;
  const counts = [
    projects.told,
    invitations.came,
    invitations.waiting,
    bids.list.length,
    outcomes.counts.length,
    connects?.proposals ?? 0,
    setups.length,
    feeds.length,
  ];
  return counts.every((count) => count === 0);
}
