/** Reads a source: its newest invitations, or a page of its sweep. Every page is on record before the next is asked for. */
import type { Instant } from '../clock.ts';
import { namesInInvitation } from '../directory/names-in-records.ts';
import type { RecordPage } from '../marketplace/client.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { Invitation } from '../marketplace/schema.ts';
import { notifyProfileRecovered } from '../profiles/notify-failure.ts';
import {
  type ProfileFeed,
  type ProfileSync,
  profileFeedKey,
  profileFeeds,
  profileSyncKey,
  profileSyncs,
} from '../profiles/records.ts';
import type { Transaction } from '../storage/store.ts';
import type { InvitationsContext } from './context.ts';
import { isPageTooOld, recordInvitationPage } from './record-page.ts';
import { type InvitationSource, readInvitationSource, readInvitationSync } from './sources.ts';

const PAGE_SIZE = 100;
/** Whatever the server says of their number. */
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
  if (answer.unreadable > 0)
    log.warn('Skipped invitations with an unknown format', {
      ...source,
      page,
      unreadable: answer.unreadable,
    });
  return answer;
}

function isLastPage({ items, unreadable, paging }: Answer, page: number): boolean {
  const size = items.length + unreadable;
  if (size === 0 || page >= MOST_PAGES) return true;
  return paging.pages === undefined ? size < (paging.limit ?? PAGE_SIZE) : page >= paging.pages;
}

/** Puts how the reading stands on record; an answer ends the trouble that there was. */
async function storeSync(tx: Transaction, sync: ProfileSync, at: Instant): Promise<void> {
  if (sync.trouble) await notifyProfileRecovered(tx, sync, at);
  else await tx.put(profileSyncs, profileSyncKey(sync), sync);
}

interface Kept {
  /** The reading is at its end. */
  readonly isOver: boolean;
  /** The feeds that this page was decided for: those that the reading was begun for. */
  readonly feeds: readonly ProfileFeed[];
}

/** @param after how the source stands after this page, where the reading ends with it; undefined: it goes on */
function keepPage(
  context: InvitationsContext,
  source: InvitationSource,
  items: readonly Invitation[],
  askedAt: Instant,
  after: (sync: ProfileSync, isSettled: boolean) => ProfileSync | undefined,
  atEnd: (tx: Transaction, feeds: readonly ProfileFeed[]) => Promise<void> = async () => undefined,
): Promise<Kept> {
  const { team, store, timezone, clock, directory } = context;
  return store.transact(async (tx) => {
    const now = clock.now();
    const state = await readInvitationSource(tx, team, source, now);
    // Nobody follows it any more.
    if (!state) return { isOver: true, feeds: [] };
    const { sync } = state;
    // What was asked before a channel began to follow does not tell what was there when it did.
    const feeds = state.feeds.filter(({ startsAt }) => startsAt <= askedAt);
    await directory?.recordNames(tx, items.flatMap(namesInInvitation), now);
    const reading = { team, timezone, feeds, readAt: sync.readAt, askedAt, now };
    const isSettled = await recordInvitationPage(tx, reading, items);
    const next = after(sync, isSettled);
    if (next) {
      await storeSync(tx, next, now);
      await atEnd(tx, feeds);
    }
    return { isOver: next !== undefined, feeds };
  });
}

function feedName({ channel, startsAt }: ProfileFeed): string {
  return `${channel}:${startsAt}`;
}

/** Feeds that were part of a whole reading know from now on what is the past. */
async function markRead(
  tx: Transaction,
  feeds: readonly ProfileFeed[],
  whole: ReadonlySet<string> | undefined,
  askedAt: Instant,
): Promise<void> {
  for (const feed of feeds) {
    const isWhole = whole === undefined || whole.has(feedName(feed));
    if (feed.firstReadAt === undefined && isWhole)
      await tx.put(profileFeeds, profileFeedKey(feed), { ...feed, firstReadAt: askedAt });
  }
}

/** Never the moment of the reading before: what an unfinished reading has found must be newer than that one. */
async function beginReading(
  { team, store, clock }: InvitationsContext,
  source: InvitationSource,
): Promise<Instant> {
  const { readAt } = await store.read((tx) => readInvitationSync(tx, team, source));
  const now = clock.now();
  return now === readAt ? now + 1 : now;
}

/**
 * Reads the newest page, and on until everything older is known. Cut off, the next reading goes as far again.
 * @throws MarketplaceError, StorageError, the signal's reason
 */
export async function readNewestInvitations(
  context: InvitationsContext,
  source: InvitationSource,
  signal: AbortSignal,
): Promise<void> {
  const askedAt = await beginReading(context, source);
  const seen = new Set<string>();
  /** The feeds that every page until now was decided for; undefined: before the first. */
  let whole: ReadonlySet<string> | undefined;
  for (let page = 1; ; page++) {
    const answer = await ask(context, source, page, signal);
    // The same page again and again: the server does not turn them.
    const isRepeat = answer.items.every(({ uid }) => seen.has(uid));
    const isLast = isRepeat || isLastPage(answer, page);
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

function swept(sync: ProfileSync, at: Instant): ProfileSync {
  const { sweepPage: _, ...rest } = sync;
  return { ...rest, sweptAt: at };
}

/** The page that a sweep has come to is there no more: fewer invitations are left than it had seen. */
function isPastTheEnd(thrown: unknown, page: number): boolean {
  return page > 1 && thrown instanceof MarketplaceError && ['not-found', 'bad-request'].includes(thrown.code);
}

/**
 * Reads the next page of the last 60 days, for changes of what was told.
 * @throws MarketplaceError, StorageError, the signal's reason
 */
export async function readInvitationSweepPage(
  context: InvitationsContext,
  source: InvitationSource,
  signal: AbortSignal,
): Promise<void> {
  const { team, store, clock } = context;
  const askedAt = clock.now();
  const { sweepPage: page = 1 } = await store.read((tx) => readInvitationSync(tx, team, source));
  let answer: Answer;
  try {
    answer = await ask(context, source, page, signal);
  } catch (thrown) {
    if (!isPastTheEnd(thrown, page)) throw thrown;
    answer = { items: [], unreadable: 0, paging: {} };
  }
  const { items } = answer;
  const isOver = isLastPage(answer, page) || isPageTooOld(items, askedAt);
  await keepPage(context, source, items, askedAt, (sync) =>
    isOver ? swept(sync, askedAt) : { ...sync, sweepPage: page + 1 },
  );
}
