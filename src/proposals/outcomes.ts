/**
 * The outcomes of a proposal, each once: which are new, and which get their own message. Remembers what was
 * posted, so one that disappears and returns is posted once. Enqueues the posts in a channel, as its level
 * wants: messages, lists of what arrived together, and the hourly summary of small ones. All of one call are
 * decided in one transaction.
 */
import { z } from 'zod';
import { DAY, HOUR, type Instant, MINUTE } from '../clock.ts';
import { readChannelSettings } from '../feed/channels.ts';
import { decideNewsPlace } from '../feed/decide-noise.ts';
import { findQuietHoursEnd } from '../feed/quiet-hours.ts';
import type { NoiseLevel } from '../feed/records.ts';
import { type ChannelId, ProposalId } from '../ids.ts';
import type { Proposal } from '../marketplace/schema.ts';
import { type ListedOutcome, type OutcomeCounts, type OutcomeNews, ProposalOutcome } from '../outbox/news.ts';
import { enqueuePost } from '../outbox/outbox.ts';
import { PostId, posts } from '../outbox/posts.ts';
import { collection, type ReadTransaction, type Transaction } from '../storage/store.ts';
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

function byAge(a: OutcomeNews, b: OutcomeNews): number {
  return (a.submittedAt ?? 0) - (b.submittedAt ?? 0) || a.proposal - b.proposal;
}

function isHire({ outcomes }: OutcomeNews): boolean {
  return outcomes.includes('hired');
}

/**
 * The most important outcomes, newest first among equals, and the rest. Each in sending order.
 * @param most this many get a message; a hire always does
 */
export function chooseOutcomesToPost(news: readonly OutcomeNews[], most = MOST_MESSAGES) {
  const ranked = [...news].sort((a, b) => weight(b) - weight(a) || byAge(b, a));
  // Hires rank first.
  const count = Math.max(most, news.filter(isHire).length);
  return { single: ranked.slice(0, count).sort(byAge), rest: ranked.slice(count) };
}

/** @param one missing: nothing was counted before */
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

/** Below the level “everything”, this many messages a minute, and hires in addition. */
const MOST_MESSAGES_A_MINUTE = 3;
/** The hourly summary lists the newest; Slack's menus have at most 100 options. */
const MOST_LISTED = 100;

interface Enqueue {
  readonly channel: ChannelId;
  readonly at: Instant;
  readonly isHeld: boolean;
}

/** The outcomes that a channel of this level gets anywhere, in a thread or without one. */
export function listWantedOutcomes(
  outcomes: readonly ProposalOutcome[],
  level: NoiseLevel,
  hasThread: boolean,
): readonly ProposalOutcome[] {
  return outcomes.filter((each) => decideNewsPlace(each, level, hasThread) !== 'nothing');
}

/** A message has all wanted outcomes of its proposal. Outcomes that the level leaves out are in neither. */
function splitOutcomes(news: readonly OutcomeNews[], level: NoiseLevel) {
  const messages: OutcomeNews[] = [];
  const hourly: OutcomeNews[] = [];
  for (const each of news) {
    const outcomes = [...listWantedOutcomes(each.outcomes, level, false)];
    if (outcomes.length === 0) continue;
    const isMessage = outcomes.some((one) => decideNewsPlace(one, level, false) === 'message');
    (isMessage ? messages : hourly).push({ ...each, outcomes });
  }
  return { messages, hourly };
}

function matter({ proposal, outcomes }: OutcomeNews): string {
  return `${proposal}:${outcomes.join('+')}`;
}

async function enqueueMessages(tx: Transaction, to: Enqueue, news: readonly OutcomeNews[]): Promise<void> {
  const { channel, at } = to;
  for (const [place, each] of news.entries()) {
    const id = PostId.parse(`outcome:${channel}:${matter(each)}`);
    await enqueuePost(tx, { ...to, id, content: { kind: 'outcome', news: each }, order: at + place });
  }
}

/** One message for each of the most important outcomes, and one that counts the rest. */
async function enqueueEverything(tx: Transaction, to: Enqueue, news: readonly OutcomeNews[]): Promise<void> {
  const { single, rest } = chooseOutcomesToPost(news);
  await enqueueMessages(tx, to, single);
  const [first] = rest;
  if (!first) return;
  const id = PostId.parse(`outcomes-rest:${to.channel}:${matter(first)}`);
  const content = { kind: 'outcomes-rest', rest: countOutcomes(rest) } as const;
  await enqueuePost(tx, { ...to, id, content, order: to.at + single.length });
}

async function countRecentMessages(tx: ReadTransaction, { channel, at }: Enqueue): Promise<number> {
  const range = { index: 'byChannel', prefix: [channel], from: [at - MINUTE], to: [at + 1] } as const;
  const recent = await tx.list(posts, { ...range, limit: 200 });
  return recent.filter(({ value: { content: it } }) => it.kind === 'outcome' && !isHire(it.news)).length;
}

