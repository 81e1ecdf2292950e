/**
 * Reads a source: its newest invitations, or a page of its sweep. Each page is stored before the next
 * request. Stores failures, too.
 */
import { backoffMs } from '../base/backoff.ts';
import { isDeepEqual } from '../base/is-deep-equal.ts';
import { DAY, HOUR, type Instant, MINUTE } from '../clock.ts';
import { namesInInvitation } from '../directory/directory.ts';
import { InvitationUid } from '../ids.ts';
import type { RecordPage } from '../marketplace/client.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { Invitation } from '../marketplace/schema.ts';
import { notifyProfileFailure, recordWorkingSync } from '../profiles/notify-failure.ts';
import { type ProfileFeed, type ProfileSync, profileFeeds } from '../profiles/records.ts';
import { escalateFailure, getProfileConcern } from '../sources/failure-rules.ts';
import type { Transaction } from '../storage/store.ts';
import {
  decideInvitationState,
  getInvitedTime,
  isTooOldForFeed,
  mergeInvitation,
  toInvitationRecord,
} from './decide-invitation.ts';
import { enqueueInvitationCard, updateInvitationCards } from './invitation-posts.ts';
import { invitationCards, invitationRecords } from './records.ts';
import {
  type InvitationSource,
  type InvitationsContext,
  readInvitationSource,
  readInvitationSync,
} from './sources.ts';

interface InvitationReadContext extends Pick<InvitationsContext, 'timezone'> {
  readonly now: Instant;
  /** When the last complete read of the source began; undefined: there was none. */
  readonly readAt: Instant | undefined;
  /** When this read began; stored as the found time of new invitations. */
  readonly askedAt: Instant;
  /** The source's feeds in channels that are not paused. */
  readonly feeds: readonly ProfileFeed[];
}

/**
 * For an undated invitation, only its card prevents a second post. So the card is renewed while the server
 * still sends it.
 */
const UNDATED_KEPT_MS = 30 * DAY;

async function noteChange(tx: Transaction, uid: InvitationUid, read: Invitation, at: Instant) {
  const before = await tx.get(invitationRecords, [uid]);
  if (!before) return;
  const now = mergeInvitation(before, read);
  if (isDeepEqual(before, now)) return;
  await tx.put(invitationRecords, now);
  await updateInvitationCards(tx, before, now, at);
}

async function tellFirst(
  tx: Transaction,
  { timezone, askedAt, now }: InvitationReadContext,
  uid: InvitationUid,
  read: Invitation,
  { channel }: ProfileFeed,
): Promise<void> {
  const there = await tx.get(invitationRecords, [uid]);
  const record = there ?? toInvitationRecord(uid, read, askedAt);
  if (!there) await tx.put(invitationRecords, record);
  await enqueueInvitationCard(tx, record, channel, timezone, now);
}

/** @returns whether the feed needs nothing older than this */
async function seeFor(
  tx: Transaction,
  reading: InvitationReadContext,
  uid: InvitationUid,
  read: Invitation,
  feed: ProfileFeed,
): Promise<boolean> {
  const { askedAt, now } = reading;
  const { channel } = feed;
  const key = [channel, uid];
  const card = await tx.get(invitationCards, key);
  // A newer version wrote it: the channel has it.
  if (!card && (await tx.has(invitationCards, key))) return true;
  const at = getInvitedTime(read);
  if (card && at === undefined && now - card.foundAt > UNDATED_KEPT_MS)
    await tx.put(invitationCards, { ...card, foundAt: askedAt });
  // An earlier complete read knew the card.
  if (card && reading.readAt !== undefined && card.foundAt <= reading.readAt) return true;
  // The past of one feed may be new to another feed of the same channel.
  if (card?.state === 'posted') return false;
  const decided = decideInvitationState(at, feed, now);
  if (decided === 'behind') return true;
  if (decided !== card?.state)
    await tx.put(invitationCards, { channel, uid, state: decided, invitedAt: at, foundAt: askedAt });
  if (decided === 'posted') await tellFirst(tx, reading, uid, read, feed);
  return false;
}

