/**
 * Learning the account's balance without spending: a project that was paid for in this billing period is looked up again;
 * before any project is known, a page is asked for on which nothing can be. It frees what requests without an answer hold.
 */
import { DAY, type Instant, type Random } from '../clock.ts';
import { MIN_PROJECTS_PAGE } from '../credits/credits-service.ts';
import { markUnansweredWithRetries } from '../credits/mark-unanswered.ts';
import { type ChannelId, createTimestampedId, type FilterId } from '../ids.ts';
import type { MarketplaceCallOptions, ProjectReference } from '../marketplace/client.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { RequestPermit } from '../marketplace/gate.ts';
import { parseProjectReference } from '../marketplace/project-key.ts';
import type { ResponseCredits } from '../marketplace/schema.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import type { FeedContext } from './context.ts';
import { getFailureRule } from './failure-rules.ts';
import { readFeedState, readFilterState } from './filter-states.ts';
import { recordFeedFailure, resolveFeedFailure } from './notify-failure.ts';
import { feedStates, filterStateKey, filterStates, type SeenProject, seenProjects } from './records.ts';
import { instantToTimestamp, type TimestampUnit } from './timestamps.ts';

export interface BalanceCheck {
  readonly kind: 'balance';
  /** Names the reservation. */
  readonly id: string;
  /** Whose polls wait for it. */
  readonly filter: FilterId;
  /** Missing: none is known, or none that can be paid. */
  readonly project?: ProjectReference;
  /** How the server counts, as far as known. */
  readonly unit: TimestampUnit;
}

/** One of the newest, by chance: a project that the marketplace has taken back tells nothing. */
const AMONG = 10;

interface Known {
  readonly seen: SeenProject;
  readonly project: ProjectReference;
}

async function knownProject(
  tx: ReadTransaction,
  team: FeedContext['team'],
  random: Random,
): Promise<Known | undefined> {
  const newest = await tx.list(seenProjects, { index: 'byAge', prefix: [team], limit: AMONG, reverse: true });
  const known = newest.flatMap(({ value: seen }) => {
    const project = parseProjectReference(seen.project.url);
    return project ? [{ seen, project }] : [];
  });
  return known[Math.floor(random() * known.length)];
}

/** What a lookup would cost at the most: nothing where it was paid for in this period, else one credit, once. */
function priceOf({ seen }: Known, periodStartsAt: Instant): 0 | 1 {
  return seen.firstSeenAt >= periodStartsAt ? 0 : 1;
}

/**
 * Who can ask about a known project. Where a new period may have begun, it can cost a credit of that period: not a
 * channel's whose budget buys no page without it.
 */
async function payersOf(
  { credits }: FeedContext,
  tx: Transaction,
  channels: readonly ChannelId[],
  at: Instant,
): Promise<readonly ChannelId[]> {
  const able: ChannelId[] = [];
  for (const channel of channels) {
    const { limit, period } = await credits.readBudgetState(tx, channel, at);
    if (!period.isOver || limit === 'unlimited' || limit > MIN_PROJECTS_PAGE) able.push(channel);
  }
  return able;
}

/** @returns undefined when the account is spent. */
export async function prepareBalanceCheck(
  context: FeedContext,
  tx: Transaction,
  filter: FilterId,
  channels: readonly ChannelId[],
  at: Instant,
): Promise<BalanceCheck | undefined> {
  const { credits, random, team } = context;
  const id = createTimestampedId(`balance:${filter}`, at, random);
  const { timestampUnit: unit } = await readFeedState(tx, team);
  const asked = { id, channels, at };
  const known = await knownProject(tx, team, random);
  const payers = await payersOf(context, tx, channels, at);
  const [payer] = payers;
  if (known && payer) {
    const { project } = known;
    const { period } = await credits.readBudgetState(tx, payer, at);
    const subject = 'ciphertext' in project ? project.ciphertext : project.uid;
    const purchase = { endpoint: 'lookup', subject } as const;
    const atLeast = priceOf(known, period.startsAt);
    const reserved = await credits.reserveCredits(tx, {
      ...asked,
      channels: payers,
      purchase,
      maxCredits: 1,
      minCredits: atLeast,
    });
    if (reserved.kind === 'reserved') return { kind: 'balance', id, filter, project, unit };
  }
  const purchase = { endpoint: 'filter-projects', subject: String(filter) } as const;
  const reserved = await credits.reserveCredits(tx, { ...asked, purchase, maxCredits: 0, minCredits: 0 });
  return reserved.kind === 'reserved' ? { kind: 'balance', id, filter, unit } : undefined;
}

/**
 * The answer to a question that costs nothing. Newest first nothing is older than the cursor, oldest first nothing newer
 * than what is passed, so that the page is empty whichever way the server sends.
 */
async function askForBalance(
  { marketplace, clock }: FeedContext,
  { filter, project, unit }: BalanceCheck,
  options: MarketplaceCallOptions,
): Promise<ResponseCredits> {
  if (project) return (await marketplace.lookUpProject(project, options)).credits;
  const query = {
    limit: marketplace.fixedPageSize({ filter }) ?? MIN_PROJECTS_PAGE,
    nextCursor: 1,
    latestPublishedTs: instantToTimestamp(clock.now() + DAY, unit),
  };
  return (await marketplace.fetchFilterProjects(filter, query, options)).credits;
}

/** Sends what was ordered and puts the balance on record. Uses up the permit. */
export async function runBalanceCheck(
  context: FeedContext,
  order: BalanceCheck,
  permit: RequestPermit,
  signal: AbortSignal,
): Promise<void> {
  const { store, credits, clock, log } = context;
  try {
    const answer = await askForBalance(context, order, { lane: 'feed', permit, signal });
    await store.transact(async (tx) => {
      const at = clock.now();
      await credits.settleReservation(tx, order.id, answer, at);
      await recover(context, tx, order.filter, at);
    });
  } catch (thrown) {
    if (!(thrown instanceof MarketplaceError)) {
      await markUnansweredWithRetries(context, order.id, signal);
      throw thrown;
    }
    log.warn("Couldn't read the credit balance", { code: thrown.code, status: thrown.details.status });
    await recordFailure(context, order, thrown, signal);
  }
}

async function recordFailure(
  context: FeedContext,
  order: BalanceCheck,
  error: MarketplaceError,
  signal: AbortSignal,
): Promise<void> {
  const { store, credits, clock } = context;
  await store.transact(async (tx) => {
    const at = clock.now();
    if (error.effect === 'none') await credits.releaseReservation(tx, order.id);
    else await credits.markUnanswered(tx, order.id, at);
    // That one project can't be had is no trouble of the feed.
    const isOfProject = order.project !== undefined && getFailureRule(error.code).concern === 'filter';
    if (signal.aborted || isOfProject) return;
    if (error.details.limitRefused) return;
    await recordFeedFailure(context, tx, order.filter, error, at);
  });
}

async function recover(context: FeedContext, tx: Transaction, id: FilterId, at: Instant): Promise<void> {
  const { team } = context;
  const filter = await readFilterState(tx, team, id);
  const feed = await readFeedState(tx, team);
  const ended = await resolveFeedFailure(context, tx, filter, feed, at);
  if (ended.filter !== filter) await tx.put(filterStates, filterStateKey(team, id), ended.filter);
  if (ended.feed !== feed) await tx.put(feedStates, [team], ended.feed);
}
