/** Making the digest that is due: gathered first, then checked again and put on record in one transaction. */
import { createHash } from 'node:crypto';
import { type Instant, MINUTE } from '../clock.ts';
import { resolveTimezone } from '../feed/quiet-hours.ts';
import { subscriptions } from '../feed/records.ts';
import type { ChannelId, TeamId, UserId } from '../ids.ts';
import { omitUndefined } from '../marketplace/wire-values.ts';
import { PostId, postKey, posts } from '../outbox/posts.ts';
import { profileFeeds } from '../profiles/records.ts';
import { isTimezone } from '../schedule/local-time.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import type { DigestsContext } from './context.ts';
import {
  type DueDigest,
  decideRequestedDigestStart,
  findDueDigest,
  findDueNoteStart,
} from './decide-digest.ts';
import type { FilterTuningFacts } from './facts.ts';
import { gatherDigestFacts } from './gather-facts.ts';
import { createSharedSetupsReader, type SetupsReader } from './gather-setups.ts';
import { gatherTuning } from './gather-tuning.ts';
import { isTuningNoteUseful } from './is-tuning-note-useful.ts';
import { withKnownTimezone } from './plan-digest.ts';
import { type DigestPlan, type DigestRecord, digestPlanKey, digestPlans, digestRecords } from './records.ts';
import { storeDigest, storeTuningNote } from './store-digest.ts';

/** What came of proposals while nothing ran is read by then, or it won't be soon. */
const CAUGHT_UP_BY_MS = 10 * MINUTE;
/** More than a channel follows. */
const MOST_FOLLOWED = 1_000;

async function newestRecord(
  tx: ReadTransaction,
  team: TeamId,
  channel: ChannelId,
): Promise<DigestRecord | undefined> {
  const range = { index: 'byChannel', prefix: [team, channel], limit: 1, reverse: true } as const;
  return (await tx.list(digestRecords, range))[0]?.value;
}

/** All that the channel follows has stopped, since Slack refuses it; one that follows nothing is no such channel. */
async function isStopped(tx: ReadTransaction, team: TeamId, channel: ChannelId): Promise<boolean> {
  const range = { prefix: [team, channel] as const, limit: MOST_FOLLOWED };
  const followed = [...(await tx.list(subscriptions, range)), ...(await tx.list(profileFeeds, range))];
  return followed.length > 0 && followed.every(({ value }) => value.stopped);
}

/** While the one before waits for Slack, another would only pile up; the next covers it all. */
async function isUnsent(tx: ReadTransaction, team: TeamId, channel: ChannelId): Promise<boolean> {
  const record = await newestRecord(tx, team, channel);
  const post = record && (await tx.get(posts, postKey(team, record.id)));
  return post?.state === 'waiting' || post?.state === 'sending';
}

interface Open {
  readonly stored: DigestPlan;
  /** In a zone that this machine knows. */
  readonly plan: DigestPlan;
  readonly due: DueDigest;
}

/** The digest of a channel that is due and may be made; undefined: none. */
async function readOpen(
  tx: ReadTransaction,
  { team, timezone }: Pick<DigestsContext, 'team' | 'timezone'>,
  channel: ChannelId,
  now: Instant,
): Promise<Open | undefined> {
  const stored = await tx.get(digestPlans, digestPlanKey(team, channel));
  if (!stored) return undefined;
  const plan = withKnownTimezone(stored, timezone);
  const due = findDueDigest(plan, now);
  if (!due || (await isStopped(tx, team, channel)) || (await isUnsent(tx, team, channel))) return undefined;
  return { stored, plan, due };
}

/**
 * After a start the proposals take a moment to be loaded, and those of the time while nothing ran, to be read. Without them the
 * digest would tell of none, and the next one, which begins where it ends, neither.
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
 * The moment up to which a digest covers everything. A transaction reads the clock before others can read what it wrote; behind
 * all that have read it by now, nothing comes about before this moment any more.
 */
function timeAfterPendingCommits({
  store,
  clock,
}: Pick<DigestsContext, 'store' | 'clock'>): Promise<Instant> {
  return store.transact(async () => clock.now());
}

/** undefined: no note is due, or it would tell nothing. */
async function gatherNote(
  context: DigestsContext,
  { plan, due }: Open,
  to: Instant,
): Promise<FilterTuningFacts | undefined> {
  const from = findDueNoteStart(plan, due.slot, to);
  if (from === undefined) return undefined;
  const { channel, timezone } = plan;
  const facts = await gatherTuning(context, { channel, from, to, timezone });
  return isTuningNoteUseful(facts) ? facts : undefined;
}

