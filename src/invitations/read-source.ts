/**
 * Reads a source: its newest invitations, or a page of its sweep. Each page is stored before the next
 * request.
 */
import type { Instant } from '../clock.ts';
import { namesInInvitation } from '../directory/directory.ts';
import type { RecordPage } from '../marketplace/client.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { Invitation } from '../marketplace/schema.ts';
import { recordWorkingSync } from '../profiles/notify-failure.ts';
import { type ProfileFeed, type ProfileSync, profileFeedKey, profileFeeds } from '../profiles/records.ts';
import type { Transaction } from '../storage/store.ts';
import { doesPageReachOldInvitations, recordInvitationPage } from './record-page.ts';
import {
  type InvitationSource,
  type InvitationsContext,
  readInvitationSource,
  readInvitationSync,
} from './sources.ts';

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

interface Kept {
  readonly isOver: boolean;
  /** The feeds that this page was decided for: those that existed when the read began. */
  readonly feeds: readonly ProfileFeed[];
}

/** @param after returns the source's state if the read ends with this page; undefined: it continues */
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
    // No channel follows it anymore.
    if (!state) return { isOver: true, feeds: [] };
    const { sync } = state;
    // A read from before a channel followed doesn't show what existed at its start.
    const feeds = state.feeds.filter(({ startsAt }) => startsAt <= askedAt);
    await directory?.recordNames(tx, items.flatMap(namesInInvitation), now);
    const reading = { team, timezone, feeds, readAt: sync.readAt, askedAt, now };
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
      await tx.put(profileFeeds, profileFeedKey(feed), { ...feed, firstReadAt: askedAt });
  }
}

/** Always later than the previous read: what an unfinished read found must be newer than that. */
async function beginReading(
  { team, store, clock }: InvitationsContext,
  source: InvitationSource,
): Promise<Instant> {
  const { readAt } = await store.read((tx) => readInvitationSync(tx, team, source));
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

function swept(sync: ProfileSync, at: Instant): ProfileSync {
  const { sweepPage: _, ...rest } = sync;
  return { ...rest, sweptAt: at };
}

/** The sweep's page no longer exists: there are fewer invitations than before. */
function isPastTheEnd(thrown: unknown, page: number): boolean {
  return page > 1 && thrown instanceof MarketplaceError && ['not-found', 'bad-request'].includes(thrown.code);
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
  const isOver = isLastPage(answer, page) || doesPageReachOldInvitations(items, askedAt);
  await keepPage(context, source, items, askedAt, (sync) =>
    isOver ? swept(sync, askedAt) : { ...sync, sweepPage: page + 1 },
  );
}