/** A few messages, and one that lists the rest: none comes later than it would on its own. */
async function enqueueFew(tx: Transaction, to: Enqueue, news: readonly OutcomeNews[]): Promise<void> {
  const left = Math.max(0, MOST_MESSAGES_A_MINUTE - (await countRecentMessages(tx, to)));
  const most = news.filter(isHire).length + left;
  // A list of one is no less than a message.
  const { single, rest } = chooseOutcomesToPost(news, news.length === most + 1 ? news.length : most);
  await enqueueMessages(tx, to, single);
  const [first] = rest;
  if (!first) return;
  const { channel, at } = to;
  const entries = rest.slice(0, MOST_LISTED).map((each) => ({ at, news: each }));
  const more = rest.slice(MOST_LISTED);
  const list = { of: 'together', entries, rest: more.length > 0 ? countOutcomes(more) : undefined } as const;
  const id = PostId.parse(`outcomes-together:${channel}:${matter(first)}`);
  await enqueuePost(tx, { ...to, id, content: { kind: 'outcome-list', list }, order: at + single.length });
}

/** A summary takes more until it is sent, and for an hour. A wrong clock may have dated it later. */
async function findOpenHour(tx: ReadTransaction, { channel, at }: Enqueue) {
  const [latest] = await tx.list(posts, { index: 'hourly', prefix: [channel], reverse: true, limit: 1 });
  if (!latest) return undefined;
  const { state, enqueuedAt } = latest.value;
  const isRecent = state !== 'failed' && enqueuedAt <= at + MINUTE && at - enqueuedAt < HOUR;
  return state === 'held' || state === 'waiting' || isRecent ? latest.value : undefined;
}

/** Adds small outcomes to the channel's summary of this hour, or begins one. An edit notifies nobody. */
async function addToHour(tx: Transaction, to: Enqueue, news: readonly OutcomeNews[], order: number) {
  const [first] = news;
  if (!first) return;
  const { channel, at } = to;
  const open = await findOpenHour(tx, to);
  const list = open?.content.kind === 'outcome-list' ? open.content.list : undefined;
  const all: ListedOutcome[] = [...(list?.entries ?? []), ...news.map((each) => ({ at, news: each }))];
  const dropped = all.slice(0, Math.max(0, all.length - MOST_LISTED)).map((each) => each.news);
  const rest = dropped.length > 0 ? sumOutcomeCounts(list?.rest, countOutcomes(dropped)) : list?.rest;
  const grown = { of: 'hour', entries: all.slice(-MOST_LISTED), rest } as const;
  const content = { kind: 'outcome-list', list: grown } as const;
  if (open) {
    await tx.put(posts, { ...open, content, revision: open.revision + 1 });
    return;
  }
  const id = PostId.parse(`outcomes-hour:${channel}:${at}:${matter(first)}`);
  await enqueuePost(tx, { ...to, id, content, order });
}

/**
 * Enqueues new outcomes, each once, as the channel's level wants. Quiet hours delay them. A hire is always
 * its own message.
 * @param place `timezone`: IANA name; applies where the channel has none
 */
export async function enqueueOutcomePosts(
  tx: Transaction,
  place: Pick<Enqueue, 'channel' | 'at'> & { readonly timezone: string },
  news: readonly OutcomeNews[],
): Promise<void> {
  const { channel, at, timezone } = place;
  const settings = await readChannelSettings(tx, channel);
  const to = { channel, at, isHeld: findQuietHoursEnd(settings, timezone, at) !== undefined };
  const level = settings.level ?? 'normal';
  const { messages, hourly } = splitOutcomes(news, level);
  await (level === 'everything' ? enqueueEverything : enqueueFew)(tx, to, messages);
  // Behind the messages.
  await addToHour(tx, to, hourly, at + news.length);
}

const PostedOutcomes = z.object({ proposal: ProposalId, told: z.array(ProposalOutcome), at: z.number() });
type PostedOutcomes = z.infer<typeof PostedOutcomes>;

export const postedOutcomes = collection({
  name: 'outcomes-told',
  schema: PostedOutcomes,
  key: (it) => [it.proposal],
  indexes: { byAge: (it) => [it.at] },
  keepFor: { ms: 180 * DAY },
});

export async function readPostedOutcomes(tx: ReadTransaction, proposal: ProposalId) {
  const key = [proposal] as const;
  const stored = await tx.get(postedOutcomes, key);
  if (stored) return stored.told;
  return (await tx.has(postedOutcomes, key)) ? ProposalOutcome.options : [];
}

/** Adds posted outcomes; writes nothing when all are known. */
export async function recordPostedOutcomes(
  tx: Transaction,
  proposal: ProposalId,
  more: readonly ProposalOutcome[],
  at: Instant,
): Promise<void> {
  const before = await readPostedOutcomes(tx, proposal);
  const told = [...new Set([...before, ...more])];
  if (told.length > before.length) await tx.put(postedOutcomes, { proposal, told, at });
}