/**
 * Decides each invitation of a page for every feed. Decisions are final, so a page may be read repeatedly.
 * @returns whether every feed knows everything older than this page
 */
async function recordInvitationPage(
  tx: Transaction,
  reading: InvitationReadContext,
  items: readonly Invitation[],
): Promise<boolean> {
  let isSettled = false;
  for (const read of items) {
    const uid = InvitationUid.safeParse(read.uid);
    if (!uid.success) continue;
    await noteChange(tx, uid.data, read, reading.now);
    let ofAll = true;
    for (const feed of reading.feeds) {
      const settled = await seeFor(tx, reading, uid.data, read, feed);
      ofAll = ofAll && settled;
    }
    if (ofAll) isSettled = true;
  }
  return isSettled;
}

const PAGE_SIZE = 100;
/** Applies even if the server reports more pages. */
const MOST_PAGES = 200;

type Answer = RecordPage<Invitation>;

async function ask(
  { marketplace, log }: InvitationsContext,
  source: InvitationSource,
  page: number,
  signal: AbortSignal,
): Promise<Answer> {
  const query = { ...source, page, limit: PAGE_SIZE, order: 'DESC' } as const;
  const answer = await marketplace.fetchInvitations(query, { lane: 'sync', signal });
  const { unreadable } = answer;
  if (unreadable > 0) log.warn('Skipped invitations with an unknown format', { ...source, page, unreadable });
  return answer;
}

function isLastPage({ items, unreadable, paging }: Answer, page: number): boolean {
  const size = items.length + unreadable;
  if (size === 0 || page >= MOST_PAGES) return true;
  return paging.pages === undefined ? size < (paging.limit ?? PAGE_SIZE) : page >= paging.pages;
}

/**
 * @param after returns the source's state if the read ends with this page; undefined: it continues
 * @returns `feeds`: those that this page was decided for, which existed when the read began
 */
function keepPage(
  context: InvitationsContext,
  source: InvitationSource,
  items: readonly Invitation[],
  askedAt: Instant,
  after: (sync: ProfileSync, isSettled: boolean) => ProfileSync | undefined,
  atEnd: (tx: Transaction, feeds: readonly ProfileFeed[]) => Promise<void> = async () => undefined,
) {
  const { store, timezone, clock, directory } = context;
  return store.transact(async (tx): Promise<{ isOver: boolean; feeds: readonly ProfileFeed[] }> => {
    const now = clock.now();
    const state = await readInvitationSource(tx, source, now);
    // No channel follows it anymore.
    if (!state) return { isOver: true, feeds: [] };
    const { sync } = state;
    // A read from before a channel followed doesn't show what existed at its start.
    const feeds = state.feeds.filter(({ startsAt }) => startsAt <= askedAt);
    await directory?.recordNames(tx, items.flatMap(namesInInvitation), now);
    const reading = { timezone, feeds, readAt: sync.readAt, askedAt, now };
    const isSettled = await recordInvitationPage(tx, reading, items);
    const next = after(sync, isSettled);
    if (next) {
      await recordWorkingSync(tx, next, now);
      await atEnd(tx, feeds);
    }
    return { isOver: next !== undefined, feeds };
  });
}

function feedName({ channel, startsAt }: ProfileFeed): string {
  return `${channel}:${startsAt}`;
}

/** Feeds that were part of a complete read know the past invitations from now on. */
async function markRead(
  tx: Transaction,
  feeds: readonly ProfileFeed[],
  whole: ReadonlySet<string> | undefined,
  askedAt: Instant,
): Promise<void> {
  for (const feed of feeds) {
    const isWhole = whole === undefined || whole.has(feedName(feed));
    if (feed.firstReadAt === undefined && isWhole)
      await tx.put(profileFeeds, { ...feed, firstReadAt: askedAt });
  }
}

/** Always later than the previous read: what an unfinished read found must be newer than that. */
async function beginReading({ store, clock }: InvitationsContext, source: InvitationSource) {
  const { readAt } = await store.read((tx) => readInvitationSync(tx, source));
  const now = clock.now();
  return now === readAt ? now + 1 : now;
}

