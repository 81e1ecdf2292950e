/**
 * The outcomes of a proposal, each once: which are new, and which get their own message. Remembers what was
 * posted, so one that disappears and returns is posted once.
 */

import { z } from 'zod';
import { DAY, type Instant } from '../clock.ts';
import { ProposalId, TeamId } from '../ids.ts';
import type { Proposal } from '../marketplace/schema.ts';
import { type OutcomeCounts, type OutcomeNews, ProposalOutcome } from '../outbox/news.ts';
import { deleteOldRecords } from '../storage/delete-old-records.ts';
import type { Collection, ReadTransaction, Transaction } from '../storage/store.ts';
import type { ProposalChange } from './mirror.ts';

type OutcomeFlags = Pick<Proposal, 'viewed' | 'interviewed' | 'hired' | 'withdrawn' | 'boostOutbid'>;

export function listReachedOutcomes(fate: OutcomeFlags | undefined): readonly ProposalOutcome[] {
  if (!fate) return [];
  const { boostOutbid: outbid, ...same } = fate;
  const flags = { ...same, outbid };
  return ProposalOutcome.options.filter((each) => flags[each]);
}

/**
 * The outcomes that a change brings. For a new proposal submitted at or after `since`, these are all its
 * outcomes; for an older one, none.
 */
export function listNewOutcomes(change: ProposalChange, since: Instant): readonly ProposalOutcome[] {
  return isProposalChangeNews(change, since)
    ? excludePostedOutcomes(listReachedOutcomes(change.now), listReachedOutcomes(change.before))
    : [];
}

export function isProposalChangeNews({ before, now }: ProposalChange, since: Instant): boolean {
  return before !== undefined || (now.submittedAt ?? Number.NEGATIVE_INFINITY) >= since;
}

/** Outcomes that are no longer true: if they return, they aren't news. */
export function listLostOutcomes({ before, now }: ProposalChange): readonly ProposalOutcome[] {
  return excludePostedOutcomes(listReachedOutcomes(before), listReachedOutcomes(now));
}

export function excludePostedOutcomes(
  outcomes: readonly ProposalOutcome[],
  told: readonly ProposalOutcome[],
): readonly ProposalOutcome[] {
  return outcomes.filter((each) => !told.includes(each));
}

/** Up to this many outcomes get their own message. */
const MOST_MESSAGES = 10;

/** More important outcomes get their own message first. */
export const OUTCOME_WEIGHTS: Readonly<Record<ProposalOutcome, number>> = {
  hired: 5,
  interviewed: 4,
  withdrawn: 3,
  outbid: 2,
  viewed: 1,
};

function weight({ outcomes }: OutcomeNews): number {
  return Math.max(0, ...outcomes.map((each) => OUTCOME_WEIGHTS[each]));
}

function age({ submittedAt = 0, proposal }: OutcomeNews): readonly [number, number] {
  return [submittedAt, proposal];
}

function byAge(a: OutcomeNews, b: OutcomeNews): number {
  const [sentA, idA] = age(a);
  const [sentB, idB] = age(b);
  return sentA - sentB || idA - idB;
}

export function isHire({ outcomes }: OutcomeNews): boolean {
  return outcomes.includes('hired');
}

/**
 * The most important outcomes, newest first among equals, and the rest. Each in sending order.
 * @param most this many get a message; a hire always does
 */
export function chooseOutcomesToPost(
  news: readonly OutcomeNews[],
  most = MOST_MESSAGES,
): {
  readonly single: readonly OutcomeNews[];
  readonly rest: readonly OutcomeNews[];
} {
  const ranked = [...news].sort((a, b) => weight(b) - weight(a) || byAge(b, a));
  // Hires rank first.
  const count = Math.max(most, news.filter(isHire).length);
  return {
    single: ranked.slice(0, count).sort(byAge),
    rest: ranked.slice(count),
  };
}

/** Adds new outcomes to the deferred counts of a channel that Slack refuses. */
export function addToOutcomeCounts(
  before: OutcomeCounts | undefined,
  news: readonly OutcomeNews[],
): OutcomeCounts {
  return { ...sumOutcomeCounts(before, countOutcomes(news)), heldBack: true };
}

export function sumOutcomeCounts(one: OutcomeCounts | undefined, other: OutcomeCounts): OutcomeCounts {
  const counts = listCounts((outcome) => countOf(one, outcome) + countOf(other, outcome));
  return { proposals: (one?.proposals ?? 0) + other.proposals, counts };
}

function countOf(rest: OutcomeCounts | undefined, outcome: ProposalOutcome): number {
  return rest?.counts.find((each) => each.outcome === outcome)?.count ?? 0;
}

function listCounts(count: (outcome: ProposalOutcome) => number): OutcomeCounts['counts'] {
  return ProposalOutcome.options
    .map((outcome) => ({ outcome, count: count(outcome) }))
    .filter((each) => each.count > 0)
    .sort((a, b) => b.count - a.count);
}

/** The number of proposals by outcome; omits outcomes with none. */
export function countOutcomes(rest: readonly OutcomeNews[]): OutcomeCounts {
  const counts = listCounts((outcome) => rest.filter((each) => each.outcomes.includes(outcome)).length);
  return { proposals: rest.length, counts };
}

/** Key: [team, proposal]. */
const PostedOutcomes = z.object({
  team: TeamId,
  proposal: ProposalId,
  told: z.array(ProposalOutcome),
  at: z.number(),
});
type PostedOutcomes = z.infer<typeof PostedOutcomes>;

export const postedOutcomes: Collection<PostedOutcomes> = {
  name: 'outcomes-told',
  schema: PostedOutcomes,
  indexes: {
    /** [team, when]: for deleting old records. */
    byAge: (it) => [it.team, it.at],
  },
};

const KEPT_MS = 180 * DAY;
const CLEARED_AT_ONCE = 50;

export async function readPostedOutcomes(
  tx: ReadTransaction,
  team: TeamId,
  proposal: ProposalId,
): Promise<readonly ProposalOutcome[]> {
  const key = [team, proposal] as const;
  const stored = await tx.get(postedOutcomes, key);
  if (stored) return stored.told;
  return (await tx.has(postedOutcomes, key)) ? ProposalOutcome.options : [];
}

/** Adds posted outcomes; writes nothing when all are known. */
export async function recordPostedOutcomes(
  tx: Transaction,
  team: TeamId,
  proposal: ProposalId,
  more: readonly ProposalOutcome[],
  at: Instant,
): Promise<void> {
  const before = await readPostedOutcomes(tx, team, proposal);
  const told = [...new Set([...before, ...more])];
  if (told.length > before.length)
    await tx.put(postedOutcomes, [team, proposal], { team, proposal, told, at });
}

/** Deletes a few at a time. */
export async function clearOldPostedOutcomes(tx: Transaction, team: TeamId, at: Instant): Promise<void> {
  const old = { index: 'byAge', prefix: [team], at, keptMs: KEPT_MS, limit: CLEARED_AT_ONCE } as const;
  await deleteOldRecords(tx, postedOutcomes, old);
}