async function movePlan(tx: Transaction, { stored, plan, due }: Open, to: Instant): Promise<void> {
  const hadNote = findDueNoteStart(plan, due.slot, to) !== undefined;
  const day = due.slot.day;
  const noted = hadNote ? { lastNoteDay: day, notedTo: to } : {};
  const moved = { ...stored, lastDay: day, coveredTo: to, ...noted };
  await tx.put(digestPlans, digestPlanKey(plan.team, plan.channel), moved);
}

/**
 * Makes the channel's digest, and the weekly note that comes with it, where they are due. Made once, whoever asks and however
 * often: what was made stands in the plan with the same commit.
 * @param run what is the same for all that are made in one go; `startedAt`: when this process began
 * @returns whether this call made one
 */
export async function postDueDigest(
  context: DigestsContext,
  channel: ChannelId,
  { startedAt, readSetups }: { readonly startedAt: Instant; readonly readSetups: SetupsReader },
): Promise<boolean> {
  const { store, team, clock, log } = context;
  const asked = clock.now();
  const open = await store.read((tx) => readOpen(tx, context, channel, asked));
  if (!open || (await lacksProposals(context, channel, { startedAt, now: asked }))) return false;
  const at = await timeAfterPendingCommits(context);
  const { due, plan } = open;
  const { from, late, slot } = due;
  const { timezone } = plan;
  const cover = { channel, from, to: at, timezone, ...omitUndefined({ late }) };
  const facts = await gatherDigestFacts(context, cover, readSetups);
  const note = await gatherNote(context, open, at);
  const isMade = await store.transact(async (tx) => {
    const still = await readOpen(tx, context, channel, at);
    if (still?.due.slot.at !== slot.at || still.plan.setAt !== plan.setAt) return false;
    const id = PostId.parse(`digest:${channel}:${slot.at}`);
    const { order } = await storeDigest(tx, { team, id, at }, facts);
    if (note) {
      const noteId = PostId.parse(`tuning:${channel}:${slot.day}`);
      await storeTuningNote(tx, { team, id: noteId, at, order: order + 1 }, note);
    }
    await movePlan(tx, still, at);
    return true;
  });
  if (isMade) log.info('Digest created', { channel, day: slot.day, ...(late ? { late } : {}) });
  return isMade;
}

/** Nobody wants two so soon after another, and pictures with each; who presses twice means one. */
const ASKED_AGAIN_MS = MINUTE;

/** Whether another press has brought one just now. */
async function isJustAsked(tx: ReadTransaction, team: TeamId, now: DigestRecord): Promise<boolean> {
  const newest = await newestRecord(tx, team, now.facts.channel);
  if (!newest?.facts.askedBy || newest.id === now.id) return false;
  return Math.abs(now.at - newest.at) < ASKED_AGAIN_MS;
}

/** The same for the same press. A press is known by what opens windows, which is for nobody's eyes; a post's id is. */
function markOf(press: string): string {
  return createHash('sha256').update(press).digest('hex').slice(0, 32);
}

/**
 * Makes a digest that somebody asked for; the plan stays as it is.
 * @param asked the same press makes one; the person's time zone counts where neither plan nor channel has one
 * @returns whether it is made; false: somebody had asked for one a moment before
 */
export async function postRequestedDigest(
  context: DigestsContext,
  channel: ChannelId,
  { by, press, timezone: own }: { readonly by: UserId; readonly press: string; readonly timezone?: string },
): Promise<boolean> {
  const { store, team, clock, feed } = context;
  const to = clock.now();
  const { last, plan } = await store.read(async (tx) => ({
    last: await newestRecord(tx, team, channel),
    plan: await tx.get(digestPlans, digestPlanKey(team, channel)),
  }));
  const fallback = own !== undefined && isTimezone(own) ? own : context.timezone;
  const timezone = resolveTimezone(
    plan ?? {},
    resolveTimezone(await feed.readChannelSettings(channel), fallback),
  );
  const from = decideRequestedDigestStart(last?.facts.to, to);
  const cover = { channel, from, to, timezone, askedBy: by };
  const facts = await gatherDigestFacts(context, cover, createSharedSetupsReader(context));
  const id = PostId.parse(`digest:${channel}:now:${markOf(press)}`);
  return store.transact(async (tx) => {
    if (await isJustAsked(tx, team, { team, id, facts, at: to })) return false;
    await storeDigest(tx, { team, id, at: to }, facts);
    return true;
  });
}
