/** Quiet hours: when a channel's end, and the posts that wait for that, cards as one summary. */
import type { Instant } from '../clock.ts';
import { ChannelId } from '../ids.ts';
import { enqueuePost, listBundledPosts, listChannelsInIndex, type NewPost } from '../outbox/outbox.ts';
import { type Post, PostId, posts, quietHoursReleaseRanks } from '../outbox/posts.ts';
import {
  addDays,
  findWeekday,
  isTimezone,
  type LocalDay,
  localTime,
  localTimeToInstant,
} from '../schedule/local-time.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import { enqueueCardDetails } from './card-details.ts';
import { isChannelPaused, readChannelSettings } from './channels.ts';
import type { FeedContext } from './feed.ts';
import type { ChannelSettings, QuietHours } from './records.ts';

interface Stretch {
  readonly from: Instant;
  readonly until: Instant;
}

const FRIDAY = 5;
/** Consecutive quiet days, such as a weekend with the nights around it, end within this. */
const MOST_DAYS = 8;

/** The quiet stretches that begin on a day: its night, and the whole day if it is quiet. */
function stretchesOf({ from, to, weekends }: QuietHours, day: LocalDay, timezone: string): Stretch[] {
  const next = addDays(day, 1);
  const at = (on: LocalDay, minute: number) => localTimeToInstant(on, minute, timezone);
  const stretches: Stretch[] = [];
  if (weekends && findWeekday(day) > FRIDAY) stretches.push({ from: at(day, 0), until: at(next, 0) });
  if (from !== to) stretches.push({ from: at(day, from), until: at(from < to ? day : next, to) });
  return stretches;
}

/** The channel's time zone, or the default if this machine doesn't know it. */
export function resolveTimezone({ timezone }: Pick<ChannelSettings, 'timezone'>, defaultTimezone: string) {
  return timezone !== undefined && isTimezone(timezone) ? timezone : defaultTimezone;
}

/**
 * When the channel's current quiet hours end; adjoining stretches count as one. When clocks are set back, the
 * first occurrence of a repeated minute counts; a skipped minute counts as the first one after it.
 * @returns undefined while it is not quiet
 */
export function findQuietHoursEnd(
  settings: Pick<ChannelSettings, 'quiet' | 'timezone'>,
  defaultTimezone: string,
  at: Instant,
): Instant | undefined {
  const { quiet } = settings;
  if (!quiet) return undefined;
  const timezone = resolveTimezone(settings, defaultTimezone);
  const today = localTime(at, timezone).day;
  let until = at;
  // Yesterday's night may last until today.
  for (let days = -1; days <= MOST_DAYS; days++) {
    const day = addDays(today, days);
    if (days > 0 && localTimeToInstant(day, 0, timezone) > until) break;
    for (const stretch of stretchesOf(quiet, day, timezone))
      if (stretch.from <= until && until < stretch.until) until = stretch.until;
  }
  return until > at ? until : undefined;
}

type QuietContext = Pick<FeedContext, 'store' | 'clock' | 'timezone'>;

/** Posts per transaction: a long night must not block the store. */
const BATCH = 50;

/** Whether posts wait in a channel now, except replies to a person. */
export async function isChannelQuiet(
  tx: ReadTransaction,
  where: Pick<FeedContext, 'timezone'> & { readonly channel: ChannelId },
  at: Instant,
): Promise<boolean> {
  const settings = await readChannelSettings(tx, where.channel);
  return findQuietHoursEnd(settings, where.timezone, at) !== undefined;
}

/** Stores a card's post as part of the current quiet hours' summary. @returns whether it is new */
export async function enqueueInQuietHoursSummary(tx: Transaction, post: NewPost): Promise<boolean> {
  const { channel, id, order, at } = post;
  if (await tx.has(posts, [id])) return false;
  const prefix = [channel, quietHoursReleaseRanks.summary] as const;
  const [summary] = await tx.list(posts, { index: 'held', prefix, limit: 1 });
  // A card is stored only once, so the first card's id makes the summary's id unique.
  const bundle = summary?.value.id ?? PostId.parse(`quiet:${id}`);
  if (!summary) {
    const content = { kind: 'flood', quiet: true } as const;
    await enqueuePost(tx, { id: bundle, channel, content, order, at, isHeld: true });
  }
  return enqueuePost(tx, { ...post, bundle });
}

function sendAfterwards(tx: Transaction, post: Post, order: number): Promise<void> {
  return tx.put<Post>(posts, { ...post, state: 'waiting', order });
}

async function releaseSummary(
  tx: Transaction,
  summary: Post,
  settings: ChannelSettings,
  order: number,
  at: Instant,
): Promise<void> {
  const [first, second] = await listBundledPosts(tx, summary.id, 2);
  if (second) return sendAfterwards(tx, summary, order);
  // All listed cards were deleted meanwhile, or only one is left: it is posted without a summary.
  await tx.delete(posts, [summary.id]);
  if (!first) return;
  await sendAfterwards(tx, { ...first, bundle: undefined, released: true }, order);
  if (first.content.kind !== 'card') return;
  const place = { channel: settings.channel, project: first.content.project, order };
  await enqueueCardDetails(tx, place, settings, at);
}

/** @returns whether there may be more */
async function releaseBatch({ clock, timezone }: QuietContext, tx: Transaction, channel: ChannelId) {
  const at = clock.now();
  const settings = await readChannelSettings(tx, channel);
  if (findQuietHoursEnd(settings, timezone, at) !== undefined) return false;
  // A pause also keeps earlier posts waiting, except outcomes.
  const from = isChannelPaused(settings, at) ? [quietHoursReleaseRanks.outcomes] : undefined;
  const held = await tx.list(posts, { index: 'held', prefix: [channel], limit: BATCH, from });
  const waiting = { index: 'byState', prefix: ['waiting', channel], reverse: true, limit: 1 };
  const [last] = await tx.list(posts, waiting);
  // After all waiting posts in the channel: a second batch comes after the first.
  const order = Math.max(at, (last?.value.order ?? at) + 1);
  // First the summary, then the others in the order they were created.
  for (const [place, { value }] of held.entries()) {
    if (value.content.kind === 'flood') await releaseSummary(tx, value, settings, order, at);
    else await sendAfterwards(tx, value, order + place);
  }
  return held.length === BATCH;
}

/** Releases a channel's waiting posts if its quiet hours are over. Each is sent once, even after a crash. */
export async function releaseQuietHoursPosts(
  context: QuietContext,
  channel: ChannelId,
  signal?: AbortSignal,
): Promise<void> {
  let isMore = true;
  while (isMore && !signal?.aborted)
    isMore = await context.store.transact((tx) => releaseBatch(context, tx, channel));
}

/** Releases waiting posts in all channels whose quiet hours are over. @throws StorageError */
export async function releaseAllQuietHoursPosts(context: QuietContext, signal: AbortSignal): Promise<void> {
  for (const channel of await context.store.read((tx) => listChannelsInIndex(tx, 'held', []))) {
    if (signal.aborted) return;
    await releaseQuietHoursPosts(context, ChannelId.parse(channel), signal);
  }
}
