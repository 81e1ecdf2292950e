/**
 * The outcomes of a proposal, each once, and their posts: one message each, and one summary line for the
 * rest. Remembers what was posted, so one that disappears and returns is posted once.
 */

import { z } from 'zod';
import { DAY, type Instant } from '../clock.ts';
import { isChannelQuiet } from '../feed/quiet-hours.ts';
import { type ChannelId, ProposalId, TeamId } from '../ids.ts';
import type { Proposal } from '../marketplace/schema.ts';
import { type OutcomeCounts, type OutcomeNews, ProposalOutcome } from '../outbox/news.ts';
import { enqueuePost } from '../outbox/outbox.ts';
import { PostId } from '../outbox/posts.ts';
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

/** The most important outcomes, newest first among equals, and the rest. Each in sending order. */
export function chooseOutcomesToPost(news: readonly OutcomeNews[]): {
  readonly single: readonly OutcomeNews[];
  readonly rest: readonly OutcomeNews[];
} {
  const ranked = [...news].sort((a, b) => weight(b) - weight(a) || byAge(b, a));
  return {
    single: ranked.slice(0, MOST_MESSAGES).sort(byAge),
    rest: ranked.slice(MOST_MESSAGES),
  };
}

/** Adds new outcomes to the deferred counts of a channel that Slack refuses. */
export function addToOutcomeCounts(
  before: OutcomeCounts | undefined,
  news: readonly OutcomeNews[],
): OutcomeCounts {
  const now = countOutcomes(news);
  const counts = listCounts((outcome) => countOf(before, outcome) + countOf(now, outcome));
  return { proposals: (before?.proposals ?? 0) + now.proposals, counts, heldBack: true };
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

function matter({ proposal, outcomes }: OutcomeNews): string {
  return `${proposal}:${outcomes.join('+')}`;
}

/**
 * Enqueues one message for each of the most important outcomes and one for the rest. Quiet hours delay them.
 */
export async function enqueueOutcomePosts(
  tx: Transaction,
  to: {
    readonly team: TeamId;
    readonly channel: ChannelId;
    readonly at: Instant;
    /** IANA name; applies where the channel has none. */
    readonly timezone: string;
  },
  news: readonly OutcomeNews[],
): Promise<void> {
  const { team, channel, at } = to;
  const isHeld = await isChannelQuiet(tx, to, at);
  const common = { team, channel, at, isHeld };
  const { single, rest } = chooseOutcomesToPost(news);
  for (const [place, each] of single.entries()) {
    const id = PostId.parse(`outcome:${channel}:${matter(each)}`);
    const content = { kind: 'outcome', news: each } as const;
    await enqueuePost(tx, { ...common, id, content, order: at + place });
  }
  const [first] = rest;
  if (!first) return;
  const id = PostId.parse(`outcomes-rest:${channel}:${matter(first)}`);
  const content = { kind: 'outcomes-rest', rest: countOutcomes(rest) } as const;
  await enqueuePost(tx, { ...common, id, content, order: at + single.length });
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
