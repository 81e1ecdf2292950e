/** Creates due and requested digests: gathers the facts, checks again and stores all in one transaction. */
import { createHash } from 'node:crypto';
import { type Instant, MINUTE } from '../clock.ts';
import { resolveTimezone } from '../feed/quiet-hours.ts';
import { subscriptions } from '../feed/records.ts';
import type { ChannelId, UserId } from '../ids.ts';
import { PostId, posts } from '../outbox/posts.ts';
import { profileFeeds } from '../profiles/records.ts';
import { isTimezone } from '../schedule/local-time.ts';
import type { ReadTransaction } from '../storage/store.ts';
import { decideRequestedDigestStart, findDueDigest, withKnownTimezone } from './decide-digest.ts';
import {
  createSharedSetupsReader,
  type DigestsContext,
  gatherDigestFacts,
  type SetupsReader,
} from './gather-facts.ts';
import { type DigestRecord, digestPlans, digestRecords, storeDigest } from './records.ts';

/** Proposal updates missed while Gigdesk was down are usually read by then. */
const CAUGHT_UP_BY_MS = 10 * MINUTE;
/** More than a channel follows. */
const MOST_FOLLOWED = 1_000;

async function newestRecord(tx: ReadTransaction, channel: ChannelId): Promise<DigestRecord | undefined> {
  const range = { index: 'byChannel', prefix: [channel], limit: 1, reverse: true } as const;
  return (await tx.list(digestRecords, range))[0]?.value;
}

/** Whether Slack's refusals have stopped all feeds of the channel. A channel without feeds isn't stopped. */
async function isStopped(tx: ReadTransaction, channel: ChannelId): Promise<boolean> {
  const range = { prefix: [channel] as const, limit: MOST_FOLLOWED };
  const followed = [...(await tx.list(subscriptions, range)), ...(await tx.list(profileFeeds, range))];
  return followed.length > 0 && followed.every(({ value }) => value.stopped);
}

/** While the previous digest waits for Slack, another one would only pile up: the next one covers it all. */
async function isUnsent(tx: ReadTransaction, channel: ChannelId): Promise<boolean> {
  const record = await newestRecord(tx, channel);
  const post = record && (await tx.get(posts, [record.id]));
  return post?.state === 'waiting' || post?.state === 'sending';
}

async function readOpen(tx: ReadTransaction, { timezone }: DigestsContext, channel: ChannelId, now: Instant) {
  const stored = await tx.get(digestPlans, [channel]);
  if (!stored) return undefined;
  const plan = withKnownTimezone(stored, timezone);
  const due = findDueDigest(plan, now);
  if (!due || (await isStopped(tx, channel)) || (await isUnsent(tx, channel))) return undefined;
  return { stored, plan, due };
}

/**
 * After a start, proposals take a moment to load and catch up. Without them, this digest and the next, which
 * starts where this one ends, would both miss them.
 */
async function lacksProposals(
  { mirror, profiles }: DigestsContext,
  channel: ChannelId,
  { startedAt, now }: { readonly startedAt: Instant; readonly now: Instant },
): Promise<boolean> {
  if (now - startedAt > CAUGHT_UP_BY_MS) return false;
  const followed = await profiles.listChannelProfileFeeds(channel);
  if (!mirror.isLoaded) return followed.length > 0;
  const copies = new Map(mirror.estimateProgress().map((copy) => [copy.profile, copy]));
  return followed.some(({ feed }) => {
    if (feed.kind !== 'outcomes' || feed.stopped) return false;
    const copy = copies.get(feed.profile);
    return !copy?.trouble && (copy?.readAt ?? 0) < startedAt;
  });
}

/**
 * Creates the channel's digest if it is due. Repeated calls create it only once: the same commit updates the
 * plan.
 * @param run shared by all digests of a run; `startedAt`: when this process started
 */
export async function postDueDigest(
  context: DigestsContext,
  channel: ChannelId,
  { startedAt, readSetups }: { readonly startedAt: Instant; readonly readSetups: SetupsReader },
): Promise<void> {
  const { store, clock, log } = context;
  const asked = clock.now();
  const open = await store.read((tx) => readOpen(tx, context, channel, asked));
  if (!open || (await lacksProposals(context, channel, { startedAt, now: asked }))) return;
  // A transaction reads the clock before its writes are visible: after all pending ones have committed, no
  // more records appear before this time.
  const at = await store.transact(async () => clock.now());
  const { due, plan } = open;
  const { from, late, slot } = due;
  const cover = { channel, from, to: at, timezone: plan.timezone, late };
  const facts = await gatherDigestFacts(context, cover, readSetups);
  const isMade = await store.transact(async (tx) => {
    const still = await readOpen(tx, context, channel, at);
    if (still?.due.slot.at !== slot.at || still.plan.setAt !== plan.setAt) return false;
    const id = PostId.parse(`digest:${channel}:${slot.at}`);
    await storeDigest(tx, { id, at }, facts);
    await tx.put(digestPlans, { ...still.stored, lastDay: slot.day, coveredTo: at });
    return true;
  });
  if (isMade) log.info('Digest created', { channel, day: slot.day, late });
}

/** A second press within this time is taken for a double click. */
const ASKED_AGAIN_MS = MINUTE;

async function isJustAsked(tx: ReadTransaction, now: DigestRecord): Promise<boolean> {
  const newest = await newestRecord(tx, now.facts.channel);
  if (!newest?.facts.askedBy || newest.id === now.id) return false;
  return Math.abs(now.at - newest.at) < ASKED_AGAIN_MS;
}

/**
 * Creates a digest that a person requested; the plan stays unchanged.
 * @param asked the same `press` creates one digest; `timezone` applies if neither plan nor channel has one
 * @returns false if a digest was requested a moment ago
 */
export async function postRequestedDigest(
  context: DigestsContext,
  channel: ChannelId,
  { by, press, timezone: own }: { readonly by: UserId; readonly press: string; readonly timezone?: string },
): Promise<boolean> {
  const { store, clock, feed } = context;
  const to = clock.now();
  const { last, plan } = await store.read(async (tx) => ({
    last: await newestRecord(tx, channel),
    plan: await tx.get(digestPlans, [channel]),
  }));
  const fallback = own !== undefined && isTimezone(own) ? own : context.timezone;
  const timezone = resolveTimezone(
    plan ?? {},
    resolveTimezone(await feed.readChannelSettings(channel), fallback),
  );
  const from = decideRequestedDigestStart(last?.facts.to, to);
  const cover = { channel, from, to, timezone, askedBy: by };
  const facts = await gatherDigestFacts(context, cover, createSharedSetupsReader(context));
  // A press contains a Slack trigger id, which must stay secret, and post ids don't.
  const mark = createHash('sha256').update(press).digest('hex').slice(0, 32);
  const id = PostId.parse(`digest:${channel}:now:${mark}`);
  return store.transact(async (tx) => {
    if (await isJustAsked(tx, { id, facts, at: to })) return false;
    await storeDigest(tx, { id, at: to }, facts);
    return true;
  });
}
