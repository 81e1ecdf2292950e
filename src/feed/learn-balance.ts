/**
 * Learning the account's balance without spending: a project that was paid for in this billing period is looked up again;
 * before any project is known, a page is asked for on which nothing can be. It frees what requests without an answer hold.
 */
import { DAY, type Instant, type Random } from '../clock.ts';
import { SMALLEST_PAGE } from '../credits/book.ts';
import { leaveOnRecord } from '../credits/leave-on-record.ts';
import { type ChannelId, type FilterId, momentId } from '../ids.ts';
import type { CallOptions, ProjectReference } from '../marketplace/client.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { Permit } from '../marketplace/gate.ts';
import { readProjectReference } from '../marketplace/project-key.ts';
import type { CreditsAnswer } from '../marketplace/schema.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import type { FeedContext } from './context.ts';
import { readFeedState, readFilterState } from './filter-states.ts';
import { feedStates, filterKey, filters, type SeenProject, seenProjects } from './records.ts';
import { endTrouble, recordTrouble } from './tell-trouble.ts';
import { type TimestampUnit, timestampOf } from './timestamps.ts';
import { ruleFor } from './trouble.ts';

export interface BalanceOrder {
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
    const project = readProjectReference(seen.project.url);
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
    const { limit, period } = await credits.budget(tx, channel, at);
    if (!period.isOver || limit === 'unlimited' || limit > SMALLEST_PAGE) able.push(channel);
  }
  return able;
}

/** @returns undefined when the account is spent. */
export async function orderBalance(
  context: FeedContext,
  tx: Transaction,
  filter: FilterId,
  channels: readonly ChannelId[],
  at: Instant,
): Promise<BalanceOrder | undefined> {
  const { credits, random, team } = context;
  const id = momentId(`balance:${filter}`, at, random);
  const { timestampUnit: unit } = await readFeedState(tx, team);
  const asked = { id, channels, at };
  const known = await knownProject(tx, team, random);
  const payers = await payersOf(context, tx, channels, at);
  const [payer] = payers;
  if (known && payer) {
    const { project } = known;
    const { period } = await credits.budget(tx, payer, at);
    const subject = 'ciphertext' in project ? project.ciphertext : project.uid;
    const purchase = { endpoint: 'lookup', subject } as const;
    const atLeast = priceOf(known, period.startsAt);
    const reserved = await credits.reserve(tx, { ...asked, channels: payers, purchase, want: 1, atLeast });
    if (reserved.kind === 'reserved') return { kind: 'balance', id, filter, project, unit };
  }
  const purchase = { endpoint: 'filter-projects', subject: String(filter) } as const;
  const reserved = await credits.reserve(tx, { ...asked, purchase, want: 0, atLeast: 0 });
  return reserved.kind === 'reserved' ? { kind: 'balance', id, filter, unit } : undefined;
}

/**
 * The answer to a question that costs nothing. Newest first nothing is older than the cursor, oldest first nothing newer
 * than what is passed, so that the page is empty whichever way the server sends.
 */
async function askForBalance(
  { marketplace, clock }: FeedContext,
  { filter, project, unit }: BalanceOrder,
  options: CallOptions,
): Promise<CreditsAnswer> {
  if (project) return (await marketplace.lookup(project, options)).credits;
  const query = {
    limit: marketplace.fixedPage({ filter }) ?? SMALLEST_PAGE,
    nextCursor: 1,
    latestPublishedTs: timestampOf(clock.now() + DAY, unit),
  };
  return (await marketplace.filterProjects(filter, query, options)).credits;
}

/** Sends what was ordered and puts the balance on record. Uses up the permit. */
export async function learnBalance(
  context: FeedContext,
  order: BalanceOrder,
  permit: Permit,
  signal: AbortSignal,
): Promise<void> {
  const { store, credits, clock, log } = context;
  try {
    const answer = await askForBalance(context, order, { lane: 'feed', permit, signal });
    await store.transact(async (tx) => {
      const at = clock.now();
      await credits.settle(tx, order.id, answer, at);
      await recover(context, tx, order.filter, at);
    });
  } catch (thrown) {
    if (!(thrown instanceof MarketplaceError)) {
      await leaveOnRecord(context, order.id, signal);
      throw thrown;
    }
    log.warn("Couldn't read the credit balance", { code: thrown.code, status: thrown.details.status });
    await recordFailure(context, order, thrown, signal);
  }
}

async function recordFailure(
  context: FeedContext,
  order: BalanceOrder,
  error: MarketplaceError,
  signal: AbortSignal,
): Promise<void> {
  const { store, credits, clock } = context;
  await store.transact(async (tx) => {
    const at = clock.now();
    if (error.effect === 'none') await credits.release(tx, order.id);
    else await credits.leaveUnanswered(tx, order.id, at);
    // That one project can't be had is no trouble of the feed.
    const isOfProject = order.project !== undefined && ruleFor(error.code).concern === 'filter';
    if (signal.aborted || isOfProject) return;
    if (error.details.limitRefused) return;
    await recordTrouble(context, tx, order.filter, error, at);
  });
}

async function recover(context: FeedContext, tx: Transaction, id: FilterId, at: Instant): Promise<void> {
  const { team } = context;
  const filter = await readFilterState(tx, team, id);
  const feed = await readFeedState(tx, team);
  const ended = await endTrouble(context, tx, filter, feed, at);
  if (ended.filter !== filter) await tx.put(filters, filterKey(team, id), ended.filter);
  if (ended.feed !== feed) await tx.put(feedStates, [team], ended.feed);
}
