/** The second of a poll's two transactions: stores the page and all its effects at once. */
import { findProjectAliases } from '../aliases/project-aliases.ts';
import { type Instant, SECOND } from '../clock.ts';
import type { FilterProjectsPage } from '../marketplace/client.ts';
import type { ListedProject } from '../marketplace/schema.ts';
import type { Transaction } from '../storage/store.ts';
import { recordBackfillProgress } from './backfill.ts';
import { isSubscriptionActive } from './channels.ts';
import type { FeedContext } from './feed.ts';
import {
  countTimestampUnitGuess,
  detectTimestampUnitFromProbe,
  isPageEmpty,
} from './guess-timestamp-unit.ts';
import { hasVerdict } from './merge-project.ts';
import { resolveFeedFailure } from './notify-failure.ts';
import type { FetchedPage, FetchedProjectFacts } from './page-continuation.ts';
import { estimateNextPageSize, updateArrivalRate } from './poll-plan.ts';
import { type Follower, type PollState, readPollState } from './poll-state.ts';
import type { PreparedPoll, SentPoll } from './prepare-poll.ts';
import {
  applyPageToReadState,
  detectTimestampUnitFromPage,
  getRequestedLatestTs,
  getStaleCutoff,
  isLatestTsIgnored,
  type ReadStateAfterPage,
} from './read-filter.ts';
import { type CardRecipient, recordFoundProject } from './record-project.ts';
import {
  cards,
  type FilterState,
  feedStates,
  filterStates,
  type SeenProject,
  seenProjects,
} from './records.ts';
import { timestampToInstant } from './timestamps.ts';
import { advanceVerdictChecks, scheduleVerdictCheck, shouldCheckForVerdicts } from './verdict-checks.ts';

interface Item extends FetchedProjectFacts {
  readonly project: ListedProject;
  readonly before: SeenProject | undefined;
}

/** A project that isn't stored under its key: one list may use its uid, another its `~id`. */
async function asOnRecord(tx: Transaction, project: ListedProject) {
  const { keys } = await findProjectAliases(tx, { project: project.key });
  const others = keys.filter((key) => key !== project.key);
  const otherKeys = others.map((key) => [key]);
  const stored = await tx.getMany(seenProjects, otherKeys);
  const place = stored.findIndex((before) => before !== undefined);
  return { project: { ...project, key: others[place] ?? project.key }, before: stored[place] };
}

async function itemsOf(tx: Transaction, order: PreparedPoll, page: FilterProjectsPage): Promise<Item[]> {
  const items = new Map<string, Item>();
  const keys = page.projects.map(({ key }) => [key]);
  const stored = await tx.getMany(seenProjects, keys);
  for (const [place, listed] of page.projects.entries()) {
    const same = stored[place];
    const { project, before } = same ? { project: listed, before: same } : await asOnRecord(tx, listed);
    if (items.has(project.key)) continue;
    items.set(project.key, {
      project,
      before,
      known: before?.filters.includes(order.filter) ?? false,
      publishedAt: project.publishedAt,
    });
  }
  return [...items.values()];
}

/** Undated projects count as new, except on a filter's first page and in backfills. */
function undatedAt(order: PreparedPoll, items: readonly Item[], at: Instant): Instant {
  const { request } = order;
  if (request.kind === 'backfill') return 0;
  if (request.kind !== 'top' || !request.first) return at;
  const start = timestampToInstant(request.latestPublishedTs);
  const dates = items.flatMap((item) => item.publishedAt ?? []);
  return dates.length > 0 && dates.every((date) => date >= start) ? at : 0;
}

function learned(state: FilterState, order: PreparedPoll, items: readonly Item[]): FilterState['rate'] {
  const { request, at } = order;
  if (request.kind !== 'top' && request.kind !== 'gap') return state.rate;
  if (request.kind === 'top' && request.first) return state.rate;
  const fresh = items.filter((item) => !item.known);
  if (request.kind === 'gap') return updateArrivalRate(state.rate, fresh.length, 0);
  const until = timestampToInstant(request.until);
  const arrived = fresh.filter((item) => (item.publishedAt ?? until) >= until).length;
  // Only since the filter has followers: projects from before aren't requested.
  const watchedFrom = Math.max(state.lastTopAt ?? at, Math.min(until, at));
  return updateArrivalRate(state.rate, arrived, (at - watchedFrom) / SECOND);
}

/**
 * @returns left: past projects that the backfill still needs · posted: past projects, as cards · undecided:
 * new projects whose verdict may come later, newest first
 */
async function recordItems(
  context: FeedContext,
  tx: Transaction,
  order: PreparedPoll,
  items: readonly Item[],
  followers: readonly Follower[],
  at: Instant,
) {
  const { request, filter, payers } = order;
  const recipients = followers.map(({ subscription, settings }): CardRecipient => {
    const isPayer = payers.includes(subscription.channel);
    return {
      subscription,
      settings,
      canPostNow: isPayer && isSubscriptionActive(subscription, settings, at),
    };
  });
  const caller = request.kind === 'backfill' ? request.channel : undefined;
  let left =
    recipients.find((each) => each.subscription.channel === caller)?.subscription.backfill?.left ?? 0;
  let posted = 0;
  const undecided: Item[] = [];
  const isFollowed = await context.projectFollowers?.hasAny(tx);
  const common = {
    timezone: context.timezone,
    filter,
    at,
    staleBefore: getStaleCutoff(request, at),
    undatedAt: undatedAt(order, items, at),
    fitHistories: context.fitHistories,
    projectFollowers: isFollowed ? context.projectFollowers : undefined,
  };
  // Newest first, so that a backfill that ends within a page posts the newest.
  const sorted = items.toSorted((a, b) => (b.publishedAt ?? 0) - (a.publishedAt ?? 0));
  const keys = sorted.flatMap(({ project }) =>
    recipients.map(({ subscription }) => [subscription.channel, project.key]),
  );
  const stored = await tx.getMany(cards, keys);
  for (const [place, item] of sorted.entries()) {
    const reading = { ...common, backfillFor: left > 0 ? caller : undefined };
    const first = place * recipients.length;
    const before = { seen: item.before, cards: stored.slice(first, first + recipients.length) };
    const recorded = await recordFoundProject(tx, reading, item.project, before, recipients);
    left -= recorded.examined ? 1 : 0;
    posted += recorded.hasPostedPast ? 1 : 0;
    if (recorded.wanted && !item.known && !hasVerdict(item.project)) undecided.push(item);
  }
  return { left, posted, undecided };
}

