/**
 * Reads the account's balance without spending: looks up a project that was already paid for in this billing
 * period. If no project is known, it requests a page that must be empty. The response frees the credits that
 * unanswered requests hold.
 */
import { DAY, type Instant, type RandomSource } from '../clock.ts';
import type { CreditsBook } from '../credits/create-credits.ts';
import { MIN_PROJECTS_PAGE_SIZE, markReservationUnansweredWithRetries } from '../credits/credits.ts';
import { type ChannelId, createTimestampedId, type FilterId } from '../ids.ts';
import type { MarketplaceCallOptions, ProjectReference } from '../marketplace/client.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { RequestPermit } from '../marketplace/gate/gate.ts';
import { parseProjectReference } from '../marketplace/project-key.ts';
import type { ResponseCredits } from '../marketplace/schema.ts';
import { getFailureRule } from '../sources/failure-rules.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import type { FeedContext } from './feed.ts';
import { recordFeedFailure, resolveFeedFailure } from './notify-failure.ts';
import { type PollState, readPollState } from './poll-state.ts';
import { feedStates, filterStates, seenProjects } from './records.ts';
import { instantToTimestamp, type TimestampUnit } from './timestamps.ts';

export interface PreparedBalanceCheck {
  readonly kind: 'balance';
  /** The reservation's id. */
  readonly id: string;
  /** The filter whose polls wait for it. */
  readonly filter: FilterId;
  /** Missing: no project is known, or none that the payers can afford. */
  readonly project?: ProjectReference;
  /** The server's timestamp unit, as far as known. */
  readonly unit: TimestampUnit;
}

/** Picks one of the 10 newest at random: a project that the marketplace removed gives no balance. */
const AMONG = 10;

/** @param isRetry an earlier request failed: half of the times none, in case lookups are the cause */
async function knownProject(tx: ReadTransaction, random: RandomSource, isRetry: boolean) {
  if (isRetry && random() < 0.5) return undefined;
  const newest = await tx.list(seenProjects, { index: 'byAge', limit: AMONG, reverse: true });
  const known = newest.flatMap(({ value: seen }) => {
    const project = parseProjectReference(seen.project.url);
    return project ? [{ seen, project }] : [];
  });
  return known[Math.floor(random() * known.length)];
}

/** @returns undefined when the account is out of credits */
export async function prepareBalanceCheck(
  { random }: FeedContext,
  tx: Transaction,
  book: CreditsBook,
  { filter: state, feed }: PollState,
  channels: readonly ChannelId[],
  at: Instant,
): Promise<PreparedBalanceCheck | undefined> {
  const { filter } = state;
  const unit = feed.timestampUnit;
  const id = createTimestampedId(`balance:${filter}`, at, random);
  const known = await knownProject(tx, random, (feed.trouble ?? state.trouble) !== undefined);
  // If a new period may have begun, a lookup can cost a credit of that period. A channel whose budget then
  // couldn't buy a page doesn't pay.
  const payers = channels.filter((channel) => {
    const { limit, period } = book.readBudgetState(channel);
    return !period.isOver || limit === 'unlimited' || limit > MIN_PROJECTS_PAGE_SIZE;
  });
  const [payer] = payers;
  if (known && payer) {
    const { project } = known;
    const { period } = book.readBudgetState(payer);
    const subject = 'ciphertext' in project ? project.ciphertext : project.uid;
    const purchase = { endpoint: 'lookup', subject } as const;
    // A project that was paid for in this period costs nothing, any other 1 credit, once.
    const minCredits = known.seen.firstSeenAt >= period.startsAt ? 0 : 1;
    const wanted = { id, channels: payers, purchase, maxCredits: 1, minCredits };
    const reserved = await book.reserveCredits(wanted);
    if (reserved.kind === 'reserved') return { kind: 'balance', id, filter, project, unit };
  }
  const purchase = { endpoint: 'filter-projects', subject: String(filter) } as const;
  const reserved = await book.reserveCredits({ id, channels, purchase, maxCredits: 0, minCredits: 0 });
  return reserved.kind === 'reserved' ? { kind: 'balance', id, filter, unit } : undefined;
}

/**
 * A request that costs nothing. Newest first, nothing is older than the cursor; oldest first, nothing is
 * newer than `latestPublishedTs`. So the page is empty in either order.
 */
async function askForBalance(
  { marketplace, clock }: FeedContext,
  { filter, project, unit }: PreparedBalanceCheck,
  options: MarketplaceCallOptions,
): Promise<ResponseCredits> {
  if (project) return (await marketplace.lookUpProject(project, options)).credits;
  const query = {
    limit: marketplace.fixedPageSize({ filter }) ?? MIN_PROJECTS_PAGE_SIZE,
    nextCursor: 1,
    latestPublishedTs: instantToTimestamp(clock.now() + DAY, unit),
  };
  return (await marketplace.fetchFilterProjects(filter, query, options)).credits;
}

/** Sends the prepared request and stores the balance. Uses up the permit. */
export async function runBalanceCheck(
  context: FeedContext,
  order: PreparedBalanceCheck,
  permit: RequestPermit,
  signal: AbortSignal,
): Promise<void> {
  const { store, credits, clock, log } = context;
  try {
    const answer = await askForBalance(context, order, { lane: 'feed', permit, signal });
    await store.transact(async (tx) => {
      const at = clock.now();
      await credits.settleReservation(tx, order.id, answer, at);
      const state = await readPollState(tx, order.filter);
      const ended = await resolveFeedFailure(tx, state, at);
      if (ended.filter !== state.filter) await tx.put(filterStates, ended.filter);
      if (ended.feed !== state.feed) await tx.put(feedStates, ended.feed);
    });
  } catch (thrown) {
    if (!(thrown instanceof MarketplaceError)) {
      await markReservationUnansweredWithRetries(context, order.id, signal);
      throw thrown;
    }
    log.warn("Couldn't read the credit balance", { code: thrown.code, status: thrown.details.status });
    await recordFailure(context, order, thrown, signal);
  }
}

async function recordFailure(
  context: FeedContext,
  order: PreparedBalanceCheck,
  error: MarketplaceError,
  signal: AbortSignal,
): Promise<void> {
  const { store, credits, clock } = context;
  await store.transact(async (tx) => {
    const at = clock.now();
    if (error.effect === 'none') await credits.releaseReservation(tx, order.id);
    else await credits.markUnanswered(tx, order.id, at);
    // If only this project can't be read, the feed itself works.
    const isOfProject = order.project !== undefined && getFailureRule(error.code).concern === 'source';
    if (signal.aborted || isOfProject || error.details.limitRefused) return;
    await recordFeedFailure(tx, await readPollState(tx, order.filter), error, at);
  });
}