/**
 * Reads the newest page, and on until everything older is known. After an interruption, the next read goes as
 * far again.
 * @throws MarketplaceError, StorageError, the signal's reason
 */
export async function readNewestInvitations(
  context: InvitationsContext,
  source: InvitationSource,
  signal: AbortSignal,
): Promise<void> {
  const askedAt = await beginReading(context, source);
  const seen = new Set<string>();
  let repeats = 0;
  /** The feeds that every page so far was decided for; undefined before the first page. */
  let whole: ReadonlySet<string> | undefined;
  for (let page = 1; ; page++) {
    const answer = await ask(context, source, page, signal);
    // One repeated page may come from new invitations that moved it; two in a row from a server that ignores
    // the page number.
    repeats = answer.items.every(({ uid }) => seen.has(uid)) ? repeats + 1 : 0;
    const isLast = repeats > 1 || isLastPage(answer, page);
    for (const { uid } of answer.items) seen.add(uid);
    const sofar = whole;
    const { isOver, feeds } = await keepPage(
      context,
      source,
      answer.items,
      askedAt,
      (sync, isSettled) =>
        isSettled || isLast ? { ...sync, readAt: askedAt, sweptAt: sync.sweptAt ?? askedAt } : undefined,
      (tx, present) => markRead(tx, present, sofar, askedAt),
    );
    if (isOver) return;
    const names = feeds.map(feedName);
    whole = new Set(sofar ? names.filter((each) => sofar.has(each)) : names);
  }
}

/**
 * Reads the next page of the last 60 days, to find changes of posted invitations.
 * @throws MarketplaceError, StorageError, the signal's reason
 */
export async function readInvitationSweepPage(
  context: InvitationsContext,
  source: InvitationSource,
  signal: AbortSignal,
): Promise<void> {
  const { store, clock } = context;
  const askedAt = clock.now();
  const { sweepPage: page = 1 } = await store.read((tx) => readInvitationSync(tx, source));
  let answer: Answer;
  try {
    answer = await ask(context, source, page, signal);
  } catch (thrown) {
    const isGone = thrown instanceof MarketplaceError && ['not-found', 'bad-request'].includes(thrown.code);
    if (page === 1 || !isGone) throw thrown;
    // There are fewer invitations than before.
    answer = { items: [], unreadable: 0, paging: {} };
  }
  const { items } = answer;
  // Older invitations no longer change.
  const reachesOld = items.some((each) => isTooOldForFeed(getInvitedTime(each), 0, askedAt));
  const isOver = isLastPage(answer, page) || reachesOld;
  await keepPage(context, source, items, askedAt, (sync) =>
    isOver ? { ...sync, sweepPage: undefined, sweptAt: askedAt } : { ...sync, sweepPage: page + 1 },
  );
}

/** The upper limit for any pause that the server requests. */
const LONGEST_RETRY_MS = HOUR;
const FIRST_FORBIDDEN_MS = 5 * MINUTE;

/**
 * @returns until when no source should be read; undefined: the others continue
 * @throws StorageError
 */
export function recordInvitationFailure(
  { store, clock }: InvitationsContext,
  source: InvitationSource,
  { code, details }: MarketplaceError,
): Promise<Instant | undefined> {
  return store.transact(async (tx) => {
    const at = clock.now();
    const sync = await readInvitationSync(tx, source);
    const before = sync.trouble;
    const failures = before?.code === code ? before.failures : 0;
    const asked = Math.min(details.retryAfterMs ?? 0, LONGEST_RETRY_MS);
    const pause = code === 'forbidden' ? backoffMs(failures + 1, FIRST_FORBIDDEN_MS, LONGEST_RETRY_MS) : 0;
    const trouble = escalateFailure(before, code, at, Math.max(asked, pause));
    await notifyProfileFailure(tx, { ...sync, trouble }, at);
    return getProfileConcern(code) === 'account' ? trouble.retryAt : undefined;
  });
}