function foldVerdicts(
  { filter: state, followers }: PollState,
  order: PreparedPoll,
  page: FilterProjectsPage,
  items: readonly Item[],
  { undecided }: Awaited<ReturnType<typeof recordItems>>,
  at: Instant,
): Pick<FilterState, 'awaiting' | 'showsVerdicts' | 'withoutVerdict'> {
  const { request } = order;
  const decided = new Set(items.filter((item) => hasVerdict(item.project)).map((item) => item.project.key));
  const isNews =
    state.awaiting.some((entry) => decided.has(entry.project)) ||
    items.some((item) => !item.known && hasVerdict(item.project));
  const without = items.filter((item) => !item.known && !hasVerdict(item.project)).length;
  const shown = {
    showsVerdicts: state.showsVerdicts === true || items.some((item) => item.project.verdict !== undefined),
    withoutVerdict: isNews ? without : (state.withoutVerdict ?? 0) + without,
  };
  const followed = followers.map(({ subscription }) => subscription);
  if (!shouldCheckForVerdicts(shown, followed)) return { ...shown, awaiting: [] };
  const seen = new Set(items.map((item) => item.project.key));
  const missing = state.awaiting.filter((entry) => !decided.has(entry.project));
  const latestTs = getRequestedLatestTs(request);
  const isWhole = request.kind === 'verdicts' || (request.kind === 'top' && page.isLast === true);
  let awaiting = advanceVerdictChecks(missing, seen, isWhole ? (latestTs ?? 0) : undefined, at);
  for (const { project } of undecided.toReversed())
    awaiting = scheduleVerdictCheck(awaiting, project.key, latestTs, at);
  return { ...shown, awaiting };
}

/** The filter's read state after the page, and the timestamp unit that the page shows. */
function foldRead({ filter: state, feed }: PollState, { request, at }: PreparedPoll, page: FetchedPage) {
  const guess = request.kind === 'top' && request.guess ? request : undefined;
  const unit = guess ? detectTimestampUnitFromProbe(guess, page) : detectTimestampUnitFromPage(page);
  // A guess that finds nothing may be wrong: the next guess must still find the existing projects.
  const isVoid = guess !== undefined && isPageEmpty(page);
  const folded: ReadStateAfterPage = isVoid
    ? { ...state, done: true }
    : applyPageToReadState(state, request, page, unit ?? feed.timestampUnit, at);
  return { unit, isVoid, folded };
}

/**
 * Commits a page: cursors, projects, cards, posts and credits together.
 * @returns how many projects are new; undefined: a wrong guess of the server's unit may have hidden them
 */
export async function recordPollPage(
  context: FeedContext,
  tx: Transaction,
  order: SentPoll,
  page: FilterProjectsPage,
): Promise<number | undefined> {
  const { credits, clock } = context;
  const { request } = order;
  const at = clock.now();
  const before = await readPollState(tx, order.filter);
  const { filter: state, feed, followers } = before;
  const items = await itemsOf(tx, order, page);
  const read = { ...page, items };
  const { unit, isVoid, folded } = foldRead(before, order, read);
  const recorded = await recordItems(context, tx, order, items, followers, at);
  const book = await credits.openBook(tx, at);
  const { shares } = await book.settleReservation(order.id, page.credits);
  if (request.kind === 'backfill') {
    const cost = shares.reduce((sum, share) => sum + share.credits, 0);
    await recordBackfillProgress(tx, book, state, request, folded, { ...recorded, credits: cost }, at);
  }
  const { resetsAt } = book.readAccountState();
  const next: FilterState = {
    ...state,
    guesses: isVoid ? countTimestampUnitGuess(state.guesses ?? 0, order.wasHinted) : state.guesses,
    marks: folded.marks,
    gaps: folded.gaps,
    rate: learned(state, order, items),
    ...foldVerdicts(before, order, page, items, recorded, at),
    lastGoodAt: at,
    lastPeriodEnd: resetsAt,
    freeSince: state.freeSince ?? order.at,
    ignoresLatest: state.ignoresLatest || isLatestTsIgnored(request, read) || undefined,
    ...(request.kind === 'top' && {
      lastTopAt: order.at,
      topRoom: estimateNextPageSize(request, read, order.limit),
    }),
  };
  const after = await resolveFeedFailure(tx, { ...before, filter: next }, at);
  await tx.put(filterStates, after.filter);
  const isUnitNews = unit !== undefined && (unit !== feed.timestampUnit || !feed.unitKnown);
  const learnedUnit = unit === undefined ? {} : ({ timestampUnit: unit, unitKnown: true } as const);
  if (after.feed !== feed || isUnitNews) await tx.put(feedStates, { ...after.feed, ...learnedUnit });
  if (isVoid) return undefined;
  // On a filter's first page, all projects are old.
  return request.kind === 'top' && !request.first ? items.filter((item) => !item.known).length : 0;
}
